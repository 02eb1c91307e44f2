//! A hook that sleeps for the number of milliseconds in the user's text: the host waits, and the
//! hook does not compute. With `spin` after the number it then computes forever, with `refuse` it
//! refuses the turn.

use std::time::Duration;

use portcullis_sdk::prelude::*;

/// The sleeper.
pub struct Sleeper;

#[hook(
    id = "sleeper",
    description = "Sleeps for as many milliseconds as the user says.",
    kind = "test"
)]
impl Sleeper {
    fn pre_turn(call: &pre_turn::Call) -> HookResult<pre_turn::Verdict> {
        let said = content::text();
        let mut words = said.split_whitespace();
        let ms = words.next().unwrap_or_default().parse()?;
        std::thread::sleep(Duration::from_millis(ms));
        match words.next() {
            Some("spin") => loop {
                std::hint::black_box(());
            },
            Some("refuse") => Ok(call.reject("slept", "the sleeper was told to refuse")),
            _ => Ok(call.proceed()),
        }
    }
}
