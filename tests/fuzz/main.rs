//! Fuzz tests of components, settings, agents' files, the descriptors and configuration schemas of
//! hooks, answers of components, and answers of scripts.
//!
//! ```text
//! cargo test --workspace --test fuzz                 the corpus again, and some new inputs
//! cargo test --workspace --test fuzz -- outcomes     of one target
//! PORTCULLIS_FUZZ_SECONDS=600 cargo test --workspace --test fuzz -- new_inputs
//! ```
//!
//! The last command makes new inputs for ten minutes a target, from another seed each time
//! (`PORTCULLIS_FUZZ_SEED` sets it). An input that shows a fault is written into `corpus/`, where
//! every later run finds it. With `PORTCULLIS_FUZZ_KEEP=1` the first input of every new behaviour
//! is written there too.

mod agent_file;
mod answers;
mod component;
mod configuration;
mod contract;
mod corpus;
mod fresh;
mod guest;
mod memory;
mod outcomes;
mod round;
mod settings;
mod target;
mod value;
mod words;

use std::process::ExitCode;

use libtest_mimic::{Arguments, Failed, Trial};

use crate::target::Target;

/// A target: its name, its constructor, and the number of new inputs that an ordinary run makes for
/// it.
struct Listed {
    name: &'static str,
    make: fn() -> anyhow::Result<Box<dyn Target>>,
    new_inputs: u64,
}

const TARGETS: &[Listed] = &[
    Listed {
        name: "component",
        make: component::target,
        new_inputs: 100,
    },
    Listed {
        name: "settings",
        make: settings::target,
        new_inputs: 1_000,
    },
    Listed {
        name: "agent_file",
        make: agent_file::target,
        new_inputs: 1_000,
    },
    Listed {
        name: "configuration",
        make: configuration::target,
        new_inputs: 300,
    },
    Listed {
        name: "outcomes",
        make: outcomes::target,
        new_inputs: 2_000,
    },
    Listed {
        name: "answers",
        make: answers::target,
        new_inputs: 2_000,
    },
];

fn main() -> ExitCode {
    let mut arguments = Arguments::from_args();
    // The tests run one after another: the growth of the process's memory is measured.
    arguments.test_threads = Some(1);
    let trials = TARGETS.iter().flat_map(|listed| {
        [
            Trial::test(format!("corpus::{}", listed.name), || {
                let target = made(listed)?;
                round::replay(listed.name, target).map_err(Failed::from)
            }),
            Trial::test(format!("new_inputs::{}", listed.name), || {
                let target = made(listed)?;
                round::explore(listed.name, target, listed.new_inputs).map_err(Failed::from)
            }),
        ]
    });
    libtest_mimic::run(&arguments, trials.collect()).exit_code()
}

fn made(listed: &Listed) -> Result<Box<dyn Target>, Failed> {
    (listed.make)().map_err(|e| format!("{}: {e:#}", listed.name).into())
}
