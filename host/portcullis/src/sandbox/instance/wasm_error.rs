//! Converting wasmtime's errors to failures.

use wasmtime::Trap;
use wasmtime::component::ResourceTableError;

use super::Plan;
use crate::contract::text::sanitize_for_terminal;
use crate::model::failure::Failure;
use crate::model::limits::Limits;
use crate::sandbox::frames;
use crate::sandbox::store::HookStore;

/// The end of wasmtime's error for an instance with too many handles.
const HANDLES_EXCEEDED: &str = "store handle limit exceeded";
/// The end of wasmtime's error for a hook that passes too much to the host at once.
const OUTPUT_EXCEEDED: &str = "fuel allocated for hostcalls has been exhausted";

/// Converts a wasmtime error to a failure, with its explanation.
pub(super) fn failure(store: &mut HookStore, error: wasmtime::Error, plan: Plan<'_>) -> Failure {
    let functions = frames::functions(&error, &plan.info.lines);
    store.explain(failure_of(error, plan), functions)
}

/// Converts a wasmtime error to a failure, by the error's type.
fn failure_of(error: wasmtime::Error, plan: Plan<'_>) -> Failure {
    let limits = plan.limits;
    if let Some(failure) = error.downcast_ref::<Failure>() {
        return failure.clone();
    }
    if let Some(exit) = error.downcast_ref::<wasmtime_wasi::I32Exit>() {
        return Failure::Trap(format!("it called exit({})", exit.0));
    }
    if let Some(ResourceTableError::Full) = error.downcast_ref() {
        return Failure::Handles(limits.handles);
    }
    // The limit of `set_max_component_handles` has no error type. Only wasmtime writes this text: a
    // guest's text never becomes an error of this sort.
    if error.root_cause().to_string().ends_with(HANDLES_EXCEEDED) {
        return Failure::Handles(limits.handles);
    }
    match error.downcast_ref::<Trap>() {
        Some(Trap::OutOfFuel) => Failure::Fuel(limits.fuel.unwrap_or(u64::MAX)),
        Some(Trap::Interrupt) => Failure::Deadline(plan.deadline()),
        Some(Trap::AllocationTooLarge) => Failure::Memory(limits.memory_bytes),
        Some(
            trap @ (Trap::InvalidChar
            | Trap::StringOutOfBounds
            | Trap::ListOutOfBounds
            | Trap::InvalidDiscriminant
            | Trap::UnalignedPointer),
        ) => Failure::BadOutput(name(*trap)),
        Some(trap) => Failure::Trap(name(*trap)),
        // Neither a trap of the guest nor an error of the host: the value that crossed the boundary
        // had the wrong type, or was larger than the limit.
        None => Failure::BadOutput(bad_output(&frames::cause(&error), limits)),
    }
}

/// Returns the text for a bad output: wasmtime does not name the limit of `set_hostcall_fuel`.
fn bad_output(cause: &str, limits: &Limits) -> String {
    match cause.ends_with(OUTPUT_EXCEEDED) {
        true => format!(
            "what it gave the host at once has more than {} bytes (`output-bytes` of its limits)",
            limits.output_bytes
        ),
        false => sanitize_for_terminal(cause),
    }
}

/// Returns wasmtime's name of a trap, without the prefix `wasm trap: `.
fn name(trap: Trap) -> String {
    let text = trap.to_string();
    let name = text.strip_prefix("wasm trap: ").unwrap_or(&text);
    name.to_owned()
}
