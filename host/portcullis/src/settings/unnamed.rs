//! `[unnamed]`: the maximum permissions of a component that has no `[hooks.ID]` table.

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::check::Check;
use super::{Defaults, Grants, HookSettings, Settings};
use crate::contract::HookRole;
use crate::contract::text::nearest;
use crate::model::hook::Mode;
use crate::model::named::{self, Named};
use crate::model::points::AnswerKind;
use crate::model::view::View;

/// The maximum permissions of a component that has no `[hooks.ID]` table. It runs after all hooks
/// that have one, regardless of its priority, and is granted no contribution, namespace, secret,
/// directory or server.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case")]
pub struct Unnamed {
    /// The treatment of an unnamed hook: `capped` loads it if it requests nothing beyond this
    /// table, `refuse` never loads it, `trusted` loads it like a hook with an empty table.
    #[serde(deserialize_with = "named::or_default")]
    #[schemars(schema_with = "named::single::<UnnamedRule>", extend("default" = UnnamedRule::default()))]
    pub load: UnnamedRule,
    /// The highest role that the hook may have.
    #[serde(deserialize_with = "named::or_default")]
    #[schemars(schema_with = "named::single::<HookRole>", extend("default" = "gate"))]
    pub role: HookRole,
    /// `enforce`, or `audit`: the hook's answers are recorded and have no effect.
    #[serde(deserialize_with = "named::or_default")]
    #[schemars(schema_with = "named::single::<Mode>", extend("default" = Mode::default()))]
    pub mode: Mode,
    /// The views in `defaults.views` that the hook may import.
    #[serde(deserialize_with = "named::list_of")]
    #[schemars(schema_with = "named::list::<View>", extend("x-if-left-out" = "`content`, `tool-data`, `tool-catalog`, `verdict`"))]
    pub views: Vec<View>,
    /// The answers in `defaults.answers` that the hook may import. The role must allow them.
    #[serde(deserialize_with = "named::all")]
    #[schemars(schema_with = "named::list::<AnswerKind>", extend("x-if-left-out" = "those that the role allows, without `answer` and `replace`"))]
    pub answers: Option<Vec<AnswerKind>>,
    /// Whether the hook may keep its own state.
    pub state: bool,
    /// Whether the hook may send events to the agent's subscribers.
    pub events: bool,
}

/// The treatment of a component that has no `[hooks.ID]` table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum UnnamedRule {
    /// The component loads if it requests nothing beyond the permissions of unnamed hooks.
    #[default]
    Capped,
    /// The component does not load.
    Refuse,
    /// The component loads like a hook with an empty table.
    Trusted,
}

impl Named for UnnamedRule {
    const NAMES: &'static [(&'static str, Self)] = &[
        ("capped", Self::Capped),
        ("refuse", Self::Refuse),
        ("trusted", Self::Trusted),
    ];
}

impl Default for Unnamed {
    fn default() -> Self {
        Self {
            load: UnnamedRule::Capped,
            role: HookRole::Gate,
            mode: Mode::Enforce,
            views: vec![
                View::Content,
                View::ToolData,
                View::ToolCatalog,
                View::Verdict,
            ],
            answers: None,
            state: false,
            events: false,
        }
    }
}

impl Unnamed {
    /// Creates settings without a limit: every component is loaded like a hook with an empty table.
    pub fn trusted() -> Self {
        Self {
            load: UnnamedRule::Trusted,
            ..Self::default()
        }
    }

    fn may_answer(&self, kind: AnswerKind) -> bool {
        let is_listed = match &self.answers {
            Some(answers) => answers.contains(&kind),
            None => !matches!(kind, AnswerKind::Answer | AnswerKind::Replace),
        };
        let contributes = kind.contribution().is_some();
        is_listed && !contributes && self.role.allows(kind.role())
    }

    /// Returns the settings of a capped hook.
    fn settings(&self, defaults: &Defaults) -> HookSettings {
        let views = defaults.views.iter().copied();
        let answers = defaults.answers.iter().copied();
        HookSettings {
            mode: Some(self.mode),
            grants: Grants {
                views: Some(views.filter(|view| self.views.contains(view)).collect()),
                answers: Some(answers.filter(|kind| self.may_answer(*kind)).collect()),
                state: self.state,
                events: self.events,
                ..Grants::default()
            },
            ..HookSettings::default()
        }
    }
}

impl Settings {
    /// Returns whether unnamed components are treated differently from named ones.
    pub(crate) fn names_matter(&self) -> bool {
        self.unnamed.load != UnnamedRule::Trusted
    }

    /// Returns whether the component with this id is capped: it needs a table and has none.
    pub(crate) fn caps(&self, id: &str) -> bool {
        self.names_matter() && !self.hooks.contains_key(id)
    }

