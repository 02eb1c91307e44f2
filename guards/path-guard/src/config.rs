//! The operator's table.

use portcullis_sdk::schemars::{self, JsonSchema};
use serde::Deserialize;

/// The operator's table.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
#[schemars(extend("examples" = [{
    "roots": ["/srv/data"],
    "deny": ["**/.env", "**/*.pem"],
    "allow": ["**/.env.example"],
}]))]
pub struct Config {
    /// The tools whose arguments are checked; `*` stands for any text.
    pub tools: Vec<String>,
    /// The names of the arguments that are paths, or lists of them, at any depth.
    pub arguments: Vec<String>,
    /// Absolute directories that may be used, besides the tool's working directory.
    #[schemars(inner(regex(pattern = r"^/")))]
    pub roots: Vec<String>,
    /// Patterns of files that may not be used, such as `**/.env`.
    pub deny: Vec<String>,
    /// Patterns of files that may be used although `deny` names them.
    pub allow: Vec<String>,
}

/// The names of arguments that tools use for paths.
const ARGUMENTS: &[&str] = &[
    "path",
    "paths",
    "file",
    "files",
    "file_path",
    "filename",
    "notebook_path",
    "dir",
    "directory",
    "cwd",
    "source",
    "destination",
    "old_path",
    "new_path",
    "target",
    "uri",
];

/// Files with keys, and those that tools run by themselves.
const DENY: &[&str] = &[
    "**/.env",
    "**/.env.*",
    "**/.git/**",
    "**/.git",
    "**/.ssh/**",
    "**/.aws/**",
    "**/.gnupg/**",
    "**/.kube/**",
    "**/.docker/config.json",
    "**/.netrc",
    "**/.npmrc",
    "**/.pypirc",
    "**/.git-credentials",
    "**/*.pem",
    "**/*.key",
    "**/*.p12",
    "**/*.pfx",
    "**/*.kdbx",
    "**/*.keystore",
    "**/*.jks",
    "**/id_rsa*",
    "**/id_ed25519*",
    "**/id_ecdsa*",
    "**/.htpasswd",
    "**/.pgpass",
    "**/secrets.{yml,yaml,json,toml}",
    "**/credentials.json",
    "**/*.tfstate",
    "**/.vault-token",
];

const ALLOW: &[&str] = &[
    "**/.env.example",
    "**/.env.sample",
    "**/.env.template",
    "**/*.pub",
    "**/.env.dist",
];

impl Default for Config {
    fn default() -> Self {
        let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        Self {
            tools: owned(&["*"]),
            arguments: owned(ARGUMENTS),
            roots: Vec::new(),
            deny: owned(DENY),
            allow: owned(ALLOW),
        }
    }
}
