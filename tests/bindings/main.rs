//! The packages for Python and Node.js: built from the repository, installed into an environment under
//! `target/bindings`, and tested there by the language's own tests. They say NOT RUN where `pip` or `npm` is
//! missing.

mod environment;
mod python;

use std::process::ExitCode;

use libtest_mimic::{Arguments, Trial};

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let mut trials = Vec::new();
    let languages: [(
        &str,
        fn() -> Option<&'static str>,
        fn() -> anyhow::Result<()>,
    ); 1] = [("python", python::missing, python::run)];
    for (language, missing, run) in languages {
        // Not for `--list`, which test runners use.
        match missing().filter(|_| !arguments.list) {
            Some(what) => eprintln!("NOT RUN: the package for {language}: {what} is missing"),
            None => trials.push(Trial::test(language, move || {
                run().map_err(|error| format!("{error:?}").into())
            })),
        }
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}
