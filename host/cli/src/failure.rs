//! How a failed command reports its error: with the causes, and the fix if there is one.

use std::io;
use std::process::ExitCode;

use portcullis::hooks::HooksError;
use portcullis_agent_file::StartError;

use crate::hooks::Problem;
use crate::terminal::format::print_line;
use crate::terminal::style::{BOLD, ERROR};
use crate::terminal::{Out, Printable};

/// Reports an error on the standard error, and gives the exit code.
pub fn report(error: &anyhow::Error) -> ExitCode {
    if is_closed_pipe(error) {
        // The reader of the output has closed it.
        return ExitCode::SUCCESS;
    }
    // If the standard error is closed, there is no place to report it.
    let _ = write(error);
    ExitCode::FAILURE
}

fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause
            .downcast_ref::<io::Error>()
            .is_some_and(|e| e.kind() == io::ErrorKind::BrokenPipe)
    })
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
    let mut said = error.to_string();
    print_line!(out, "{ERROR}error:{ERROR:#} {}", Printable::prose(&said))?;
    for cause in error.chain().skip(1) {
        let cause = cause.to_string();
        // Many errors quote their cause already.
        if !said.contains(&cause) {
            print_line!(out, "  because: {}", Printable::prose(&cause))?;
            said = cause;
        }
    }
    Ok(())
}
