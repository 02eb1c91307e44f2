//! The output of chat commands.

use std::sync::Arc;

use portcullis_agent::CheckpointStore;

use super::Chat;
use crate::hooks::words;
use crate::run::command::{Command, NAMES};
use crate::terminal::Printable;
use crate::terminal::format::printable;
use crate::terminal::table::{Cell, Table};

impl Chat {
    /// Shows a command's output, now or once it is ready.
    pub(super) fn command(&mut self, command: Command) -> anyhow::Result<()> {
        let text = match (command, &self.store) {
            (Command::Help, _) => help(),
            (Command::Hooks, _) => self.armed(),
            (Command::Approvals, None) => "there is no store, so no turn can be suspended".into(),
            (Command::Approvals, Some(store)) => {
                self.state.looked_up.spawn(suspended(store.clone()));
                return Ok(());
            }
        };
        self.view.told(&text)
    }

    fn armed(&self) -> Printable {
        let mut table = Table::new(&["hook", "points", "role", "runs"]);
        let mut is_empty = true;
        for hook in self.hooks.all().iter().flat_map(|hooks| hooks.summaries()) {
            is_empty = false;
            let points: Vec<&str> = hook.points.iter().map(|point| point.name()).collect();
            table.row([
                Cell::new(&hook.id).bold(),
                Cell::new(Printable::join(points, ", ")),
                Cell::new(words::role(hook.role)),
                Cell::new(words::runs(hook.enabled, hook.mode, hook.share)),
            ]);
        }
        match is_empty {
            true => "no hook is armed".into(),
            false => table.shown(),
        }
    }
}

async fn suspended(store: Arc<dyn CheckpointStore>) -> Printable {
    let listed = match store.list(None).await {
        Ok(listed) => listed,
        Err(error) => {
            return printable!(
                "the suspended turns cannot be listed: {}",
                Printable::line(error)
            );
        }
    };
    let mut lines = Vec::new();
    for turn in listed.iter().filter(|turn| !turn.of_subagent) {
        let calls = turn.pending.iter();
        let calls = calls.map(|call| printable!("{} {}", call.call_id, call.tool));
        lines.push(printable!(
            "{}: turn {} of session {} waits for {}",
            turn.id,
            turn.turn,
            turn.session,
            Printable::join(calls, ", ")
        ));
    }
    match lines.is_empty() {
        true => "no turn is suspended".into(),
        false => printable!(
            "{}\n`portcullis approvals show ID` shows one",
            Printable::join(lines, "\n")
        ),
    }
}

fn help() -> Printable {
    let lines =
        NAMES.map(|(name, does)| printable!("{}{}", crate::terminal::text::pad(name, 12), does));
    let keys = "Ctrl-C cancels the turn that runs. Everything else is for the agent, also a line that begins with a space.";
    printable!("{}\n{}", Printable::join(lines, "\n"), keys)
}
