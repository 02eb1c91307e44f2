//! `portcullis resume`: continues a suspended turn.

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::str::FromStr;

use clap::Args;
use portcullis_agent::{CheckpointId, Resolution};

use crate::agent_file::AgentArg;
use crate::approvals::open;
use crate::run::{Again, Edits, OutputArgs, Plan, start};
use crate::terminal::Out;
use crate::terminal::format::print_line;
use crate::terminal::style::NOTE;

/// Continue a suspended turn, with the answers that `portcullis approvals` has recorded.
///
/// A turn is suspended if a hook's question is deferred, or if the model calls a tool that the
/// client runs. Calls without an answer wait on; if there is no answer at all, nothing is run. A
/// turn is continued once: see `portcullis approvals list` for one whose process died. With --json
/// and without a message, a program drives the session as in `portcullis run --json`: it may send
/// the answers too, and more turns.
///
/// The agent is made from `agent.toml` and the options here, not from those of the suspended turn:
/// give the options of its `portcullis run`, as it printed them. Exit code 1 if the turn failed, 3
/// if it waits.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    portcullis approvals approve ID && portcullis resume ID\n  \
    portcullis resume ID --result call-1=blue \"And now?\"\n  \
    portcullis resume ID --json")]
pub struct ResumeArgs {
    #[command(flatten)]
    again: Again,
    /// The checkpoint, as it was printed when the turn was suspended.
    #[arg(value_name = "ID")]
    id: String,
    /// The next turn, once the suspended one is done.
    #[arg(value_name = "MESSAGE")]
    message: Option<String>,
    /// The result of a tool that the client ran.
    #[arg(long, value_name = "CALL=TEXT")]
    result: Vec<CallText>,
    /// If the turn is suspended again, wait here until its questions are answered, and continue it.
    #[arg(long)]
    wait: bool,
    #[command(flatten)]
    agent: AgentArg,
    #[command(flatten)]
    edits: Edits,
    #[command(flatten)]
    output: OutputArgs,
}

/// The id of a call, and a text.
#[derive(Debug, Clone)]
struct CallText(String, String);

impl FromStr for CallText {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.split_once('=') {
            Some((call, text)) if !call.is_empty() => Ok(Self(call.into(), text.into())),
            _ => Err("write the call's id, `=` and a text".into()),
        }
    }
}

/// Runs the command.
pub fn run(args: ResumeArgs) -> anyhow::Result<ExitCode> {
    let mut file = args.agent.load()?.unwrap_or_default();
    let of_workers = args.edits.of_workers();
    args.edits.apply(&mut file)?;
    let id: CheckpointId = args.id.parse()?;
    let results = args.result.into_iter();
    let results: BTreeMap<String, Resolution> = results
        .map(|CallText(call, text)| (call, Resolution::result(text)))
        .collect();
    let mut plan = Plan::new(&args.output);
    plan.wait = args.wait;
    plan.of_workers = of_workers;
    plan.again = args.again;
    plan.begin.message = args.message;
    // A program that drives the session may send the answers.
    if results.is_empty() && !plan.is_driven() {
        let info = open::get(&*open::store(&file)?, &id)?;
        if info.claim.is_none() && info.resolutions.is_empty() && !info.is_over() {
            print_line!(
                Out::stderr(),
                "{NOTE}nothing is answered yet:{NOTE:#} portcullis approvals show {}",
                id
            )?;
            return Ok(ExitCode::from(3));
        }
    }
    plan.begin.resumed = Some((id, results));
    start(plan, &file)
}
