//! How hard a puzzle is for a person: the hardest technique that a solver who takes the easiest first cannot do without.
//!
//! The node count of a search says how hard a puzzle is for a machine, not for a person. Here a puzzle is solved with pencil
//! marks as people do it, always by the easiest [`Technique`] that makes progress:
//!
//! | difficulty | techniques |
//! |------------|------------|
//! | easy       | naked and hidden singles |
//! | medium     | locked candidates, naked and hidden pairs |
//! | hard       | X-wing, XY-wing, triples, quads, swordfish, jellyfish |
//! | expert     | these are not enough |
//!
//! The names are those of the field (e.g. A. C. Stuart, "The Logic of Sudoku", 2007). Every technique is defined on units
//! alone, so it works for any shape.
//!
//! Reading order: `marks` (the pencil marks), `techniques`.

mod marks;
mod techniques;

#[cfg(test)]
mod tests;

use std::fmt;

use crate::sudoku::Puzzle;
use marks::Marks;

/// The difficulty for a person, easiest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Difficulty {
    /// Naked and hidden singles.
    Easy,
    /// Locked candidates and pairs as well.
    Medium,
    /// Triples, quads, fish or wings as well.
    Hard,
    /// More than these techniques.
    Expert,
}

impl Difficulty {
    /// Every difficulty, easiest first.
    pub const ALL: [Difficulty; 4] = [Difficulty::Easy, Difficulty::Medium, Difficulty::Hard, Difficulty::Expert];

    /// The name on the command line and in results.
    pub fn name(self) -> &'static str {
        match self {
            Difficulty::Easy => "easy",
            Difficulty::Medium => "medium",
            Difficulty::Hard => "hard",
            Difficulty::Expert => "expert",
        }
    }
}

impl fmt::Display for Difficulty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A technique of solving without guessing, in the order in which they are tried.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Technique {
    /// A cell with one candidate left.
    NakedSingle,
    /// A digit with one place left in a unit.
    HiddenSingle,
    /// A digit whose places in one unit all lie in another: pointing and claiming.
    LockedCandidates,
    /// Two cells of a unit that share two digits and have no other.
    NakedPair,
    /// Two digits of a unit that share two cells and have no other.
    HiddenPair,
    /// Two lines in which a digit has the same two crossing lines.
    XWing,
    /// A cell of two digits, and one of each digit and a third around it.
    XyWing,
    /// As [`Technique::NakedPair`], with three.
    NakedTriple,
    /// As [`Technique::HiddenPair`], with three.
    HiddenTriple,
    /// As [`Technique::XWing`], with three lines.
    Swordfish,
    /// As [`Technique::NakedPair`], with four.
    NakedQuad,
    /// As [`Technique::HiddenPair`], with four.
    HiddenQuad,
    /// As [`Technique::XWing`], with four lines.
    Jellyfish,
}

impl Technique {
    /// Every technique, easiest first.
    pub const ALL: [Technique; 13] = {
        use Technique::*;
        [
            NakedSingle,
            HiddenSingle,
            LockedCandidates,
            NakedPair,
            HiddenPair,
            XWing,
            XyWing,
            NakedTriple,
            HiddenTriple,
            Swordfish,
            NakedQuad,
            HiddenQuad,
            Jellyfish,
        ]
    };

