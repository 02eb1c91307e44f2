//! The operator's table.

use portcullis_sdk::schemars::{self, JsonSchema};
use portcullis_sdk::{Error, HookResult};
use serde::Deserialize;
use url::Host;

/// The operator's table.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
#[schemars(extend("examples" = [{
    "allow": ["example.com", "example.org"],
    "trusted": ["hooks.example.com"],
}]))]
pub struct Config {
    /// The tools whose arguments are checked; `*` stands for any text.
    pub tools: Vec<String>,
    /// The names of the arguments in which addresses are searched, at any depth.
    pub arguments: Vec<String>,
    /// The only hosts that may be reached, and those below them; all hosts if empty.
    pub allow: Vec<String>,
    /// Hosts that may not be reached, and those below them.
    pub deny: Vec<String>,
    /// Hosts that may receive data and may be private, and those below them.
    pub trusted: Vec<String>,
    /// Whether loopback, private and local addresses are refused.
    pub private: bool,
    /// Whether addresses with user names, mixed alphabets or misleading characters are refused.
    pub disguised: bool,
    /// Whether addresses that exfiltrate data are refused.
    pub data: bool,
    /// Whether images and links that exfiltrate data are removed from answers.
    pub answers: bool,
}

const ARGUMENTS: &[&str] = &[
    "url", "urls", "uri", "href", "link", "endpoint", "host", "hostname", "address", "webhook",
    "base_url", "command", "cmd", "script", "query",
];

impl Default for Config {
    fn default() -> Self {
        let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        Self {
            tools: owned(&["*"]),
            arguments: owned(ARGUMENTS),
            allow: Vec::new(),
            deny: Vec::new(),
            trusted: Vec::new(),
            private: true,
            disguised: true,
            data: true,
            answers: true,
        }
    }
}

impl Config {
    /// Returns the table with its hosts as addresses have them: in lower case, and in Punycode.
    pub fn checked(mut self) -> HookResult<Self> {
        let lists = [
            ("allow", &mut self.allow),
            ("deny", &mut self.deny),
            ("trusted", &mut self.trusted),
        ];
        for (key, list) in lists {
            for name in list {
                let host = name.strip_prefix("*.").unwrap_or(name);
                let parsed = Host::parse(host.trim_end_matches('.'));
                *name = parsed
                    .map_err(|why| {
                        Error::bad_config(format_args!(
                            "`{key}`: `{name}` is no host: {why}; write it without a scheme, port or path"
                        ))
                    })?
                    .to_string();
            }
        }
        Ok(self)
    }
}

/// Returns whether the host is one of the list, or below one.
pub fn names_host(list: &[String], host: &str) -> bool {
    let host = host.strip_suffix('.').unwrap_or(host);
    list.iter().any(|name| {
        host == name
            || host
                .strip_suffix(name)
                .is_some_and(|rest| rest.ends_with('.'))
    })
}
