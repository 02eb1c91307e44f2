//! Runs many turns in many sessions with ten hooks, three of which misbehave at random. No run is
//! lost, doubled or decided wrongly, and memory does not grow.
//!
//! ```text
//! cargo test --workspace --test soak                            1,000 turns over 40 sessions
//! PORTCULLIS_SOAK=full cargo test --workspace --test soak       10,000 turns over 200 sessions
//! ```

mod oracle;
mod play;
mod stage;
mod summary;

use std::process::ExitCode;

use libtest_mimic::{Arguments, Failed, Trial};

use crate::summary::Summary;

/// The size of a soak.
#[derive(Debug, Clone, Copy)]
pub struct Size {
    /// The number of sessions.
    pub sessions: u32,
    /// The number of turns of each session.
    pub turns: u32,
}

const SMALL: Size = Size {
    sessions: 40,
    turns: 25,
};
const FULL: Size = Size {
    sessions: 200,
    turns: 50,
};

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let size = match std::env::var("PORTCULLIS_SOAK").as_deref() {
        Ok("full") => FULL,
        Ok(other) => {
            eprintln!("error: `PORTCULLIS_SOAK` is `full` or not set, not `{other}`");
            return ExitCode::from(2);
        }
        Err(_) => SMALL,
    };
    let name = "ten_hooks_of_which_three_misbehave";
    libtest_mimic::run(&arguments, vec![Trial::test(name, move || soak(size))]).exit_code()
}

fn soak(size: Size) -> Result<(), Failed> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    let summary: Summary = runtime.block_on(play::play(size))?;
    eprint!("{summary}");
    summary.nothing_went_wrong()?;
    summary.memory_is_flat()?;
    Ok(())
}
