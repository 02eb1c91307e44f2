//! The tools that the options name, and the policy over them.

use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;

use portcullis_agent::{
    McpServer, McpServerConfig, OtherTools, RulePolicy, Tool, ToolDispatcher as _, Toolbox,
    builtin_tools,
};

use super::RunArgs;
use super::split::words;
use crate::terminal::progress::Waiting;

/// The built-in tools that may run by default: those that change nothing.
const HARMLESS: [&str; 2] = ["read_file", "list_dir"];

/// An MCP server on the command line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct McpArg(McpServerConfig);

impl FromStr for McpArg {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, line) = text
            .split_once('=')
            .ok_or("write `NAME=COMMAND ARGS`, such as `git=mcp-server-git --repository .`")?;
        let mut words = words(line)?.into_iter();
        let command = words.next().ok_or("there is no command after the `=`")?;
        Ok(Self(McpServerConfig {
            args: words.collect(),
            ..McpServerConfig::new(name, command)
        }))
    }
}

/// The policy of the options.
pub fn policy(args: &RunArgs, workdir: &Path) -> RulePolicy {
    let allow = match args.allow.as_slice() {
        [] => {
            let servers = args
                .mcp
                .iter()
                .map(|McpArg(server)| format!("{}__*", server.name));
            HARMLESS
                .iter()
                .map(ToString::to_string)
                .chain(servers)
                .collect()
        }
        named => named.to_vec(),
    };
    RulePolicy {
        allow,
        deny: args.deny.clone(),
        others: Some(OtherTools::Deny),
        working_dir: Some(workdir.to_owned()),
        ..RulePolicy::default()
    }
}

/// The tools that may run, and the servers behind them.
pub struct Tools {
    /// The tools.
    pub toolbox: Arc<Toolbox>,
    servers: Vec<McpServer>,
}

/// Starts the servers and collects the tools that the policy allows. A model that is offered a tool
/// which is always denied wastes steps.
pub async fn tools(args: &RunArgs, policy: &RulePolicy) -> anyhow::Result<Tools> {
    let mut servers = Vec::new();
    for McpArg(config) in &args.mcp {
        let _waiting = Waiting::new(format!("starting the MCP server {}", config.name));
        servers.push(McpServer::connect(config.clone()).await?);
    }
    let mut toolbox = Toolbox::new();
    let all = builtin_tools()
        .into_iter()
        .chain(servers.iter().flat_map(McpServer::tools));
    let allowed = |tool: &Arc<dyn Tool>| policy.decide(&tool.spec().name).is_ok();
    toolbox.extend(all.filter(allowed))?;
    Ok(Tools {
        toolbox: Arc::new(toolbox),
        servers,
    })
}

impl Tools {
    /// Their names.
    pub fn names(&self) -> Vec<String> {
        self.toolbox
            .specs()
            .into_iter()
            .map(|spec| spec.name)
            .collect()
    }

    /// Stops the servers.
    pub async fn close(self) {
        for server in self.servers {
            server.close().await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn servers_are_read_from_the_command_line() {
        let McpArg(server) = "git=mcp-server-git --repository 'a b'".parse().unwrap();
        assert_eq!(server.name, "git");
        assert_eq!(server.command, "mcp-server-git");
        assert_eq!(server.args, ["--repository", "a b"]);
        assert!("git".parse::<McpArg>().is_err());
        assert!("git=".parse::<McpArg>().is_err());
    }
}
