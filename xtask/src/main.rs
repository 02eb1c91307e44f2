//! `cargo xtask`: the project's commands.

use std::env;
use std::path::PathBuf;
use std::process::{Command, ExitCode};

use xtask::dist::{TARGETS, Target};
use xtask::test::lanes::Lanes;
use xtask::test::stages::STAGES;
use xtask::test::{self, failed, program, times};
use xtask::{
    Error, Result, cargo, dist, guests, mutate, packages, root, sbom, target_dir, toolchain,
};

const HELP: &str = "\
The project's commands.

Usage: cargo xtask <COMMAND> [ARGUMENTS]

Commands:
  hooks     Build the example hooks: those in Rust into target/hooks, those of the demonstration into target/demo-hooks too,
            and those in other languages into target/project-hooks
  demo      Build only the hooks of the demonstration, into target/demo-hooks, and run it; arguments go to it
  guards    Build the guards into target/guards, measure what they catch and cost, and write the figures into their pages.
            --build only builds them; --dry-run records nothing; --lines names the wrong ones of the development half;
            --command=FILE measures with this build of the command
  test      Build the hooks and run all tests, or those of named stages; then print what was slowest.
            Other arguments go to `cargo test`
  docs      Write the pages of the book that are made from the code
  book      Build the book as HTML into target/book
  contract  Write the scripting SDKs' types from wit/
  packages  Pack the SDKs and the library for the registries into target/packages
  dist      Build the command for every system, or the named ones, and pack the release artifacts into target/dist;
            --help says what it needs
  sbom      Write the bill of materials into target/sbom/portcullis.cdx.json
  mutate    Break each promise of SECURITY.md once, and see that its test fails; names choose mutations

Examples:
  cargo xtask demo                     Watch hooks guard an agent, without a key or a network
  cargo xtask demo --json              The same as one JSON object for each event
  cargo xtask guards secrets --lines   Measure one guard
  cargo xtask test                     Run all tests
  cargo xtask test --list              Name the stages
  cargo xtask test host attack         Run two stages
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
        ("dist", Some("--help" | "-h")) => {
            print!("{}", dist::HELP);
            Ok(ExitCode::SUCCESS)
        }
        ("hooks", None) => {
            guests::build(&root())?;
            projects(&["hooks"])
        }
        ("hooks", Some(argument)) => Err(Error::new(format!(
            "`hooks` takes no argument `{argument}`; see: cargo xtask help"
        ))),
        ("contract", None) => projects(&["contract"]),
        ("demo", _) => demo(&arguments),
        ("guards", _) => guards(&arguments),
        ("test", Some("--list")) => {
            for stage in STAGES {
                println!("{:<10} {}", stage.name, stage.about);
            }
            Ok(ExitCode::SUCCESS)
        }
        ("test", _) => test(&arguments),
        // For `cargo test`: runs a test program.
        ("timed", _) => program::run(&root(), &arguments),
        ("mutate", _) => mutate::run(&root(), &arguments),
        ("sbom", None) => {
            println!("{}", sbom::write(&root())?.display());
            Ok(ExitCode::SUCCESS)
        }
        ("packages", None) => {
            println!("{}", packages::pack(&root())?.display());
            Ok(ExitCode::SUCCESS)
        }
        ("dist", Some("--check")) => {
            dist::check(&root())?;
            Ok(ExitCode::SUCCESS)
        }
        ("dist", _) => {
            let targets = match &arguments[..] {
                [] => TARGETS.to_vec(),
                names => names
                    .iter()
                    .map(|name| Target::named(name))
                    .collect::<Result<_>>()?,
            };
            println!("{}", dist::dist(&root(), &targets)?.display());
            Ok(ExitCode::SUCCESS)
        }
        ("docs", None) => docs(),
        ("book", None) => book(),
        (command @ ("docs" | "book" | "packages" | "sbom"), Some(argument)) => Err(Error::new(
            format!("`{command}` takes no argument `{argument}`; see: cargo xtask help"),
        )),
        _ => Err(Error::new(format!(
            "there is no command `{command}`; see: cargo xtask help"
        ))),
    }
}

fn demo(arguments: &[String]) -> Result<ExitCode> {
    toolchain::check_c_compiler()?;
    let hooks = guests::build_demo(&root())?;
    // Built by itself: with the features that it needs, and no others.
    build(
        &["--package", "portcullis-demo", "--profile", "demo"],
        "demo: building it",
    )?;
    let mut demo = Command::new(target_dir(&root()).join("demo").join("portcullis-demo"));
    demo.arg("--hooks").arg(hooks).args(arguments);
    finish(&mut demo)
}

