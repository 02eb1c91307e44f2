//! The start of the page `docs/integrations/mcp.md`, as it is copied.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use super::peers::{node_modules, path_with};

/// Returns the first block of a language.
fn block<'a>(page: &'a str, language: &str) -> &'a str {
    let begin = format!("```{language}\n");
    let (_, rest) = page.split_once(begin.as_str()).expect("a block");
    rest.split_once("```").expect("its end").0
}

#[test]
fn the_start_works_as_it_is_copied() {
    let page = std::fs::read_to_string(xtask::root().join("docs/integrations/mcp.md"));
    let page = page.expect("the page");
    let settings: Value = serde_json::from_str(block(&page, "json")).expect("JSON");
    let server = &settings["mcpServers"]["files"];
    let arguments: Vec<&str> = server["args"]
        .as_array()
        .expect("arguments")
        .iter()
        .filter_map(Value::as_str)
        .collect();
    let package = arguments
        .iter()
        .find(|it| it.starts_with("@modelcontextprotocol/"));
    let Some(modules) = node_modules(&[package.expect("a package")]) else {
        return;
    };
    let dir = tempfile::tempdir().expect("a directory");
    let (home, bin) = (dir.path().join("home"), dir.path().join("bin"));
    std::fs::create_dir_all(&home).expect("a directory");
    std::fs::create_dir_all(&bin).expect("a directory");
    // `npx` would install the package again.
    let program = modules.join(".bin/mcp-server-filesystem");
    let npx = format!("#!/bin/sh\nshift 2\nexec '{}' \"$@\"\n", program.display());
    write_program(&bin.join("npx"), &npx);
    let path = path_with(&bin);

    let mut copied = Command::new("sh");
    copied.args(["-e", "-c", block(&page, "sh")]);
    let copied = copied
        .current_dir(&home)
        .env("PATH", &path)
        .output()
        .expect("a shell");
    assert!(copied.status.success(), "{copied:?}");

    let mut child = Command::new(server["command"].as_str().expect("a command"))
        .args(&arguments)
        .current_dir(&home)
        .env("PATH", &path)
        .env("XDG_STATE_HOME", dir.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the proxy starts");
    let mut stdin = child.stdin.take().expect("its input");
    let mut lines = BufReader::new(child.stdout.take().expect("its output")).lines();
    let mut ask = |id: u32, method: &str, params: Value| {
        let request = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        writeln!(stdin, "{request}").expect("it reads");
        loop {
            let line = lines.next().expect("an answer").expect("text");
            let answer: Value = serde_json::from_str(&line).expect("JSON");
            if answer["id"] == id && answer.get("method").is_none() {
                return answer["result"].clone();
            }
            if let Some(asked) = answer.get("id") {
                // The server asks which directories the client has.
                let refusal = json!({"jsonrpc": "2.0", "id": asked, "error": {"code": -32601, "message": "no"}});
                writeln!(stdin, "{refusal}").expect("it reads");
            }
        }
    };
    let client = json!({"name": "test", "version": "1"});
    let hello = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client});
    assert_eq!(ask(1, "initialize", hello)["protocolVersion"], "2025-06-18");
    let write = json!({"name": "write_file", "arguments": {"path": "a.txt", "content": "a"}});
    let refused = ask(2, "tools/call", write);
    let shown = block(&page, "text").trim();
    assert_eq!(refused["content"][0]["text"], shown);
    assert_eq!(refused["isError"], true);
    assert!(!home.join("a.txt").exists());
    let list = json!({"name": "list_directory", "arguments": {"path": "."}});
    let listed = ask(3, "tools/call", list);
    assert!(
        listed["content"][0]["text"]
            .as_str()
            .is_some_and(|it| it.contains("hooks")),
        "{listed}"
    );
    drop(stdin);
    assert!(child.wait().expect("it ends").success());
}

fn write_program(path: &Path, text: &str) {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::write(path, text).expect("a program");
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).expect("a program");
}
