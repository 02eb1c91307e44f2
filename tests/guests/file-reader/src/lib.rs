//! A hook that reads a file, which no hook can.

use portcullis_sdk::prelude::*;

/// It reads a file.
pub struct FileReader;

#[hook(
    id = "file-reader",
    description = "Reads a file in every turn.",
    kind = "test",
    role = gate
)]
impl FileReader {
    fn pre_turn(_: Context, _: pre_turn::TurnInput) -> HookResult<pre_turn::Outcome> {
        Ok(match std::fs::read("/etc/passwd") {
            Ok(_) => pre_turn::Outcome::reject("read", "it could be read"),
            Err(_) => pre_turn::Outcome::Continue,
        })
    }
}
