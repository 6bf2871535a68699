//! Which part of an experiment's runs this process makes: named by the user, or by the scheduler that started it.
//!
//! The number of parts is always the user's: a part of an array that is submitted again must not cut the runs anew.

use crate::error::Error;

use super::study::{Cut, Shard};
use crate::population::rng::{Key, Stream};

const EXPECTED: &str = "K/N with 1 <= K <= N, like 3/16, or auto/N inside a job array";

/// The variable of each scheduler, the innermost first: a HyperQueue worker may itself be a task of a Slurm array.
const SCHEDULERS: [(&str, u64); 3] = [("HQ_TASK_ID", 0), ("JOB_COMPLETION_INDEX", 1), ("SLURM_ARRAY_TASK_ID", 0)];

impl Shard {
    /// Reads `K/N`, and `auto/N` by the variables of a job array.
    ///
    /// Tasks of Slurm and HyperQueue arrays have the numbers that the user gives them, which must be 1 to N; the pods of
    /// an indexed job of Kubernetes are counted from 0, always.
    ///
    /// # Errors
    /// [`Error::Parameter`] for anything else, and for a number that is not in `1..=N`.
    pub fn parse(text: &str, variable: impl Fn(&str) -> Option<String>) -> Result<Shard, Error> {
        let refuse = |found: &str| Err(Error::Parameter { name: "shard", found: found.to_owned(), expected: EXPECTED });
        let Some((index, count)) = text.split_once('/') else { return refuse(text) };
        let Some(count) = count.parse().ok().filter(|count| *count > 0) else { return refuse(text) };
        let index = match index {
            "auto" => of_scheduler(count, variable)?,
            index => index.parse().ok(),
        };
        match index {
            Some(index) if (1..=count).contains(&index) => Ok(Shard { index, count, cut: Cut::Dealt }),
            _ => refuse(text),
        }
    }
}

impl Shard {
    /// True if this part has a run of the cell with this seed.
    pub(crate) fn has(self, cell_seed: u64, run: u32) -> bool {
        self.cut.part(cell_seed, run, self.count) == self.index
    }
}

impl Cut {
    /// The part, of `count` parts counted from 1, of a run of the cell with this seed.
    pub(crate) fn part(self, cell_seed: u64, run: u32, count: u32) -> u32 {
        let draw = |run, draw| {
            let [word, ..] = Key::new(cell_seed, 0, Stream::Run).words(run, 0, draw);
            ((u64::from(word) * u64::from(count)) >> 32) as u32
        };
        match self {
            Cut::Drawn => 1 + draw(run, 1),
            Cut::Dealt => 1 + ((u64::from(draw(0, 2)) + u64::from(run)) % u64::from(count)) as u32,
        }
    }
}

