//! The clients, and running them.

use std::fmt;
use std::fs;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;

use anyhow::{Context as _, bail, ensure};
use serde_json::Value;
use tempfile::TempDir;

use crate::model::Model;
use crate::packages;

/// A client.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Client {
    Claude,
    Codex,
}

impl fmt::Display for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Client {
    pub const ALL: [Self; 2] = [Self::Claude, Self::Codex];

    /// Returns its name for `portcullis install`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Claude => "claude",
            Self::Codex => "codex",
        }
    }

    /// Returns the program, installed if it is not yet.
    pub fn program(self) -> anyhow::Result<PathBuf> {
        let arch = match std::env::consts::ARCH {
            "x86_64" => "x64",
            "aarch64" => "arm64",
            other => bail!("there is no package for {other}"),
        };
        ensure!(cfg!(target_os = "linux"), "it is only tried on Linux");
        let program = match self {
            Self::Claude => {
                let modules = packages::installed(
                    "@anthropic-ai/claude-code@2.1.330",
                    "claude-code-2.1.330",
                )?;
                modules.join(format!("@anthropic-ai/claude-code-linux-{arch}/claude"))
            }
            Self::Codex => {
                let modules = packages::installed("@openai/codex@0.169.0", "codex-0.169.0")?;
                let vendor = modules.join(format!("@openai/codex-linux-{arch}/vendor"));
                let mut triples = fs::read_dir(&vendor).context(vendor.display().to_string())?;
                let triple = triples.next().context("there is no binary")??;
                triple.path().join("bin/codex")
            }
        };
        ensure!(program.is_file(), "there is no {}", program.display());
        Ok(program)
    }
}

/// Returns the probe, built once.
fn probe() -> anyhow::Result<&'static Path> {
    static BUILT: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    let built = BUILT.get_or_init(|| {
        let hooks = xtask::guests::build(&xtask::root()).map_err(|e| e.to_string())?;
        Ok(hooks.with_file_name("test-hooks").join("probe.wasm"))
    });
    built.as_deref().map_err(|e| anyhow::anyhow!("{e}"))
}

/// A project with hooks that are installed for a client, and a home of its own.
pub struct Project {
    client: Client,
    dir: TempDir,
}

/// A client's output and requests.
#[derive(Debug)]
pub struct Ran {
    pub out: String,
    pub err: String,
    /// The requests that the model received.
    pub requests: Vec<Value>,
}

impl Project {
    /// Creates a project with the probe, which performs this configuration.
    pub fn new(client: Client, actions: &str) -> anyhow::Result<Self> {
        let project = Self::empty(client)?;
        fs::create_dir(project.path("hooks"))?;
        fs::copy(probe()?, project.path("hooks/probe.wasm"))?;
        let settings = format!(
            "[unnamed]\nload = \"trusted\"\n[hooks.probe.grants]\nstate = true\nevents = true\n\
             contribute = [\"policy\", \"context\", \"section\", \"tools\", \"note\", \"job\"]\n\
             [hooks.probe.config]\n{actions}\n"
        );
        fs::write(project.path("hooks/hooks.toml"), settings)?;
        let mut install = project.command(Path::new(env!("CARGO_BIN_EXE_portcullis")));
        install.args(["install", client.name(), "--yes", "--hooks", "../hooks"]);
        if client == Client::Codex {
            // A project's hooks are run once the project is trusted.
            install.arg("--user");
        }
        let install = install.output()?;
        ensure!(
            install.status.success(),
            "{}",
            String::from_utf8_lossy(&install.stderr)
        );
        Ok(project)
    }

