//! Checks of the tool names in `[policy]`, `[tools.replay]`, the `tools` of sub-agents and
//! `[jobs]`.

mod known;

use portcullis::settings::SettingsError;

use self::known::{Known, Match};
use crate::faults::{Faults, not_known};
use crate::file::AgentFile;
use crate::subagents::Subagent;
use crate::tools::BuiltIn;

/// The findings on unknown tool names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ToolNames {
    /// Names of tools that do not exist.
    pub faults: Vec<SettingsError>,
    /// Patterns that match no tool.
    pub warnings: Vec<SettingsError>,
    /// Names that cannot be checked: of tools of hooks, or of MCP servers that were not asked.
    pub unchecked: Vec<SettingsError>,
}

/// The faults, warnings and unchecked names, each with its line.
struct Found<'a> {
    faults: Faults<'a>,
    warnings: Faults<'a>,
    unchecked: Faults<'a>,
}

impl AgentFile {
    /// Checks the names of tools. `of_servers` are the tools of the MCP servers, such as `git__log`;
    /// `None` if the servers were not asked.
    pub fn tool_names(&self, of_servers: Option<&[String]>) -> ToolNames {
        let faults = || Faults::of(self);
        let mut found = Found {
            faults: faults(),
            warnings: faults(),
            unchecked: faults(),
        };
        let mut known = Known::new(self, of_servers);
        let policy = &self.policy;
        for (index, name) in policy.deny.iter().enumerate() {
            found.check(&["policy", "deny", &index.to_string()], name, &known);
        }
        for (index, limit) in policy.time_limits.iter().enumerate() {
            let at = ["policy", "time-limits", &index.to_string(), "tool"];
            found.check(&at, &limit.tool, &known);
        }
        for name in self.tools.replay.keys() {
            found.check(&["tools", "replay", name], name, &known);
        }
        found.check_below(&["subagents"], &self.subagents, &known);
        for (name, job) in &self.jobs {
            // `AgentFile::faults` checks the tools that are not from a server.
            if let Some(tool) = &job.tool
                && let Some(server) = self.server_of(tool)
            {
                let at = ["jobs", name, "tool"];
                match of_servers {
                    Some(tools) => {
                        let tools: Vec<&str> = tools.iter().map(String::as_str).collect();
                        found.faults.one_of(&at, "tool", tool, &tools, &["mcp"]);
                    }
                    None => found.not_asked(&at, tool, server),
                }
            }
        }
        // An allowed tool must be one that the agent has.
        known.built_in = match self.tools.built_in {
            Some(_) => self.built_in_names(),
            None => BuiltIn::USUAL.map(BuiltIn::name).to_vec(),
        };
        for (index, name) in policy.allow.iter().flatten().enumerate() {
            found.check(&["policy", "allow", &index.to_string()], name, &known);
        }
        ToolNames {
            faults: found.faults.into_errors(),
            warnings: found.warnings.into_errors(),
            unchecked: found.unchecked.into_errors(),
        }
    }
}

impl AgentFile {
    /// Starts the MCP servers, lists their tools and stops them. Then checks the names of tools; a
    /// server that does not start is a fault.
    pub async fn tool_names_of_servers(&self) -> ToolNames {
        let mut tools = Vec::new();
        let mut failed = Faults::of(self);
        for (name, mcp) in &self.mcp {
            match mcp.connect(name).await {
                Ok(server) => {
                    tools.extend(server.tools().iter().map(|tool| tool.spec().name));
                    server.close().await;
                }
                Err(error) => failed.add(&["mcp", name], error.to_string()),
            }
        }
        let failed = failed.into_errors();
        match failed.is_empty() {
            true => self.tool_names(Some(&tools)),
            false => ToolNames {
                faults: failed,
                ..self.tool_names(None)
            },
        }
    }
}

impl AgentFile {
    /// Returns the MCP server of a tool, if the tool's name begins with a server's name.
    pub(crate) fn server_of(&self, tool: &str) -> Option<&str> {
        let mut servers = self.mcp.keys();
        let found = servers.find(|server| {
            let rest = tool.strip_prefix(server.as_str());
            rest.is_some_and(|rest| rest.starts_with("__"))
        });
        found.map(String::as_str)
    }
}

impl Found<'_> {
    fn check_below<'a>(
        &mut self,
        at: &[&str],
        subagents: impl IntoIterator<Item = (&'a String, &'a Subagent)>,
        known: &Known<'_>,
    ) {
        for (name, subagent) in subagents {
            for (index, tool) in subagent.tools.iter().enumerate() {
                let index = index.to_string();
                self.check(&[at, &[name, "tools", &index]].concat(), tool, known);
            }
            let at = [at, &[name, "subagents"]].concat();
            self.check_below(&at, &subagent.subagents, known);
        }
    }

    fn not_asked(&mut self, at: &[&str], name: &str, server: &str) {
        let problem = format!(
            "`{name}` is not checked: the MCP server `{server}` was not asked for its tools; \
             `portcullis check --connect` asks it"
        );
        self.unchecked.add(at, problem);
    }

    fn check(&mut self, at: &[&str], name: &str, known: &Known<'_>) {
        match known.find(name) {
            Match::Found => {}
            _ if self.faults.lacks_entries(&known::TABLES) => {}
            Match::NotAsked { server } => self.not_asked(at, name, server),
            Match::MayBeHooks => {
                let problem = format!(
                    "`{name}` is not checked: it may be a tool that a hook contributes; compare it with the \
                     names that the hooks give their tools"
                );
                self.unchecked.add(at, problem);
            }
            Match::NoPatterns => {
                let problem = format!("`{name}` matches no tool; correct it, or remove it");
                self.warnings.add(at, problem);
            }
            Match::NotHad => {
                let problem = format!("the agent has no tool `{name}`; add it to `tools.built-in`");
                self.faults.add(at, problem);
            }
            Match::None => self.faults.add(at, not_known("tool", name, &known.all())),
        }
    }
}
