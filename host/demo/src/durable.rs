//! The demo as a durable session: its process is killed in the middle of the third turn, and `portcullis run
//! --continue` finishes the turn.
//!
//! A directory that is not removed holds the data of both processes: the agent's file, its hooks,
//! the script and the store.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::Arc;

use anyhow::{Context as _, bail};
use portcullis::hooks::{CacheChoice, Progress};
use portcullis_agent::NewSession;
use portcullis_agent_file::{AgentFile, FILE_NAME, LoadedHooks, StartError, StartOptions};
use portcullis_store::Store;
use serde_json::{Value, json};

use crate::DemoArgs;
use crate::approver::ScriptedPerson;
use crate::narrator::Narrator;
use crate::play::{Calls, Play};
use crate::stage::{self, Stage};
use crate::story::SESSION;
use portcullis_terminal::approval::Recorded;
use portcullis_terminal::compiler;
use portcullis_terminal::progress::LoadBar;

/// The agent.
const AGENT: &str = include_str!("../story/agent.toml");
/// The script of the agent's model.
const SCRIPT: &str = "script.json";
/// The index of the turn that is interrupted: the third turn.
const TURN: usize = 2;
/// The number of the turn's tool calls that have results when the process is killed.
const TOOL_CALLS: usize = 2;

/// Plays the demo in another process until it is killed, and prints how to continue.
pub fn run(args: &DemoArgs) -> anyhow::Result<ExitCode> {
    let dir = furnish(args)?;
    let mut player = Command::new(std::env::current_exe()?);
    let mut player = player
        .args(std::env::args_os().skip(1))
        .arg("--stage")
        .arg(&dir)
        .spawn()
        .context("the process of the demo cannot be started")?;
    let id = player.id();
    let ended = player.wait()?;
    if ended.code().is_some() && cfg!(unix) {
        bail!("the process of the demo was to be killed, and ended with {ended}");
    }
    Narrator::interrupted(id, TURN + 1, &dir)?;
    Ok(ExitCode::SUCCESS)
}

/// Plays the demo in its directory until this process kills itself.
pub fn die(args: &DemoArgs, dir: &Path) -> anyhow::Result<ExitCode> {
    let file = AgentFile::load(&dir.join(FILE_NAME)).map_err(StartError::Faults)?;
    let store = file.stores.open_blocking()?;
    let bar = LoadBar::hidden();
    let progress = |progress: Progress<'_>| bar.update(progress);
    let hooks = file.load_hooks(&compiler::child(), store.as_ref(), &progress)?;
    crate::play(play(args, dir, &file, store, hooks))
}

async fn play(
    args: &DemoArgs,
    dir: &Path,
    file: &AgentFile,
    store: Option<Store>,
    hooks: LoadedHooks,
) -> anyhow::Result<ExitCode> {
    let stage = Stage::at(dir)?;
    let narrator = Narrator::begin(args.detail(), stage.places(), &hooks.hooks)?;
    let mut options = StartOptions::new(hooks);
    options.store = store;
    let running = file.start(options).await?;
    let approver = Recorded::new(Arc::new(ScriptedPerson::new()));
    let new = NewSession {
        id: SESSION.into(),
        approver: Arc::new(approver.clone()),
        keep_values: true,
        ..running.new_session()
    };
    let mut play = Play::begin(running.agent.clone(), new, approver, Some(narrator)).await?;
    for index in 0..TURN {
        play.turn(index).await?;
    }
    let dies = |calls: &Calls| {
        leave_script(dir, calls)?;
        killed()
    };
    play.turn_to_death(TURN, TOOL_CALLS, dies).await
}

/// Kills this process, so that nothing in it can prevent or notice the end.
fn killed() -> anyhow::Result<ExitCode> {
    #[cfg(unix)]
    rustix::process::kill_process(rustix::process::getpid(), rustix::process::Signal::KILL)?;
    std::process::abort()
}

/// Makes the demo's directory.
fn furnish(args: &DemoArgs) -> anyhow::Result<PathBuf> {
    stage::check(&args.hooks)?;
    let dir = stage::make()?.keep();
    let furnish = || -> anyhow::Result<()> {
        let hooks = dir.join("hooks");
        fs::create_dir(&hooks)?;
        for entry in fs::read_dir(&args.hooks)? {
            let path = entry?.path();
            if let (Some(name), Some("wasm")) =
                (path.file_name(), path.extension().and_then(|e| e.to_str()))
            {
                fs::copy(&path, hooks.join(name))?;
            }
        }
        fs::write(hooks.join("hooks.toml"), stage::SETTINGS)?;
        fs::write(dir.join(SCRIPT), stage::SCRIPT)?;
        fs::write(dir.join(FILE_NAME), format!("{AGENT}{}", cache(args)?))?;
        Ok(())
    };
    furnish()
        .with_context(|| format!("the demo's files cannot be written to {}", dir.display()))?;
    Ok(dir)
}

/// Returns the cache settings, as the last lines of the agent's `[hooks]`.
fn cache(args: &DemoArgs) -> anyhow::Result<String> {
    Ok(match args.cache.choice() {
        CacheChoice::Dir(dir) => format!("cache-dir = {}\n", json!(std::path::absolute(dir)?)),
        CacheChoice::None => "cache = false\n".into(),
        _ => String::new(),
    })
}

/// Writes the script with the responses that are not given yet, since the next process begins with
/// the first response.
fn leave_script(dir: &Path, calls: &Calls) -> anyhow::Result<()> {
    let mut script: Value = serde_json::from_str(stage::SCRIPT)?;
    for provider in script["providers"].as_array_mut().into_iter().flatten() {
        let called = provider["name"].as_str().and_then(|name| calls.get(name));
        let called = called.copied().unwrap_or_default();
        if let Some(responses) = provider["responses"].as_array_mut() {
            responses.drain(..called.min(responses.len()));
        }
    }
    Ok(fs::write(dir.join(SCRIPT), script.to_string())?)
}
