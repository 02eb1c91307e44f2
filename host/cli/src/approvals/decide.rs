//! `portcullis approvals approve` and `portcullis approvals deny`

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::bail;
use clap::Args;
use portcullis_agent::{Answerer, CheckpointInfo, CheckpointStore as _, PendingCall, Resolution};
use portcullis_store::Store;

use super::open::{TurnArg, block_on, questions};
use super::show::words;
use crate::approval::{ShownQuestion, TerminalApprover};
use crate::input::Lines;
use crate::person::PersonArg;
use crate::terminal::format::print_line;
use crate::terminal::style::{DIM, GOOD, NOTE};
use crate::terminal::{Out, json, shows_output};

/// Approve the calls that a suspended turn asks about.
///
/// Each question is shown with the value that would go ahead. Of a long value only the two ends are
/// shown, and `yes` does not approve it: type `show`, or `approve`. The answer is recorded; the
/// turn continues in the process that waits for it, or by `portcullis resume`. The first answer to
/// a call counts.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  portcullis approvals approve ID\n  \
    portcullis approvals approve ID call-1 --yes")]
pub struct ApproveArgs {
    #[command(flatten)]
    turn: TurnArg,
    /// The calls to approve. Default: all that wait for a decision and have none.
    #[arg(value_name = "CALL")]
    calls: Vec<String>,
    #[command(flatten)]
    person: PersonArg,
    /// Replace an earlier answer.
    #[arg(long)]
    replace: bool,
    /// Do not ask: approve the values that `portcullis approvals show` shows. Required without a
    /// terminal.
    #[arg(long)]
    yes: bool,
    /// Print JSON: the turn. Requires --yes.
    #[arg(long, requires = "yes")]
    json: bool,
}

/// Deny the calls that a suspended turn asks about.
///
/// The answer is recorded; the turn continues in the process that waits for it, or by `portcullis
/// resume`. The first answer to a call counts.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  portcullis approvals deny ID --reason \"not today\"")]
pub struct DenyArgs {
    #[command(flatten)]
    turn: TurnArg,
    /// The calls to deny. Default: all that wait for a decision and have none.
    #[arg(value_name = "CALL")]
    calls: Vec<String>,
    /// The reason, for the model.
    #[arg(long, value_name = "TEXT", default_value = "a person said no")]
    reason: String,
    #[command(flatten)]
    person: PersonArg,
    /// Replace an earlier answer.
    #[arg(long)]
    replace: bool,
    /// Print JSON: the turn.
    #[arg(long)]
    json: bool,
}

pub(super) fn approve(args: &ApproveArgs) -> anyhow::Result<ExitCode> {
    let (store, info) = args.turn.find()?;
    let calls = questions(&info, &args.calls, args.replace)?;
    if !args.yes {
        if !shows_output() {
            bail!(
                "nothing was recorded: there is no terminal to ask at. If you agree to what `portcullis \
                 approvals show` shows, run the command again with --yes"
            );
        }
        if !confirmed(&calls)? {
            print_line!(Out::stderr(), "{NOTE}nothing was recorded{NOTE:#}")?;
            return Ok(ExitCode::FAILURE);
        }
    }
    let answers = calls
        .iter()
        .map(|call| (call.call_id.clone(), Resolution::yes()));
    record(
        &store,
        &info,
        answers.collect(),
        by(&args.person, args.replace),
        args.json,
    )
}

/// Asks about each call.
fn confirmed(calls: &[&PendingCall]) -> anyhow::Result<bool> {
    let person = TerminalApprover::new(Arc::new(Lines::default()));
    for question in calls.iter().filter_map(|call| ShownQuestion::of_call(call)) {
        if !block_on(person.confirms(&question))? {
            return Ok(false);
        }
    }
    Ok(true)
}

pub(super) fn deny(args: &DenyArgs) -> anyhow::Result<ExitCode> {
    let (store, info) = args.turn.find()?;
    let calls = questions(&info, &args.calls, args.replace)?;
    let denied = |call: &&PendingCall| (call.call_id.clone(), Resolution::no(&*args.reason));
    let answers = calls.iter().map(denied).collect();
    record(
        &store,
        &info,
        answers,
        by(&args.person, args.replace),
        args.json,
    )
}

/// Returns the person who answers with this command.
pub(super) fn by(person: &PersonArg, replaces: bool) -> Answerer {
    Answerer {
        who: format!("{}, on the command line", person.name()),
        replaces,
    }
}

/// Records answers, with the person who gave them, and prints the next step.
pub(super) fn record(
    store: &Store,
    info: &CheckpointInfo,
    answers: BTreeMap<String, Resolution>,
    by: Answerer,
    as_json: bool,
) -> anyhow::Result<ExitCode> {
    let checkpoints = store.checkpoints();
    let noted = format!("{},", by.who);
    let now = block_on(checkpoints.resolve(&info.id, answers.clone(), by))?;
    let journal = store.journal()?;
    for (call, answer) in &answers {
        journal.note_answer(info, call, answer, &noted);
    }
    block_on(journal.flush_async())?;
    if as_json {
        json::document(&super::list::Listed::new(&now))?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut out = Out::stdout();
    for (call, answer) in &answers {
        print_line!(out, "{GOOD}✓{GOOD:#} {} {}", call, words(answer))?;
        if let Some(before) = info
            .resolutions
            .get(call)
            .filter(|before| *before != answer)
        {
            print_line!(out, "  {NOTE}it was {}{NOTE:#}", words(before))?;
        }
    }
    match now.is_resolved() {
        true => print_line!(
            out,
            "{DIM}next: portcullis resume {} with the options of its `portcullis run`, unless its process waits for \
             the answers{DIM:#}",
            now.id
        )?,
        false => print_line!(out, "{DIM}other calls of the turn still wait{DIM:#}")?,
    }
    Ok(ExitCode::SUCCESS)
}