    /// Creates a project with the first commands of the client's integration page.
    pub fn of_page(client: Client) -> anyhow::Result<Self> {
        let page = match client {
            Client::Claude => "claude-code.md",
            Client::Codex => "codex.md",
        };
        let page = fs::read_to_string(xtask::root().join("docs/integrations").join(page))?;
        let block = page
            .split_once("```sh\n")
            .and_then(|(_, rest)| rest.split_once("\n```"));
        let (block, _) = block.context("the page has no commands")?;
        let project = Self::empty(client)?;
        let program = Path::new(env!("CARGO_BIN_EXE_portcullis"))
            .parent()
            .context("no directory")?;
        let mut shell = project.command(Path::new("/bin/sh"));
        shell.args(["-e", "-c", block]);
        shell.env("PATH", format!("{}:/usr/bin:/bin", program.display()));
        let ran = shell.output()?;
        ensure!(
            ran.status.success(),
            "{}",
            String::from_utf8_lossy(&ran.stderr)
        );
        Ok(project)
    }

    fn empty(client: Client) -> anyhow::Result<Self> {
        let dir = tempfile::tempdir()?;
        let project = Self { client, dir };
        fs::create_dir(project.path("home"))?;
        fs::create_dir(project.path("work"))?;
        Ok(project)
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// Returns a program in the project, with an environment of its own.
    fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command
            .current_dir(self.path("work"))
            .env_clear()
            .env("HOME", self.path("home"))
            .env("PATH", "/usr/bin:/bin")
            // Compiled hooks are kept from test to test.
            .env(
                "XDG_CACHE_HOME",
                concat!(env!("CARGO_TARGET_TMPDIR"), "/clients"),
            )
            .stdin(Stdio::null());
        command
    }

    /// Runs the client until it ends. The model has it run this command first.
    pub fn run(&self, program: &Path, shell: &str) -> anyhow::Result<Ran> {
        let model = Model::start(shell)?;
        let mut command = self.command(program);
        match self.client {
            Client::Claude => {
                command
                    .env("ANTHROPIC_BASE_URL", model.url())
                    .env("ANTHROPIC_API_KEY", "dummy")
                    .env("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1")
                    .env("DISABLE_TELEMETRY", "1")
                    .env("DISABLE_AUTOUPDATER", "1")
                    .args([
                        "-p",
                        "Do it.",
                        "--output-format",
                        "json",
                        "--allowedTools",
                        "Bash",
                    ]);
            }
            Client::Codex => {
                let config = format!(
                    "model = \"scripted\"\nmodel_provider = \"local\"\n[model_providers.local]\nname = \"local\"\n\
                     base_url = \"{}/v1\"\nwire_api = \"responses\"\nenv_key = \"LOCAL_KEY\"\n\
                     supports_websockets = false\n",
                    model.url()
                );
                fs::write(self.path("home/.codex/config.toml"), config)?;
                command.env("LOCAL_KEY", "dummy").args([
                    "exec",
                    "--dangerously-bypass-approvals-and-sandbox",
                    "--dangerously-bypass-hook-trust",
                    "--skip-git-repo-check",
                    "Do it.",
                ]);
            }
        }
        let group = Group::start(command)?;
        let (out, err) = group.end()?;
        Ok(Ran {
            out,
            err,
            requests: model.requests(),
        })
    }
}

/// A process group, which is ended when this is dropped.
struct Group(Child);

impl Group {
    fn start(mut command: Command) -> anyhow::Result<Self> {
        command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0);
        Ok(Self(command.spawn().context("the client does not start")?))
    }

    /// Waits for the client to end. Returns its output.
    fn end(mut self) -> anyhow::Result<(String, String)> {
        let (mut stdout, stderr) = (self.0.stdout.take(), self.0.stderr.take());
        let errors = std::thread::spawn(move || text(stderr));
        let out = text(stdout.take());
        self.0.wait()?;
        let err = errors.join().unwrap_or_default();
        Ok((out, err))
    }
}

fn text(pipe: Option<impl std::io::Read>) -> String {
    let mut bytes = Vec::new();
    if let Some(mut pipe) = pipe {
        // An error ends the text at the last byte read.
        let _ = pipe.read_to_end(&mut bytes);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

impl Drop for Group {
    fn drop(&mut self) {
        if let Some(group) = rustix::process::Pid::from_raw(self.0.id() as i32) {
            // Most groups have no processes left.
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
        let _ = self.0.wait();
    }
}
