//! Gauges that are read whenever the metrics are read: open sessions, waiting items, quarantines,
//! memory mappings.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use opentelemetry::KeyValue;
use parking_lot::Mutex;
use portcullis::Hooks;
use portcullis::report::MappingUse;

use super::make::Make;
use crate::export::Queue;

type Count = Box<dyn Fn() -> usize + Send + Sync>;

/// The sources of the gauges.
#[derive(Default)]
pub(super) struct Watched {
    /// The open sessions of agents.
    open: AtomicUsize,
    sessions: Mutex<Vec<Count>>,
    hooks: Mutex<Vec<Hooks>>,
    spans: Mutex<Vec<Queue>>,
}

impl Watched {
    /// Creates the gauges.
    pub(super) fn start(make: &Make) -> Arc<Self> {
        let watched = Arc::<Self>::default();
        let asked = watched.clone();
        make.0
            .u64_observable_gauge("portcullis.sessions")
            .with_description("Open sessions")
            .with_callback(move |observer| observer.observe(asked.open_sessions() as u64, &[]))
            .build();
        let asked = watched.clone();
        make.0
            .u64_observable_gauge("portcullis.queue")
            .with_description(
                "Calls of components that wait for room, detached runs that have not ended, spans that are not sent",
            )
            .with_callback(move |observer| {
                for (of, waiting) in asked.waiting() {
                    observer.observe(waiting as u64, &[KeyValue::new("of", of)]);
                }
            })
            .build();
        let asked = watched.clone();
        make.0
            .u64_observable_gauge("portcullis.hook.quarantined")
            .with_description("Components that are in quarantine")
            .with_callback(move |observer| {
                for (hook, number) in asked.quarantined() {
                    observer.observe(number, &[KeyValue::new("hook", hook)]);
                }
            })
            .build();
        let asked = watched.clone();
        make.0
            .u64_observable_gauge("portcullis.memory_mappings")
            .with_description("Memory mappings of instances and compiled hooks")
            .with_callback(move |observer| {
                if let Some(mappings) = asked.mappings() {
                    observer.observe(mappings.used, &[]);
                }
            })
            .build();
        let asked = watched.clone();
        make.0
            .u64_observable_gauge("portcullis.memory_mappings_limit")
            .with_description("Memory mappings that instances and compiled hooks may have")
            .with_callback(move |observer| {
                if let Some(mappings) = asked.mappings() {
                    observer.observe(mappings.most, &[]);
                }
            })
            .build();
        watched
    }

    pub(super) fn hooks(&self, hooks: Hooks) {
        self.hooks.lock().push(hooks);
    }

    pub(super) fn sessions(&self, open: Count) {
        self.sessions.lock().push(open);
    }

    pub(super) fn spans(&self, queue: Queue) {
        self.spans.lock().push(queue);
    }

    pub(super) fn session_opened(&self) {
        self.open.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn session_closed(&self) {
        self.open.fetch_sub(1, Ordering::Relaxed);
    }

    fn open_sessions(&self) -> usize {
        let others: usize = self.sessions.lock().iter().map(|open| open()).sum();
        self.open.load(Ordering::Relaxed) + others
    }

    /// Returns the number of waiting items of each kind.
    fn waiting(&self) -> Vec<(&'static str, usize)> {
        let hooks = self.hooks.lock();
        let spans = self.spans.lock();
        let mut waiting = Vec::new();
        if !hooks.is_empty() {
            let calls = hooks.iter().map(Hooks::waiting).sum();
            let runs = hooks.iter().map(Hooks::pending).sum();
            waiting.extend([("calls", calls), ("detached-runs", runs)]);
        }
        if !spans.is_empty() {
            waiting.push(("spans", spans.iter().map(Queue::waiting).sum()));
        }
        waiting
    }

    /// Returns the number of components in quarantine, by hook.
    fn quarantined(&self) -> BTreeMap<String, u64> {
        let hooks = self.hooks.lock();
        let mut numbers = BTreeMap::new();
        for quarantined in hooks.iter().flat_map(Hooks::quarantined) {
            *numbers.entry(quarantined.hook.to_string()).or_default() += 1;
        }
        numbers
    }

    /// Returns the memory mappings of all hooks. Returns `None` if no hooks know their mappings.
    fn mappings(&self) -> Option<MappingUse> {
        let hooks = self.hooks.lock();
        let all = hooks.iter().filter_map(Hooks::memory_mappings);
        all.reduce(|a, b| MappingUse {
            most: a.most.saturating_add(b.most),
            used: a.used.saturating_add(b.used),
        })
    }
}
