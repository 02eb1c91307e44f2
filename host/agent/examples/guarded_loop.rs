//! An agent loop, with the hooks of the directory `hooks` around its tools.

use std::path::Path;
use std::sync::Arc;

use portcullis::{Hooks, LoadOptions, SessionOptions};
use portcullis_agent::{ToolGuard, ToolOutput};

/// A model's response.
pub enum Said {
    /// An answer.
    Text(String),
    /// A tool call: its name and its arguments.
    Call(String, String),
}

/// A model, which receives the results of its calls.
pub type Model<'a> = &'a mut dyn FnMut(&[String]) -> Said;

/// The tools, by name and arguments.
pub type Tools<'a> = &'a mut dyn FnMut(&str, &str) -> String;

/// Runs the agent until the model answers.
pub async fn run(model: Model<'_>, tools: Tools<'_>) -> Result<String, Box<dyn std::error::Error>> {
    let hooks = Hooks::load(Path::new("hooks"), &LoadOptions::default())?;
    let session = hooks.session(SessionOptions::new("session-1"));
    let mut guard = ToolGuard::new(session, "my-agent");
    let mut told = Vec::new();
    loop {
        match model(&told) {
            Said::Text(text) => return Ok(text),
            Said::Call(name, arguments) => {
                let run = async |arguments: Arc<str>| ToolOutput::ok(tools(&name, &arguments));
                let output = guard.call(&name, &arguments, run).await;
                told.push(output.content);
            }
        }
    }
}
