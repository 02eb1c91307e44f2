//! A hook that uses the files that the user names: `read PATH`, `write PATH TEXT` or `list PATH`.

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
            ["list", path] => {
                let mut names = Vec::new();
                for entry in std::fs::read_dir(path)? {
                    let entry = entry?;
                    let sort = if entry.file_type()?.is_dir() { "/" } else { "" };
                    names.push(format!("{}{sort}", entry.file_name().display()));
                }
                names.sort();
                names.join(" ")
            }
            _ => "nothing".to_owned(),
        };
        Ok(call.transform_text(text))
    }
}
