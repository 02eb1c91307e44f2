//! The packages for Python and Node.js: built from the repository, installed into an environment under
//! `target/bindings`, and tested there by the language's own tests. They say NOT RUN where `pip` or `npm` is
//! missing.

mod environment;
mod node;
mod python;

use std::process::ExitCode;

use libtest_mimic::{Arguments, Trial};

struct Language {
    name: &'static str,
    missing: fn() -> Option<&'static str>,
    run: fn() -> anyhow::Result<()>,
}

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let mut trials = Vec::new();
    let languages = [
        Language {
            name: "python",
            missing: python::missing,
            run: python::run,
        },
        Language {
            name: "node",
            missing: node::missing,
            run: node::run,
        },
    ];
    for Language { name, missing, run } in languages {
        // Not for `--list`, which test runners use.
        let missing = match arguments.list {
            true => None,
            false => missing(),
        };
        match missing {
            Some(what) => {
                xtask::test::not_run(&format!("the package for {name}: {what} is missing"))
            }
            None => trials.push(Trial::test(name, move || {
                run().map_err(|error| format!("{error:?}").into())
            })),
        }
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}
