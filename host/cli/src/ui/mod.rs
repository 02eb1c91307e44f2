//! `portcullis ui`: sessions live in a browser.

mod child;

use std::net::SocketAddr;
use std::process::ExitCode;

use clap::Args;
use portcullis_ui::{Listening, Ui};
use tokio_util::sync::CancellationToken;

use self::child::Command;
use crate::person::PersonArg;
use crate::store::Where;
use crate::terminal::format::print_line;
use crate::terminal::signals::Signals;
use crate::terminal::style::DIM;
use crate::terminal::{Out, Printable};

/// Show sessions live in a browser, and answer the questions of suspended turns there.
///
/// A session's page is that of `portcullis explain`, and is kept up to date while the session runs,
/// in any process. A turn whose calls all have an answer is continued by a `portcullis resume` that
/// this process starts, with the same agent.toml and store, and with the options after `--`; a
/// process that has the session open continues it itself.
///
/// It prints the address to open, which ends with a token. The token's holder can read everything
/// in the store, and answer. It listens on loopback alone.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  portcullis ui\n  \
    portcullis ui --listen 127.0.0.1:7601 --store sqlite:agent.sqlite\n  \
    portcullis ui -- --provider anthropic --model MODEL --hooks ./hooks")]
pub struct UiArgs {
    #[command(flatten)]
    store: Where,
    /// The address, which must be one of loopback. Port 0 is any free one.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:0")]
    listen: SocketAddr,
    #[command(flatten)]
    person: PersonArg,
    /// Options of `portcullis resume`, for an agent that is not in an agent.toml as it runs.
    #[arg(last = true, value_name = "OPTIONS")]
    resume: Vec<String>,
}

/// Runs the command.
pub fn run(args: &UiArgs) -> anyhow::Result<ExitCode> {
    let store = args.store.open()?;
    let person = args.person.name();
    let continues = Command::new(&args.store, args.resume.clone())?;
    crate::runtime::start()?.block_on(async {
        let listening = Listening::bind(args.listen).await?;
        let mut signals = Signals::default();
        // Signals are received before the message that the server is ready.
        signals.listen();
        let stop = CancellationToken::new();
        let place = Printable::line(store.to_string());
        let serving = listening.serve(Ui::new(store, person, continues)?, stop.clone())?;
        let mut out = Out::stdout();
        print_line!(out, "{}", Printable::line(serving.url()))?;
        out.flush()?;
        print_line!(
            Out::stderr(),
            "{DIM}open it to see the sessions in {}; Ctrl-C ends it{DIM:#}",
            place
        )?;
        signals.next().await;
        stop.cancel();
        serving.ended().await;
        Ok(ExitCode::SUCCESS)
    })
}
