//! An agent of rig with the hooks of the directory `hooks`.

use std::path::Path;
use std::sync::Arc;

use portcullis::LoadOptions;
use portcullis_bridge::{Bridge, BridgeOptions};
use portcullis_rig::PortcullisHook;
use rig_agent::core::{DynModel, operation::Completion};
use rig_agent::tool::DynamicTool;
use rig_agent::{Agent, AgentBuilder};

/// Runs an agent with this model and this tool, and gives its answer.
pub async fn run(
    model: DynModel<Completion>,
    tool: DynamicTool,
) -> Result<String, Box<dyn std::error::Error>> {
    let bridge = Bridge::load(
        Path::new("hooks"),
        LoadOptions::default(),
        BridgeOptions::default(),
    )?;
    let hook = PortcullisHook::start(Arc::new(bridge), "session-1").await?;
    let agent: Agent = AgentBuilder::new(model)
        .dynamic_tool(tool)
        .add_hook(hook.clone())
        .build();
    let answer = agent.prompt("Write a note.").max_turns(8).await?;
    hook.end().await?;
    Ok(answer.to_string())
}
