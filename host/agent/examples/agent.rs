//! One agent turn under a directory's hooks, with a script for a model: `cargo run -p
//! portcullis-agent --example agent -- DIR TEXT`.

use std::env;
use std::path::PathBuf;
use std::sync::Arc;

use portcullis::{ErrorReport, Hooks, LoadOptions};
use portcullis_agent::{
    Agent, AgentConfig, Guards, NewSession, Script, Toolbox, TurnEnd, builtin_tools,
};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), ErrorReport> {
    let mut arguments = env::args_os().skip(1);
    let dir = arguments
        .next()
        .map_or_else(|| "hooks".into(), PathBuf::from);
    let text = arguments.next().unwrap_or_else(|| "I am Ann.".into());

    // In place of a script: `.provider("main", Arc::new(ApiProvider::new(config)?))`.
    let script = Script::parse(r#"{ "responses": [{ "text": "Hello, Ann!" }] }"#)?;
    let mut tools = Toolbox::new();
    tools.extend(builtin_tools())?;

    let agent = Agent::builder()
        .providers(script.providers())
        .tools(Arc::new(tools))
        .hooks(Hooks::load(&dir, &LoadOptions::default())?)
        .config(AgentConfig {
            name: "greeter".into(),
            guards: Some(Guards::default()),
            ..AgentConfig::default()
        })
        .build()?;

    let mut session = agent.session(NewSession::default()).await?;
    match session.turn(text.to_string_lossy().as_ref()).await {
        Ok(TurnEnd::Done(report)) => println!("{}", report.text()),
        Ok(TurnEnd::Suspended(suspension)) => println!("it waits: {suspension:?}"),
        Err(error) => println!("the turn failed: {error}"),
    }
    session.close().await;
    Ok(())
}
