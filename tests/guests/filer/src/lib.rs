//! A hook that reads and writes the files that the user names: `read PATH` or `write PATH TEXT`.

use portcullis_sdk::prelude::*;

/// The filer.
pub struct Filer;

#[hook(
    id = "filer",
    description = "Reads and writes the files that the user names.",
    kind = "test"
)]
impl Filer {
    fn pre_turn(call: &pre_turn::Call) -> HookResult<pre_turn::Verdict> {
        let said = content::text();
        let words: Vec<&str> = said.split_whitespace().collect();
        let text = match words.as_slice() {
            ["read", path] => std::fs::read_to_string(path)?,
            ["write", path, text] => {
                std::fs::write(path, text)?;
                "written".to_owned()
            }
            _ => "nothing".to_owned(),
        };
        Ok(call.transform_text(text))
    }
}
