//! Where a component trapped: the functions that were running, by the names that the component has for them.
//! And what an error says apart from that.

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

/// What an error says, without the functions that were running: wasmtime puts them in front of each error.
pub(super) fn cause(error: &wasmtime::Error) -> String {
    let trace = error.downcast_ref::<WasmBacktrace>();
    let trace = trace.map(ToString::to_string);
    let causes = error.chain().map(ToString::to_string);
    let causes: Vec<String> = causes
        .filter(|cause| Some(cause) != trace.as_ref())
        .collect();
    causes.join(": ")
}
