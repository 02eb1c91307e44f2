//! A scripted model: the test answers rig's requests.

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

/// The model's scripted answers, and the requests it received.
#[derive(Clone, Default)]
pub struct Script {
    answers: Arc<Mutex<VecDeque<Vec<MockStreamEvent>>>>,
    pub asked: Arc<Mutex<Vec<CompletionRequest>>>,
}

impl Script {
    /// Returns a script that calls this tool once with a path, and ends.
    pub fn calling(tool: &str, path: &str) -> Self {
        Self::calling_all([(tool, path)])
    }

    /// Returns a script that calls these tools at once, each with a path, and ends.
    pub fn calling_all<'a>(calls: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        let calls = calls.into_iter().zip(1..).map(|((tool, path), id)| {
            let id = id.to_string();
            MockStreamEvent::ToolCall {
                id: id.clone(),
                name: tool.into(),
                arguments: json!({"path": path}),
                call_id: Some(id),
            }
        });
        let answers = [calls.collect(), vec![MockStreamEvent::text("done")]];
        Self {
            answers: Arc::new(Mutex::new(answers.into())),
            ..Self::default()
        }
    }

    /// Returns the model.
    pub fn model(&self) -> DynModel<Completion> {
        Model::new(MockScript::new("script"), self.clone()).erase()
    }

    /// Returns the tool output that the model received.
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
        let mut events = answer.unwrap_or_else(|| vec![MockStreamEvent::text("and no more")]);
        events.push(MockStreamEvent::FinalResponse(Finish::default()));
        let events = stream::iter(events).map(MockFrame::Event);
        Opening::ready(Opened::new(events.map(Ok)))
    }
}
