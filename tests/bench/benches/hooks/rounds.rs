//! Ratios that hold on a machine whose speed changes: the compared calls take turns.

use std::time::Instant;

const ROUNDS: usize = 101;
const CALLS: u32 = 2_000;

/// A contestant: its name, and one call of it.
pub type Contestant<'a> = (&'static str, &'a mut dyn FnMut());

/// Returns the median nanoseconds of one call of each contestant.
pub fn take_turns(contestants: &mut [Contestant<'_>]) -> Vec<(&'static str, f64)> {
    let mut times = vec![Vec::with_capacity(ROUNDS); contestants.len()];
    for _ in 0..ROUNDS {
        for ((_, call), times) in contestants.iter_mut().zip(&mut times) {
            let started = Instant::now();
            for _ in 0..CALLS {
                call();
            }
            times.push(started.elapsed().as_nanos() as f64 / f64::from(CALLS));
        }
    }
    contestants
        .iter()
        .zip(times)
        .map(|((name, _), mut times)| {
            times.sort_by(f64::total_cmp);
            (*name, times[times.len() / 2])
        })
        .collect()
}
