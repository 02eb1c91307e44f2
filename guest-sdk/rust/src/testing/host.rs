//! The stand-in for the host.

use std::any::Any;
use std::collections::BTreeMap;
use std::fmt::{self, Debug, Formatter};
use std::rc::Rc;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::Point;
use super::current::{Shared, enter};
use super::world::{Call, Event, LogLine, Store, World};
use crate::points::Verdict;
use crate::state::{decode, encode};
use crate::types::{
    ContentPart, Context, ContextItem, DomainPolicy, Message, PromptSection, ToolSpec,
};
use crate::verdict::ChainVerdict;
use crate::{HookResult, http, state};

/// A stand-in for the host; see [`testing`](super). It has only the data that a test gives it, and keeps the writes of
/// hooks from one call to the next.
///
/// A method that sets data panics if the data is not valid, such as a configuration that is not a table.
#[derive(Default)]
#[must_use]
pub struct Host {
    world: Shared,
}

impl Host {
    /// Creates a stand-in without data. Calls are in step 1 of turn 1.
    pub fn new() -> Self {
        Self::default()
    }

    fn with(self, set: impl FnOnce(&mut World)) -> Self {
        set(&mut self.world.borrow_mut());
        self
    }

    /// Sets the session, the turn and the step of calls.
    pub fn context(self, context: Context) -> Self {
        self.with(|world| world.context = context)
    }

    /// Sets the operator's configuration of the hook.
    pub fn config(self, table: impl Serialize) -> Self {
        self.with(|world| world.config = object(table))
    }

    /// Sets the view [`content`](crate::content) to one text.
    pub fn text(self, text: impl Into<String>) -> Self {
        self.content([ContentPart::text(text)])
    }

    /// Sets the view [`content`](crate::content).
    pub fn content(self, parts: impl Into<Vec<ContentPart>>) -> Self {
        self.with(|world| world.content = parts.into())
    }

    /// Sets the view [`conversation`](crate::conversation), the oldest message first.
    pub fn conversation(self, messages: impl Into<Vec<Message>>) -> Self {
        self.with(|world| world.conversation = messages.into())
    }

    /// Sets the index of the first message of the turn in the view [`conversation`](crate::conversation). By default the
    /// turn has added no messages.
    pub fn turn_start(self, index: u32) -> Self {
        self.with(|world| world.turn_start = Some(index))
    }

    /// Sets the arguments in the view [`tool_data`](crate::tool_data).
    pub fn tool_arguments(self, arguments: impl Serialize) -> Self {
        self.with(|world| world.tool_input = Value::Object(object(arguments)).to_string())
    }

    /// Sets the output in the view [`tool_data`](crate::tool_data).
    pub fn tool_output(self, output: impl Into<String>) -> Self {
        self.with(|world| world.tool_output = Some(output.into()))
    }

    /// Sets the view [`tool_catalog`](crate::tool_catalog).
    pub fn tools(self, tools: impl Into<Vec<ToolSpec>>) -> Self {
        self.with(|world| world.tools = tools.into())
    }

    /// Sets the policies in the view [`prompt`](crate::prompt).
    pub fn policies(self, policies: impl Into<Vec<DomainPolicy>>) -> Self {
        self.with(|world| world.policies = policies.into())
    }

    /// Sets the items of context in the view [`prompt`](crate::prompt).
    pub fn context_items(self, items: impl Into<Vec<ContextItem>>) -> Self {
        self.with(|world| world.context_items = items.into())
    }

    /// Sets the sections in the view [`prompt`](crate::prompt).
    pub fn sections(self, sections: impl Into<Vec<PromptSection>>) -> Self {
        self.with(|world| world.sections = sections.into())
    }

    /// Sets the queries in the view [`prompt`](crate::prompt).
    pub fn queries<T: Into<String>>(self, queries: impl IntoIterator<Item = T>) -> Self {
        self.with(|world| world.queries = queries.into_iter().map(Into::into).collect())
    }

    /// Sets the view [`agent_state`](crate::agent_state).
    pub fn agent_state(self, state: impl Serialize) -> Self {
        self.with(|world| world.agent_state = object(state))
    }

    /// Sets the change in the view [`agent_state`](crate::agent_state): `[before, after]` by key.
    pub fn agent_state_diff(self, diff: impl Serialize) -> Self {
        self.with(|world| world.agent_state_diff = object(diff))
    }

    /// Sets the hook in the view [`agent_state`](crate::agent_state) that made the change.
    pub fn agent_state_changed_by(self, hook: impl Into<String>) -> Self {
        self.with(|world| world.agent_state_changed_by = Some(hook.into()))
    }

    /// Grants a key to change with [`agent_state_edit`](crate::agent_state_edit).
    pub fn editable_key(self, key: impl Into<String>) -> Self {
        self.with(|world| world.editable_keys.extend([key.into()]))
    }

    /// Sets the user in the view [`session`](crate::session).
    pub fn user(self, user: impl Into<String>) -> Self {
        self.with(|world| world.user = Some(user.into()))
    }

    /// Sets the directory in the view [`session`](crate::session).
    pub fn working_dir(self, directory: impl Into<String>) -> Self {
        self.with(|world| world.working_dir = Some(directory.into()))
    }

    /// Sets the parent in the view [`session`](crate::session).
    pub fn parent(self, session: impl Into<String>) -> Self {
        self.with(|world| world.parent = Some(session.into()))
    }

