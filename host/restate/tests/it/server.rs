//! A Restate server in a temporary directory, on the usual ports.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use tokio::time::sleep;
use url::Url;

/// How long the server may take to start on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// A running server. It is stopped when it is dropped.
pub struct Server {
    program: PathBuf,
    dir: PathBuf,
    child: Child,
}

impl Server {
    pub async fn start(program: &Path, dir: &Path) -> Self {
        let server = Self {
            program: program.to_owned(),
            dir: dir.to_owned(),
            child: spawn(program, dir),
        };
        server.wait().await;
        server
    }

    /// Kills the server and starts it again.
    pub async fn restart(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
        self.child = spawn(&self.program, &self.dir);
        self.wait().await;
    }

    pub fn ingress() -> Url {
        Url::parse("http://127.0.0.1:8080").unwrap()
    }

    pub fn admin() -> Url {
        Url::parse("http://127.0.0.1:9070").unwrap()
    }

    /// The server's memory, in KiB.
    pub fn resident_kb(&self) -> u64 {
        resident_kb(self.child.id())
    }

    async fn wait(&self) {
        let until = Instant::now() + PATIENCE;
        for url in [
            "http://127.0.0.1:9070/health",
            "http://127.0.0.1:8080/restate/health",
        ] {
            while !matches!(reqwest::get(url).await, Ok(answer) if answer.status().is_success()) {
                let log = self.dir.join("server.log");
                assert!(
                    Instant::now() < until,
                    "the server does not answer: see {log:?}"
                );
                sleep(Duration::from_millis(50)).await;
            }
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let terminate = Command::new("kill")
            .arg(self.child.id().to_string())
            .status();
        if !terminate.is_ok_and(|status| status.success()) {
            let _ = self.child.kill();
        }
        let _ = self.child.wait();
    }
}

/// The memory of a process, in KiB.
pub fn resident_kb(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let number = line.and_then(|line| line.split_whitespace().next());
    number
        .and_then(|number| number.parse().ok())
        .unwrap_or_default()
}

fn spawn(program: &Path, dir: &Path) -> Child {
    let config = dir.join("restate.toml");
    std::fs::write(
        &config,
        format!(
            "base-dir = {:?}\ndisable-telemetry = true\nrocksdb-total-memory-size = \"128 MiB\"\n\
             default-num-partitions = 4\nadvertised-address = \"http://127.0.0.1:5122\"\n\
             bind-address = \"127.0.0.1:5122\"\n\
             [ingress]\nbind-address = \"127.0.0.1:8080\"\n[admin]\nbind-address = \"127.0.0.1:9070\"\n",
            dir.join("data")
        ),
    )
    .unwrap();
    let log = File::options()
        .create(true)
        .append(true)
        .open(dir.join("server.log"))
        .unwrap();
    Command::new(program)
        .arg("--config-file")
        .arg(config)
        .current_dir(dir)
        .stdin(Stdio::null())
        .stdout(log.try_clone().unwrap())
        .stderr(log)
        .spawn()
        .unwrap()
}
