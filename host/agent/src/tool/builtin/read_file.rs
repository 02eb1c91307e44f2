//! `read_file`

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read as _};
use std::path::Path;

use async_trait::async_trait;
use portcullis::contract::ToolSpec;
use serde::Deserialize;
use serde_json::{Value, json};

use super::args::{blocking, parse};
use super::paths::{failed, resolve};
use crate::tool::{Replay, Tool, ToolError, ToolOutput, ToolRun};

/// The maximum number of bytes that are read at once. More would not fit into a model's context.
const MOST: u64 = 256 * 1024;

/// Reads a text file, or some of its lines.
#[derive(Debug, Clone, Copy, Default)]
pub struct ReadFile;

#[derive(Deserialize)]
struct Arguments {
    path: String,
    #[serde(default)]
    first_line: Option<usize>,
    #[serde(default)]
    lines: Option<usize>,
}

#[async_trait]
impl Tool for ReadFile {
    fn spec(&self) -> ToolSpec {
        ToolSpec {
            name: "read_file".into(),
            description: "Reads a text file and returns its content, at most 256 KiB at once."
                .into(),
            schema: json!({
                "type": "object",
                "properties": {
                    "path": { "type": "string", "description": "The file, relative to the working directory." },
                    "first_line": { "type": "integer", "minimum": 1, "description": "The first line to return; 1 if left out." },
                    "lines": { "type": "integer", "minimum": 1, "description": "How many lines to return; all if left out." }
                },
                "required": ["path"],
                "additionalProperties": false
            })
            .to_string(),
        }
    }

    fn replay(&self) -> Replay {
        Replay::Safe
    }

    async fn execute(&self, arguments: Value, run: ToolRun) -> Result<ToolOutput, ToolError> {
        let arguments: Arguments = parse(arguments)?;
        blocking(move || read(&arguments, &run)).await
    }
}

fn read(arguments: &Arguments, run: &ToolRun) -> Result<ToolOutput, ToolError> {
    let path = &arguments.path;
    let place = resolve(&run.grant, path)?;
    let meta = std::fs::metadata(&place).map_err(|e| failed(path, &e))?;
    // Reading a pipe or a device may never end.
    if !meta.is_file() {
        return Err(ToolError::Failed(format!("`{path}` is not a file")));
    }
    let first = arguments.first_line.unwrap_or(1).max(1);
    let (bytes, is_rest) = page(&place, first, run).map_err(|e| failed(path, &e))?;
    let text = match std::str::from_utf8(&bytes) {
        Ok(text) => text,
        // The limit may be inside a character.
        Err(e) if !is_rest && e.error_len().is_none() => bytes
            .get(..e.valid_up_to())
            .and_then(|valid| std::str::from_utf8(valid).ok())
            .unwrap_or_default(),
        Err(_) => return Err(ToolError::Failed(format!("`{path}` is not text"))),
    };
    let count = arguments.lines.unwrap_or(usize::MAX);
    let content: String = match is_rest {
        true => text.split_inclusive('\n').take(count).collect(),
        false => cut(text, first, count, meta.len()),
    };
    Ok(ToolOutput::ok(content))
}

/// Reads a page of a file from this line on. Returns the page and whether it is the rest of the
/// file.
fn page(place: &Path, first: usize, run: &ToolRun) -> io::Result<(Vec<u8>, bool)> {
    let mut file = BufReader::new(File::open(place)?);
    skip_lines(&mut file, first.saturating_sub(1), run)?;
    let mut bytes = Vec::new();
    file.by_ref().take(MOST).read_to_end(&mut bytes)?;
    let is_rest = file.fill_buf()?.is_empty();
    Ok((bytes, is_rest))
}

