//! Fakes of the imported functions, over the data of the current stand-in.

use super::current::with;
use super::world::{Event, LogLine};

pub(crate) mod call {
    use super::with;
    use crate::types::Context;

    pub(crate) fn session_id() -> String {
        context().session_id
    }

    pub(crate) fn agent() -> String {
        context().agent
    }

    pub(crate) fn turn() -> u32 {
        context().turn
    }

    pub(crate) fn step() -> u32 {
        context().step
    }

    pub(crate) fn context() -> Context {
        with(|world| world.context.clone())
    }
}

/// Natively, the test receives the error that the handler returns.
pub(crate) mod failure {
    pub(crate) fn bad_config(_: &str) {}

    pub(crate) fn fail(_: &str) {}
}

pub(crate) mod content {
    use super::with;
    use crate::types::ContentPart;

    pub(crate) fn parts() -> Vec<ContentPart> {
        with(|world| world.content.clone())
    }

    pub(crate) fn text() -> String {
        let parts = parts();
        parts.iter().filter_map(ContentPart::as_text).collect()
    }
}

pub(crate) mod conversation {
    use super::with;
    use crate::types::Message;

    pub(crate) fn len() -> u32 {
        with(|world| world.conversation.len() as u32)
    }

    pub(crate) fn last() -> Option<Message> {
        with(|world| world.conversation.last().cloned())
    }

    pub(crate) fn get(index: u32) -> Option<Message> {
        with(|world| world.conversation.get(index as usize).cloned())
    }

    pub(crate) fn slice(start: u32, end: u32) -> Vec<Message> {
        let count = end.saturating_sub(start) as usize;
        with(|world| {
            let messages = world.conversation.iter();
            messages.skip(start as usize).take(count).cloned().collect()
        })
    }

    pub(crate) fn turn_start() -> u32 {
        with(|world| world.turn_start.unwrap_or(u32::MAX)).min(len())
    }
}

pub(crate) mod tool_data {
    use super::with;

    pub(crate) fn input() -> String {
        with(|world| world.tool_input.clone())
    }

    pub(crate) fn output() -> Option<String> {
        with(|world| world.tool_output.clone())
    }
}

pub(crate) mod tool_catalog {
    use super::with;
    use crate::types::ToolSpec;

    pub(crate) fn names() -> Vec<String> {
        with(|world| world.tools.iter().map(|tool| tool.name.clone()).collect())
    }

    pub(crate) fn get(name: &str) -> Option<ToolSpec> {
        with(|world| world.tools.iter().find(|tool| tool.name == name).cloned())
    }
}

pub(crate) mod prompt {
    use super::with;
    use crate::types::{ContextItem, DomainPolicy, PromptSection};

    pub(crate) fn policies() -> Vec<DomainPolicy> {
        with(|world| world.policies.clone())
    }

    pub(crate) fn policy(domain: &str) -> Option<DomainPolicy> {
        let mut policies = policies().into_iter();
        policies.rfind(|policy| policy.domain == domain)
    }

    pub(crate) fn context_items() -> Vec<ContextItem> {
        with(|world| world.context_items.clone())
    }

    pub(crate) fn sections() -> Vec<PromptSection> {
        with(|world| world.sections.clone())
    }

    pub(crate) fn queries() -> Vec<String> {
        with(|world| world.queries.clone())
    }
}

pub(crate) mod agent_state {
    use serde_json::Value;

    use super::with;

    pub(crate) fn get(key: &str) -> Option<String> {
        with(|world| world.agent_state.get(key).map(Value::to_string))
    }

    pub(crate) fn diff() -> String {
        with(|world| Value::Object(world.agent_state_diff.clone()).to_string())
    }

    pub(crate) fn changed_by() -> Option<String> {
        with(|world| world.agent_state_changed_by.clone())
    }
}

pub(crate) mod agent_state_edit {
    use super::with;
    use crate::bindings::portcullis::hooks::agent_state_edit::EditError;

    pub(crate) fn set(key: &str, value: &str) -> Result<(), EditError> {
        match serde_json::from_str(value) {
            Ok(serde_json::Value::Null) => edit(key, None),
            Ok(value) => edit(key, Some(value)),
            Err(fault) => Err(EditError::Invalid(fault.to_string())),
        }
    }

    pub(crate) fn remove(key: &str) -> Result<(), EditError> {
        edit(key, None)
    }

    fn edit(key: &str, value: Option<serde_json::Value>) -> Result<(), EditError> {
        with(|world| match world.editable_keys.contains(key) {
            true => {
                drop(world.effects.agent_state_edits.insert(key.into(), value));
                Ok(())
            }
            false => Err(EditError::Denied(format!("the key `{key}` is not granted"))),
        })
    }
}

pub(crate) mod session {
    use super::with;

    pub(crate) fn user() -> Option<String> {
        with(|world| world.user.clone())
    }

    pub(crate) fn working_dir() -> Option<String> {
        with(|world| world.working_dir.clone())
    }

    pub(crate) fn parent() -> Option<String> {
        with(|world| world.parent.clone())
    }

    pub(crate) fn metadata() -> Vec<(String, String)> {
        with(|world| world.metadata.clone())
    }
}

pub(crate) mod verdict {
    use super::with;
    use crate::verdict::ChainVerdict;

