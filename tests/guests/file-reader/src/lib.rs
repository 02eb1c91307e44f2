//! A hook that reads a file without a grant, which always fails.

use portcullis_sdk::prelude::*;

/// The file reader.
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
