//! Hooks and tools that record their actions.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use parking_lot::Mutex;
use portcullis::NativeHook;
use portcullis::contract::ToolSpec;
use portcullis::json::{JsonPoint, from_json};
use portcullis::points::{PointId, PointVisitor};
use portcullis_agent::{Tool, ToolError, ToolOutput, ToolRun};
use serde_json::{Value, json};

/// The events, in order.
#[derive(Debug, Clone, Default)]
pub struct Trail(Arc<Mutex<Vec<String>>>);

impl Trail {
    /// Adds an event.
    pub fn add(&self, what: impl Into<String>) {
        self.0.lock().push(what.into());
    }

    /// Returns the events since the last call.
    pub fn take(&self) -> Vec<String> {
        std::mem::take(&mut self.0.lock())
    }

    /// Returns the number of times that this event was added.
    pub fn count(&self, what: &str) -> usize {
        self.0.lock().iter().filter(|w| *w == what).count()
    }
}

/// Returns a hook at every point that records the point and continues.
pub fn recorder(id: &str, trail: &Trail) -> NativeHook {
    let mut hook = NativeHook::new(id);
    for point in PointId::ALL {
        let trail = trail.clone();
        hook = point.visit(Recording { hook, trail });
    }
    hook
}

/// Adds recording at one more point.
struct Recording {
    hook: NativeHook,
    trail: Trail,
}

impl PointVisitor for Recording {
    type Output = NativeHook;

    fn visit<P: JsonPoint>(self) -> NativeHook {
        let trail = self.trail;
        self.hook.on::<P>(move |_| {
            trail.add(P::ID.name());
            Ok(from_json(json!("continue")).expect("an outcome of every point"))
        })
    }
}

/// A tool that returns its arguments, and performs the action that they name.
pub struct Echo {
    /// The tool's name.
    pub name: &'static str,
    /// The trail that records its runs.
    pub trail: Trail,
}

#[async_trait]
impl Tool for Echo {
    fn spec(&self) -> ToolSpec {
        ToolSpec {
            name: self.name.into(),
            description: "Gives its text back.".into(),
            schema: r#"{
                "type": "object",
                "properties": { "text": { "type": "string" } },
                "required": ["text"],
                "additionalProperties": false
            }"#
            .into(),
        }
    }

    async fn execute(&self, arguments: Value, run: ToolRun) -> Result<ToolOutput, ToolError> {
        let text = arguments["text"].as_str().unwrap_or_default().to_owned();
        self.trail.add(format!("{} runs: {text}", self.name));
        match text.as_str() {
            "fail" => Err(ToolError::Failed("as asked".into())),
            "panic" => panic!("as asked"),
            "hang" => {
                tokio::time::sleep(Duration::from_secs(60)).await;
                Ok(ToolOutput::ok("never"))
            }
            "progress" => {
                run.progress.update("half way");
                Ok(ToolOutput::ok("done"))
            }
            "flood" => Ok(ToolOutput::ok("x".repeat(200_000))),
            _ => Ok(ToolOutput::ok(format!("echo {text}"))),
        }
    }
}
