//! `[hooks.ID.grants]`: the imports that a hook may have beyond those of every hook.

use std::collections::BTreeSet;
use std::num::NonZeroU64;

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::{HttpRule, ModelGrant};
use crate::contract::ContributionKind;
use crate::contract::text::sanitize_for_terminal;
use crate::model::named;
use crate::model::points::AnswerKind;
use crate::model::prompt::{KINDS, kind_name};
use crate::model::reached::{CONTRIBUTE, as_written};
use crate::model::state_edits::entry_fault;
use crate::model::view::View;

/// The imports, answers and contributions that a hook may have. The fields are the keys of
/// `[hooks.ID.grants]`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case")]
pub struct Grants {
    /// The views it may import, in place of the defaults.
    #[serde(deserialize_with = "named::all")]
    #[schemars(schema_with = "named::list::<View>", extend("x-if-left-out" = "`defaults.views`"))]
    pub views: Option<Vec<View>>,
    /// The answers it may import, in place of the defaults.
    #[serde(deserialize_with = "named::all")]
    #[schemars(schema_with = "named::list::<AnswerKind>", extend("x-if-left-out" = "`defaults.answers`"))]
    pub answers: Option<Vec<AnswerKind>>,
    /// State of its own.
    pub state: bool,
    /// Names of shared namespaces.
    #[serde(deserialize_with = "namespaces")]
    #[schemars(extend("x-if-left-out" = "none"))]
    pub shared_state: Vec<String>,
    /// Keys of the agent's state to change. `plan/*` is each key that begins with `plan/`.
    #[serde(deserialize_with = "keys")]
    #[schemars(extend("x-if-left-out" = "none"))]
    pub agent_state_edit: Vec<String>,
    /// Events to the agent's subscribers.
    pub events: bool,
    /// Names of secrets, as in `[secrets]`.
    #[schemars(extend("x-if-left-out" = "none"))]
    pub secrets: Vec<String>,
    /// Directories to read, relative to the hooks directory. Symbolic links on the way are not followed.
    #[schemars(extend("x-if-left-out" = "none"))]
    pub read: Vec<String>,
    /// Directories to read and write, relative to the hooks directory. A directory is refused if it
    /// contains files that hooks are loaded from, such as the hooks directory, or a directory of
    /// another grant.
    #[schemars(extend("x-if-left-out" = "none"))]
    pub write: Vec<String>,
    /// Servers to send requests to, one line each.
    #[serde(deserialize_with = "rules")]
    #[schemars(with = "Vec<String>", extend("x-if-left-out" = "none"))]
    pub http: Vec<HttpRule>,
    /// The agent's model, within a budget of tokens.
    #[schemars(extend("x-if-left-out" = "none"))]
    pub model: Option<ModelGrant>,
    /// The kinds of contributions that it may make.
    #[serde(deserialize_with = "named::all", serialize_with = "kinds")]
    #[schemars(schema_with = "named::list::<ContributionKind>", extend("x-if-left-out" = "nothing"))]
    pub contribute: Option<Vec<ContributionKind>>,
}

impl Grants {
    /// Returns all grants that reach nothing outside of a test, for a hook that no `hooks.toml`
    /// names: its shared namespace is `namespace`, and it may use `tokens` tokens of the model in a
    /// turn. Views and answers have their defaults.
    pub fn for_a_test(namespace: &str, tokens: NonZeroU64) -> Self {
        // No `..`, so that a new key needs a decision here.
        Self {
            views: None,
            answers: None,
            state: true,
            shared_state: vec![namespace.to_owned()],
            agent_state_edit: vec!["*".to_owned()],
            events: true,
            secrets: Vec::new(),
            read: Vec::new(),
            write: Vec::new(),
            http: Vec::new(),
            model: Some(ModelGrant {
                tokens,
                provider: None,
                model: None,
            }),
            contribute: Some(KINDS.to_vec()),
        }
    }

    /// Returns the grants whose use a run records (see
    /// [`Reached::used`](crate::verdict::Reached::used) and
    /// [`ContributedRecord::grant`](crate::verdict::ContributedRecord::grant)), in the same
    /// notation.
    pub fn noted(&self) -> Vec<String> {
        let keys = super::all().filter(|capability| capability.notes_use);
        let keys = keys.flat_map(|capability| capability.permission.own_keys());
        let kinds = self.contribute.iter().flatten();
        let kinds = kinds.map(|kind| as_written(CONTRIBUTE, kind_name(*kind)));
        keys.flat_map(|key| key.written(self))
            .chain(kinds)
            .collect()
    }

    /// Returns the granted keys whose use the record of a run leaves out: among `views`, `state`
    /// and `events`.
    pub fn not_noted(&self) -> BTreeSet<&'static str> {
        let views = self.views.as_ref().filter(|views| !views.is_empty());
        let keys = super::all().filter(|capability| !capability.notes_use);
        let keys = keys.flat_map(|capability| capability.permission.own_keys());
        let granted = keys.filter(|key| key.is_granted(self));
        let granted = granted.map(|key| key.name);
        granted.chain(views.map(|_| "views")).collect()
    }
}

fn kinds<S: Serializer>(
    kinds: &Option<Vec<ContributionKind>>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let kinds = kinds.iter().flatten().copied();
    serializer.collect_seq(kinds.map(kind_name))
}

fn namespaces<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    let names = Vec::<String>::deserialize(deserializer)?;
    match names.iter().position(String::is_empty) {
        Some(index) => Err(de::Error::custom(format!(
            "namespace {} has no name",
            index + 1
        ))),
        None => Ok(names),
    }
}

/// Reads keys, and reports each invalid one.
fn keys<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    let keys = Vec::<String>::deserialize(deserializer)?;
    let wrong = |key: &String| {
        let fault = entry_fault(key)?;
        Some(format!("`{}` {fault}", sanitize_for_terminal(key)))
    };
    let problems: Vec<String> = keys.iter().filter_map(wrong).collect();
    match problems.is_empty() {
        true => Ok(keys),
        false => Err(de::Error::custom(problems.join("; "))),
    }
}

/// Reads rules, and reports each invalid one.
fn rules<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<HttpRule>, D::Error> {
    let (mut rules, mut problems) = (Vec::new(), Vec::new());
    for line in Vec::<String>::deserialize(deserializer)? {
        match line.parse() {
            Ok(rule) => rules.push(rule),
            Err(problem) => problems.push(format!("`{}` {problem}", sanitize_for_terminal(&line))),
        }
    }
    match problems.is_empty() {
        true => Ok(rules),
        false => Err(de::Error::custom(problems.join("; "))),
    }
}
