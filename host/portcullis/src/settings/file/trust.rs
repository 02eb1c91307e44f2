//! The shape of `[trust]`.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;

use crate::model::named;
use crate::settings::Requirement;

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case")]
pub(in crate::settings) struct Trust {
    /// `signed`: a signature of a key or an identity in this table; `pinned`: such a signature, or
    /// a digest that you specify; or `none`.
    #[serde(deserialize_with = "named::one")]
    #[schemars(schema_with = "named::single::<Requirement>", extend("x-if-left-out" = "`signed` if a key or an identity is named here, else `none`"))]
    pub(in crate::settings) require: Option<Requirement>,
    /// Public key files (PEM), by a name for the owner. Paths are relative to the hooks directory.
    #[schemars(extend("x-if-left-out" = "none"))]
    pub(in crate::settings) keys: BTreeMap<String, String>,
    /// Identities that may sign with a short-lived certificate, by a name of your choice.
    pub(in crate::settings) identities: BTreeMap<String, Identity>,
    /// The file `trusted_root.json` of the sigstore instance that issues these certificates,
    /// relative to the hooks directory.
    #[schemars(extend("x-if-left-out" = "none; identities need it"))]
    pub(in crate::settings) trusted_root: Option<String>,
    /// Requirements for sources, by a pattern of the source's name. `*` stands for any characters;
    /// before the path, for any but `/`. The longest matching pattern applies. Server names are in
    /// lower case, without a default port; files are absolute paths without links.
    pub(in crate::settings) sources: BTreeMap<String, Source>,
}

/// Both keys are required.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case")]
pub(in crate::settings) struct Identity {
    /// The OpenID provider, such as `https://token.actions.githubusercontent.com`.
    #[schemars(extend("x-if-left-out" = "required"))]
    pub(in crate::settings) issuer: Option<String>,
    /// An address, or the URL of a workflow. `*` stands for any characters but `@`. The part after
    /// the `@` of a workflow is the branch or the tag. Specify it, such as `@refs/tags/*`, since
    /// `@*` trusts every branch.
    #[schemars(extend("x-if-left-out" = "required"))]
    pub(in crate::settings) subject: Option<String>,
}

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, rename_all = "kebab-case")]
pub(in crate::settings) struct Source {
    /// The requirement for the source.
    #[serde(deserialize_with = "named::one")]
    #[schemars(schema_with = "named::single::<Requirement>", extend("x-if-left-out" = "`trust.require`"))]
    pub(in crate::settings) require: Option<Requirement>,
    /// The names of the keys and identities whose signatures count for the source.
    #[schemars(extend("x-if-left-out" = "all"))]
    pub(in crate::settings) signers: Option<Vec<String>>,
}
