//! The cases that are counted.

use std::fmt;

use portcullis_project::Language;

/// A point of the guard, by the facts that it reads there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reads {
    /// `tool-update`.
    Nothing,
    /// `post-tool-call`.
    Name,
    /// `pre-tool-call`, where it searches the arguments.
    Arguments,
}

/// A way to call the guard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// By wasmtime alone, with a warm instance.
    Straight,
    /// By a chain of this many hooks, all warm.
    Chain(usize),
    /// By a chain of one hook, in a session of its own: an instance is made for the call.
    Fresh,
    /// By a chain of one warm hook, in a session with this record.
    Kept(Keeps),
}

/// The record of a session's runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keeps {
    /// A journal has the runs.
    Journal,
    /// A journal has the runs, and the calls are recorded.
    Calls,
}

/// A case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Case {
    pub language: Language,
    pub way: Way,
    pub reads: Reads,
}

impl Case {
    /// Returns the cases of one language, in the order in which they are counted.
    pub fn all(language: Language) -> Vec<Self> {
        let every = [Reads::Nothing, Reads::Name, Reads::Arguments];
        let ways = match language {
            // Ten hooks are ten components. The overhead of a chain for each is the same in every
            // language.
            Language::Rust => vec![Way::Straight, Way::Chain(1), Way::Chain(10)],
            // Go's runtime asks for the time and for random bytes, which the call by wasmtime alone
            // does not provide.
            Language::Go => vec![Way::Chain(1)],
            _ => vec![Way::Straight, Way::Chain(1)],
        };
        let warm = ways
            .into_iter()
            .flat_map(|way| every.map(|reads| (way, reads)));
        let kept = match language {
            // The cost of recording a call does not depend on the language.
            Language::Rust => &[Keeps::Journal, Keeps::Calls][..],
            _ => &[],
        };
        let kept = kept
            .iter()
            .map(|keeps| (Way::Kept(*keeps), Reads::Arguments));
        let all = warm.chain([(Way::Fresh, Reads::Name)]).chain(kept);
        all.map(|(way, reads)| Self {
            language,
            way,
            reads,
        })
        .collect()
    }

    /// Returns the number of hooks that are called.
    pub fn hooks(&self) -> usize {
        match self.way {
            Way::Chain(hooks) => hooks,
            Way::Straight | Way::Fresh | Way::Kept(_) => 1,
        }
    }

    /// Returns the number of calls that are counted: enough to hide one-time costs.
    pub fn calls(&self) -> u32 {
        match self.way {
            Way::Fresh => 5,
            _ => 100,
        }
    }
}

/// The name in the table and in the file.
impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, ", self.language)?;
        match self.way {
            Way::Straight => f.write_str("straight")?,
            Way::Chain(hooks) => write!(f, "chain of {hooks}")?,
            Way::Fresh => f.write_str("fresh instance")?,
            Way::Kept(Keeps::Journal) => f.write_str("chain of 1 with a journal")?,
            Way::Kept(Keeps::Calls) => f.write_str("chain of 1 with a journal and recordings")?,
        }
        f.write_str(match self.reads {
            Reads::Nothing => ", reads nothing",
            Reads::Name => ", reads the name",
            Reads::Arguments => ", reads name and arguments",
        })
    }
}
