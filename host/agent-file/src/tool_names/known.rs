//! The known names of tools.

use portcullis::contract::ContributionKind;
use portcullis::settings::PartialSettings;
use portcullis_agent::{OtherTools, RulePolicy};

use crate::file::AgentFile;
use crate::tools::BuiltIn;

/// The tables that define the names of tools.
pub(super) const TABLES: [&str; 6] = [
    "tools",
    "mcp",
    "client-tools",
    "subagents",
    "finish",
    "hooks",
];

/// The known names of tools, and possible sources of others.
pub(super) struct Known<'a> {
    /// The tools that come with the agent.
    pub(super) built_in: Vec<&'a str>,
    /// The other tools that the file names, and the tools of MCP servers.
    others: Vec<&'a str>,
    /// The MCP servers that were not asked for their tools.
    not_asked: Vec<&'a str>,
    /// Whether hooks may contribute tools.
    hooks: bool,
}

/// The result of looking up a name.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Match<'a> {
    /// The name of a tool, or a pattern that matches one.
    Found,
    /// A name that a tool of this server may have.
    NotAsked { server: &'a str },
    /// A name that a hook's tool may have.
    MayBeHooks,
    /// A pattern that matches nothing.
    NoPatterns,
    /// The name of a built-in tool that the agent does not have.
    NotHad,
    /// A name that no tool has.
    None,
}

impl<'a> Known<'a> {
    pub(super) fn new(file: &'a AgentFile, of_servers: Option<&'a [String]>) -> Self {
        let named = file.client_tools.keys().chain(file.subagents.keys());
        let finish = file.finish.iter().map(|finish| &finish.name);
        let of_servers_or_none = of_servers.unwrap_or_default().iter();
        let others = named.chain(finish).chain(of_servers_or_none);
        let servers = file.mcp.keys().filter(|_| of_servers.is_none());
        Self {
            built_in: BuiltIn::ALL.map(BuiltIn::name).to_vec(),
            others: others.map(String::as_str).collect(),
            not_asked: servers.map(String::as_str).collect(),
            hooks: hooks_contribute_tools(file),
        }
    }

    /// Returns all of them.
    pub(super) fn all(&self) -> Vec<&'a str> {
        self.built_in.iter().chain(&self.others).copied().collect()
    }

    pub(super) fn find(&self, name: &str) -> Match<'a> {
        let is_pattern = name.contains(['*', '?']);
        let rule = RulePolicy {
            allow: vec![name.to_owned()],
            others: Some(OtherTools::Deny),
            ..RulePolicy::default()
        };
        if self.all().iter().any(|tool| rule.decide(tool).is_ok()) {
            return Match::Found;
        }
        let mut servers = self.not_asked.iter();
        if let Some(server) = servers.find(|server| may_be_of(name, server)) {
            return Match::NotAsked { server };
        }
        match (self.hooks, is_pattern) {
            (true, _) => Match::MayBeHooks,
            (false, true) => Match::NoPatterns,
            (false, false) if BuiltIn::ALL.iter().any(|tool| tool.name() == name) => Match::NotHad,
            (false, false) => Match::None,
        }
    }
}

/// Returns whether a name or a pattern may match a tool of a server.
fn may_be_of(name: &str, server: &str) -> bool {
    let prefix = format!("{server}__");
    match name.split_once(['*', '?']) {
        Some((start, _)) => start.starts_with(&prefix) || prefix.starts_with(start),
        None => name.starts_with(&prefix),
    }
}

/// Returns whether a hook may contribute tools. Errors of `hooks.toml` are reported when the hooks
/// are loaded.
fn hooks_contribute_tools(file: &AgentFile) -> bool {
    file.hook_dirs().iter().any(|dir| {
        let settings = PartialSettings::of_dir(dir);
        let granted =
            (settings.hooks().values()).filter_map(|hook| hook.grants.contribute.as_ref());
        let of_scripts = settings.scripts().values().map(|script| &script.contribute);
        granted
            .chain(of_scripts)
            .any(|kinds| kinds.contains(&ContributionKind::Tools))
    })
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn names_are_found_where_tools_come_from() {
        let text =
            "[mcp.git]\ncommand = \"x\"\n[client-tools.pick]\n[finish]\n[subagents.helper]\n";
        let file = AgentFile::parse(Path::new("agent.toml"), text).expect("it is read");
        let not_asked = Known::new(&file, None);
        let tools = ["git__log".to_owned()];
        let asked = Known::new(&file, Some(&tools));
        let git = || Match::NotAsked { server: "git" };
        for (name, before, after) in [
            ("read_file", Match::Found, Match::Found),
            ("pick", Match::Found, Match::Found),
            ("helper", Match::Found, Match::Found),
            ("finish", Match::Found, Match::Found),
            ("read_*", Match::Found, Match::Found),
            ("git__log", git(), Match::Found),
            ("git__*", git(), Match::Found),
            ("gi?__lo*", git(), Match::Found),
            ("git__push", git(), Match::None),
            ("git__p*", git(), Match::NoPatterns),
            ("gti__log", Match::None, Match::None),
            ("x*", Match::NoPatterns, Match::NoPatterns),
        ] {
            assert_eq!(
                (not_asked.find(name), asked.find(name)),
                (before, after),
                "{name}"
            );
        }
    }
}