    /// Returns a table whose name may be a misspelling of the id, if the hook has no table of its
    /// own. A table with the name of a file next to `hooks.toml` is not returned. The table may
    /// belong to a native hook, or to a hook in a file with another name.
    pub fn misspelt_table(&self, id: &str) -> Option<&str> {
        if self.hooks.contains_key(id) {
            return None;
        }
        let is_there = |name: &&str| self.source.dir().join(format!("{name}.wasm")).exists();
        let names = self.hooks.keys().map(String::as_str);
        nearest(id, names.filter(|name| !is_there(name)))
    }

    /// Returns whether the component with this id is refused because it has no table.
    pub(crate) fn refuses(&self, id: &str) -> bool {
        self.unnamed.load == UnnamedRule::Refuse && self.caps(id)
    }

    /// Returns the settings of a component: its table, or else the settings of unnamed hooks.
    pub(crate) fn of_component(&self, id: &str) -> Cow<'_, HookSettings> {
        match self.hooks.get(id) {
            Some(said) => Cow::Borrowed(said),
            None if self.caps(id) => Cow::Owned(self.unnamed.settings(&self.defaults)),
            None => Cow::Owned(HookSettings::default()),
        }
    }
}

impl Check<'_> {
    /// Reports contributions, and answers that the role does not allow: they would be refused
    /// although they are listed.
    pub(super) fn unnamed(&mut self, unnamed: Unnamed) -> Unnamed {
        for kind in unnamed.answers.iter().flatten() {
            let needed = named::name_of(kind.role());
            let problem = match kind.contribution() {
                Some(_) => format!(
                    "has `{kind}`, which is granted only to a hook that is named; remove it, and write `contribute` in the hook's grants"
                ),
                None if unnamed.role.allows(kind.role()) => continue,
                None => format!(
                    "has `{kind}`, which only the role `{needed}` may give; remove it, or write role = \"{needed}\""
                ),
            };
            self.wrong(&["unnamed"], "answers", &problem);
        }
        unnamed
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn grants(toml: &str) -> Grants {
        let settings = Settings::parse(Path::new("hooks.toml"), toml).expect("settings");
        settings.of_component("stranger").grants.clone()
    }

    #[test]
    fn without_the_table_an_unnamed_hook_may_only_refuse() {
        let safe = grants("[hooks.other]\n");
        assert_eq!(
            safe.answers,
            Some(vec![AnswerKind::Reject, AnswerKind::Ask, AnswerKind::Stop])
        );
        let views = safe.views.expect("a list");
        for view in [
            View::Conversation,
            View::Prompt,
            View::AgentState,
            View::Session,
        ] {
            assert!(!views.contains(&view), "{view:?}");
        }
        assert!(!safe.state && !safe.events && safe.contribute.is_none());
        assert_eq!(grants("[hooks.stranger]\n"), Grants::default());
        assert_eq!(grants("[unnamed]\nload = \"trusted\"\n"), Grants::default());
    }

    #[test]
    fn the_table_gives_no_more_than_the_defaults_do() {
        let both = grants(
            "[defaults]\nviews = [\"session\"]\nanswers = [\"reject\"]\n\
             [unnamed]\nviews = [\"session\", \"prompt\"]\nrole = \"transform\"\n",
        );
        assert_eq!(both.views, Some(vec![View::Session]));
        assert_eq!(both.answers, Some(vec![AnswerKind::Reject]));
    }

    #[test]
    fn a_higher_role_gives_no_answer_that_ends_a_chain_unless_it_is_listed() {
        let answers = |toml: &str| grants(toml).answers.expect("a list");
        let wide = answers("[unnamed]\nrole = \"transform\"\n");
        assert!(wide.contains(&AnswerKind::Transform));
        assert!(!wide.contains(&AnswerKind::Answer) && !wide.contains(&AnswerKind::Replace));
        let listed = answers("[unnamed]\nrole = \"transform\"\nanswers = [\"replace\"]\n");
        assert_eq!(listed, [AnswerKind::Replace]);
        let observers = answers("[unnamed]\nrole = \"observe\"\n");
        assert!(!observers.contains(&AnswerKind::Reject), "{observers:?}");
    }

    #[test]
    fn an_answer_that_no_unnamed_hook_may_give_is_a_mistake() {
        let text = "[unnamed]\nanswers = [\"reject\", \"transform\", \"add-note\"]\n";
        let errors = Settings::parse(Path::new("hooks.toml"), text).expect_err("a mistake");
        let said: Vec<String> = errors.iter().map(ToString::to_string).collect();
        assert_eq!(said.len(), 2, "{said:?}");
        for (said, fix) in said
            .iter()
            .zip(["write role = \"transform\"", "`contribute`"])
        {
            assert!(
                said.starts_with("hooks.toml:2: ") && said.contains(fix),
                "{said}"
            );
        }
    }
}
