//! `cargo xtask`: the project's commands.

use std::env;
use std::process::{Command, ExitCode};

use xtask::{Error, Result, cargo, guests, root, toolchain};

const HELP: &str = "\
The project's commands.

Usage: cargo xtask <COMMAND> [ARGUMENTS]

Commands:
  hooks   Build the example hooks into target/hooks
  demo    Build the hooks and run the demonstration; arguments go to it
  test    Build the hooks and run all tests; arguments go to `cargo test`

Examples:
  cargo xtask demo                     Watch hooks guard an agent, without a key or a network
  cargo xtask demo --json              The same as one JSON object for each event
  cargo xtask test                     Run all tests
  cargo xtask test -p portcullis       Run those of one package
  cargo xtask test -- --nocapture      Show what the tests print
";

fn main() -> ExitCode {
    match run(env::args().skip(1).collect()) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(mut arguments: Vec<String>) -> Result<ExitCode> {
    if arguments.is_empty() {
        eprint!("{HELP}");
        return Ok(ExitCode::from(2));
    }
    let command = arguments.remove(0);
    match (command.as_str(), arguments.first().map(String::as_str)) {
        ("help" | "--help" | "-h", _) | ("hooks", Some("--help" | "-h")) => {
            print!("{HELP}");
            Ok(ExitCode::SUCCESS)
        }
        ("hooks", None) => {
            guests::build(&root())?;
            Ok(ExitCode::SUCCESS)
        }
        ("hooks", Some(argument)) => Err(Error::new(format!(
            "`hooks` takes no argument `{argument}`; see: cargo xtask help"
        ))),
        ("demo", _) => demo(&arguments),
        ("test", _) => test(&arguments),
        _ => Err(Error::new(format!(
            "there is no command `{command}`; see: cargo xtask help"
        ))),
    }
}

fn demo(arguments: &[String]) -> Result<ExitCode> {
    toolchain::check_c_compiler()?;
    let hooks = guests::build(&root())?;
    let mut demo = cargo(&root());
    demo.args([
        "run",
        "--quiet",
        "--package",
        "portcullis-cli",
        "--",
        "demo",
        "--hooks",
    ])
    .arg(hooks)
    .args(arguments);
    finish(demo)
}

fn test(arguments: &[String]) -> Result<ExitCode> {
    toolchain::check_c_compiler()?;
    guests::build(&root())?;
    let names_packages = arguments
        .iter()
        .take_while(|argument| *argument != "--")
        .any(|argument| argument.starts_with("-p") || argument.starts_with("--package"));
    let mut test = cargo(&root());
    test.arg("test");
    if !names_packages {
        test.arg("--workspace");
    }
    test.args(arguments);
    finish(test)
}

/// Runs a command to its end and ends as it did.
fn finish(mut command: Command) -> Result<ExitCode> {
    let status = command
        .status()
        .map_err(|cause| Error::new(format!("cannot start cargo: {cause}")))?;
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    Ok(code.map_or(ExitCode::FAILURE, ExitCode::from))
}
