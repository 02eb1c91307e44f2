//! A hook that reads and writes the files that the user names: `read PATH` or `write PATH TEXT`.

use portcullis_sdk::prelude::*;

/// The filer.
pub struct Filer;

#[hook(
    id = "filer",
    description = "Reads and writes the files that the user names.",
    kind = "test",
    role = transform
)]
impl Filer {
    fn pre_turn(_: Context, _: pre_turn::TurnInput) -> HookResult<pre_turn::Outcome> {
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
        Ok(pre_turn::Outcome::Transform(vec![ContentPart::Text(text)]))
    }
}
