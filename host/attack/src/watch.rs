//! An observer of the host's log and events.

use std::sync::{LazyLock, Mutex, PoisonError};

use portcullis::observer::{HookEvent, HookObserver, LogLine};
use regex_syntax::hir::{Class, ClassUnicode, Hir, HirKind};

/// An observer that checks logs and events for characters that harm a terminal.
#[derive(Debug)]
pub(crate) struct Watch {
    /// The id of the hostile hook.
    hostile: String,
    seen: Mutex<Seen>,
}

/// The logged lines and the emitted events.
#[derive(Debug, Default, Clone)]
pub(crate) struct Seen {
    /// Bytes of log text.
    pub(crate) logged: usize,
    /// Log lines.
    pub(crate) lines: usize,
    /// Events, by name.
    pub(crate) events: Vec<String>,
    /// Texts that would harm a terminal.
    pub(crate) harmful: Vec<String>,
}

impl Watch {
    /// Returns an observer that has seen nothing yet.
    pub(crate) fn new(hostile: &str) -> Self {
        Self {
            hostile: hostile.to_owned(),
            seen: Mutex::default(),
        }
    }

    /// Returns the logs and events seen so far.
    pub(crate) fn seen(&self) -> Seen {
        self.seen
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    fn with(&self, note: impl FnOnce(&mut Seen)) {
        note(&mut self.seen.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

impl HookObserver for Watch {
    fn log(&self, line: LogLine<'_>) {
        self.with(|seen| {
            if line.hook.as_str() == self.hostile {
                seen.lines += 1;
                seen.logged += line.message.len() + line.context.len();
            }
            for text in [line.message, line.context] {
                if is_harmful(text) {
                    seen.harmful.push(format!("a log line holds {text:?}"));
                }
            }
        });
    }

    fn event(&self, event: HookEvent) {
        if event.hook.as_str() == self.hostile {
            self.with(|seen| seen.events.push(event.name));
        }
    }
}

/// Returns whether a part of the text controls a terminal or is hidden in one. The characters are
/// those of Unicode's own tables, not of the host's list.
pub(crate) fn is_harmful(text: &str) -> bool {
    static HIDDEN: LazyLock<Option<ClassUnicode>> = LazyLock::new(|| {
        let classes = r"[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]";
        match regex_syntax::parse(classes).map(Hir::into_kind) {
            Ok(HirKind::Class(Class::Unicode(class))) => Some(class),
            _ => None,
        }
    });
    // Without the tables every text counts as harmful, so that no attack passes unchecked.
    let Some(hidden) = &*HIDDEN else { return true };
    text.chars().any(|c| {
        let mut ranges = hidden.iter();
        ranges.any(|range| (range.start()..=range.end()).contains(&c))
    })
}