/// The task's number from 1, or an error that says whose it is.
fn of_scheduler(count: u32, variable: impl Fn(&str) -> Option<String>) -> Result<Option<u32>, Error> {
    let refuse = |found: String, expected| Err(Error::Parameter { name: "shard", found, expected });
    let set: Vec<(&str, String, u64)> =
        SCHEDULERS.iter().filter_map(|(name, offset)| Some((*name, variable(name)?, *offset))).collect();
    let Some((name, value, offset)) = set.first() else {
        let expected =
            "K/N outside of a job array: none of SLURM_ARRAY_TASK_ID, JOB_COMPLETION_INDEX and HQ_TASK_ID is set";
        return refuse(format!("auto/{count}"), expected);
    };
    if *name == "JOB_COMPLETION_INDEX" && set.len() > 1 {
        return refuse(
            format!("auto/{count} under both Kubernetes and Slurm"),
            "K/N: which of the two counts is not known",
        );
    }
    let found = format!("auto/{count} with {name}={value}");
    if *name == "SLURM_ARRAY_TASK_ID" {
        let bound = |name| variable(name).and_then(|bound| bound.parse::<u64>().ok());
        if bound("SLURM_ARRAY_TASK_MIN") == Some(0)
            || bound("SLURM_ARRAY_TASK_MAX").is_some_and(|max| max > count.into())
        {
            return refuse(found, "in an array of tasks 1 to N, submitted with --array=1-N");
        }
    }
    match value.trim().parse::<u64>().ok().map(|task| task + offset) {
        Some(index) if (1..=u64::from(count)).contains(&index) => Ok(Some(index as u32)),
        _ if *offset == 1 => refuse(found, "in an indexed job of N completions, whose indices are 0 to N-1"),
        _ => refuse(found, "in an array of tasks 1 to N"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str, variables: &[(&str, &str)]) -> Result<(u32, u32), String> {
        let variable = |name: &str| variables.iter().find(|(key, _)| *key == name).map(|(_, value)| value.to_string());
        Shard::parse(text, variable).map(|shard| (shard.index, shard.count)).map_err(|error| error.to_string())
    }

    #[test]
    fn parts_are_counted_from_1() {
        assert_eq!((parse("1/1", &[]), parse("3/16", &[])), (Ok((1, 1)), Ok((3, 16))));
        for text in ["0/4", "5/4", "1/0", "1", "a/4", "1/b", "", "-1/4", "auto"] {
            assert!(parse(text, &[]).unwrap_err().contains("K/N"), "{text}");
        }
    }

    #[test]
    fn parts_differ_by_one_run_per_cell_at_most_and_none_is_empty_where_there_are_enough() {
        for (cells, runs, count) in [(12u64, 20, 16), (1, 100, 100), (40, 7, 3), (3, 5, 8)] {
            let mut all = vec![0; count as usize];
            for cell in 0..cells {
                let mut parts = vec![0; count as usize];
                (0..runs).for_each(|run| parts[Cut::Dealt.part(cell * 7919, run, count) as usize - 1] += 1);
                let (least, most) = (parts.iter().min().unwrap(), parts.iter().max().unwrap());
                assert!(most - least <= 1, "{parts:?}");
                all.iter_mut().zip(parts).for_each(|(sum, part)| *sum += part);
            }
            assert!(runs < count || all.iter().all(|part| *part > 0), "{all:?}");
        }
    }

    #[test]
    fn value_stability_of_the_cut_of_folders_that_do_not_name_it() {
        let parts: Vec<u32> = (0..8).map(|run| Cut::Drawn.part(1, run, 4)).collect();
        assert_eq!(parts, [4, 1, 4, 3, 4, 1, 3, 4]);
        let old: Shard = serde_json::from_str(r#"{"index":2,"count":4}"#).unwrap();
        assert_eq!(old.cut, Cut::Drawn);
        assert_eq!(serde_json::to_string(&old).unwrap(), r#"{"index":2,"count":4}"#);
        assert_eq!(
            serde_json::to_string(&Shard { cut: Cut::Dealt, ..old }).unwrap(),
            r#"{"index":2,"count":4,"cut":"dealt"}"#
        );
    }

    #[test]
    fn schedulers_say_which_part_it_is() {
        let slurm =
            |id, min, max| [("SLURM_ARRAY_TASK_ID", id), ("SLURM_ARRAY_TASK_MIN", min), ("SLURM_ARRAY_TASK_MAX", max)];
        assert_eq!(parse("auto/4", &slurm("1", "1", "4")), Ok((1, 4)));
        assert_eq!(parse("auto/4", &slurm("3", "3", "3")), Ok((3, 4)), "a part submitted again");
        assert_eq!(parse("auto/4", &[("JOB_COMPLETION_INDEX", "0")]), Ok((1, 4)));
        assert_eq!(parse("auto/4", &[("JOB_COMPLETION_INDEX", "3")]), Ok((4, 4)));
        assert_eq!(parse("auto/4", &[("HQ_TASK_ID", "4")]), Ok((4, 4)));
        assert_eq!(parse("auto/4", &[("SLURM_ARRAY_TASK_ID", "1"), ("HQ_TASK_ID", "2")]), Ok((2, 4)), "the innermost");
    }

    #[test]
    fn a_task_that_is_no_part_is_refused() {
        let slurm =
            |id, min, max| [("SLURM_ARRAY_TASK_ID", id), ("SLURM_ARRAY_TASK_MIN", min), ("SLURM_ARRAY_TASK_MAX", max)];
        for (variables, part) in [
            (&slurm("2", "0", "3")[..], "--array=1-N"),
            (&slurm("2", "1", "5"), "--array=1-N"),
            (&[("SLURM_ARRAY_TASK_ID", "0")], "SLURM_ARRAY_TASK_ID=0"),
            (&[("SLURM_ARRAY_TASK_ID", "5")], "tasks 1 to N"),
            (&[("JOB_COMPLETION_INDEX", "4")], "indices are 0 to N-1"),
            (&[("HQ_TASK_ID", "0")], "tasks 1 to N"),
            (&[("HQ_TASK_ID", "x")], "HQ_TASK_ID=x"),
            (&[("JOB_COMPLETION_INDEX", "0"), ("SLURM_ARRAY_TASK_ID", "1")], "both Kubernetes and Slurm"),
            (&[], "none of SLURM_ARRAY_TASK_ID"),
        ] {
            let message = parse("auto/4", variables).unwrap_err();
            assert!(message.contains(part), "{part}: {message}");
        }
    }
}
