//! A model that is a script: rig's own wire, answered by the test.

use std::collections::VecDeque;
use std::sync::Arc;

use futures::{StreamExt as _, stream};
use parking_lot::Mutex;
use rig_agent::completion::CompletionRequest;
use rig_core::DynModel;
use rig_core::driver::{Exchange, Model, Opened, Opening, Transport};
use rig_core::operation::{Completion, Finish};
use rig_core::test_utils::{MockFrame, MockScript, MockStreamEvent};
use serde_json::json;

/// What the model says, and what it was asked.
#[derive(Clone, Default)]
pub struct Script {
    answers: Arc<Mutex<VecDeque<MockStreamEvent>>>,
    pub asked: Arc<Mutex<Vec<CompletionRequest>>>,
}

impl Script {
    /// Calls this tool once with a path, and ends.
    pub fn calling(tool: &str, path: &str) -> Self {
        let call = MockStreamEvent::ToolCall {
            id: "1".into(),
            name: tool.into(),
            arguments: json!({"path": path}),
            call_id: Some("1".into()),
        };
        Self {
            answers: Arc::new(Mutex::new([call, MockStreamEvent::text("done")].into())),
            ..Self::default()
        }
    }

    /// The model.
    pub fn model(&self) -> DynModel<Completion> {
        Model::new(MockScript::new("script"), self.clone()).erase()
    }

    /// What the model was told that the tool gave.
    pub fn output(&self) -> String {
        let asked = self.asked.lock();
        let last = asked.get(1).and_then(|asked| asked.chat_history.last());
        serde_json::to_string(&last).expect("JSON")
    }
}

impl Transport<MockScript> for Script {
    fn send(&self, request: CompletionRequest, _: Exchange) -> Opening<MockFrame> {
        self.asked.lock().push(request);
        let answer = self.answers.lock().pop_front();
        let answer = answer.unwrap_or_else(|| MockStreamEvent::text("and no more"));
        let end = MockStreamEvent::FinalResponse(Finish::default());
        let events = stream::iter([answer, end].map(MockFrame::Event));
        Opening::ready(Opened::new(events.map(Ok)))
    }
}
