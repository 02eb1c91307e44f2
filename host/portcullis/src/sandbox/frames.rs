//! Where a component trapped: the functions that were running, by the names that the component has for them.

use wasmtime::WasmBacktrace;

/// The most functions that are named, the innermost first.
const MOST: usize = 8;

/// The functions, as `at parse, at on_pre_turn`; `None` if the component has no names.
pub(super) fn functions(error: &wasmtime::Error) -> Option<String> {
    let trace = error.downcast_ref::<WasmBacktrace>()?;
    let names = trace.frames().iter().filter_map(|frame| frame.func_name());
    let names: Vec<String> = names.take(MOST).map(|name| format!("at {name}")).collect();
    (!names.is_empty()).then(|| names.join(", "))
}
