//! A hook that sleeps for as long as the user says, in milliseconds: the wait is the host's, not
//! the hook's computing. With `spin` behind the number it then computes for ever.

use std::time::Duration;

use portcullis_sdk::prelude::*;

/// The sleeper.
pub struct Sleeper;

#[hook(
    id = "sleeper",
    description = "Sleeps for as many milliseconds as the user says.",
    kind = "test",
    role = gate
)]
impl Sleeper {
    fn pre_turn(_: Context, _: pre_turn::TurnInput) -> HookResult<pre_turn::Outcome> {
        let said = content::text();
        let mut words = said.split_whitespace();
        let ms = words.next().unwrap_or_default().parse()?;
        std::thread::sleep(Duration::from_millis(ms));
        match words.next() {
            Some("spin") => loop {
                std::hint::black_box(());
            },
            _ => Ok(pre_turn::Outcome::Continue),
        }
    }
}
