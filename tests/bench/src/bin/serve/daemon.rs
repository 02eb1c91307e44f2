//! Hooks, and the daemon that runs them.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use anyhow::{Context as _, ensure};
use portcullis_bench::hooks::{build, root};
use portcullis_project::Language;
use tempfile::TempDir;

/// A hooks directory with copies of the Rust guard, and a directory for the command's state.
pub struct Place {
    pub hooks: TempDir,
    state: TempDir,
}

/// The guard's id. Each copy has an id of its own.
const ID: &[u8] = b"guard-rust";

impl Place {
    /// Creates a place with this many copies, at most ten.
    pub fn new(copies: u8) -> anyhow::Result<Self> {
        ensure!(copies <= 10, "there are at most ten copies");
        let guard = fs::read(build(Language::Rust, &root().join("target/bench-hooks"))?)?;
        let (hooks, state) = (tempfile::tempdir()?, tempfile::tempdir()?);
        for copy in 0..copies {
            let mut id = ID.to_vec();
            if let Some(last) = id.last_mut() {
                *last = b'0' + copy;
            }
            let file = hooks.path().join(format!("guard-{copy}.wasm"));
            fs::write(file, replaced(&guard, ID, &id))?;
        }
        let settings = "[unnamed]\nload = \"trusted\"\n";
        fs::write(hooks.path().join("hooks.toml"), settings)?;
        Ok(Self { hooks, state })
    }

    /// Returns a command that runs a program with the state of this place.
    pub fn command(&self, program: &Path, arguments: &[&str]) -> Command {
        let mut command = Command::new(program);
        command.args(arguments);
        command.arg("--hooks").arg(self.hooks.path());
        for name in ["PORTCULLIS_DAEMON", "PORTCULLIS_STORE", "XDG_RUNTIME_DIR"] {
            command.env_remove(name);
        }
        command.env("XDG_STATE_HOME", self.state.path());
        command.env("XDG_CACHE_HOME", self.state.path());
        command
    }
}

fn replaced(bytes: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    let found = bytes.windows(from.len()).enumerate();
    let found = found.filter(|(_, window)| *window == from);
    let found: Vec<usize> = found.map(|(at, _)| at).collect();
    for at in found {
        if let Some(place) = bytes.get_mut(at..at + from.len()) {
            place.copy_from_slice(to);
        }
    }
    bytes
}

/// Returns a program that was built beside this one.
pub fn built(name: &str) -> anyhow::Result<PathBuf> {
    let program = std::env::current_exe()?.with_file_name(name);
    ensure!(
        program.exists(),
        "there is no {}; build it: `cargo build --release -p portcullis-cli --bins`",
        program.display()
    );
    Ok(program)
}

/// A server in a process of its own. Dropping it ends the process.
pub struct Server {
    process: Child,
    /// The TCP address that takes requests.
    pub address: SocketAddr,
    /// The token, if it has one.
    pub token: String,
}

impl Server {
    /// Starts a server, and waits until it has printed this many lines.
    pub fn start(mut command: Command, lines: usize) -> anyhow::Result<Self> {
        let mut process = command.stdout(Stdio::piped()).spawn()?;
        let output = process.stdout.take().context("it has no output")?;
        let said = BufReader::new(output).lines().take(lines);
        let said: Vec<String> = said.collect::<Result<_, _>>()?;
        let value = |name: &str| said.iter().find_map(|line| line.strip_prefix(name));
        let address = value("http://").map_or(Ok(SocketAddr::from(([0; 4], 0))), str::parse)?;
        let token = value("token: ").map_or(Ok(String::new()), fs::read_to_string)?;
        ensure!(said.len() == lines, "the server did not start");
        Ok(Self {
            process,
            address,
            token,
        })
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // The process may have ended.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
