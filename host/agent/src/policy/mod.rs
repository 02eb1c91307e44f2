//! The operator's policy, which decides first on every tool call.
//!
//! The policy decides whether a tool may run, in which directory and for how long. Hooks run after
//! it and decide on this call (AgentHook: "tool requested → policy: where/how → hooks: whether/what
//! → execution"). A denial is the call's result, like a hook's refusal, and no hook is called for
//! it.

mod glob;
mod rules;

use std::path::PathBuf;
use std::time::Duration;

use async_trait::async_trait;
use portcullis::contract::Context;
use serde::{Deserialize, Serialize};

pub use rules::{OtherTools, RulePolicy, TimeLimit};

/// A tool call that the policy decides on.
#[derive(Debug, Clone, Copy)]
pub struct PolicyRequest<'a> {
    /// The session, turn and step.
    pub context: &'a Context,
    /// The tool.
    pub tool: &'a str,
    /// The arguments, as the text of a JSON object.
    pub arguments: &'a str,
    /// Whether a hook contributed the tool and answers its calls.
    pub by_hook: bool,
}

/// The permissions that the policy grants a tool.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExecutionGrant {
    /// The working directory. The built-in file tools cannot leave it.
    pub working_dir: Option<PathBuf>,
    /// The time limit of the run.
    pub timeout: Duration,
}

/// The policy's refusal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{reason}")]
pub struct Denial {
    /// The reason, for the model.
    pub reason: String,
}

/// Decides which tools may run, and how.
#[async_trait]
pub trait Policy: Send + Sync {
    /// Grants or denies a tool call.
    ///
    /// # Errors
    ///
    /// The denial.
    async fn check(&self, request: PolicyRequest<'_>) -> Result<ExecutionGrant, Denial>;

    /// Returns whether a tool that a hook contributes is offered to the model. `tool` is the tool
    /// that runs. Default: yes.
    fn offers(&self, _tool: &str, _by_hook: bool) -> bool {
        true
    }
}
