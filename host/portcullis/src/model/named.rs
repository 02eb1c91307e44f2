//! Values with a name in `hooks.toml`. The error for a wrong name suggests the nearest right one.

use schemars::{Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, de};

use crate::contract::text::nearest;
use crate::contract::{ContributionKind, ExecutionPolicy, FailurePolicy, HookRole};
use crate::model::hook::Mode;
use crate::model::isolation::Isolation;
use crate::model::points::{AnswerKind, PointId};
use crate::model::prompt::kind_name;
use crate::model::state::WriteState;
use crate::model::view::View;
use crate::model::write_run::WriteRun;

/// A value with a name in `hooks.toml`.
pub(crate) trait Named: Copy + 'static {
    const NAMES: &'static [(&'static str, Self)];
}

impl Named for HookRole {
    const NAMES: &'static [(&'static str, Self)] = &[
        ("gate", Self::Gate),
        ("transform", Self::Transform),
        ("observe", Self::Observe),
    ];
}

impl Named for FailurePolicy {
    const NAMES: &'static [(&'static str, Self)] = &[
        ("fail-open", Self::FailOpen),
        ("fail-closed", Self::FailClosed),
    ];
}

impl Named for ExecutionPolicy {
    const NAMES: &'static [(&'static str, Self)] = &[
        ("blocking", Self::Blocking),
        ("deadline", Self::Deadline),
        ("fire-and-record", Self::FireAndRecord),
        ("background", Self::Background),
    ];
}

impl Named for ContributionKind {
    const NAMES: &'static [(&'static str, Self)] = &[
        (kind_name(Self::Policy), Self::Policy),
        (kind_name(Self::Context), Self::Context),
        (kind_name(Self::Section), Self::Section),
        (kind_name(Self::Tools), Self::Tools),
        (kind_name(Self::Note), Self::Note),
        (kind_name(Self::Job), Self::Job),
    ];
}

impl Named for Isolation {
    const NAMES: &'static [(&'static str, Self)] = &[
        ("session", Self::Session),
        ("call", Self::Call),
        ("shared", Self::Shared),
    ];
}

impl Named for WriteState {
    const NAMES: &'static [(&'static str, Self)] = &[
        ("after-answer", Self::AfterAnswer),
        ("before-answer", Self::BeforeAnswer),
        ("never", Self::Never),
    ];
}

impl Named for WriteRun {
    const NAMES: &'static [(&'static str, Self)] = &[
        ("after-answer", Self::AfterAnswer),
        ("before-answer", Self::BeforeAnswer),
    ];
}

impl Named for Mode {
    const NAMES: &'static [(&'static str, Self)] =
        &[("enforce", Self::Enforce), ("audit", Self::Audit)];
}

/// Implements `Named` with the names of the values in `ALL`.
macro_rules! all_named {
    ($($type:ty),*) => {$(
        impl Named for $type {
            const NAMES: &'static [(&'static str, Self)] = &{
                let mut names = [("", Self::ALL[0]); Self::ALL.len()];
                let mut index = 0;
                while index < names.len() {
                    let value = Self::ALL[index];
                    names[index] = (value.name(), value);
                    index += 1;
                }
                names
            };
        }
    )*};
}
all_named!(View, AnswerKind, PointId);

fn find<T: Named, E: de::Error>(text: &str) -> Result<T, E> {
    let found = T::NAMES.iter().find(|(name, _)| *name == text);
    found.map(|(_, value)| *value).ok_or_else(|| {
        let names: Vec<&str> = T::NAMES.iter().map(|(name, _)| *name).collect();
        E::custom(none_of(text, &names))
    })
}

/// Returns the error text for a name that is not in `names`. It suggests the nearest name, or lists
/// all of them.
pub(crate) fn none_of(text: &str, names: &[&str]) -> String {
    match nearest(text, names.iter().copied()) {
        Some(near) => format!("there is no `{text}` here; did you mean `{near}`?"),
        None => {
            let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
            format!(
                "there is no `{text}` here; write one of {}",
                names.join(", ")
            )
        }
    }
}

/// Returns a value's name.
pub(crate) fn name_of<T: Named + PartialEq>(value: T) -> &'static str {
    let found = T::NAMES.iter().find(|(_, other)| *other == value);
    found.map_or("", |(name, _)| name)
}

/// Reads one name.
pub(crate) fn one<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Named,
{
    find(&String::deserialize(deserializer)?).map(Some)
}

/// Reads one name, or uses a default.
pub(crate) fn or_default<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Named,
{
    find(&String::deserialize(deserializer)?)
}

/// Reads a list of names, or uses a default.
pub(crate) fn list_of<'de, D, T>(deserializer: D) -> Result<Vec<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Named,
{
    let names = Vec::<String>::deserialize(deserializer)?;
    names.iter().map(|name| find(name)).collect()
}

/// Reads a list of names.
pub(crate) fn all<'de, D, T>(deserializer: D) -> Result<Option<Vec<T>>, D::Error>
where
    D: Deserializer<'de>,
    T: Named,
{
    list_of(deserializer).map(Some)
}

/// Returns the schema that editors show for one name.
pub(crate) fn single<T: Named>(_: &mut SchemaGenerator) -> Schema {
    let names: Vec<&str> = T::NAMES.iter().map(|(name, _)| *name).collect();
    json_schema!({ "type": "string", "enum": names })
}

/// Returns the schema that editors show for a list of names.
pub(crate) fn list<T: Named>(generator: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "array", "items": single::<T>(generator) })
}
