//! Reloading hooks while the session runs: when their directory changes, and on SIGHUP.

use std::io;

use portcullis::Hooks;
use portcullis::reload::{
    ChangeKind, HookChange, Listening, Reload, StaleHook, Watch, WatchOptions,
};
#[cfg(unix)]
use portcullis::threads;
use portcullis_agent::AgentEvent;
use portcullis_agent_file::{AgentFile, LoadedHooks};
use tokio::task::JoinHandle;

use crate::terminal::format::{print_line, printable};
use crate::terminal::style::{DIM, ERROR, NOTE};
use crate::terminal::units;
use crate::terminal::{Out, Printable};

/// Reloads the hooks until it is dropped.
#[derive(Default)]
pub struct Reloading {
    _watches: Vec<Watch>,
    signals: Vec<JoinHandle<()>>,
}

impl Drop for Reloading {
    fn drop(&mut self) {
        self.signals.iter().for_each(JoinHandle::abort);
    }
}

/// Reloads the hooks of the agent and its sub-agents when their directories change, and on SIGHUP.
/// The result is an event.
pub fn start(hooks: &LoadedHooks, file: &AgentFile) -> anyhow::Result<Reloading> {
    let mut reloading = Reloading::default();
    for hooks in hooks.all() {
        if file.hooks.watch {
            reloading
                ._watches
                .push(hooks.watch(WatchOptions::default())?);
        }
        reloading.signals.extend(on_hangup(hooks.clone())?);
    }
    Ok(reloading)
}

#[cfg(unix)]
fn on_hangup(hooks: Hooks) -> io::Result<Option<JoinHandle<()>>> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut hangups = signal(SignalKind::hangup())?;
    Ok(Some(tokio::spawn(async move {
        while hangups.recv().await.is_some() {
            let hooks = hooks.clone();
            // Compiling would block the runtime's own threads.
            let reloaded = threads::blocking(move || hooks.reload()).await;
            if let Err(error) = reloaded {
                tracing::error!("the hooks were not reloaded: {error}");
            }
        }
    })))
}

#[cfg(not(unix))]
fn on_hangup(_: Hooks) -> io::Result<Option<JoinHandle<()>>> {
    Ok(None)
}

/// Writes each reload's result to the standard error until the return value is dropped, for
/// commands that show no agent events.
pub fn report(hooks: &Hooks) -> Listening {
    hooks.on_reload(|reload| {
        // A closed standard error keeps no hooks from being reloaded.
        let _ = write(reload);
    })
}

fn write(reload: &Reload) -> io::Result<()> {
    let out = &mut Out::stderr();
    for event in AgentEvent::of_reload(reload) {
        match &event {
            AgentEvent::HooksReloaded { changes, settings } => {
                changed(out, changes, *settings)?;
                disarmed(out, changes)?;
            }
            AgentEvent::HooksNotReloaded { all, kept, errors } => refused(out, *all, kept, errors)?,
            _ => {}
        }
    }
    Ok(())
}

/// Writes the changes.
pub fn changed(out: &mut Out, changes: &[HookChange], settings: bool) -> io::Result<()> {
    match (changes.is_empty(), settings) {
        (true, false) => return print_line!(out, "{DIM}↻ all hooks load again{DIM:#}"),
        (true, true) => return print_line!(out, "{DIM}↻ the settings have changed{DIM:#}"),
        _ => print_line!(
            out,
            "{DIM}↻ {} reloaded{DIM:#}",
            units::plural(changes.len(), "hook")
        )?,
    }
    for change in changes {
        let digest = |digest: Option<portcullis::verdict::Digest>| {
            digest.map(|digest| units::digest(digest.to_string()).to_owned())
        };
        let (before, after) = (digest(change.before), digest(change.after));
        let (mark, what) = match (change.change, before, after) {
            (ChangeKind::Added, _, after) => ("+", after),
            (ChangeKind::Removed, before, _) => ("-", before),
            (ChangeKind::Changed, before, after) if before == after => ("~", after),
            (ChangeKind::Changed, before, after) => {
                let none = || Printable::from("none");
                let (before, after) = (before.unwrap_or_else(none), after.unwrap_or_else(none));
                ("~", Some(printable!("{} → {}", before, after)))
            }
        };
        let what = what.unwrap_or_default();
        print_line!(out, "{DIM}  {} {} {}{DIM:#}", mark, change.hook, what)?;
    }
    Ok(())
}

/// Writes the names of the guards that no longer take effect.
pub fn disarmed(out: &mut Out, changes: &[HookChange]) -> io::Result<()> {
    for change in changes.iter().filter(|change| change.disarmed) {
        let how = match change.change {
            ChangeKind::Removed => "was removed",
            _ => "is disabled, only audited, or passed over because it was revoked",
        };
        print_line!(
            out,
            "{NOTE}! the guard {} {}: it no longer guards anything{NOTE:#}",
            change.hook,
            how
        )?;
    }
    Ok(())
}

/// Writes the hooks that were not reloaded, and those that run instead.
pub fn refused(out: &mut Out, all: bool, kept: &[StaleHook], errors: &[String]) -> io::Result<()> {
    if all {
        print_line!(
            out,
            "{ERROR}! the hooks were not reloaded; all run as before{ERROR:#}"
        )?;
    }
    for error in errors {
        print_line!(out, "{ERROR}! not loaded:{ERROR:#} {}", error)?;
    }
    for kept in kept {
        let digest = kept.component.to_string();
        let how = match kept.revoked.as_slice() {
            _ if kept.off => "stays disabled".into(),
            [] => "runs as before".into(),
            gone => printable!(
                "may no longer run, without {}",
                Printable::line(gone.join(", "))
            ),
        };
        print_line!(
            out,
            "{NOTE}  {} {}{NOTE:#} {DIM}{}{DIM:#}",
            kept.hook,
            how,
            units::digest(&digest)
        )?;
    }
    Ok(())
}
