//! `[trust]`, as it is written.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;

use crate::model::named;
use crate::settings::Requirement;

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case")]
pub(in crate::settings) struct Trust {
    /// `signed`: a signature of a key or an identity that is named here; `pinned`: such a signature, or the
    /// digest that you give; or `none`.
    #[serde(deserialize_with = "named::one")]
    #[schemars(schema_with = "named::single::<Requirement>", extend("x-if-left-out" = "`signed` if a key or an identity is named here, else `none`"))]
    pub(in crate::settings) require: Option<Requirement>,
    /// The file of a public key (PEM), by a name for its owner. Paths are relative to the hooks directory.
    #[schemars(extend("x-if-left-out" = "none"))]
    pub(in crate::settings) keys: BTreeMap<String, String>,
    /// Who may sign with a certificate that is issued for a moment, by a name of your own.
    pub(in crate::settings) identities: BTreeMap<String, Identity>,
    /// The file `trusted_root.json` of the sigstore that issues these certificates, relative to the hooks
    /// directory.
    #[schemars(extend("x-if-left-out" = "none; identities need it"))]
    pub(in crate::settings) trusted_root: Option<String>,
    /// What is required of a source, by a pattern of its name in which `*` stands for any characters; before the
    /// path, for any but `/`. The longest pattern that fits holds. Server names are in lower case, without a usual
    /// port; files are absolute paths without links.
    pub(in crate::settings) sources: BTreeMap<String, Source>,
}

/// Both keys are required.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case")]
pub(in crate::settings) struct Identity {
    /// The OpenID provider, such as `https://token.actions.githubusercontent.com`.
    #[schemars(extend("x-if-left-out" = "required"))]
    pub(in crate::settings) issuer: Option<String>,
    /// An address, or the URL of a workflow. `*` stands for any characters but `@`. What is behind the `@` of a
    /// workflow is the branch or the tag: name it, such as `@refs/tags/*`, since `@*` trusts every branch.
    #[schemars(extend("x-if-left-out" = "required"))]
    pub(in crate::settings) subject: Option<String>,
}

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case")]
pub(in crate::settings) struct Source {
    /// What is required of it.
    #[serde(deserialize_with = "named::one")]
    #[schemars(schema_with = "named::single::<Requirement>", extend("x-if-left-out" = "`trust.require`"))]
    pub(in crate::settings) require: Option<Requirement>,
    /// The names of the keys and identities whose signature counts for it.
    #[schemars(extend("x-if-left-out" = "all"))]
    pub(in crate::settings) signers: Option<Vec<String>>,
}
