//! An MCP server on the command line.

use std::str::FromStr;

use portcullis_agent_file::Mcp;

use super::split::words;

/// An MCP server on the command line: its name, and its table.
#[derive(Debug, Clone, PartialEq)]
pub struct McpArg(pub String, pub Mcp);

impl FromStr for McpArg {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, line) = text
            .split_once('=')
            .ok_or("write `NAME=COMMAND ARGS`, such as `git=mcp-server-git --repository .`")?;
        let mut words = words(line)?.into_iter();
        let command = words.next().ok_or("there is no command after the `=`")?;
        let server = Mcp {
            command: Some(command),
            args: words.collect(),
            ..Mcp::default()
        };
        Ok(Self(name.to_owned(), server))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn servers_are_read_from_the_command_line() {
        let McpArg(name, server) = "git=mcp-server-git --repository 'a b'".parse().unwrap();
        assert_eq!(name, "git");
        assert_eq!(server.command.as_deref(), Some("mcp-server-git"));
        assert_eq!(server.args, ["--repository", "a b"]);
        assert!("git".parse::<McpArg>().is_err());
        assert!("git=".parse::<McpArg>().is_err());
    }
}
