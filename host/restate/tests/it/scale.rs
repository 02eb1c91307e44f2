//! The throughput of two workers against one, and the cost of a waiting session.
//!
//! ```text
//! cargo test -p portcullis-restate --test it -- scale --include-ignored --nocapture
//! ```

use std::time::{Duration, Instant};

use futures::StreamExt as _;
use portcullis_agent::{Agent, NewSession};
use portcullis_parity::{Dies, Mortality};
use portcullis_restate::{Client, Outcome, TurnRequest, register};
use portcullis_restate_server::{ADMIN, INGRESS, resident_kb};

use crate::balancer::Balancer;
use crate::planned::{self, BROWSER, Plan, WORK};
use crate::worker::Thread;

const TURNS: usize = 64;
const AT_ONCE: usize = 16;
const TOOLS: usize = 5;
/// The time for which a tool occupies its worker, as a computation occupies its machine.
const TAKES: Duration = Duration::from_millis(100);

/// Returns an agent whose model calls the tool five times, or waits for the client if it is asked to `wait`.
fn agent() -> Agent {
    let plan: Plan = |request| match format!("{:?}", request.messages).contains("wait") {
        true => &[BROWSER][..],
        false => &[WORK; TOOLS],
    };
    planned::agent("scaled", plan, |_| std::thread::sleep(TAKES))
}

async fn turn(client: &Client, session: &str, text: &str) -> Outcome {
    let request = TurnRequest {
        id: NewSession::default().id,
        text: text.into(),
        trace: None,
    };
    client.turn(session, &request, |_: &str| {}).await.unwrap()
}

async fn turns(client: &Client, name: &str, count: usize) -> Duration {
    let start = Instant::now();
    let turns = futures::stream::iter(0..count).map(|number| async move {
        let outcome = turn(client, &format!("{name}{number}"), "go").await;
        assert!(matches!(outcome, Outcome::Done { .. }), "{outcome:?}");
    });
    turns.buffer_unordered(AT_ONCE).collect::<Vec<_>>().await;
    start.elapsed()
}

/// Compares the throughput, which is meaningful only on an otherwise idle machine.
#[ignore = "a measurement"]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_workers_do_more_than_one() {
    let Some(server) = portcullis_restate_server::own() else {
        return;
    };
    let dir = tempfile::tempdir().unwrap();
    let worker = async || {
        let never = Mortality::new(Dies::Never);
        Thread::start(dir.path(), agent(), NewSession::default(), never).await
    };
    let balancer = Balancer::start().await;
    let client = Client::new(INGRESS.parse().unwrap(), "scaled");
    let (first, second) = (worker().await, worker().await);
    balancer.set(&[first.address]);
    register(&ADMIN.parse().unwrap(), &balancer.url())
        .await
        .unwrap();
    turns(&client, "warm", AT_ONCE).await;
    let one = turns(&client, "one", TURNS).await;
    // Connections are distributed when they are made.
    balancer.set(&[]);
    while balancer.open() > 0 {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    balancer.set(&[first.address, second.address]);
    turns(&client, "warm again", AT_ONCE).await;
    let two = turns(&client, "two", TURNS).await;
    println!(
        "{TURNS} turns of {TOOLS} tools of {TAKES:?}, {AT_ONCE} at once: {one:?} with one worker, {two:?} with two: {:.2} x; \
         connections: {:?}",
        one.as_secs_f64() / two.as_secs_f64(),
        balancer.open()
    );
    let this = std::process::id();
    let before = (resident_kb(this), server.resident_kb());
    for number in 0..TURNS {
        let outcome = turn(&client, &format!("waits{number}"), "wait").await;
        assert!(matches!(outcome, Outcome::Suspended { .. }), "{outcome:?}");
    }
    let after = (resident_kb(this), server.resident_kb());
    println!(
        "{TURNS} sessions that wait: the workers have {} KiB more, the server {} KiB more (it has {} MiB)",
        after.0.saturating_sub(before.0),
        after.1.saturating_sub(before.1),
        after.1 / 1024
    );
}
