//! Projects from an empty directory to a hook that answers, and the example hooks that are projects.

mod agent_state_edit;
mod c_hooks;
mod c_imports;
mod editors;
mod explained;
mod files;
mod from_nothing;
mod go_hooks;
mod go_imports;
mod granted;
mod http;
mod in_rust;
mod javascript_imports;
mod javascript_values;
mod model;
mod native_errors;
mod ordinary;
mod python_imports;
mod reproducible;
mod shared_swap;
mod state_error;
mod timers;
mod unchanged;
mod zig_errors;

use portcullis_tests::HooksDir;

/// Creates an empty hooks directory for the hooks that are built here.
fn hooks_dir() -> HooksDir {
    HooksDir::compiled_by(env!("CARGO_BIN_EXE_compile-worker"))
}
