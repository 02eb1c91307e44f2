//! Programs in the file that receive one line of JSON.

use std::path::PathBuf;
use std::time::Duration;

use portcullis_agent::LineCommand;

/// Returns a program with its arguments, environment variables to inherit, working directory and
/// time limit; `None` if `command` is empty.
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
