//! A PostgreSQL server in a temporary directory, on a Unix socket, for tests and measurements.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::{Context as _, ensure};
use sqlx::{AssertSqlSafe, Connection as _, Executor as _, PgConnection};

/// The maximum time for the server to start on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// A running server. It ends when it is dropped, or when this process dies.
pub struct Server {
    /// `None` while it is stopped.
    child: Option<Child>,
    settings: Vec<String>,
    address: Address,
    dir: tempfile::TempDir,
}

/// The address of a server.
#[derive(Clone)]
pub struct Address {
    socket: PathBuf,
}

impl Server {
    /// Starts a server that does not wait for the disk.
    ///
    /// # Errors
    ///
    /// The programs are not installed, or this machine does not let them run.
    pub fn start() -> anyhow::Result<Self> {
        Self::start_with(&["-c", "fsync=off"])
    }

    /// Starts a server that waits for the disk, as one with valuable data.
    ///
    /// # Errors
    ///
    /// See [`Server::start`].
    pub fn start_durable() -> anyhow::Result<Self> {
        Self::start_with(&[])
    }

    fn start_with(settings: &[&str]) -> anyhow::Result<Self> {
        let programs = programs().context("`initdb` and `postgres` are not installed")?;
        // Directly in /tmp, because the path of a socket must be short.
        let dir = tempfile::Builder::new()
            .prefix("portcullis-pg-")
            .tempdir_in("/tmp")?;
        let data = dir.path().join("data");
        give_away(dir.path())?;
        let made = as_other_user(&programs.join("initdb"))
            .args([
                "--username=tests",
                "--auth=trust",
                "--no-sync",
                "--encoding=UTF8",
            ])
            .args(["--locale=C", "-D"])
            .arg(&data)
            .current_dir(dir.path())
            .output()?;
        done("initdb", &made)?;
        let address = Address {
            socket: dir.path().to_owned(),
        };
        let mut server = Self {
            child: None,
            settings: settings
                .iter()
                .map(|setting| (*setting).to_owned())
                .collect(),
            address,
            dir,
        };
        server.start_again()?;
        Ok(server)
    }

    /// Starts the server again after it was [stopped](Self::stop), with its previous data.
    ///
    /// # Errors
    ///
    /// See [`Server::start`].
    pub fn start_again(&mut self) -> anyhow::Result<()> {
        let programs = programs().context("`initdb` and `postgres` are not installed")?;
        let child = as_other_user(&programs.join("postgres"))
            .arg("-D")
            .arg(self.dir.path().join("data"))
            .arg("-k")
            .arg(self.dir.path())
            .args(["-c", "listen_addresses=", "-c", "max_connections=200"])
            .args(&self.settings)
            .current_dir(self.dir.path())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        self.child = Some(child);
        self.wait()
    }

    /// Disconnects all clients, and stops the server.
    pub fn stop(&mut self) {
        if let Some(mut child) = self.child.take() {
            // SIGINT: clients are disconnected, and the server ends.
            let _ = Command::new("kill")
                .args(["-INT", &child.id().to_string()])
                .status();
            let _ = child.wait();
        }
    }

    fn wait(&self) -> anyhow::Result<()> {
        let until = Instant::now() + PATIENCE;
        while self.address.execute("SELECT 1".into()).is_err() {
            ensure!(Instant::now() < until, "the server does not answer");
            sleep(Duration::from_millis(50));
        }
        Ok(())
    }

    /// Returns the address.
    pub fn address(&self) -> &Address {
        &self.address
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop();
    }
}

impl Address {
    /// Creates a database, and returns its URL. Do not call it on a thread of an async runtime.
    ///
    /// # Errors
    ///
    /// The server refuses it: a database of this name already exists.
    pub fn create(&self, name: &str) -> anyhow::Result<String> {
        self.execute(format!("CREATE DATABASE {name}"))?;
        Ok(self.of(name))
    }

    fn of(&self, database: &str) -> String {
        format!(
            "postgres://tests@localhost/{database}?host={}",
            self.socket.display()
        )
    }

    fn execute(&self, sql: String) -> anyhow::Result<()> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        runtime.block_on(async {
            let mut connection = PgConnection::connect(&self.of("postgres")).await?;
            connection.execute(AssertSqlSafe(sql)).await?;
            Ok(connection.close().await?)
        })
    }
}

/// Returns the directory of the server's programs.
fn programs() -> Option<PathBuf> {
    let versions = std::fs::read_dir("/usr/lib/postgresql")
        .into_iter()
        .flatten();
    let versions = versions.flatten().map(|version| version.path().join("bin"));
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut dirs = std::env::split_paths(&path).chain(versions);
    dirs.find(|dir| dir.join("initdb").exists() && dir.join("postgres").exists())
}

fn is_root() -> bool {
    let id = Command::new("id").arg("-u").output();
    id.is_ok_and(|id| id.stdout == b"0\n")
}

/// Returns a command that ends with this process. The server refuses to run as root, so it gets a
/// user id of a namespace, or another user's where there are no namespaces.
fn as_other_user(program: &Path) -> Command {
    let with_death = ["--pdeathsig=INT", "--"];
    if !is_root() {
        let mut command = Command::new("setpriv");
        command.args(with_death).arg(program);
        return command;
    }
    let namespace = ["--user", "--map-user=1000", "--map-group=1000", "--"];
    let mut command;
    if has_namespaces() {
        command = Command::new("unshare");
        command.args(namespace).arg("setpriv");
    } else {
        command = Command::new("setpriv");
        command.args(["--reuid=nobody", "--regid=nogroup", "--clear-groups"]);
    }
    command.args(with_death).arg(program);
    command
}

fn has_namespaces() -> bool {
    let tried = Command::new("unshare")
        .args(["--user", "--map-user=1000", "true"])
        .status();
    tried.is_ok_and(|status| status.success())
}

fn give_away(dir: &Path) -> anyhow::Result<()> {
    if is_root() && !has_namespaces() {
        done(
            "chown",
            &Command::new("chown").arg("nobody").arg(dir).output()?,
        )?;
    }
    Ok(())
}

fn done(program: &str, output: &Output) -> anyhow::Result<()> {
    let said = String::from_utf8_lossy(&output.stderr);
    ensure!(
        output.status.success(),
        "{program}: {}: {said}",
        output.status
    );
    Ok(())
}
