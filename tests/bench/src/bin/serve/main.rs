//! The speed and the answers of a daemon: over HTTP beside a plain echo, and for `portcullis hook`
//! beside `sh -c true`.
//!
//! The programs `portcullis` and `portcullis-client` must have been built in the same profile.

mod daemon;
mod echo;
mod hook;
mod http;
mod numbers;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Measures the daemon.
#[derive(Debug, Parser)]
struct Arguments {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Verdicts over HTTP, beside a plain echo.
    Http(http::HttpArguments),
    /// `portcullis hook` with and without a daemon, beside `sh -c true`.
    Hook(hook::HookArguments),
    /// The echo.
    #[command(hide = true)]
    Echo,
}

fn main() -> anyhow::Result<ExitCode> {
    let kept = match Arguments::parse().what {
        What::Http(arguments) => http::run(&arguments)?,
        What::Hook(arguments) => hook::run(&arguments)?,
        What::Echo => {
            echo::run()?;
            true
        }
    };
    Ok(match kept {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    })
}
