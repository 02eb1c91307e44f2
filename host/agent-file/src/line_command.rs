//! Programs that the file names, and that get one line of JSON.

use std::path::PathBuf;
use std::time::Duration;

use portcullis_agent::LineCommand;

/// A program with its arguments, which inherits these variables, runs in this directory and may take this time; `None` if
/// none is named.
pub(crate) fn line_command(
    command: &[String],
    inherit_env: &[String],
    working_dir: Option<PathBuf>,
    timeout_ms: u64,
) -> Option<LineCommand> {
    let (program, args) = command.split_first()?;
    Some(LineCommand {
        program: program.into(),
        args: args.to_vec(),
        working_dir,
        inherit_env: inherit_env.to_vec(),
        timeout: Duration::from_millis(timeout_ms),
    })
}