    /// The name in the field.
    pub fn name(self) -> &'static str {
        match self {
            Technique::NakedSingle => "naked single",
            Technique::HiddenSingle => "hidden single",
            Technique::LockedCandidates => "locked candidates",
            Technique::NakedPair => "naked pair",
            Technique::HiddenPair => "hidden pair",
            Technique::XWing => "X-wing",
            Technique::XyWing => "XY-wing",
            Technique::NakedTriple => "naked triple",
            Technique::HiddenTriple => "hidden triple",
            Technique::Swordfish => "swordfish",
            Technique::NakedQuad => "naked quad",
            Technique::HiddenQuad => "hidden quad",
            Technique::Jellyfish => "jellyfish",
        }
    }

    /// The difficulty of a puzzle whose hardest step is this.
    pub fn difficulty(self) -> Difficulty {
        match self {
            Technique::NakedSingle | Technique::HiddenSingle => Difficulty::Easy,
            Technique::LockedCandidates | Technique::NakedPair | Technique::HiddenPair => Difficulty::Medium,
            _ => Difficulty::Hard,
        }
    }

    /// Applies this technique to the marks; false if nothing changes.
    fn apply(self, marks: &mut Marks) -> bool {
        match self {
            Technique::NakedSingle => techniques::naked_singles(marks),
            Technique::HiddenSingle => techniques::hidden_singles(marks),
            Technique::LockedCandidates => techniques::locked_candidates(marks),
            Technique::NakedPair => techniques::naked_subset(marks, 2),
            Technique::HiddenPair => techniques::hidden_subset(marks, 2),
            Technique::XWing => techniques::fish(marks, 2),
            Technique::XyWing => techniques::xy_wing(marks),
            Technique::NakedTriple => techniques::naked_subset(marks, 3),
            Technique::HiddenTriple => techniques::hidden_subset(marks, 3),
            Technique::Swordfish => techniques::fish(marks, 3),
            Technique::NakedQuad => techniques::naked_subset(marks, 4),
            Technique::HiddenQuad => techniques::hidden_subset(marks, 4),
            Technique::Jellyfish => techniques::fish(marks, 4),
        }
    }
}

impl fmt::Display for Technique {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The difficulty of a puzzle, with the reason.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Grade {
    /// The difficulty for a person.
    pub difficulty: Difficulty,
    /// The hardest technique that was needed; none if no cell is free or nothing applied.
    pub hardest: Option<Technique>,
    /// Applications of a technique that changed something.
    pub steps: u32,
}

impl Grade {
    /// True if the techniques of [`Technique`] solve the puzzle; false of every expert puzzle.
    pub fn techniques_suffice(&self) -> bool {
        self.difficulty != Difficulty::Expert
    }
}

/// `easy (hardest step: hidden single)`; of an expert puzzle, that these steps are not enough.
impl fmt::Display for Grade {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let difficulty = self.difficulty;
        match self.hardest {
            Some(hardest) if self.techniques_suffice() => write!(f, "{difficulty} (hardest step: {hardest})"),
            Some(hardest) => {
                write!(
                    f,
                    "{difficulty} (no technique from naked singles to jellyfish is enough; the hardest that helped: {hardest})"
                )
            }
            None if self.techniques_suffice() => write!(f, "{difficulty}"),
            None => write!(f, "{difficulty} (no technique from naked singles to jellyfish helped)"),
        }
    }
}

/// Grades a puzzle with one solution; one with none or several is graded expert.
///
/// ```
/// use swarmdoku::exact::grade::{Difficulty, Technique, grade};
/// use swarmdoku::{Puzzle, sudoku::text};
///
/// let text = "902005403100063025508407060026309001057010290090670530240530600705200304080041950";
/// let grade = grade(&Puzzle::new(text::read_one(text, Default::default())?)?);
/// assert_eq!(grade.difficulty, Difficulty::Easy);
/// assert!(grade.hardest <= Some(Technique::HiddenSingle));
/// # Ok::<(), swarmdoku::Error>(())
/// ```
pub fn grade(puzzle: &Puzzle) -> Grade {
    let mut marks = Marks::new(puzzle.givens());
    let mut hardest = None;
    let mut steps = 0;
    while !marks.is_dead() {
        let Some(technique) = Technique::ALL.into_iter().find(|technique| technique.apply(&mut marks)) else { break };
        hardest = hardest.max(Some(technique));
        steps += 1;
    }
    let difficulty = match hardest {
        _ if !marks.is_solved() => Difficulty::Expert,
        None => Difficulty::Easy,
        Some(technique) => technique.difficulty(),
    };
    Grade { difficulty, hardest, steps }
}
