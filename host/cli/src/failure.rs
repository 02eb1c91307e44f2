//! Reports a failed command's error, with its causes, and the fix if there is one.

use std::io;
use std::process::ExitCode;

use portcullis::hooks::HooksError;
use portcullis_agent_file::StartError;
use portcullis_terminal::failure;

use crate::hooks::Problem;
use crate::terminal::Out;
use crate::terminal::format::print_line;
use crate::terminal::style::{BOLD, ERROR};

/// Reports an error on the standard error. Returns the exit code.
pub fn report(error: &anyhow::Error) -> ExitCode {
    failure::report(error, write)
}

fn write(error: &anyhow::Error) -> io::Result<()> {
    let mut out = Out::stderr();
    if let Some(HooksError::Load(errors)) = error.downcast_ref::<HooksError>() {
        print_line!(
            out,
            "{ERROR}error:{ERROR:#} {BOLD}the hooks do not load{BOLD:#}"
        )?;
        return errors
            .0
            .iter()
            .try_for_each(|error| Problem::from(error).write(&mut out));
    }
    if let Some(StartError::Faults(faults)) = error.downcast_ref::<StartError>() {
        print_line!(
            out,
            "{ERROR}error:{ERROR:#} {BOLD}the agent does not start{BOLD:#}"
        )?;
        return faults
            .iter()
            .try_for_each(|fault| Problem::from(fault).write(&mut out));
    }
    failure::write(error)
}
