//! A hook that reads a file, which no hook can.

use portcullis_sdk::prelude::*;

/// It reads a file.
pub struct FileReader;

#[hook(
    id = "file-reader",
    description = "Reads a file in every turn.",
    kind = "test"
)]
impl FileReader {
    fn pre_turn(call: &pre_turn::Call) -> HookResult<pre_turn::Verdict> {
        Ok(match std::fs::read("/etc/passwd") {
            Ok(_) => call.reject("read", "it could be read"),
            Err(_) => call.proceed(),
        })
    }
}
