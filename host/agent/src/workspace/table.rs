//! The open workspaces, and the choice of those to evict.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use super::directory::{self, Directory};
use super::guard::Users;
use super::notifier::Notifier;
use super::snapshot;
use super::{Evictions, Workspace, WorkspaceConfig, WorkspaceError, WorkspaceEventKind};

#[derive(Default)]
pub(super) struct Table {
    open: HashMap<String, Open>,
}

struct Open {
    directory: Directory,
    users: Users,
}

/// The inputs of an operation on the table.
pub(super) struct Work {
    pub config: Arc<WorkspaceConfig>,
    pub notifier: Notifier,
}

/// The result of an attempt to open a workspace.
pub(super) enum Tried {
    Opened(Workspace),
    /// There is no room, and no workspace could be evicted. A retry may succeed.
    NoRoom(WorkspaceError),
}

impl Table {
    pub(super) fn names(&self) -> Vec<String> {
        let mut names: Vec<_> = self.open.keys().cloned().collect();
        names.sort_unstable();
        names
    }

    /// Tries to open a workspace; `retry` counts from 1, and is 0 for the first attempt.
    pub(super) fn open(
        &mut self,
        work: &Work,
        name: &str,
        retry: u32,
        keeper: Arc<dyn Send + Sync>,
    ) -> Result<Tried, WorkspaceError> {
        if let Some(open) = self.open.get_mut(name)
            && !open.directory.is_leaving()
        {
            let path = open.directory.path.clone();
            return Ok(Tried::Opened(open.users.admit(name, &path, keeper)));
        }
        if let Err(cause) = self.make_room(work, name, retry) {
            return Ok(Tried::NoRoom(cause));
        }
        let (directory, came_to_be) = Directory::open(&work.config, name)?;
        let path = directory.path.clone();
        let mut users = Users::default();
        let workspace = users.admit(name, &path, keeper);
        self.open.insert(name.to_owned(), Open { directory, users });
        let opened = WorkspaceEventKind::Opened;
        work.notifier.notify(opened, name, &path, came_to_be);
        Ok(Tried::Opened(workspace))
    }

    fn make_room(&mut self, work: &Work, name: &str, retry: u32) -> Result<(), WorkspaceError> {
        let most = work.config.max_open.get();
        let mut retried = retry == 0;
        // The workspace itself is in the table only if its eviction is unfinished.
        while self.open.len() >= most || self.open.contains_key(name) {
            if !retried {
                self.tell_retry(work, name, retry);
                retried = true;
            }
            if self.open.contains_key(name) {
                self.evict(work, name, "its eviction was unfinished")?;
            } else {
                self.evict_one(work, name)?;
            }
        }
        Ok(())
    }

    fn tell_retry(&self, work: &Work, wanted: &str, attempt: u32) {
        let first = self
            .open
            .iter()
            .min_by_key(|(name, open)| (*name != wanted, open.users.any(), open.users.last()));
        if let Some((name, open)) = first {
            let kind = WorkspaceEventKind::EvictionRetried { attempt };
            let reason = format!("workspace `{wanted}` needs room");
            work.notifier
                .notify(kind, name, &open.directory.path, reason);
        }
    }

    /// Returns the matching workspaces, least recently used first.
    fn oldest_first(&self, fits: impl Fn(&Open) -> bool) -> Vec<String> {
        let mut found: Vec<_> = self.open.iter().filter(|(_, open)| fits(open)).collect();
        found.sort_by_key(|(_, open)| open.users.last());
        found.into_iter().map(|(name, _)| name.clone()).collect()
    }

    /// Evicts the least recently used workspace that can be evicted. The error is the first failed
    /// workspace's.
    fn evict_one(&mut self, work: &Work, wanted: &str) -> Result<(), WorkspaceError> {
        let mut first_error = None;
        for name in self.oldest_first(|open| !open.users.any()) {
            match self.evict(work, &name, &format!("workspace `{wanted}` needs room")) {
                Ok(()) => return Ok(()),
                Err(e) => first_error = first_error.or(Some(e)),
            }
        }
        Err(first_error.unwrap_or(WorkspaceError::AllInUse))
    }

