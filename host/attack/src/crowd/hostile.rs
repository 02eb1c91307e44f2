//! The hostile sessions of a crowd.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use portcullis::points::Point;
use portcullis::{Call, Session};

use super::load::{Apart, Crowd, Kind};
use super::{CrowdOptions, GUARD_POINT, session};
use crate::calls;

/// Runs the hostile sessions until the others are done. Returns how many hostile calls were made, and in
/// how many the hostile hook failed.
pub(super) async fn sessions(
    crowd: &Crowd,
    options: &CrowdOptions,
    done: Arc<AtomicBool>,
) -> (usize, usize) {
    let tasks: Vec<_> = (0..options.hostile)
        .map(|n| {
            let session = session(&crowd.hooks, format!("hostile-{n}"));
            // Each session begins with another kind.
            let (kinds, least, done) = (crowd.kinds.clone(), options.attacks, done.clone());
            tokio::spawn(async move {
                let (mut made, mut failed) = (0, 0);
                let mut apart = HashMap::new();
                for kind in kinds.iter().cycle().skip(n * least) {
                    if made >= least && done.load(Ordering::Relaxed) {
                        break;
                    }
                    let session = match &kind.apart {
                        None => &session,
                        Some(host) => apart
                            .entry(kind.id.as_str())
                            .or_insert_with(|| elsewhere(host, n)),
                    };
                    failed += usize::from(call(session, kind).await);
                    made += 1;
                    // A task that only computes would have its thread to itself.
                    tokio::task::yield_now().await;
                }
                // The session stays open until all are done.
                (made, failed, session)
            })
        })
        .collect();
    let (mut made, mut failed, mut open) = (0, 0, Vec::new());
    for task in tasks {
        if let Ok((calls, failures, session)) = task.await {
            made += calls;
            failed += failures;
            open.push(session);
        }
    }
    (made, failed)
}

/// Returns a session of a separate host.
fn elsewhere(host: &Apart, n: usize) -> Session {
    session(&host.hooks, format!("hostile-{n}"))
}

/// Calls a hostile hook. Returns whether it failed.
async fn call(session: &Session, kind: &Kind) -> bool {
    let turn = kind.turn;
    match kind.point.as_str() {
        "pre-llm-call" => match calls::llm(turn) {
            Ok(call) => run(session, kind, call).await,
            Err(_) => false,
        },
        "prompt-policy" => run(session, kind, calls::policy(turn)).await,
        "prompt-tools" => run(session, kind, calls::tools(turn)).await,
        "post-turn" => run(session, kind, calls::turn_done(turn)).await,
        GUARD_POINT => match calls::tool(turn) {
            Ok(call) => run(session, kind, call).await,
            Err(_) => false,
        },
        _ => run(session, kind, calls::turn(turn)).await,
    }
}

async fn run<P: Point>(session: &Session, kind: &Kind, mut call: Call<P>) -> bool {
    let verdict = session.run(&mut call).await;
    let mut runs = verdict.runs.iter();
    runs.any(|run| run.hook.as_str() == kind.id && run.cause().is_some())
}
