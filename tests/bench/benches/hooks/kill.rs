//! How long after its deadline an endless loop ends.

use std::time::{Duration, Instant};

use futures::FutureExt;
use portcullis::SessionOptions;
use portcullis::verdict::Cause;
use portcullis_tests::{HooksDir, hook, turn};

const DEADLINE: Duration = Duration::from_millis(20);
const TRIALS: usize = 200;

/// The times past the deadline, shortest first.
pub fn past_the_deadline() -> Vec<Duration> {
    // It is to be called each time, however often it failed and however long it took.
    let settings = "[quarantine]\nfailures = 1000000\n[turn]\nhooks-ms = 1000000\n".to_owned()
        + &hook("probe", "", "pre-turn = \"spin\"")
        + &format!(
            "[hooks.probe.limits]\nfuel = false\ndeadline-ms = {}\n",
            DEADLINE.as_millis()
        );
    let hooks = HooksDir::new().with("probe").settings(&settings).load();
    let session = hooks.session(SessionOptions::new("bench"));
    let mut past: Vec<Duration> = (0..TRIALS)
        .map(|_| {
            let started = Instant::now();
            let verdict = session.run(&mut turn("hello")).now_or_never();
            let took = started.elapsed();
            let cause = verdict.and_then(|verdict| verdict.runs[0].cause());
            assert_eq!(cause, Some(Cause::Deadline));
            took.saturating_sub(DEADLINE)
        })
        .collect();
    past.sort();
    past
}
