//! Hooks under test, and their settings.

use std::sync::Arc;
use std::sync::atomic::AtomicI64;

use portcullis::hooks::HooksError;
use portcullis::{Hooks, LoadOptions};
use portcullis_tests::{HooksDir, cache};

use super::answer::Answer;
use super::{native, script};

/// The kind of a hook.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Component,
    Native,
    Script,
}

pub const KINDS: [Kind; 3] = [Kind::Component, Kind::Native, Kind::Script];

/// The id of the hook under test if there is only one. Others have ids of the same length, so that
/// the component can be renamed to them.
pub const ACTOR: &str = "actor";

/// A hook under test.
#[derive(Debug, Clone)]
pub struct Actor {
    pub id: &'static str,
    /// The kind of the hook. `None` is the kind of the run.
    pub kind: Option<Kind>,
    pub role: Option<&'static str>,
    pub failure: Option<&'static str>,
    pub execution: Option<&'static str>,
    pub priority: Option<i32>,
    pub off: bool,
    /// The kinds that it may contribute. `None` allows every kind.
    pub contributes: Option<&'static [&'static str]>,
    pub after: &'static [&'static str],
    pub answers: Vec<Answer>,
    /// A script of its own, which receives all views.
    pub script: Option<&'static str>,
}

impl Actor {
    pub fn new(id: &'static str, answers: impl IntoIterator<Item = Answer>) -> Self {
        Self {
            id,
            kind: None,
            role: None,
            failure: None,
            execution: None,
            priority: None,
            off: false,
            contributes: None,
            after: &[],
            answers: answers.into_iter().collect(),
            script: None,
        }
    }

    /// Creates a hook from a script's text.
    pub fn script(text: &'static str) -> Self {
        Self {
            kind: Some(Kind::Script),
            script: Some(text),
            ..Self::new(ACTOR, [])
        }
    }

    pub fn kind(mut self, kind: Kind) -> Self {
        self.kind = Some(kind);
        self
    }

    pub fn role(mut self, role: &'static str) -> Self {
        self.role = Some(role);
        self
    }

    pub fn failure(mut self, failure: &'static str) -> Self {
        self.failure = Some(failure);
        self
    }

    pub fn execution(mut self, execution: &'static str) -> Self {
        self.execution = Some(execution);
        self
    }

    pub fn priority(mut self, priority: i32) -> Self {
        self.priority = Some(priority);
        self
    }

    pub fn after(mut self, ids: &'static [&'static str]) -> Self {
        self.after = ids;
        self
    }

    /// Sets the kinds that it may contribute.
    pub fn contributes(mut self, kinds: &'static [&'static str]) -> Self {
        self.contributes = Some(kinds);
        self
    }

    /// Disables the hook.
    pub fn off(mut self) -> Self {
        self.off = true;
        self
    }

    /// Returns the settings that `hooks.toml` has for hooks of all kinds.
    fn settings(&self) -> String {
        let mut lines = String::new();
        let mut say = |key: &str, value: Option<String>| {
            if let Some(value) = value {
                lines += &format!("{key} = {value}\n");
            }
        };
        say("role", self.role.map(quoted));
        say("failure", self.failure.map(quoted));
        say("execution", self.execution.map(quoted));
        say("enabled", self.off.then(|| "false".into()));
        say("priority", self.priority.map(|p| p.to_string()));
        say(
            "after",
            (!self.after.is_empty()).then(|| format!("{:?}", self.after)),
        );
        lines
    }
}

fn quoted(text: &str) -> String {
    format!("{text:?}")
}

/// The kinds that every hook may contribute here.
const EVERYTHING: &[&str] = &["policy", "context", "section", "tools", "note", "job"];

/// Loads these hooks, each as its own kind or as `kind`, with all grants that they may need.
pub fn load(actors: &[Actor], kind: Kind) -> (HooksDir, Hooks) {
    match try_load(actors, kind) {
        Ok(loaded) => loaded,
        Err(error) => panic!("{error}"),
    }
}

/// Loads the same hooks, and returns an error if they are invalid.
pub fn try_load(actors: &[Actor], kind: Kind) -> Result<(HooksDir, Hooks), HooksError> {
    let mut dir = HooksDir::new();
    let mut toml = String::from("[defaults.limits]\nwall-ms = 20000\n");
    let mut natives = Vec::new();
    let shared = Arc::new(AtomicI64::new(0));
    for actor in actors {
        let id = actor.id;
        let settings = actor.settings();
        let contribute = format!("contribute = {:?}", actor.contributes.unwrap_or(EVERYTHING));
        match actor.kind.unwrap_or(kind) {
            Kind::Component => {
                dir = dir.with_renamed(ACTOR, id);
                let answers = serde_json::to_string(&actor.answers).expect("JSON");
                let limits = match actor.hangs() {
                    true => format!("[hooks.{id}.limits]\nfuel = false\ndeadline-ms = 200\n"),
                    false => String::new(),
                };
                toml += &format!(
                    "[hooks.{id}]\n{settings}\n{limits}[hooks.{id}.grants]\n{contribute}\n\
                     shared-state = [\"costs\"]\n[hooks.{id}.config]\nanswers = {}\n",
                    serde_json::to_string(&answers).expect("JSON"),
                );
            }
            Kind::Native => {
                toml += &format!("[hooks.{id}]\n{settings}\n[hooks.{id}.grants]\n{contribute}\n");
                natives.push(native::hook(actor, &shared));
            }
            Kind::Script => {
                let file = format!("{id}.sh");
                let (text, views) = match actor.script {
                    Some(text) => (text.to_owned(), ""),
                    None => (script::text(actor), "views = []"),
                };
                dir = dir.with_file(&file, text.as_bytes());
                let settings = match actor.role {
                    Some(_) => settings,
                    None => format!("{settings}role = \"transform\"\n"),
                };
                let timeout = if actor.hangs() { 300 } else { 20_000 };
                toml += &format!(
                    "[scripts.{id}]\ncommand = [\"sh\", \"{file}\"]\npoints = {:?}\n{settings}\n\
                     {contribute}\ntimeout-ms = {timeout}\n{views}\n",
                    points(),
                );
            }
        }
    }
    let dir = dir.settings(&toml);
    let options = LoadOptions {
        cache: cache(),
        native: natives,
        ..LoadOptions::default()
    };
    let hooks = Hooks::load(dir.path(), &options)?;
    Ok((dir, hooks))
}

impl Actor {
    fn hangs(&self) -> bool {
        let hangs = |answer: &Answer| matches!(answer.does, super::answer::Does::Hang);
        self.answers.iter().any(hangs)
    }
}

/// Returns the names of all points.
fn points() -> Vec<&'static str> {
    let all = portcullis::points::PointId::ALL;
    all.iter().map(|point| point.name()).collect()
}
