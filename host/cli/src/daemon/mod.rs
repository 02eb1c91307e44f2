//! The daemon that holds the hooks of a directory: its place, and its start.

use std::env::consts::EXE_SUFFIX;
#[cfg(unix)]
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
#[cfg(unix)]
use std::process::{Command, Stdio};

use anyhow::Context as _;
use clap::Args;
use directories::ProjectDirs;
use portcullis::LoadOptions;
use portcullis_bridge::{Bridge, BridgeOptions};
use portcullis_serve::DaemonId;
#[cfg(unix)]
use portcullis_serve::{make_directory, private_log};
use portcullis_store::Store;

use crate::files::state_dir;
use crate::hooks::{CacheArgs, HooksDir, warn_if_empty};
#[cfg(unix)]
use crate::store::VARIABLE;
use crate::store::{StoreArg, open_or_make};

/// The hooks directory, and the settings of its store and recordings. A daemon and its clients must
/// agree on all of them.
#[derive(Debug, Args)]
pub struct DaemonArgs {
    #[command(flatten)]
    pub hooks: HooksDir,
    #[command(flatten)]
    pub cache: CacheArgs,
    #[command(flatten)]
    pub store: StoreArg,
    /// Keep nothing: the hooks' state ends with the process, and the journal has no runs.
    #[arg(long, conflicts_with = "store")]
    pub no_store: bool,
    /// Record calls of components, so that `portcullis replay` can repeat them. `[recording]` in
    /// the hooks directory's hooks.toml has the settings. With that table, calls are recorded
    /// without this option too.
    #[arg(long, conflicts_with = "no_store")]
    pub record: bool,
}

/// The daemon of a hooks directory.
#[derive(Debug)]
pub struct Daemon {
    pub id: DaemonId,
    /// The canonical path of the hooks directory.
    pub hooks: PathBuf,
    /// The directory of the daemon's socket, token and log.
    pub dir: PathBuf,
}

impl DaemonArgs {
    /// Returns the canonical path of the hooks directory.
    pub fn directory(&self) -> anyhow::Result<PathBuf> {
        let hooks = &self.hooks.hooks;
        let found = hooks.canonicalize();
        found.with_context(|| {
            let hooks = hooks.display();
            format!("the hooks in {hooks} do not load; name a directory that exists and that you may read")
        })
    }

    /// Returns the daemon of these hooks.
    pub fn daemon(&self) -> anyhow::Result<Daemon> {
        let hooks = self.directory()?;
        let cache = self.cache.to_arguments()?.concat();
        let store = match self.no_store {
            true => String::new(),
            false => self.store.identity()?,
        };
        let program = program()?;
        let id = match self.record {
            false => DaemonId::new(&hooks, &program, &[&cache, &store]),
            true => DaemonId::new(&hooks, &program, &[&cache, &store, "record"]),
        };
        let id = id.with_context(|| {
            let program = program.display();
            format!("the program {program} was removed or replaced; start the command again")
        })?;
        let dir = directory()?;
        Ok(Daemon { id, hooks, dir })
    }

    /// Opens the store for the hooks' state; `None` with `--no-store`. Blocks.
    pub fn open_store(&self) -> anyhow::Result<Option<Store>> {
        match self.no_store {
            true => Ok(None),
            false => {
                let store = open_or_make(&self.store).context("the store does not open")?;
                Ok(Some(store))
            }
        }
    }

    /// Opens the hooks of this directory. Their state is in the options' store. Blocks.
    pub fn bridge(&self, hooks: &Path, options: BridgeOptions) -> anyhow::Result<Bridge> {
        let load = LoadOptions {
            cache: self.cache.choice(),
            compiler: crate::compiler::child(),
            ..LoadOptions::default()
        };
        let recording = match &options.store {
            Some(_) => crate::recording::options(hooks, self.record)?,
            None => None,
        };
        let options = BridgeOptions {
            recording,
            ..options
        };
        let bridge = Bridge::load(hooks, load, options)
            .with_context(|| format!("the hooks in {} do not load", hooks.display()))?;
        warn_if_empty(hooks, bridge.hooks());
        Ok(bridge)
    }

    /// Starts the daemon of these hooks, and does not wait for it. It ends when nobody has used it
    /// for a while. Its output is written to a file.
    #[cfg(unix)]
    pub fn start(&self, daemon: &Daemon) -> anyhow::Result<()> {
        make_directory(&daemon.dir)?;
        let log = private_log(&daemon.id.log(&daemon.dir))?;
        let mut command = Command::new(program()?);
        let idle = IDLE.to_string();
        command.args(["serve", "--detached", "--idle", &idle, "--hooks"]);
        command.arg(&daemon.hooks).args(self.cache.to_arguments()?);
        if self.record {
            command.arg("--record");
        }
        match (self.no_store, self.store.text()) {
            (true, _) => drop(command.arg("--no-store").env_remove(VARIABLE)),
            // The store's URL may hold a password, which must not appear in a list of processes.
            (false, Some(store)) => drop(command.env(VARIABLE, OsString::from(store))),
            (false, None) => {}
        }
        command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(log);
        command.spawn().context("the daemon cannot be started")?;
        Ok(())
    }
}

/// The time that a daemon started on demand waits for an event before it ends, in seconds.
#[cfg(unix)]
const IDLE: u64 = 15 * 60;

/// Returns the directory of the daemons' sockets, tokens and logs: the user's runtime directory, or
/// else the state directory.
fn directory() -> anyhow::Result<PathBuf> {
    let dirs = ProjectDirs::from("", "", "portcullis");
    let runtime = dirs.and_then(|dirs| Some(dirs.runtime_dir()?.to_owned()));
    runtime
        .or_else(|| Some(state_dir()?.join("run")))
        .context("the user has no home directory; set HOME")
}

/// The name of the program that has no engine.
const LIGHT: &str = "portcullis-client";

/// Returns the path of the command `portcullis`: this program, or the one in the same directory.
pub fn program() -> anyhow::Result<PathBuf> {
    let program = std::env::current_exe().context("the path of this program is not known")?;
    match program.file_stem().is_some_and(|stem| stem == LIGHT) {
        true => Ok(beside(&program, "portcullis")),
        false => Ok(program),
    }
}

/// Returns the program that answers events: the faster one, if it is in the same directory as this
/// program.
pub fn hook_program() -> anyhow::Result<PathBuf> {
    let program = program()?;
    let light = beside(&program, LIGHT);
    Ok(match cfg!(unix) && light.exists() {
        true => light,
        false => program,
    })
}

fn beside(program: &Path, name: &str) -> PathBuf {
    program.with_file_name(format!("{name}{EXE_SUFFIX}"))
}

/// Leaves the terminal and the process group of the process that has started this one.
pub fn detach() -> io::Result<()> {
    #[cfg(unix)]
    rustix::process::setsid()?;
    Ok(())
}