fn guards(arguments: &[String]) -> Result<ExitCode> {
    xtask::guards::check(arguments)?;
    guests::guards(&root())?;
    if arguments.iter().any(|argument| argument == "--build") {
        return Ok(ExitCode::SUCCESS);
    }
    let command = arguments
        .iter()
        .find_map(|argument| argument.strip_prefix("--command="));
    let portcullis = match command {
        Some(command) => PathBuf::from(command),
        None => {
            toolchain::check_c_compiler()?;
            build(
                &["--workspace", "--bin", "portcullis"],
                "guards: building the command",
            )?;
            target_dir(&root()).join("debug").join("portcullis")
        }
    };
    xtask::guards::run(&root(), &portcullis, arguments)?;
    Ok(ExitCode::SUCCESS)
}

fn docs() -> Result<ExitCode> {
    pages(|book| book.arg("pages"))
}

fn book() -> Result<ExitCode> {
    let into = root().join("target/book");
    let done = pages(|book| book.arg("html").arg(&into))?;
    if done == ExitCode::SUCCESS {
        eprintln!("book: {}", into.join("index.html").display());
    }
    Ok(done)
}

/// Builds the page generator and runs it.
fn pages(arguments: impl FnOnce(&mut Command) -> &mut Command) -> Result<ExitCode> {
    toolchain::check_c_compiler()?;
    build(
        &["--workspace", "--bin", "portcullis-book"],
        "docs: building the page generator",
    )?;
    let mut generator = Command::new(target_dir(&root()).join("debug").join("portcullis-book"));
    finish(arguments(&mut generator))
}

/// Builds the program that generates types and builds hooks in other languages, and runs it.
fn projects(arguments: &[&str]) -> Result<ExitCode> {
    finish(&mut built_projects(arguments)?)
}

/// Returns the command that [`projects`] runs, after building its program.
fn built_projects(arguments: &[&str]) -> Result<Command> {
    build(
        &["--workspace", "--bin", "xtask-projects"],
        "hooks: building what builds those in other languages",
    )?;
    let mut projects = Command::new(target_dir(&root()).join("debug").join("xtask-projects"));
    projects.args(arguments);
    Ok(projects)
}

/// Builds packages of the workspace. If the whole workspace is selected, `test` can reuse the
/// compiled dependencies.
fn build(what: &[&str], doing: &str) -> Result<()> {
    let mut build = cargo(&root());
    build.arg("build").args(what);
    eprintln!("{doing}; the first time takes some minutes");
    match finish(&mut build)? == ExitCode::SUCCESS {
        true => Ok(()),
        false => Err(Error::new(format!(
            "`cargo build {}` failed",
            what.join(" ")
        ))),
    }
}

fn test(arguments: &[String]) -> Result<ExitCode> {
    let mut chosen = match arguments {
        [] => Tests::All(Box::new(Lanes::new(&root())?)),
        _ => Tests::Some(xtask::test::commands(&root(), arguments)?),
    };
    toolchain::check_c_compiler()?;
    guests::build(&root())?;
    // Hooks in other languages wait for packages, and most of their compilers use one core: the
    // tests are built beside them.
    let not_started = |cause| Error::start("xtask-projects", &cause);
    let mut hooks = built_projects(&["hooks", "--all"])?
        .spawn()
        .map_err(not_started)?;
    let built = match &mut chosen {
        Tests::All(lanes) => lanes.build(),
        Tests::Some(_) => Ok(ExitCode::SUCCESS),
    };
    let hooks = test::exit_code(hooks.wait().map_err(not_started)?);
    for code in [hooks, built?] {
        if code != ExitCode::SUCCESS {
            return Ok(code);
        }
    }
    test::forget(&root());
    let code = match chosen {
        Tests::All(lanes) => lanes.run()?,
        Tests::Some(commands) => in_order(commands)?,
    };
    if let Some(slowest) = times::slowest(&root()) {
        eprint!("{slowest}");
    }
    eprint!("{}", test::left_out(&root()));
    eprint!("{}", failed::report(&root()));
    Ok(code)
}

/// The tests to run.
enum Tests {
    All(Box<Lanes>),
    Some(Vec<Command>),
}

/// Runs commands until one fails, and returns the last exit code.
fn in_order(commands: Vec<Command>) -> Result<ExitCode> {
    for mut command in commands {
        let code = finish(&mut command)?;
        if code != ExitCode::SUCCESS {
            return Ok(code);
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Runs a command to its end, and returns its exit code.
fn finish(command: &mut Command) -> Result<ExitCode> {
    let status = command.status().map_err(|cause| {
        let program = command.get_program().display().to_string();
        Error::new(format!("cannot start {program}: {cause}"))
    })?;
    Ok(test::exit_code(status))
}
