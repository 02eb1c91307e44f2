//! The SDKs' clients and servers, and the proxy between them.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::LazyLock;

use serde_json::Value;
use tempfile::TempDir;
use xtask_projects::packages;

const PYTHON: &[&str] = &["mcp==2.3.0"];
const NODE: &[&str] = &["@modelcontextprotocol/sdk@1.32.2"];

/// The command line of an SDK's program.
pub struct Peer(pub Vec<String>);

/// Returns the client or the server in Python; `None` where the registry cannot be reached.
pub fn python(script: &str, arguments: &[&str]) -> Option<Peer> {
    let python = packages::python(PYTHON).unwrap_or_else(|error| panic!("{error}"))?;
    Some(peer(&python, &scripts().join(script), arguments))
}

/// Returns the client or the server in TypeScript; `None` where the registry cannot be reached.
pub fn node(script: &str, arguments: &[&str]) -> Option<Peer> {
    let modules = node_modules(NODE)?;
    // Node finds packages in the directories above a script.
    let beside = modules.parent().expect("a directory").join(script);
    std::fs::copy(scripts().join(script), &beside).expect("the script");
    Some(peer(Path::new("node"), &beside, arguments))
}

/// Returns the directory of these Node packages; `None` if the registry cannot be reached.
pub fn node_modules(packages: &[&str]) -> Option<PathBuf> {
    packages::node(packages).unwrap_or_else(|error| panic!("{error}"))
}

/// Returns the variable `PATH` with the command and this directory in front.
pub fn path_with(bin: &Path) -> std::ffi::OsString {
    let command = Path::new(env!("CARGO_BIN_EXE_portcullis")).parent();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let dirs = [Some(bin), command]
        .into_iter()
        .flatten()
        .map(Path::to_owned);
    std::env::join_paths(dirs.chain(std::env::split_paths(&path))).expect("a path")
}

fn peer(program: &Path, script: &Path, arguments: &[&str]) -> Peer {
    let words = [program, script].map(|path| path.display().to_string());
    let arguments = arguments.iter().map(ToString::to_string);
    Peer(words.into_iter().chain(arguments).collect())
}

fn scripts() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mcp_proxy/peers")
}

/// Returns a directory with the actor.
pub fn hooks(settings: &str) -> TempDir {
    hooks_of("actor", settings)
}

/// Returns a directory with one of the test hooks.
pub fn hooks_of(hook: &str, settings: &str) -> TempDir {
    static BUILT: LazyLock<PathBuf> =
        LazyLock::new(|| xtask::guests::build(&xtask::root()).expect("the hooks build"));
    LazyLock::force(&BUILT);
    let dir = tempfile::tempdir().expect("a directory");
    let file = format!("{hook}.wasm");
    let built = xtask::root().join("target/test-hooks").join(&file);
    std::fs::copy(built, dir.path().join(file)).expect("a hook");
    std::fs::write(dir.path().join("hooks.toml"), settings).expect("the settings");
    dir
}

/// The token of a proxy that listens.
pub const TOKEN: &str = "0123456789abcdef";

/// A server that responds to every request with its tools and the result of a call.
pub const SERVER: &str = r#"while read -r line; do
id=${line#*'"id":'}
echo "{\"jsonrpc\":\"2.0\",\"id\":${id%%[,\}]*},\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"ran\"}],\"tools\":[{\"name\":\"t\",\"inputSchema\":{\"type\":\"object\"}}]}}"
done"#;

/// Returns the answer to a tool call through the proxy, in a connection of its own.
pub fn call(hooks: &Path, options: &[&str]) -> Value {
    let mut words: Vec<String> = options.iter().map(ToString::to_string).collect();
    words.extend(["--", "sh", "-c", SERVER].map(str::to_owned));
    let command = proxy(hooks, &words);
    let (program, arguments) = command.split_first().expect("a program");
    let mut child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the proxy starts");
    let mut stdin = child.stdin.take().expect("its input");
    let call =
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","arguments":{}}}"#;
    writeln!(stdin, "{call}").expect("it reads");
    let mut line = String::new();
    let stdout = child.stdout.take().expect("its output");
    BufReader::new(stdout)
        .read_line(&mut line)
        .expect("an answer");
    drop(stdin);
    assert!(child.wait().expect("it ends").success());
    serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"))
}

/// Returns the text of a result.
pub fn text(answer: &Value) -> &str {
    answer["result"]["content"][0]["text"]
        .as_str()
        .unwrap_or_default()
}

/// Returns the command of the proxy with these hooks.
pub fn proxy(hooks: &Path, arguments: &[String]) -> Vec<String> {
    let words = [
        env!("CARGO_BIN_EXE_portcullis"),
        "mcp-proxy",
        "--cache-dir",
        concat!(env!("CARGO_TARGET_TMPDIR"), "/compiled"),
        "--hooks",
        hooks.to_str().expect("a path that is text"),
    ];
    let store = concat!(
        "--store=sqlite:",
        env!("CARGO_TARGET_TMPDIR"),
        "/mcp-proxy.sqlite"
    );
    let is_named = |word: &&String| word.ends_with("store");
    let default = match arguments.iter().find(is_named) {
        Some(_) => None,
        None => Some(store.to_owned()),
    };
    let arguments = arguments.iter().cloned();
    words
        .into_iter()
        .map(str::to_owned)
        .chain(default)
        .chain(arguments)
        .collect()
}

/// Returns the observations of a client that starts this server.
pub fn run(client: &Peer, server: &[String]) -> Value {
    let (program, arguments) = client.0.split_first().expect("a program");
    let output = Command::new(program)
        .args(arguments)
        .args(server)
        .env("MCP_TOKEN", TOKEN)
        .output()
        .expect("the client starts");
    let out = String::from_utf8_lossy(&output.stdout);
    let err = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{out}\n{err}");
    serde_json::from_str(&out).unwrap_or_else(|error| panic!("{error}: {out}\n{err}"))
}

/// A server over HTTP. Dropping it ends it.
pub struct HttpServer {
    child: Child,
    pub url: String,
}

impl HttpServer {
    pub fn start(server: &Peer) -> Self {
        let (program, arguments) = server.0.split_first().expect("a program");
        let mut child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::null())
            .stderr(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the server starts");
        let mut port = String::new();
        let stdout = child.stdout.take().expect("its output");
        BufReader::new(stdout)
            .read_line(&mut port)
            .expect("its port");
        let url = format!("http://127.0.0.1:{}/mcp", port.trim());
        Self { child, url }
    }
}

impl Drop for HttpServer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