/// Skips lines, which may be many and long.
fn skip_lines(file: &mut impl BufRead, mut lines: usize, run: &ToolRun) -> io::Result<()> {
    while lines > 0 {
        if run.cancel.is_cancelled() {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let buffer = file.fill_buf()?;
        if buffer.is_empty() {
            break;
        }
        let end = buffer.iter().position(|byte| *byte == b'\n');
        let used = end.map_or(buffer.len(), |end| end + 1);
        file.consume(used);
        lines -= usize::from(end.is_some());
    }
    Ok(())
}

/// Returns the lines of a text that is not the rest of the file. Adds a note unless all requested
/// lines are complete.
fn cut(text: &str, first: usize, count: usize, size: u64) -> String {
    // A line that is cut is left for the next page, unless it is the only one.
    let whole = text.rfind('\n').and_then(|end| text.get(..=end));
    let lines = whole.unwrap_or(text).split_inclusive('\n').take(count);
    let lines: Vec<&str> = lines.collect();
    let mut content = lines.concat();
    let next = first.saturating_add(lines.len());
    match whole {
        Some(_) if lines.len() == count => {}
        Some(_) => content.push_str(&format!(
            "[… only lines {first} to {} were read, in a file of {size} bytes; read on with `first_line`: {next} …]",
            next - 1
        )),
        None => content.push_str(&format!(
            "\n[… only the first {} bytes of line {first} were read, in a file of {size} bytes; read on with \
             `first_line`: {next} …]",
            text.len()
        )),
    }
    content
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tool::builtin::write_file::tests::{in_dir, says};

    #[tokio::test]
    async fn reads_text_and_only_text() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("a"), "one\ntwo\nthree\n").unwrap();
        std::fs::write(dir.path().join("binary"), [0xff, 0xfe]).unwrap();
        std::fs::write(dir.path().join("big"), "ü".repeat(200_000)).unwrap();
        let read = |args| in_dir(&ReadFile, dir.path(), args);

        assert_eq!(says(read(json!({"path": "a"})).await), "one\ntwo\nthree\n");
        assert_eq!(
            says(read(json!({"path": "a", "first_line": 2, "lines": 1})).await),
            "two\n"
        );
        assert_eq!(says(read(json!({"path": "a", "first_line": 9})).await), "");
        let big = says(read(json!({"path": "big"})).await);
        assert!(big.ends_with(
            "\n[… only the first 262144 bytes of line 1 were read, in a file of 400000 bytes; read on with \
             `first_line`: 2 …]"
        ));
        assert_eq!(
            says(read(json!({"path": "big", "first_line": 2})).await),
            ""
        );
        for (path, why) in [
            ("binary", "not text"),
            (".", "not a file"),
            ("none", "`none`"),
            ("../a", "outside"),
        ] {
            let error = read(json!({"path": path})).await.unwrap_err().to_string();
            assert!(error.contains(why), "{path}: {error}");
        }
    }

    #[tokio::test]
    async fn a_large_file_is_read_page_by_page() {
        let dir = tempfile::tempdir().unwrap();
        let lines: Vec<String> = (1..=100_000)
            .map(|line| format!("line {line:06}\n"))
            .collect();
        let whole = lines.concat();
        std::fs::write(dir.path().join("a"), &whole).unwrap();
        let read = |args| in_dir(&ReadFile, dir.path(), args);

        let (mut joined, mut first, mut pages) = (String::new(), 1, 0);
        loop {
            let page = says(read(json!({"path": "a", "first_line": first})).await);
            pages += 1;
            assert!(page.len() < 262_144 + 200, "{} bytes", page.len());
            let Some((text, note)) = page.split_once("[…") else {
                joined.push_str(&page);
                break;
            };
            joined.push_str(text);
            let (_, next) = note.split_once("`first_line`: ").unwrap();
            first = next.trim_end_matches(" …]").parse::<usize>().unwrap();
        }
        assert!(joined == whole, "the pages are not the file");
        assert_eq!(pages, 5);
        // The requested lines are complete, so there is no note.
        assert_eq!(
            says(read(json!({"path": "a", "first_line": 50_000, "lines": 1})).await),
            "line 050000\n"
        );
        let many = json!({"path": "a", "first_line": 2, "lines": 50_000});
        let many = says(read(many).await);
        assert!(many.contains("only lines 2 to 21846 were read"), "{many}");
    }

    #[tokio::test]
    async fn lines_behind_one_that_is_too_long_are_read() {
        let dir = tempfile::tempdir().unwrap();
        let text = format!("{}\nsecond\n", "x".repeat(1_000_000));
        std::fs::write(dir.path().join("a"), text).unwrap();
        let read = |args| in_dir(&ReadFile, dir.path(), args);

        let long = says(read(json!({"path": "a"})).await);
        assert!(long.ends_with("read on with `first_line`: 2 …]"));
        assert_eq!(
            says(read(json!({"path": "a", "first_line": 2})).await),
            "second\n"
        );
    }
}
