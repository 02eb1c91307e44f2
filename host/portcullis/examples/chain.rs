//! Asks the hooks of a directory about what a user said: `cargo run -p portcullis --example chain --
//! DIR TEXT`.

use std::env;
use std::path::PathBuf;
use std::sync::Arc;

use portcullis::contract::{ContentPart, Context};
use portcullis::points::{PreTurn, pre_turn};
use portcullis::{Call, Decision, ErrorReport, Hooks, LoadOptions, SessionOptions, Views};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), ErrorReport> {
    let mut arguments = env::args_os().skip(1);
    let dir = arguments
        .next()
        .map_or_else(|| "hooks".into(), PathBuf::from);
    let text = arguments.next().unwrap_or_default();

    // Once for the host: compiles what the cache does not have, and blocks meanwhile.
    let hooks = Hooks::load(&dir, &LoadOptions::default())?;
    // Once for each conversation, which has its own instances and state.
    let session = hooks.session(SessionOptions::new("session-1"));

    let said = vec![ContentPart::Text(text.to_string_lossy().into_owned())];
    let mut call = Call::<PreTurn>::new(
        Context {
            session_id: "session-1".into(),
            agent: "demo".into(),
            turn: 1,
            step: 0,
        },
        pre_turn::facts(&said),
        Views {
            content: Arc::new(said),
            ..Views::default()
        },
    );
    let verdict = session.run(&mut call).await;
    for run in &verdict.runs {
        println!("{}: {:?}, {:?}", run.hook, run.status, run.latency);
    }
    match verdict.decision {
        Decision::Passed => println!("the turn starts with {:?}", call.views.content),
        Decision::Rejected { by, rejection } => {
            let reason = portcullis::text::sanitize_for_terminal(&rejection.reason);
            println!("{by} refuses: {reason}");
        }
        Decision::Answered { by, answer } => println!("{by} answers: {answer:?}"),
        Decision::Failed(failed) => println!("{failed}"),
        // These cases cannot occur at this point: their types have no values.
        Decision::Stopped { stop, .. } => match stop {},
        Decision::Pending(pending) => match pending.first.ask {},
    }
    Ok(())
}
