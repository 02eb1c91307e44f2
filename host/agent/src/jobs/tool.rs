//! Jobs that run a tool.

use std::sync::Arc;

use async_trait::async_trait;
use portcullis::contract::Context;
use portcullis::tools::{CatalogError, ToolCatalog};

use super::{Job, JobError, JobHandler};
use crate::policy::{Policy, PolicyRequest};
use crate::tool::{ToolDispatcher, ToolRun};

/// Runs a tool for each job. The job's input is the tool's arguments: they must fit the tool's
/// schema, and the policy must allow the call. No hooks run, because a job belongs to no turn.
pub struct ToolJob {
    agent: String,
    tool: String,
    tools: Arc<dyn ToolDispatcher>,
    policy: Arc<dyn Policy>,
    catalog: ToolCatalog,
}

impl ToolJob {
    /// Creates a handler that runs the tool `name` of `tools`, for this agent.
    ///
    /// # Errors
    ///
    /// The schema of a tool is not a JSON schema, or two tools have one name.
    pub fn new(
        agent: impl Into<String>,
        tool: impl Into<String>,
        tools: Arc<dyn ToolDispatcher>,
        policy: Arc<dyn Policy>,
    ) -> Result<Self, CatalogError> {
        Ok(Self {
            agent: agent.into(),
            tool: tool.into(),
            catalog: ToolCatalog::new(tools.specs())?,
            tools,
            policy,
        })
    }
}

#[async_trait]
impl JobHandler for ToolJob {
    async fn run(&self, job: Job) -> Result<(), JobError> {
        let arguments = job.input.to_string();
        let context = Context {
            session_id: job.session_id,
            agent: self.agent.clone(),
            turn: 0,
            step: 0,
        };
        let request = PolicyRequest {
            context: &context,
            tool: &self.tool,
            arguments: &arguments,
            by_hook: false,
        };
        let granted = self.policy.check(request).await;
        let grant = granted.map_err(|denial| JobError(denial.reason))?;
        let checked = self.catalog.arguments(&self.tool, arguments.as_str());
        checked.map_err(|e| JobError(format!("the input does not fit `{}`: {e}", self.tool)))?;
        let timeout = grant.timeout;
        let run = self
            .tools
            .dispatch(&self.tool, job.input, ToolRun::detached(grant));
        match tokio::time::timeout(timeout, run).await {
            Ok(Ok(output)) if !output.is_error => Ok(()),
            Ok(Ok(output)) => Err(JobError(output.content)),
            Ok(Err(error)) => Err(JobError(error.to_string())),
            Err(_) => Err(JobError(format!(
                "the tool `{}` was stopped after {} ms",
                self.tool,
                timeout.as_millis()
            ))),
        }
    }
}