    /// Evicts a free workspace, or continues an unfinished eviction.
    fn evict(&mut self, work: &Work, name: &str, reason: &str) -> Result<(), WorkspaceError> {
        let Some(open) = self.open.get_mut(name) else {
            return Ok(());
        };
        let directory = &mut open.directory;
        if !directory.is_leaving() && directory.is_there() {
            if work.config.snapshots.is_some() {
                take_snapshot(work, name, directory, "it is being evicted")?;
            }
            directory.leave(&work.config, name)?;
        }
        directory.remove()?;
        let path = directory.path.clone();
        self.open.remove(name);
        let evicted = WorkspaceEventKind::Evicted;
        work.notifier.notify(evicted, name, &path, reason);
        Ok(())
    }

    pub(super) fn evict_idle(&mut self, work: &Work) -> Evictions {
        let idle = work.config.idle;
        let mut evictions = Evictions::default();
        for name in
            self.oldest_first(|open| open.directory.is_leaving() || open.users.idle_for(idle))
        {
            match self.evict(work, &name, "it was idle") {
                Ok(()) => evictions.evicted.push(name),
                Err(e) => evictions.failed.push((name, e)),
            }
        }
        evictions
    }

    /// Returns the workspaces of the root that are closed in this process and were not used for
    /// some time, least recently used first.
    pub(super) fn closed(&self, work: &Work) -> Result<Vec<String>, WorkspaceError> {
        let mut closed = directory::idle(&work.config)?;
        closed.retain(|name| !self.open.contains_key(name));
        Ok(closed)
    }

    /// Evicts a closed workspace, unless another process has it open. `retry` counts from 1, and is
    /// 0 for the first attempt.
    pub(super) fn evict_closed(
        &mut self,
        work: &Work,
        name: &str,
        retry: u32,
    ) -> Result<bool, WorkspaceError> {
        if self.open.contains_key(name) {
            return Ok(false);
        }
        let (directory, _) = match Directory::open(&work.config, name) {
            Err(WorkspaceError::OpenElsewhere { .. }) => return Ok(false),
            opened => opened?,
        };
        if retry > 0 {
            let kind = WorkspaceEventKind::EvictionRetried { attempt: retry };
            let reason = "its eviction failed";
            work.notifier.notify(kind, name, &directory.path, reason);
        }
        let users = Users::default();
        self.open.insert(name.to_owned(), Open { directory, users });
        let evicted = self.evict(work, name, "it was closed and idle");
        // If the eviction failed, the workspace is closed as before.
        self.open.remove(name);
        evicted.map(|()| true)
    }

    pub(super) fn close(&mut self, work: &Work, name: &str) -> Result<(), WorkspaceError> {
        match self.open.get(name) {
            Some(open) if open.users.any() => Err(WorkspaceError::InUse { name: name.into() }),
            Some(open) if !open.directory.is_leaving() => {
                let path = open.directory.path.clone();
                self.open.remove(name);
                let closed = WorkspaceEventKind::Closed;
                work.notifier.notify(closed, name, &path, "requested");
                Ok(())
            }
            _ => Ok(()),
        }
    }

    pub(super) fn snapshot(&self, work: &Work, name: &str) -> Result<PathBuf, WorkspaceError> {
        match self.open.get(name) {
            Some(open) if !open.directory.is_leaving() => {
                take_snapshot(work, name, &open.directory, "requested")
            }
            _ => Err(WorkspaceError::NotOpen { name: name.into() }),
        }
    }
}

fn take_snapshot(
    work: &Work,
    name: &str,
    directory: &Directory,
    reason: &str,
) -> Result<PathBuf, WorkspaceError> {
    let taken = snapshot::take(&work.config, name, &directory.path)?;
    let kind = WorkspaceEventKind::Snapshotted {
        snapshot: taken.path.clone(),
        bytes: taken.bytes,
    };
    work.notifier.notify(kind, name, &directory.path, reason);
    Ok(taken.path)
}
