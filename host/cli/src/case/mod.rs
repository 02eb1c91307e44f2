//! `portcullis case`: test cases from recorded calls.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context as _, anyhow, bail};
use clap::{Args, Subcommand};
use portcullis_store::RecordingFilter;
use portcullis_workbench::case::of_recorded;

use crate::identity::IdentityArg;
use crate::store::Where;
use crate::terminal::format::print_line;
use crate::terminal::{Out, Printable};

/// Write a test case from a recorded call.
#[derive(Debug, Subcommand)]
#[command(after_help = "Example:\n  portcullis case from 3.1041 --out tests/refused.toml")]
pub enum CaseCommand {
    From(FromArgs),
}

/// Write the case of a recorded call.
///
/// The case contains the call's input and views, the hook's configuration and grants, the state
/// that it read, the answers of servers and the model, and the files of its directories if they
/// were recorded. Secrets are replaced by others. The case expects the recorded result: the
/// outcome, and the refusal, question, answer or changes. A comment names the parts that the
/// recording does not have. `portcullis test` runs the case.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  portcullis case from 3.1041\n  portcullis case from 3.1041 --out tests/refused.toml"
)]
pub struct FromArgs {
    /// The run, as `portcullis runs` and `portcullis replay` name it: its host and its id.
    #[arg(value_name = "RUN", value_parser = run_id)]
    run: (i64, i64),
    #[command(flatten)]
    store: Where,
    #[command(flatten)]
    identity: IdentityArg,
    /// Write it into this file, which must not exist. A missing directory is created. Default: the
    /// standard output.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// Returns a run: `HOST.ID`.
fn run_id(text: &str) -> Result<(i64, i64), String> {
    let parsed = text.split_once('.');
    let parsed = parsed.and_then(|(host, id)| Some((host.parse().ok()?, id.parse().ok()?)));
    parsed.ok_or_else(|| "write the host and the id of a run, such as `3.1041`".to_owned())
}

impl CaseCommand {
    /// Runs the command.
    pub fn run(self) -> anyhow::Result<ExitCode> {
        match self {
            Self::From(args) => from(&args),
        }
    }
}

fn from(args: &FromArgs) -> anyhow::Result<ExitCode> {
    let store = args.store.open()?;
    let filter = RecordingFilter {
        run: Some(args.run),
        identities: args.identity.read()?,
        ..RecordingFilter::default()
    };
    let (host, id) = args.run;
    let recorded = store.recorded_calls(&filter)?;
    let Some(call) = recorded.calls.first() else {
        if let Some(block) = recorded.damaged.first() {
            bail!(
                "the call of the run {host}.{id} is not among those that can be read: {}",
                block.cause
            );
        }
        bail!(
            "no call of the run {host}.{id} is recorded; `portcullis runs` lists runs. Calls are recorded of an agent with `record = true` in [stores] of agent.toml, and of `portcullis hook`, `serve` and `mcp-proxy` with a table [recording] in hooks.toml"
        );
    };
    let text = of_recorded(call)?;
    match &args.out {
        None => print_line!(Out::stdout(), "{}", Printable::prose(text.trim_end()))?,
        Some(file) => {
            let shown = || format!("{} cannot be written", file.display());
            if let Some(dir) = file.parent() {
                std::fs::create_dir_all(dir).with_context(shown)?;
            }
            let mut new = std::fs::File::create_new(file).map_err(|error| {
                let exists = error.kind() == std::io::ErrorKind::AlreadyExists;
                let error = match exists {
                    true => anyhow!("it exists already; name another file or remove it"),
                    false => error.into(),
                };
                error.context(shown())
            })?;
            std::io::Write::write_all(&mut new, text.as_bytes()).with_context(shown)?;
            let file = Printable::line(file.display().to_string());
            print_line!(Out::stdout(), "wrote {}", file)?;
        }
    }
    Ok(ExitCode::SUCCESS)
}
