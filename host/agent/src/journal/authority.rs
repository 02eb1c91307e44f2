//! A hook's authority under the settings in effect when its session was opened.

use std::collections::BTreeMap;

use portcullis::Hooks;
use portcullis::hooks::{Mode, Share};
use portcullis::report::HookSummary;
use portcullis::verdict::Digest;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A hook's role and grants.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct HookAuthority {
    /// The hook.
    pub hook: String,
    /// The kind of hook: `component`, `native` or `script`.
    pub sort: String,
    /// The version of its component.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// The author's description of the hook.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The hook's role, which limits its answers: `observe`, `gate`, `transform` or `replace`.
    pub role: String,
    /// The hook's failure mode: `fail-open` or `fail-closed`.
    pub failure: String,
    /// Whether its answers count in this session.
    #[schemars(with = "String")]
    pub mode: Mode,
    /// The share of sessions in which they do, if it is not all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<f64>")]
    pub share: Option<Share>,
    /// Its priority; low runs first.
    pub priority: i32,
    /// Whether `hooks.toml` names the hook. An unnamed hook may only refuse.
    pub named: bool,
    /// The points that it serves.
    pub points: Vec<String>,
    /// The names of the grants that the hook uses.
    pub grants: Vec<String>,
}

impl HookAuthority {
    /// Returns the authority of every enabled hook in a session. `root` is the session id of the
    /// outermost agent.
    pub fn in_session(hooks: &Hooks, root: &str) -> Vec<Self> {
        let summaries = hooks.summaries().into_iter().map(|summary| HookSummary {
            mode: summary.mode_in(root),
            ..summary
        });
        Self::of(hooks, summaries)
    }

    /// The authority of these hooks that are enabled.
    fn of(hooks: &Hooks, summaries: impl IntoIterator<Item = HookSummary>) -> Vec<Self> {
        let reports = hooks.reports();
        let enabled = summaries.into_iter().filter(|hook| hook.enabled);
        let authority = |summary: HookSummary| {
            let report = reports.iter().find(|report| report.id == summary.id);
            Self {
                hook: summary.id.to_string(),
                sort: name(&summary.sort),
                version: report.map(|report| report.version.clone()),
                description: report.map(|report| report.description.clone()),
                role: name(&Wit(summary.role)),
                failure: name(&Wit(summary.failure)),
                mode: summary.mode,
                share: summary.share,
                priority: summary.priority,
                named: !summary.capped,
                points: summary
                    .points
                    .iter()
                    .map(|point| point.name().to_owned())
                    .collect(),
                grants: report.map(|report| report.uses()).unwrap_or_default(),
            }
        };
        enabled.map(authority).collect()
    }

    /// A digest of every hook that is enabled, by its id: of its component and its authority.
    pub(crate) fn digests(hooks: &Hooks) -> BTreeMap<String, String> {
        let reports = hooks.reports();
        let digest = |authority: Self| {
            let report = reports.iter().find(|it| it.id.as_str() == authority.hook);
            let component = report.map(|report| report.digest.to_string());
            let all = serde_json::json!([component, authority]).to_string();
            (authority.hook, Digest::of(all.as_bytes()).to_string())
        };
        let all = Self::of(hooks, hooks.summaries());
        all.into_iter().map(digest).collect()
    }
}

/// A value of the contract, with WIT's names.
struct Wit<T>(T);

impl<T: Serialize> Serialize for Wit<T> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        portcullis::json::serialize(&self.0, serializer)
    }
}

/// The name of a value that is one word in JSON.
fn name(value: &impl Serialize) -> String {
    let json = serde_json::to_value(value).unwrap_or_default();
    json.as_str().unwrap_or_default().to_owned()
}
