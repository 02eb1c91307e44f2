//! The built-in tools: files and commands.

mod args;
mod list_dir;
mod paths;
mod read_file;
mod run_command;
mod write_file;

use std::sync::Arc;

use super::Tool;

pub use list_dir::ListDir;
pub use read_file::ReadFile;
pub use run_command::RunCommand;
pub use write_file::WriteFile;

/// Returns all built-in tools: `read_file`, `write_file`, `list_dir` and `run_command`.
pub fn builtin_tools() -> Vec<Arc<dyn Tool>> {
    vec![
        Arc::new(ReadFile),
        Arc::new(WriteFile),
        Arc::new(ListDir),
        Arc::new(RunCommand::default()),
    ]
}
