//! A row of a design's table: a scenario, and the exact sequence of points and effects.

use std::num::NonZeroU64;

use portcullis::approval::ApprovalDecision;
use portcullis_agent::{AgentBuilder, AgentConfig, CompactionConfig, Resolution};
use serde_json::Value;

use super::actor::{ACTOR, Actor, KINDS, Kind};
use super::answer::Answer;
use super::trail::Shown;

/// A row.
pub struct Row {
    pub name: &'static str,
    pub actors: Vec<Actor>,
    /// The kinds of the hooks, one after another.
    pub kinds: Vec<Kind>,
    pub model: Vec<Value>,
    /// A whole script, for more than one provider.
    pub script: Option<Value>,
    pub sub: Option<Sub>,
    pub acts: Vec<Act>,
    pub during: Vec<During>,
    pub config: Vec<fn(AgentConfig) -> AgentConfig>,
    pub agent: fn(AgentBuilder) -> AgentBuilder,
    pub watched: Vec<&'static str>,
    pub sent: bool,
    pub policy: bool,
    pub memory: bool,
    pub person: Option<ApprovalDecision>,
    pub shown: Shown,
    /// The expected lines for hooks of a role. `None` is the role that they have.
    pub expected: Vec<(Option<&'static str>, Vec<&'static str>)>,
    pub conversation: Option<Vec<&'static str>>,
}

/// A sub-agent with the name `helper`.
pub struct Sub {
    pub model: Vec<Value>,
    pub actors: Vec<Actor>,
    pub agent: fn(AgentBuilder) -> AgentBuilder,
}

/// An action of the embedder.
pub enum Act {
    /// Runs a turn.
    Turn(&'static str),
    /// Resumes the suspended turn, in this process or in another.
    Resume {
        elsewhere: bool,
        given: Vec<(&'static str, Resolution)>,
    },
}

/// An event from outside while a point's hooks run for the first time.
#[derive(Clone)]
pub struct During {
    pub point: &'static str,
    pub happens: Meanwhile,
}

#[derive(Clone)]
pub enum Meanwhile {
    /// The user says this text.
    Says(&'static str),
    /// The turn is cancelled.
    Cancels,
}

/// Returns a row in which one hook continues everywhere.
pub fn row(name: &'static str) -> Row {
    Row {
        name,
        actors: vec![Actor::new(ACTOR, [])],
        kinds: KINDS.to_vec(),
        model: Vec::new(),
        script: None,
        sub: None,
        acts: Vec::new(),
        during: Vec::new(),
        config: Vec::new(),
        agent: |builder| builder,
        watched: Vec::new(),
        sent: false,
        policy: false,
        memory: false,
        person: None,
        shown: Shown::default(),
        expected: Vec::new(),
        conversation: None,
    }
}

impl Row {
    /// Adds actions of the hook under test.
    pub fn answers(mut self, answers: impl IntoIterator<Item = Answer>) -> Self {
        self.actors[0].answers.extend(answers);
        self
    }

    /// Replaces the one hook by these.
    pub fn actors(mut self, actors: impl IntoIterator<Item = Actor>) -> Self {
        self.actors = actors.into_iter().collect();
        self
    }

    /// Restricts the row to hooks of these kinds.
    pub fn kinds(mut self, kinds: &[Kind]) -> Self {
        self.kinds = kinds.to_vec();
        self
    }

    /// Adds the model's responses, call by call.
    pub fn model(mut self, responses: impl IntoIterator<Item = Value>) -> Self {
        self.model.extend(responses);
        self
    }

    pub fn script(mut self, script: Value) -> Self {
        self.script = Some(script);
        self
    }

    pub fn sub(
        mut self,
        model: impl IntoIterator<Item = Value>,
        actors: impl IntoIterator<Item = Actor>,
        agent: fn(AgentBuilder) -> AgentBuilder,
    ) -> Self {
        self.sub = Some(Sub {
            model: model.into_iter().collect(),
            actors: actors.into_iter().collect(),
            agent,
        });
        self
    }

    pub fn turn(mut self, said: &'static str) -> Self {
        self.acts.push(Act::Turn(said));
        self
    }

    pub fn resume(
        mut self,
        elsewhere: bool,
        given: impl IntoIterator<Item = (&'static str, Resolution)>,
    ) -> Self {
        let given = given.into_iter().collect();
        self.acts.push(Act::Resume { elsewhere, given });
        self
    }

    /// Adds an event for the first time that this point's hooks run.
    pub fn during(mut self, point: &'static str, happens: Meanwhile) -> Self {
        self.during.push(During { point, happens });
        self
    }

    pub fn config(mut self, change: fn(AgentConfig) -> AgentConfig) -> Self {
        self.config.push(change);
        self
    }

    /// Leaves the conversation little room, so that it is compacted.
    pub fn little_room(self) -> Self {
        self.config(|config| AgentConfig {
            compaction: CompactionConfig {
                limit_tokens: const { NonZeroU64::new(300).unwrap() },
                keep_recent: 1,
                ..CompactionConfig::default()
            },
            ..config
        })
    }

    pub fn agent(mut self, change: fn(AgentBuilder) -> AgentBuilder) -> Self {
        self.agent = change;
        self
    }

    /// Shows the requests to the policy and the memory.
    pub fn whole_flow(mut self) -> Self {
        self.policy = true;
        self.memory = true;
        self
    }

    /// Shows the requests to the model.
    pub fn sent(mut self) -> Self {
        self.sent = true;
        self
    }

    /// Shows these hooks too.
    pub fn watch(mut self, ids: &[&'static str]) -> Self {
        self.watched.extend(ids);
        self
    }

    /// Adds a person to ask, who gives this decision.
    pub fn person(mut self, says: ApprovalDecision) -> Self {
        self.person = Some(says);
        self
    }

    /// Shows these points only.
    pub fn points(mut self, points: &[&'static str]) -> Self {
        self.shown.points.extend(points);
        self
    }

    /// Shows these events too.
    pub fn events(mut self, events: &[&'static str]) -> Self {
        self.shown.events.extend(events);
        self
    }

    pub fn expect(mut self, lines: impl IntoIterator<Item = &'static str>) -> Self {
        self.expected.push((None, lines.into_iter().collect()));
        self
    }

    /// Sets the expected lines for hooks of this role.
    pub fn expect_as(
        mut self,
        role: &'static str,
        lines: impl IntoIterator<Item = &'static str>,
    ) -> Self {
        self.expected
            .push((Some(role), lines.into_iter().collect()));
        self
    }

    /// Sets the final conversation, as `role: text` lines.
    pub fn conversation(mut self, lines: impl IntoIterator<Item = &'static str>) -> Self {
        self.conversation = Some(lines.into_iter().collect());
        self
    }
}
