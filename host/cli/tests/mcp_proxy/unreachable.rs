//! Errors about servers that the proxy cannot use.

use std::process::{Command, Stdio};

use super::peers::proxy;

#[test]
fn the_error_names_the_server_and_what_to_do() {
    let dir = tempfile::tempdir().expect("a directory");
    let remote = [
        "--url",
        "https://mcp.example/mcp",
        "--token-env",
        "PORTCULLIS_NO_SUCH_TOKEN",
    ];
    for (arguments, said) in [
        (
            &["--", "/nonexistent/server"][..],
            "the MCP server `/nonexistent/server` cannot be started; install it",
        ),
        (&remote[..], "the MCP server `mcp.example` cannot be used: "),
        (
            &["--url", "mcp"][..],
            "the MCP server `--url` cannot be used: its address",
        ),
    ] {
        let arguments: Vec<String> = arguments.iter().map(ToString::to_string).collect();
        let words = proxy(dir.path(), &arguments);
        let (program, arguments) = words.split_first().expect("a program");
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::null());
        let ran = command.output().expect("it runs");
        let err = String::from_utf8_lossy(&ran.stderr);
        assert_eq!(ran.status.code(), Some(1), "{err}");
        assert!(err.contains(said), "{err}");
    }
}
