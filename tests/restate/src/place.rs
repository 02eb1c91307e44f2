//! The place of a test run: a namespace with a server.

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::LazyLock;

use portcullis_project::tools;
use xtask::test::not_run;

use crate::server::{self, Server};

/// The variable with the server's program, for a test that runs where no server is yet.
const PROGRAM: &str = "PORTCULLIS_TEST_RESTATE";

/// The variable that is set for a test that runs where the shared server is.
const SHARED: &str = "PORTCULLIS_TEST_RESTATE_SHARED";

const PACKAGE: &str = "@restatedev/restate-server-linux-x64";
const VERSION: &str = "1.7.12";

/// The arguments for a new namespace, in which loopback is up.
const UNSHARE: [&str; 5] = ["--user", "--map-root-user", "--net", "--", "sh"];

/// Runs a server until the standard input ends, which happens whenever this process ends.
const SERVE: &str = r#"
ip link set lo up
"$0" --config-file "$1/restate.toml" >"$1/server.log" 2>&1 </dev/null &
server=$!
echo ready
read -r _
kill -9 $server
wait $server
rm -rf "$1"
"#;

/// Returns whether this test runs beside the server that this program's tests share. Otherwise the
/// test was run there and has passed, or was reported as not run.
///
/// # Panics
///
/// The test failed.
pub fn shared() -> bool {
    static HOST: LazyLock<Result<Host, String>> = LazyLock::new(Host::start);
    if std::env::var_os(SHARED).is_some() {
        server::wait();
        return true;
    }
    let test = test();
    match &*HOST {
        Ok(host) => {
            let mut enter = Command::new("nsenter");
            enter
                .args(["--user", "--net", "--preserve-credentials", "--target"])
                .arg(host.process.id().to_string())
                .arg("--")
                .arg(this_program());
            again(enter.env(SHARED, "yes"), &test);
        }
        Err(why) => not_run(&format!("{test}: {why}")),
    }
    false
}

/// Returns a server of this test alone, if this test runs in its namespace. Otherwise the test was
/// run there and has passed, or was reported as not run.
///
/// # Panics
///
/// The test failed.
pub fn own() -> Option<Server> {
    if let Some(program) = std::env::var_os(PROGRAM) {
        return Some(Server::start(program.into()));
    }
    let test = test();
    match program() {
        Ok(program) => {
            let up = r#"ip link set lo up && exec "$0" "$@""#;
            let mut unshare = Command::new("unshare");
            unshare.args(UNSHARE).args(["-c", up]).arg(this_program());
            again(unshare.env(PROGRAM, program), &test);
        }
        Err(why) => not_run(&format!("{test}: {why}")),
    }
    None
}

/// A shared server. It ends with this process.
struct Host {
    /// The shell of the namespace, whose standard input is held.
    process: Child,
}

impl Host {
    fn start() -> Result<Self, String> {
        let program = program()?;
        let dir = tempfile::tempdir().map_err(|error| error.to_string())?;
        // The shell removes the directory.
        let dir = dir.keep();
        server::configure(&dir);
        let mut process = Command::new("unshare")
            .args(UNSHARE)
            .args(["-c", SERVE])
            .args([&program, &dir])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| error.to_string())?;
        let mut line = String::new();
        if let Some(stdout) = process.stdout.take() {
            let read = BufReader::new(stdout).read_line(&mut line);
            read.map_err(|error| error.to_string())?;
        }
        match line.as_str() {
            "ready\n" => Ok(Self { process }),
            _ => Err("the server's namespace was not made".into()),
        }
    }
}

/// Returns the name of the calling test, which is that of its thread.
fn test() -> String {
    let thread = std::thread::current();
    thread.name().expect("a thread of a test").to_owned()
}

fn this_program() -> PathBuf {
    std::env::current_exe().expect("this program")
}

fn again(command: &mut Command, test: &str) {
    let status = command
        .args([test, "--exact", "--nocapture", "--include-ignored"])
        .stdin(Stdio::null())
        .status()
        .expect("the test runs again");
    assert!(status.success(), "{test} failed where the server is");
}

/// Returns the server's program, if it and namespaces are available.
fn program() -> Result<PathBuf, String> {
    static PROGRAM: LazyLock<Result<PathBuf, String>> = LazyLock::new(|| {
        let program = installed().ok_or("there is no Restate server")?;
        let namespace = Command::new("unshare")
            .args(UNSHARE)
            .args(["-c", "ip link set lo up"])
            .stderr(Stdio::null())
            .status();
        match namespace {
            Ok(status) if status.success() => Ok(program),
            _ => Err("there are no network namespaces".into()),
        }
    });
    PROGRAM.clone()
}

fn installed() -> Option<PathBuf> {
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        return None;
    }
    let tools = xtask::root().join("target/toolchains");
    let package = format!("{PACKAGE}@{VERSION}");
    let modules = tools::node(&tools, &[package.as_str()]).ok()?;
    let server = Path::new(&modules).join(PACKAGE).join("bin/restate-server");
    server.exists().then_some(server)
}
