//! `portcullis approvals show`

use std::io;
use std::process::ExitCode;

use clap::Args;
use portcullis::approval::ApprovalDecision;
use portcullis_agent::{PendingCall, Question, Resolution, Wanted};

use super::list::Listed;
use super::open::TurnArg;
use crate::approval::Value;
use crate::terminal::format::{print_line, printable};
use crate::terminal::style::{BOLD, DIM, NOTE};
use crate::terminal::{Out, Printable, json, width};

/// Show a suspended turn: every question with the whole value that would go ahead.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  portcullis approvals show ID")]
pub struct ShowArgs {
    #[command(flatten)]
    turn: TurnArg,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: &ShowArgs) -> anyhow::Result<ExitCode> {
    let (_, info) = args.turn.find()?;
    let listed = Listed::new(&info);
    if args.json {
        json::document(&listed)?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut out = Out::stdout();
    print_line!(out, "{BOLD}{}{BOLD:#}", info.id)?;
    print_line!(
        out,
        "{DIM}turn {} of agent {}, session {}{DIM:#}",
        info.turn,
        info.agent,
        info.session
    )?;
    print_line!(out, "{}", listed.words())?;
    for call in &info.pending {
        write(&mut out, call, info.resolutions.get(&call.call_id))?;
        if let Some(by) = info.answered.get(&call.call_id) {
            print_line!(out, "    {DIM}by {}{DIM:#}", by.who)?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn write(out: &mut Out, call: &PendingCall, answer: Option<&Resolution>) -> io::Result<()> {
    print_line!(out, "\n{BOLD}{}{BOLD:#} {}", call.call_id, call.tool)?;
    match &call.wants {
        Wanted::Decision {
            hook,
            request,
            then,
        } => {
            question(out, hook, request)?;
            for next in then {
                question(out, &next.hook, &next.request)?;
            }
            if !then.is_empty() {
                print_line!(
                    out,
                    "  {DIM}an answer is to the first; the others are asked after it{DIM:#}"
                )?;
            }
        }
        Wanted::Result => print_line!(out, "  waits for the tool's result")?,
    }
    print_line!(out, "  {DIM}arguments of the call:{DIM:#}")?;
    Value::new(&call.arguments, width().saturating_sub(2)).write(out)?;
    match answer {
        Some(answer) => print_line!(out, "  {NOTE}→ {}{NOTE:#}", words(answer)),
        None => Ok(()),
    }
}

fn question(out: &mut Out, hook: &str, request: &Question) -> io::Result<()> {
    print_line!(
        out,
        "  {NOTE}?{NOTE:#} {} {DIM}({} asks){DIM:#}",
        request.question,
        hook
    )?;
    match &request.details {
        Some(details) => print_line!(out, "  {DIM}details:{DIM:#} {}", details),
        None => Ok(()),
    }
}

/// Returns an answer, in words.
pub(super) fn words(answer: &Resolution) -> Printable {
    match answer {
        Resolution::Decision(ApprovalDecision::Approve) => "approved".into(),
        Resolution::Decision(
            ApprovalDecision::Deny(reason) | ApprovalDecision::Unanswered(reason),
        ) => printable!("denied: {}", reason),
        Resolution::Decision(ApprovalDecision::Edit(value)) => printable!("edited: {}", value),
        Resolution::Decision(ApprovalDecision::Defer) => "deferred".into(),
        Resolution::Result(output) => printable!("result: {}", output.content),
    }
}