    pub(crate) fn current() -> Option<ChainVerdict> {
        with(|world| world.verdict.clone())
    }
}

pub(crate) mod store {
    use serde_json::Value;

    use super::with;
    pub(crate) use crate::bindings::wasi::config::store::Error;

    pub(crate) fn get(key: &str) -> Result<Option<String>, Error> {
        Ok(with(|world| match key {
            "" => Some(Value::Object(world.config.clone()).to_string()),
            key => world.config.get(key).map(|value| match value {
                Value::String(text) => text.clone(),
                other => other.to_string(),
            }),
        }))
    }
}

pub(crate) mod logging {
    use super::{LogLine, with};
    use crate::log::Level;

    pub(crate) fn log(level: Level, _: &str, message: &str) {
        let message = message.to_owned();
        with(|world| world.logs.push(LogLine { level, message }));
    }
}

pub(crate) mod events {
    use super::{Event, with};

    pub(crate) fn emit(name: &str, data: &str) {
        let name = name.to_owned();
        let data = serde_json::from_str(data).unwrap_or_default();
        with(|world| world.effects.events.push(Event { name, data }));
    }
}

pub(crate) mod secrets {
    use super::with;

    pub(crate) fn get(name: &str) -> Option<String> {
        with(|world| world.secrets.get(name).cloned())
    }
}

pub(crate) mod model {
    use super::with;
    use crate::bindings::portcullis::hooks::model::ModelError;
    use crate::model::Completion;
    use crate::types::{StopReason, Usage};

    pub(crate) fn complete(
        instructions: &str,
        prompt: &str,
        _: Option<u32>,
    ) -> Result<Completion, ModelError> {
        let Some(answer) = with(|world| world.model.clone()) else {
            return Err(ModelError::NoModel("the test has no model".into()));
        };
        let text = answer(instructions, prompt)?;
        Ok(Completion {
            text,
            stop: StopReason::EndTurn,
            usage: Usage::default(),
        })
    }

    pub(crate) fn tokens_left() -> u64 {
        with(|world| if world.model.is_some() { u64::MAX } else { 0 })
    }
}

pub(crate) mod http {
    use super::with;
    use crate::http::{Error, Request, Response};

    pub(crate) fn send(request: &Request) -> Result<Response, Error> {
        request.check()?;
        // The server may itself read the data of the stand-in.
        match with(|world| world.server.clone()) {
            Some(server) => server(request),
            None => Err(Error::Refused("the test has no server".into())),
        }
    }
}

pub(crate) mod state {
    use super::with;
    use crate::bindings::portcullis::hooks::types::StateError;
    use crate::testing::store::{add, replace};

    pub(crate) fn get(key: &str) -> Option<Vec<u8>> {
        with(|world| world.effects.state.get(key).cloned())
    }

    pub(crate) fn set(key: &str, value: &[u8]) -> Result<(), StateError> {
        with(|world| drop(world.effects.state.insert(key.to_owned(), value.to_vec())));
        Ok(())
    }

    pub(crate) fn delete(key: &str) {
        with(|world| drop(world.effects.state.remove(key)));
    }

    pub(crate) fn keys() -> Vec<String> {
        with(|world| world.effects.state.keys().cloned().collect())
    }

    pub(crate) fn increment(key: &str, delta: i64) -> Result<i64, StateError> {
        with(|world| add(&mut world.effects.state, key, delta))
    }

    pub(crate) fn swap(
        key: &str,
        expected: Option<&[u8]>,
        new: Option<&[u8]>,
    ) -> Result<bool, StateError> {
        Ok(with(|world| {
            replace(&mut world.effects.state, key, expected, new)
        }))
    }
}

pub(crate) mod shared_state {
    use super::with;
    use crate::bindings::portcullis::hooks::types::StateError;
    use crate::testing::store::{add, replace};
    use crate::testing::world::Store;

    fn namespace<T>(name: &str, act: impl FnOnce(&mut Store) -> T) -> Result<T, StateError> {
        with(|world| match world.effects.shared.get_mut(name) {
            Some(store) => Ok(act(store)),
            None => Err(StateError::Denied(format!(
                "the namespace `{name}` is not granted"
            ))),
        })
    }

    pub(crate) fn get(name: &str, key: &str) -> Result<Option<Vec<u8>>, StateError> {
        namespace(name, |store| store.get(key).cloned())
    }

    pub(crate) fn set(name: &str, key: &str, value: &[u8]) -> Result<(), StateError> {
        namespace(name, |store| {
            drop(store.insert(key.to_owned(), value.to_vec()));
        })
    }

    pub(crate) fn delete(name: &str, key: &str) -> Result<(), StateError> {
        namespace(name, |store| drop(store.remove(key)))
    }

    pub(crate) fn keys(name: &str) -> Result<Vec<String>, StateError> {
        namespace(name, |store| store.keys().cloned().collect())
    }

    pub(crate) fn increment(name: &str, key: &str, delta: i64) -> Result<i64, StateError> {
        namespace(name, |store| add(store, key, delta))?
    }

    pub(crate) fn swap(
        name: &str,
        key: &str,
        expected: Option<&[u8]>,
        new: Option<&[u8]>,
    ) -> Result<bool, StateError> {
        namespace(name, |store| replace(store, key, expected, new))
    }
}