    /// Adds a key to the metadata in the view [`session`](crate::session).
    pub fn metadata(self, key: impl Into<String>, value: impl Into<String>) -> Self {
        self.with(|world| world.metadata.push((key.into(), value.into())))
    }

    /// Sets the view [`verdict`](crate::verdict).
    pub fn verdict(self, verdict: ChainVerdict) -> Self {
        self.with(|world| world.verdict = Some(verdict))
    }

    /// Grants a secret.
    pub fn secret(self, name: impl Into<String>, secret: impl Into<String>) -> Self {
        self.with(|world| drop(world.secrets.insert(name.into(), secret.into())))
    }

    /// Grants an empty namespace of [`shared`](crate::shared) state.
    pub fn shared(self, namespace: impl Into<String>) -> Self {
        self.with(|world| drop(world.effects.shared.insert(namespace.into(), Store::new())))
    }

    /// Sets a value in the hook's [`state`](crate::state).
    pub fn with_state(self, key: impl Into<String>, value: impl Serialize) -> Self {
        let key = key.into();
        let bytes = encode(&key, &value).unwrap_or_else(|fault| panic!("{fault}"));
        self.with(|world| drop(world.effects.state.insert(key, bytes)))
    }

    /// Answers the hook's HTTP requests. By default they are refused.
    pub fn server(
        self,
        answer: impl Fn(&http::Request) -> Result<http::Response, http::Error> + 'static,
    ) -> Self {
        self.with(|world| world.server = Some(Rc::new(answer)))
    }

    /// Answers the hook's prompts: given its instructions and the prompt, it returns the model's text.
    /// By default there is no model.
    pub fn model(
        self,
        answer: impl Fn(&str, &str) -> Result<String, crate::model::Error> + 'static,
    ) -> Self {
        self.with(|world| world.model = Some(Rc::new(answer)))
    }

    /// Calls a handler, such as `MyHook::pre_turn`, with these facts, and returns its answer.
    ///
    /// # Errors
    ///
    /// The error of the handler. As with the real host, the writes of a call are undone if it fails.
    ///
    /// # Panics
    ///
    /// The handler answered more than once, returned a verdict that does not belong to its answer, or both answered and
    /// contributed.
    pub fn call<C: Point>(
        &self,
        handler: fn(&C) -> HookResult<Verdict<C>>,
        facts: C::Facts,
    ) -> HookResult<C::Outcome> {
        let before = {
            let mut world = self.world.borrow_mut();
            world.call = Call {
                facts: Some(Rc::new(facts)),
                ..Call::default()
            };
            world.effects.clone()
        };
        let result = self.run(|| handler(&C::new()));
        let mut world = self.world.borrow_mut();
        let call = std::mem::take(&mut world.call);
        match result {
            Ok(verdict) => Ok(outcome::<C>(call, verdict.answered())),
            Err(error) => {
                world.effects = before;
                Err(error)
            }
        }
    }

    /// Runs a function with this stand-in as the current one.
    pub fn run<T>(&self, act: impl FnOnce() -> T) -> T {
        let _entered = enter(&self.world);
        act()
    }

    /// Returns the value at a key of the hook's [`state`](crate::state).
    ///
    /// # Errors
    ///
    /// As for [`state::get`].
    pub fn state<T: DeserializeOwned>(&self, key: &str) -> Result<Option<T>, state::Error> {
        let world = self.world.borrow();
        let value = world.effects.state.get(key);
        value.map(|value| decode(key, value)).transpose()
    }

    /// Returns the changes of the agent's state so far, by calls that succeeded. A removed key has `None`.
    pub fn agent_state_edits(&self) -> BTreeMap<String, Option<Value>> {
        self.world.borrow().effects.agent_state_edits.clone()
    }

    /// Returns the lines logged so far.
    pub fn logs(&self) -> Vec<LogLine> {
        self.world.borrow().logs.clone()
    }

    /// Returns the events emitted so far, by calls that succeeded.
    pub fn events(&self) -> Vec<Event> {
        self.world.borrow().effects.events.clone()
    }
}

impl Debug for Host {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("Host").finish_non_exhaustive()
    }
}

fn object(value: impl Serialize) -> Map<String, Value> {
    match serde_json::to_value(value) {
        Ok(Value::Object(object)) => object,
        Ok(other) => panic!("this must be a JSON object: {other}"),
        Err(fault) => panic!("this must be a JSON object: {fault}"),
    }
}

/// Returns the outcome of a call, under the host's rules.
fn outcome<C: Point>(call: Call, answered: bool) -> C::Outcome {
    let Call {
        answers,
        contributions,
        ..
    } = call;
    assert!(answers.len() <= 1, "the handler answered more than once");
    assert!(
        answers.is_empty() || contributions.is_empty(),
        "the handler both answered and contributed"
    );
    assert_eq!(
        answered,
        !(answers.is_empty() && contributions.is_empty()),
        "the handler returned another verdict than its answer's"
    );
    let own = "every answer is the point's own";
    match answers.into_iter().next() {
        Some(answer) => *downcast::<C::Outcome>(answer).expect(own),
        None if contributions.is_empty() => C::nothing(),
        None => {
            let contributions = contributions.into_iter().map(downcast::<C::Contribution>);
            C::contributed(contributions.map(|one| *one.expect(own)).collect())
        }
    }
}

fn downcast<T: Any>(value: Box<dyn Any>) -> Option<Box<T>> {
    value.downcast().ok()
}
