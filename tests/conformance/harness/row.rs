//! A row of a seed's table: a scenario, and the exact sequence of points and effects.

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
    /// What the hooks are, one after another.
    pub kinds: Vec<Kind>,
    pub model: Vec<Value>,
    /// A whole script, where there is more than one provider.
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
    /// What is expected of hooks of a role; nothing: of the role they have.
    pub expected: Vec<(Option<&'static str>, Vec<&'static str>)>,
    pub conversation: Option<Vec<&'static str>>,
}

/// A sub-agent, called `helper`.
pub struct Sub {
    pub model: Vec<Value>,
    pub actors: Vec<Actor>,
    pub agent: fn(AgentBuilder) -> AgentBuilder,
}

/// What the embedder does.
pub enum Act {
    /// Runs a turn.
    Turn(&'static str),
    /// Resumes the suspended turn, in this process or in another.
    Resume {
        elsewhere: bool,
        given: Vec<(&'static str, Resolution)>,
    },
}

/// Something that happens from outside while a point's hooks run, the first time that they do.
#[derive(Clone)]
pub struct During {
    pub point: &'static str,
    pub happens: Meanwhile,
}

#[derive(Clone)]
pub enum Meanwhile {
    /// The user says something.
    Says(&'static str),
    /// The turn is cancelled.
    Cancels,
}

/// A row in which one hook continues everywhere.
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
    /// What the hook under test does.
    pub fn answers(mut self, answers: impl IntoIterator<Item = Answer>) -> Self {
        self.actors[0].answers.extend(answers);
        self
    }

    /// Hooks in the place of the one.
    pub fn actors(mut self, actors: impl IntoIterator<Item = Actor>) -> Self {
        self.actors = actors.into_iter().collect();
        self
    }

    /// Hooks of these kinds only.
    pub fn kinds(mut self, kinds: &[Kind]) -> Self {
        self.kinds = kinds.to_vec();
        self
    }

    /// What the model says, call by call.
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

    /// The first time that this point's hooks run, this happens.
    pub fn during(mut self, point: &'static str, happens: Meanwhile) -> Self {
        self.during.push(During { point, happens });
        self
    }

    pub fn config(mut self, change: fn(AgentConfig) -> AgentConfig) -> Self {
        self.config.push(change);
        self
    }

    /// The conversation has room for little, so that it is compacted.
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

    /// Shows when the policy and the memory are asked.
    pub fn whole_flow(mut self) -> Self {
        self.policy = true;
        self.memory = true;
        self
    }

    /// Shows what the model is sent.
    pub fn sent(mut self) -> Self {
        self.sent = true;
        self
    }

    /// Shows these hooks too.
    pub fn watch(mut self, ids: &[&'static str]) -> Self {
        self.watched.extend(ids);
        self
    }

    /// There is a person to ask, who says this.
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

    /// What is expected where the hooks are of this role.
    pub fn expect_as(
        mut self,
        role: &'static str,
        lines: impl IntoIterator<Item = &'static str>,
    ) -> Self {
        self.expected
            .push((Some(role), lines.into_iter().collect()));
        self
    }

    /// The conversation in the end, as `role: text` lines.
    pub fn conversation(mut self, lines: impl IntoIterator<Item = &'static str>) -> Self {
        self.conversation = Some(lines.into_iter().collect());
        self
    }
}
