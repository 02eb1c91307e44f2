//! The data of a stand-in: the test's input and the hook's writes.

use std::any::Any;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use serde_json::{Map, Value};

use crate::http;
use crate::log::Level;
use crate::model;
use crate::types::{
    ContentPart, Context, ContextItem, DomainPolicy, Message, PromptSection, ToolSpec,
};
use crate::verdict::ChainVerdict;

/// A line that a hook logged.
#[derive(Clone, Debug, PartialEq)]
pub struct LogLine {
    /// The level.
    pub level: Level,
    /// The message, and the fields as `name=value`.
    pub message: String,
}

/// An event that a hook emitted.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// The name.
    pub name: String,
    /// The data.
    pub data: Value,
}

/// Values by key, as JSON text.
pub(super) type Store = BTreeMap<String, Vec<u8>>;

/// The effects of a call. They are undone if the call fails.
#[derive(Clone, Default)]
pub(super) struct Effects {
    pub state: Store,
    pub shared: BTreeMap<String, Store>,
    pub events: Vec<Event>,
    pub agent_state_edits: BTreeMap<String, Option<Value>>,
}

/// The current call.
#[derive(Default)]
pub(super) struct Call {
    pub facts: Option<Rc<dyn Any>>,
    pub answers: Vec<Box<dyn Any>>,
    pub contributions: Vec<Box<dyn Any>>,
}

type Model = dyn Fn(&str, &str) -> Result<String, model::Error>;
type Server = dyn Fn(&http::Request) -> Result<http::Response, http::Error>;

pub(super) struct World {
    pub context: Context,
    pub config: Map<String, Value>,
    pub content: Vec<ContentPart>,
    pub conversation: Vec<Message>,
    pub turn_start: Option<u32>,
    pub tool_input: String,
    pub tool_output: Option<String>,
    pub tools: Vec<ToolSpec>,
    pub policies: Vec<DomainPolicy>,
    pub context_items: Vec<ContextItem>,
    pub sections: Vec<PromptSection>,
    pub queries: Vec<String>,
    pub agent_state: Map<String, Value>,
    pub agent_state_diff: Map<String, Value>,
    pub agent_state_changed_by: Option<String>,
    pub editable_keys: BTreeSet<String>,
    pub user: Option<String>,
    pub working_dir: Option<String>,
    pub parent: Option<String>,
    pub metadata: Vec<(String, String)>,
    pub verdict: Option<ChainVerdict>,
    pub secrets: BTreeMap<String, String>,
    pub server: Option<Rc<Server>>,
    pub model: Option<Rc<Model>>,
    pub effects: Effects,
    pub logs: Vec<LogLine>,
    pub call: Call,
}

impl Default for World {
    fn default() -> Self {
        let context = Context {
            session_id: "session".into(),
            agent: "agent".into(),
            turn: 1,
            step: 1,
        };
        Self {
            context,
            config: Map::new(),
            content: Vec::new(),
            conversation: Vec::new(),
            turn_start: None,
            tool_input: String::new(),
            tool_output: None,
            tools: Vec::new(),
            policies: Vec::new(),
            context_items: Vec::new(),
            sections: Vec::new(),
            queries: Vec::new(),
            agent_state: Map::new(),
            agent_state_diff: Map::new(),
            agent_state_changed_by: None,
            editable_keys: BTreeSet::new(),
            user: None,
            working_dir: None,
            parent: None,
            metadata: Vec::new(),
            verdict: None,
            secrets: BTreeMap::new(),
            server: None,
            model: None,
            effects: Effects::default(),
            logs: Vec::new(),
            call: Call::default(),
        }
    }
}
