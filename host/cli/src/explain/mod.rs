//! `portcullis explain`: the hooks' effects in a session.

mod difference;
mod text;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use clap::Args;
use portcullis_agent::CheckpointStore as _;
use portcullis_explain::{Explanation, page};
use portcullis_store::{Journal, SessionFilter, Store};
use portcullis_ui::explain;

use crate::approvals::open::block_on;
use crate::store::Where;
use crate::terminal::activity::Detail;
use crate::terminal::format::print_line;
use crate::terminal::{Out, Printable, json};
use crate::unknown::{no_such, no_such_in};

/// Explain a session: each hook's effects, the changes, and the reasons for refusals.
///
/// Shown are the hooks of each point in their order, model calls and tool calls; the reasons for
/// refusals, the hooks that did not run and why, and the refusals that audit mode did not apply.
/// Changes are shown field by field if the journal kept values: `journal-values` in agent.toml, or
/// `run --journal-values`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  portcullis explain\n  portcullis explain monday\n  portcullis explain monday/2 --each\n  \
    portcullis explain monday --html monday.html"
)]
pub struct ExplainArgs {
    /// The session, or one turn of it; `portcullis runs` names the sessions [default: the last
    /// active session].
    #[arg(value_name = "SESSION[/TURN]")]
    session: Option<String>,
    #[command(flatten)]
    store: Where,
    /// Give every hook run its own line, including runs that changed nothing.
    #[arg(long, conflicts_with_all = ["json", "html"])]
    each: bool,
    /// Print one JSON document; `portcullis schema explanation` prints its schema.
    #[arg(long, conflicts_with = "html")]
    json: bool,
    /// Write one HTML file, which needs no network and no other file.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
}

/// Returns the JSON schema of the output of `--json`.
pub fn schema() -> serde_json::Value {
    schemars::schema_for!(Explanation).to_value()
}

/// Runs the command.
pub fn run(args: &ExplainArgs) -> anyhow::Result<ExitCode> {
    let store = args.store.open()?;
    let journal = store.journal()?;
    let mut explanation = match &args.session {
        Some(name) => find(name, &journal)?,
        None => latest(&journal, &store)?,
    };
    name_waiting(&mut explanation, &store);
    if let Some(file) = &args.html {
        write(file, &explanation)?;
        print_line!(
            Out::stdout(),
            "wrote {}",
            Printable::line(file.display().to_string())
        )?;
    } else if args.json {
        json::document(&explanation)?;
    } else {
        let detail = match args.each {
            true => Detail::Each,
            false => Detail::Folded,
        };
        text::print(&explanation, detail, args.session.is_none())?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns the last active session. Sub-agents' sessions are parts of others, and do not count.
fn latest(journal: &Journal, store: &Store) -> anyhow::Result<Explanation> {
    let filter = SessionFilter {
        limit: 1,
        ..SessionFilter::default()
    };
    let all = journal.overview(&filter)?;
    let latest = all.first().with_context(|| {
        format!(
            "{store} has no session; `portcullis run`, `hook`, `serve` and `mcp-proxy` journal theirs, and --store names another store"
        )
    })?;
    Ok(explain(journal, &latest.session)?)
}

/// Names the tools of calls that wait, which the journal does not have.
fn name_waiting(explanation: &mut Explanation, store: &Store) {
    let turns = block_on(store.checkpoints().list(Some(explanation.session.as_str())));
    // If the store cannot be read, the calls have no names; the rest of the session is still shown.
    let turns = turns.unwrap_or_default();
    for call in turns.iter().flat_map(|turn| &turn.pending) {
        explanation.name_waiting(&call.call_id, &call.tool);
    }
}

fn write(file: &Path, explanation: &Explanation) -> anyhow::Result<()> {
    std::fs::write(file, page(explanation))
        .with_context(|| format!("{} cannot be written; name another file", file.display()))
}

/// Returns the session with this name, or one turn of it. A session's id may contain a slash too.
fn find(name: &str, journal: &Journal) -> anyhow::Result<Explanation> {
    let whole = explain(journal, name)?;
    if !whole.turns.is_empty() {
        return Ok(whole);
    }
    let part = name.rsplit_once('/');
    let part = part.and_then(|(session, turn)| Some((session, turn.parse::<u32>().ok()?)));
    if let Some((session, turn)) = part {
        let whole = explain(journal, session)?;
        // Records outside of every turn have the number 0, and a turn may be there in parts.
        let numbers: BTreeSet<u32> = whole.turns.iter().map(|it| it.number).collect();
        let numbers = numbers.iter().filter(|number| **number > 0);
        let turns: Vec<String> = numbers.map(u32::to_string).collect();
        let is_session = !whole.turns.is_empty();
        let one = whole.only(turn);
        if !one.turns.is_empty() {
            return Ok(one);
        }
        if is_session {
            let known: Vec<&str> = turns.iter().map(String::as_str).collect();
            bail!("{}", no_such("turn", &turn.to_string(), &known));
        }
    }
    let known = journal.sessions()?;
    let known: Vec<&str> = known.iter().map(String::as_str).collect();
    bail!("{}", no_such_in("the journal", "session", name, &known))
}
