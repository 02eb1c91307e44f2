//! The functions that were running when a component trapped, by their names in the component and
//! their source lines, if known. Also the error text without these functions.

use wasmtime::{FrameInfo, WasmBacktrace};

use super::lines::SourceLines;

/// The most functions that are named, innermost first.
const MOST: usize = 8;

/// The prefix of module names that a component encoder adds.
const ADDED: &str = "wit-component:";

/// The functions that were running.
pub(crate) struct Frames {
    /// The text, such as `at parse (src/hook.c:12), at on_pre_turn (src/hook.c:30)`.
    pub(crate) text: String,
    /// Whether the text contains source lines.
    pub(crate) lines: bool,
}

/// Returns the functions; `None` if the component has no names.
pub(super) fn functions(error: &wasmtime::Error, lines: &SourceLines) -> Option<Frames> {
    let trace = error.downcast_ref::<WasmBacktrace>()?;
    let mut frames: Vec<(String, bool)> = trace
        .frames()
        .iter()
        .filter_map(|frame| Some((frame.func_name()?, line(frame, lines))))
        .take(MOST)
        .map(|(name, line)| match line {
            Some(line) => (format!("at {name} ({line})"), true),
            None => (format!("at {name}"), false),
        })
        .collect();
    // The callers of the author's functions explain nothing.
    let last = frames.iter().rposition(|(_, has_line)| *has_line);
    frames.truncate(last.map_or(frames.len(), |last| last + 1));
    let names: Vec<String> = frames.into_iter().map(|(frame, _)| frame).collect();
    (!names.is_empty()).then(|| Frames {
        text: names.join(", "),
        lines: last.is_some(),
    })
}

fn line(frame: &FrameInfo, lines: &SourceLines) -> Option<String> {
    let added = |name: &str| name.starts_with(ADDED);
    match frame.module().name().is_some_and(added) {
        true => None,
        false => lines.find(frame.func_index(), frame.func_offset()?),
    }
}

/// Returns the error text without the functions that were running: wasmtime puts them in front of
/// each error.
pub(super) fn cause(error: &wasmtime::Error) -> String {
    let trace = error.downcast_ref::<WasmBacktrace>();
    let trace = trace.map(ToString::to_string);
    let causes = error.chain().map(ToString::to_string);
    let causes: Vec<String> = causes
        .filter(|cause| Some(cause) != trace.as_ref())
        .collect();
    causes.join(": ")
}
