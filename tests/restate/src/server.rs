//! The server's process, on the usual ports of its namespace.

use std::fs::File;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// The URL of the server's ingress, which takes requests.
pub const INGRESS: &str = "http://127.0.0.1:8080";

/// The URL of the server's admin interface, which registers workers.
pub const ADMIN: &str = "http://127.0.0.1:9070";

/// The maximum time for the server to start on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// A running server. It is killed when it is dropped.
#[derive(Debug)]
pub struct Server {
    program: PathBuf,
    child: Child,
    dir: tempfile::TempDir,
}

impl Server {
    pub(crate) fn start(program: PathBuf) -> Self {
        let dir = tempfile::tempdir().expect("a temporary directory");
        configure(dir.path());
        let server = Self {
            child: spawn(&program, dir.path()),
            program,
            dir,
        };
        wait();
        server
    }

    /// Kills the server with `kill -9`, and starts it again with its previous data.
    ///
    /// # Panics
    ///
    /// The server does not start.
    pub fn restart(&mut self) {
        self.end();
        self.child = spawn(&self.program, self.dir.path());
        wait();
    }

    /// Returns the server's memory, in KiB.
    pub fn resident_kb(&self) -> u64 {
        resident_kb(self.child.id())
    }

    fn end(&mut self) {
        // The process may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.end();
    }
}

/// Returns the memory of a process, in KiB, or 0 if the process does not exist.
pub fn resident_kb(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let number = line.and_then(|line| line.split_whitespace().next());
    number
        .and_then(|number| number.parse().ok())
        .unwrap_or_default()
}

/// Writes the configuration of a server whose data is in a directory. The server does not wait for
/// the disk: tests kill the server, but not the machine.
pub(crate) fn configure(dir: &Path) -> PathBuf {
    let file = dir.join("restate.toml");
    let written = std::fs::write(
        &file,
        format!(
            "base-dir = {:?}\ndisable-telemetry = true\nrocksdb-total-memory-size = \"128 MiB\"\n\
             default-num-partitions = 4\nadvertised-address = \"http://127.0.0.1:5122\"\n\
             bind-address = \"127.0.0.1:5122\"\nlog-filter = \"warn\"\n\
             [worker.invoker]\nhttp2-streams-per-connection-limit = 4\n\
             [log-server]\nrocksdb-disable-wal-fsync = true\n\
             [ingress]\nbind-address = \"127.0.0.1:8080\"\n[admin]\nbind-address = \"127.0.0.1:9070\"\n",
            dir.join("data")
        ),
    );
    written.expect("the configuration is written");
    file
}

fn spawn(program: &Path, dir: &Path) -> Child {
    let log = File::options()
        .create(true)
        .append(true)
        .open(dir.join("server.log"))
        .expect("the log");
    Command::new(program)
        .arg("--config-file")
        .arg(dir.join("restate.toml"))
        .current_dir(dir)
        // Files that it leaves there are removed with its data.
        .env("TMPDIR", dir)
        .stdin(Stdio::null())
        .stdout(log.try_clone().expect("the log"))
        .stderr(log)
        .spawn()
        .expect("the server starts")
}

/// Waits until the server of this namespace takes requests and workers.
pub(crate) fn wait() {
    let until = Instant::now() + PATIENCE;
    for (url, path) in [(ADMIN, "/health"), (INGRESS, "/restate/health")] {
        while !is_healthy(url, path) {
            assert!(Instant::now() < until, "the server does not answer");
            sleep(Duration::from_millis(20));
        }
    }
}

fn is_healthy(url: &str, path: &str) -> bool {
    let host = url.trim_start_matches("http://");
    let asked = || {
        let mut stream = TcpStream::connect(host)?;
        stream.set_read_timeout(Some(Duration::from_secs(5)))?;
        write!(
            stream,
            "GET {path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n"
        )?;
        let mut start = [0; 12];
        stream.read_exact(&mut start)?;
        Ok::<_, std::io::Error>(start)
    };
    asked().is_ok_and(|start| start == *b"HTTP/1.1 200")
}
