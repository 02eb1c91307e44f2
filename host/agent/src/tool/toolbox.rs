//! The dispatcher of native tools.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use portcullis::contract::ToolSpec;
use serde_json::Value;

use super::{Replay, Tool, ToolDispatcher, ToolError, ToolOutput, ToolRun};

/// Tools by name, in the order they were added.
#[derive(Clone, Default)]
pub struct Toolbox {
    tools: Vec<(ToolSpec, Arc<dyn Tool>)>,
    /// The replay settings, by tool name, that override the tools' own.
    replay: BTreeMap<String, Replay>,
}

/// The error that two tools have the same name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is a tool called `{0}` already; a model calls tools by name, so rename one")]
pub struct ToolboxError(pub String);

impl Toolbox {
    /// Creates an empty toolbox.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a tool.
    ///
    /// # Errors
    ///
    /// There is already a tool with this name.
    pub fn add(&mut self, tool: Arc<dyn Tool>) -> Result<(), ToolboxError> {
        let spec = tool.spec();
        if self.find(&spec.name).is_some() {
            return Err(ToolboxError(spec.name));
        }
        self.tools.push((spec, tool));
        Ok(())
    }

    /// Adds tools.
    ///
    /// # Errors
    ///
    /// There is already a tool with one of the names. The tools before it have been added.
    pub fn extend(
        &mut self,
        tools: impl IntoIterator<Item = Arc<dyn Tool>>,
    ) -> Result<(), ToolboxError> {
        tools.into_iter().try_for_each(|tool| self.add(tool))
    }

    /// Sets how a durable turn treats a tool run whose process died, overriding the tool's own
    /// setting.
    pub fn set_replay(&mut self, name: impl Into<String>, replay: Replay) {
        self.replay.insert(name.into(), replay);
    }

    /// Returns the number of tools.
    pub fn len(&self) -> usize {
        self.tools.len()
    }

    /// Returns whether there are no tools.
    pub fn is_empty(&self) -> bool {
        self.tools.is_empty()
    }

    fn find(&self, name: &str) -> Option<&Arc<dyn Tool>> {
        self.tools
            .iter()
            .find(|(spec, _)| spec.name == name)
            .map(|(_, tool)| tool)
    }
}

#[async_trait]
impl ToolDispatcher for Toolbox {
    fn specs(&self) -> Vec<ToolSpec> {
        self.tools.iter().map(|(spec, _)| spec.clone()).collect()
    }

    fn replay(&self, name: &str) -> Replay {
        let own = || self.find(name).map(|tool| tool.replay());
        self.replay
            .get(name)
            .copied()
            .or_else(own)
            .unwrap_or_default()
    }

    async fn dispatch(
        &self,
        name: &str,
        arguments: Value,
        run: ToolRun,
    ) -> Result<ToolOutput, ToolError> {
        match self.find(name) {
            Some(tool) => tool.execute(arguments, run).await,
            None => Err(ToolError::Unknown(name.to_owned())),
        }
    }
}

impl fmt::Debug for Toolbox {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list()
            .entries(self.tools.iter().map(|(spec, _)| &spec.name))
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::policy::ExecutionGrant;
    use crate::tool::builtin_tools;

    fn run() -> ToolRun {
        ToolRun::detached(ExecutionGrant {
            working_dir: None,
            timeout: Duration::from_secs(1),
        })
    }

    #[test]
    fn a_name_can_be_used_once() {
        let mut toolbox = Toolbox::new();
        toolbox.extend(builtin_tools()).unwrap();
        let before = toolbox.len();
        let error = toolbox.extend(builtin_tools()).unwrap_err();
        assert!(error.to_string().contains("`read_file`"), "{error}");
        assert_eq!(toolbox.len(), before);
        assert_eq!(toolbox.specs().len(), before);
    }

    #[test]
    fn the_schemas_of_the_built_in_tools_are_schemas() {
        let mut toolbox = Toolbox::new();
        toolbox.extend(builtin_tools()).unwrap();
        let catalog = portcullis::tools::ToolCatalog::new(toolbox.specs()).unwrap();
        assert!(catalog.arguments("read_file", r#"{"path": "a"}"#).is_ok());
        assert!(catalog.arguments("read_file", r#"{"path": 1}"#).is_err());
        assert!(
            catalog
                .arguments("read_file", r#"{"path": "a", "x": 1}"#)
                .is_err()
        );
    }

    #[tokio::test]
    async fn an_unknown_tool_is_an_error() {
        let error = Toolbox::new().dispatch("x", Value::Null, run()).await;
        assert_eq!(error, Err(ToolError::Unknown("x".into())));
    }
}
