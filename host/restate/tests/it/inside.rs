//! A place where only loopback exists.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use portcullis_project::tools;
use xtask::test::not_run;

/// The server, for the test that runs inside.
const SERVER: &str = "PORTCULLIS_TEST_RESTATE";

const PACKAGE: &str = "@restatedev/restate-server-linux-x64";
const VERSION: &str = "1.7.12";

/// The server's program, if this runs inside. Otherwise the test of this name is run inside, and there is none.
pub fn server(test: &str) -> Option<PathBuf> {
    if let Some(server) = std::env::var_os(SERVER) {
        return Some(server.into());
    }
    let Some(server) = installed() else {
        not_run(&format!("{test}: there is no Restate server"));
        return None;
    };
    let up = r#"ip link set lo up && exec "$0" "$@""#;
    let mut unshare = Command::new("unshare");
    unshare.args(["--user", "--map-root-user", "--net", "--", "sh", "-c", up]);
    let has_namespaces = unshare.arg("true").stderr(Stdio::null()).status();
    if !has_namespaces.is_ok_and(|status| status.success()) {
        not_run(&format!("{test}: there are no network namespaces"));
        return None;
    }
    let status = Command::new("unshare")
        .args(["--user", "--map-root-user", "--net", "--", "sh", "-c", up])
        .arg(std::env::current_exe().unwrap())
        .args([test, "--exact", "--nocapture", "--include-ignored"])
        .env(SERVER, server)
        .status()
        .unwrap();
    assert!(status.success(), "{test} failed inside");
    None
}

fn installed() -> Option<PathBuf> {
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        return None;
    }
    let tools = xtask::root().join("target/toolchains");
    let package = format!("{PACKAGE}@{VERSION}");
    let modules = tools::node(&tools, &[package.as_str()]).ok()?;
    let server = modules.join(PACKAGE).join("bin/restate-server");
    server.exists().then_some(server)
}
