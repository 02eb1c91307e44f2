//! Many sessions, of which a few are active.

use std::time::{Duration, Instant};

use futures::FutureExt;
use portcullis::{Session, SessionOptions};
use portcullis_tests::{HooksDir, resident, turn};

use crate::calls::TURN;

const SESSIONS: u64 = 10_000;
const HOOKS: usize = 10;
/// The number of sessions for each active one.
const ACTIVE: u64 = 10;
const ROUNDS: u32 = 20;

/// The memory of the sessions, and the speed of the active ones.
pub struct Crowd {
    /// The resident bytes of a session that has made no call yet.
    pub idle: Option<u64>,
    /// The resident bytes of a session whose hooks have warm instances.
    pub active: Option<u64>,
    /// The hook runs a second, on all cores.
    pub runs: f64,
}

/// Opens ten thousand sessions with ten hooks each, and begins turns in a tenth of them.
pub fn ten_thousand_sessions() -> Crowd {
    let mut dir = HooksDir::new();
    for hook in 0..HOOKS {
        dir = dir.with_renamed("canned-answer", &format!("canned-ans{hook:03}"));
    }
    let hooks = dir.settings(TURN).load();
    let before = resident();
    let sessions: Vec<_> = (0..SESSIONS)
        .map(|index| hooks.session(SessionOptions::new(format!("session-{index}"))))
        .collect();
    let idle = per(before, SESSIONS);
    let before = resident();
    let active: Vec<&Session> = sessions.iter().step_by(ACTIVE as usize).collect();
    play(&active);
    let warm = per(before, SESSIONS / ACTIVE);
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let started = Instant::now();
    std::thread::scope(|scope| {
        for share in active.chunks(active.len().div_ceil(cores)) {
            scope.spawn(move || (0..ROUNDS).for_each(|_| play(share)));
        }
    });
    let runs = active.len() as f64 * HOOKS as f64 * f64::from(ROUNDS);
    Crowd {
        idle,
        active: warm,
        runs: runs / started.elapsed().max(Duration::from_nanos(1)).as_secs_f64(),
    }
}

fn play(sessions: &[&Session]) {
    for session in sessions {
        let mut call = turn("hello");
        let verdict = session.run(&mut call).now_or_never();
        let verdict = verdict.expect("nothing to wait for");
        let ran = verdict.runs.iter().filter(|run| run.cause().is_none());
        assert_eq!(ran.count(), HOOKS);
    }
}

fn per(before: Option<u64>, count: u64) -> Option<u64> {
    Some(resident()?.saturating_sub(before?) / count)
}
