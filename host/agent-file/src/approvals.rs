//! `approvals`: the approver of hook questions.

use std::fmt;
use std::num::NonZeroU64;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use portcullis::approval::{Approver, DeferAll, DenyAll};
use portcullis_agent::CommandApprover;
use schemars::JsonSchema;
use serde::de::value::MapAccessDeserializer;
use serde::de::{self, IntoDeserializer as _, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use crate::faults::Faults;
use crate::line_command::line_command;
use crate::paths::resolve_program;

/// The default time limit of a command for one question, in milliseconds.
const TIMEOUT_MS: u64 = 60_000;

/// The approver of hook questions: `ask`, `defer`, `deny`, or a command.
#[derive(Debug, Clone, PartialEq, JsonSchema)]
#[schemars(untagged)]
pub enum Approvals {
    /// No command.
    By(ApprovalMode),
    /// A command.
    Command(ApprovalCommand),
}

/// The approver of hook questions, if it is not a command.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ApprovalMode {
    /// The person or the program at the front end is asked.
    #[default]
    Ask,
    /// The turn is suspended until the answers are given.
    Defer,
    /// Every question is denied.
    Deny,
}

/// A program that answers the questions of hooks.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct ApprovalCommand {
    /// The program and its arguments. It gets the question as one line of JSON on its standard input, and
    /// writes its decision as JSON to its standard output. It runs outside of the sandbox, in the working
    /// directory. If it fails, the answer is no. Required.
    pub command: Vec<String>,
    /// Variables that it inherits from the agent's environment beside `PATH`, `HOME` and the locale.
    pub inherit_env: Vec<String>,
    /// Milliseconds that it may take for one question. Then its process group is stopped.
    #[schemars(extend("default" = TIMEOUT_MS))]
    pub timeout_ms: Option<NonZeroU64>,
}

impl Default for Approvals {
    fn default() -> Self {
        Self::By(ApprovalMode::default())
    }
}

/// Written by hand: an error in the table must name its key and its line, and an untagged enum
/// hides both.
impl<'de> Deserialize<'de> for Approvals {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ModeOrCommand)
    }
}

struct ModeOrCommand;

impl<'de> Visitor<'de> for ModeOrCommand {
    type Value = Approvals;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("`ask`, `defer`, `deny`, or a table with a command")
    }

    fn visit_str<E: de::Error>(self, mode: &str) -> Result<Approvals, E> {
        ApprovalMode::deserialize(mode.into_deserializer()).map(Approvals::By)
    }

    fn visit_map<A: MapAccess<'de>>(self, table: A) -> Result<Approvals, A::Error> {
        ApprovalCommand::deserialize(MapAccessDeserializer::new(table)).map(Approvals::Command)
    }
}

impl Approvals {
    /// Makes the path of a command absolute. A relative path is relative to this directory.
    pub fn resolve(&mut self, dir: &Path) {
        if let Self::Command(table) = self
            && let Some(program) = table.command.first_mut()
        {
            resolve_program(program, dir);
        }
    }

    pub(crate) fn faults(&self, faults: &mut Faults<'_>) {
        match self {
            Self::By(_) => {}
            Self::Command(table) => match table.command.first() {
                Some(program) => faults.program(&["approvals", "command"], program),
                None => faults.add(
                    &["approvals"],
                    "the command that answers is missing; set `command`",
                ),
            },
        }
    }

    /// Returns the approver that replaces the front end; `None` if the front end is asked.
    pub fn approver(&self, working_dir: PathBuf) -> Option<Arc<dyn Approver>> {
        let table = match self {
            Self::By(ApprovalMode::Ask) => return None,
            Self::By(ApprovalMode::Defer) => return Some(Arc::new(DeferAll)),
            Self::By(ApprovalMode::Deny) => return Some(Arc::new(DenyAll)),
            Self::Command(table) => table,
        };
        // Without a command the file has a fault, and no agent is started.
        let timeout_ms = table.timeout_ms.map_or(TIMEOUT_MS, NonZeroU64::get);
        let (command, inherit) = (&table.command, &table.inherit_env);
        let command = line_command(command, inherit, Some(working_dir), timeout_ms)?;
        Some(Arc::new(CommandApprover(command)))
    }
}
