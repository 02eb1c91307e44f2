//! The agent that a row runs on.

use std::sync::{Arc, Mutex};

use portcullis::contract::HookRole;
use portcullis::{NativeHook, points};
use portcullis_agent::{
    Agent, AgentConfig, EventSender, Providers, RetryConfig, RulePolicy, Script, Steering, Toolbox,
};
use portcullis_store::{Checkpoints, Store, StoreOptions, StoreUrl};
use portcullis_tests::HooksDir;
use serde_json::json;
use tokio_util::sync::CancellationToken;

use super::actor::{self, Actor, Kind};
use super::effects::Effects;
use super::props::{ToldMemory, ToldPolicy, ToldProvider};
use super::row::{During, Meanwhile, Row};
use super::tool::Echo;

/// The state that lasts for a whole row, also if another process continues it.
pub struct World {
    pub events: EventSender,
    pub effects: Effects,
    pub script: Script,
    pub sub_script: Script,
    pub steering: Steering,
    pub cancel: CancellationToken,
    pub files: tempfile::TempDir,
}

impl World {
    pub fn new(row: &Row) -> Self {
        let events = EventSender::new();
        let script = match &row.script {
            Some(whole) => whole.to_string(),
            None => json!({ "responses": row.model }).to_string(),
        };
        let sub = row.sub.as_ref();
        let sub_script =
            json!({ "responses": sub.map(|sub| sub.model.as_slice()).unwrap_or_default() });
        Self {
            effects: Effects(events.clone()),
            events,
            script: Script::parse(&script).expect("a script"),
            sub_script: Script::parse(&sub_script.to_string()).expect("a script"),
            steering: Steering::default(),
            cancel: CancellationToken::new(),
            files: tempfile::tempdir().expect("a temporary directory"),
        }
    }

    pub fn checkpoints(&self) -> Arc<Checkpoints> {
        let url = StoreUrl::sqlite(self.files.path().join("store.sqlite"));
        let store = Store::open_blocking(url, StoreOptions::default()).expect("a store");
        Arc::new(store.checkpoints())
    }

    /// Opens the agent, as a process does when it starts.
    pub fn agent(
        &self,
        row: &Row,
        kind: Kind,
        role: Option<&'static str>,
    ) -> (Vec<HooksDir>, Agent) {
        let cast = |actors: &[Actor]| -> Vec<Actor> {
            let mut actors = actors.to_vec();
            for actor in &mut actors {
                actor.role = role.or(actor.role);
            }
            actors
        };
        let (dir, hooks) = actor::load(&cast(&row.actors), kind);
        let mut dirs = vec![dir];
        let config = AgentConfig {
            name: "main".into(),
            ..quick()
        };
        let config = row
            .config
            .iter()
            .fold(config, |config, change| change(config));
        let mut builder = Agent::builder()
            .providers(self.providers(row.sent))
            .tools(self.tools())
            .memory(Arc::new(ToldMemory(self.effects.clone())))
            .hooks(hooks)
            .native(self.driver(&row.during))
            .events(self.events.clone())
            .config(config);
        if row.policy {
            let policy = ToldPolicy(self.effects.clone(), RulePolicy::default());
            builder = builder.policy(Arc::new(policy));
        }
        if !row.memory {
            builder = builder.memory(Arc::new(portcullis_agent::NoMemory));
        }
        if let Some(sub) = &row.sub {
            let (dir, hooks) = actor::load(&cast(&sub.actors), kind);
            dirs.push(dir);
            let config = AgentConfig {
                name: "helper".into(),
                ..quick()
            };
            let agent = Agent::builder()
                .providers(self.sub_script.providers())
                .tools(self.tools())
                .hooks(hooks)
                .config(config);
            let agent = (sub.agent)(agent).build().expect("an agent");
            builder = builder.subagent("helper", "Helps.", agent);
        }
        let agent = (row.agent)(builder).build().expect("an agent");
        (dirs, agent)
    }

    fn providers(&self, told: bool) -> Providers {
        let scripted = self.script.providers();
        if !told {
            return scripted;
        }
        let mut providers = Providers::new();
        for name in scripted.names() {
            let provider = scripted.get(name).expect("one of its own").clone();
            providers.push(name, Arc::new(ToldProvider(provider, self.effects.clone())));
        }
        providers
    }

    fn tools(&self) -> Arc<Toolbox> {
        let mut tools = Toolbox::new();
        for name in ["echo", "other"] {
            let echo = Echo {
                name,
                effects: self.effects.clone(),
                steering: self.steering.clone(),
                cancel: self.cancel.clone(),
            };
            tools.add(Arc::new(echo)).expect("a tool");
        }
        Arc::new(tools)
    }

    /// Returns an observer that triggers outside events in the middle of a turn. Each happens once.
    fn driver(&self, during: &[During]) -> Vec<NativeHook> {
        if during.is_empty() {
            return Vec::new();
        }
        let left = Arc::new(Mutex::new(during.to_vec()));
        let mut hook = NativeHook::new("driver").role(HookRole::Observe);
        macro_rules! serve {
            ($($point:ident $module:ident)*) => {$({
                let (left, steering, cancel) =
                    (left.clone(), self.steering.clone(), self.cancel.clone());
                hook = hook.on::<points::$point>(move |_| {
                    let point = <points::$point as points::Point>::INFO.name;
                    let mut left = left.lock().expect("no panic");
                    if let Some(at) = left.iter().position(|during| during.point == point) {
                        match left.remove(at).happens {
                            Meanwhile::Says(text) => steering.say(text),
                            Meanwhile::Cancels => cancel.cancel(),
                        }
                    }
                    Ok(points::$module::Outcome::Continue)
                });
            })*};
        }
        serve!(
            PreTurn pre_turn PreStep pre_step PreLlmCall pre_llm_call LlmDelta llm_delta
            PostLlmCall post_llm_call PreToolCall pre_tool_call PostStep post_step
        );
        vec![hook]
    }
}

/// Returns a configuration without waits.
fn quick() -> AgentConfig {
    AgentConfig {
        retry: RetryConfig {
            base_delay_ms: 1,
            max_delay_ms: 5,
            ..RetryConfig::default()
        },
        ..AgentConfig::default()
    }
}
