//! What the chat itself shows on request.

use super::Chat;
use crate::hooks::words;
use crate::run::command::{Command, NAMES};
use crate::terminal::Printable;
use crate::terminal::format::printable;
use crate::terminal::table::{Cell, Table};

impl Chat {
    /// Shows what a command asks for.
    pub(super) async fn command(&mut self, command: Command) -> anyhow::Result<()> {
        let text = match command {
            Command::Help => help(),
            Command::Hooks => self.armed(),
            Command::Approvals => self.suspended().await?,
        };
        self.view.told(&text)
    }

    fn armed(&self) -> Printable {
        let mut table = Table::new(&["hook", "points", "role", "runs"]);
        let mut is_empty = true;
        for hook in self.hooks.all().iter().flat_map(|hooks| hooks.standings()) {
            is_empty = false;
            let points: Vec<&str> = hook.points.iter().map(|point| point.name()).collect();
            table.row([
                Cell::new(&hook.id).bold(),
                Cell::new(Printable::join(points, ", ")),
                Cell::new(words::role(hook.role)),
                Cell::new(words::runs(hook.enabled, hook.mode)),
            ]);
        }
        match is_empty {
            true => "no hook is armed".into(),
            false => table.shown(),
        }
    }

    async fn suspended(&self) -> anyhow::Result<Printable> {
        let Some(store) = &self.store else {
            return Ok("there is no store, so no turn can be suspended".into());
        };
        let mut lines = Vec::new();
        for turn in store
            .list(None)
            .await?
            .iter()
            .filter(|turn| !turn.of_subagent)
        {
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
        Ok(match lines.is_empty() {
            true => "no turn is suspended".into(),
            false => printable!(
                "{}\n`portcullis approvals show ID` shows one",
                Printable::join(lines, "\n")
            ),
        })
    }
}

fn help() -> Printable {
    let lines =
        NAMES.map(|(name, does)| printable!("{}{}", crate::terminal::text::pad(name, 12), does));
    let keys = "Ctrl-C cancels the turn that runs. Everything else is for the agent, also a line that begins with a space.";
    printable!("{}\n{}", Printable::join(lines, "\n"), keys)
}
