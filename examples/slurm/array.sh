#!/usr/bin/env bash
# A part of an experiment a task. Submit with the number of parts as the size of the array, from 1:
#
#   sbatch --array=1-4 examples/slurm/array.sh PLAN.toml RESULTS 4
#
# The same line again, or the numbers of the failed tasks alone (--array=2,4), goes on where the parts stand.
#SBATCH --job-name=swarmdoku
#SBATCH --cpus-per-task=1
#SBATCH --time=08:00:00
#SBATCH --signal=TERM@60
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output=%x-%A-%a.log
set -euo pipefail

plan=${1:?"usage: sbatch --array=1-N array.sh PLAN.toml RESULTS N"}
results=${2:?"name the folder of results"}
parts=${3:?"name the number of parts, that of the array"}
swarmdoku=${SWARMDOKU:-swarmdoku}

# Started as a step, so that the signal before the time limit, or before a preemption, reaches the program itself.
status=0
srun "$swarmdoku" run "$plan" --output "$results/part-$SLURM_ARRAY_TASK_ID" --shard "auto/$parts" --resume \
    --threads "${SLURM_CPUS_PER_TASK:-1}" || status=$?

# 4: the device failed, 5: a file could not be written, 130: stopped in time. All of them go on when tried again; usage and
# input do not get better by that.
case $status in
    4 | 5 | 130)
        if ((${SLURM_RESTART_COUNT:-0} < 20)); then
            echo "exit code $status: going on later"
            scontrol requeue "${SLURM_ARRAY_JOB_ID}_${SLURM_ARRAY_TASK_ID}"
        fi
        ;;
esac
exit "$status"
