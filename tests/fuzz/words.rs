//! Texts with the words of a settings file.

use std::fmt::Write as _;

use arbitrary::{Result, Unstructured};
use portcullis::settings::SettingsError;

use crate::target::Fault;

/// The words of a settings file: known ones, and some unknown ones.
pub struct Words {
    pub tables: &'static [&'static str],
    pub keys: &'static [&'static str],
    pub values: &'static [&'static str],
}

impl Words {
    /// Returns a text of some tables.
    pub fn text(&self, u: &mut Unstructured<'_>) -> Result<String> {
        let mut text = String::new();
        for _ in 0..u.int_in_range(0..=5)? {
            // Writing to a string does not fail.
            let _ = writeln!(text, "[{}]", u.choose(self.tables)?);
            for _ in 0..u.int_in_range(0..=4)? {
                self.line(&mut text, u)?;
            }
        }
        Ok(text)
    }

    fn line(&self, text: &mut String, u: &mut Unstructured<'_>) -> Result<()> {
        let key = u.choose(self.keys)?;
        let value = match u.ratio(1, 8)? {
            true => u.arbitrary::<i64>()?.to_string(),
            false => (*u.choose(self.values)?).to_owned(),
        };
        let _ = writeln!(text, "{key} = {value}");
        Ok(())
    }

    /// Returns a text with some lines changed.
    pub fn changed(&self, example: &str, u: &mut Unstructured<'_>) -> Result<String> {
        let mut lines: Vec<String> = example.lines().map(str::to_owned).collect();
        for _ in 0..u.int_in_range(1..=4)? {
            let at = u.choose_index(lines.len().max(1))?;
            match u.int_in_range(0..=5)? {
                0 if at < lines.len() => drop(lines.remove(at)),
                1 => {
                    let mut line = String::new();
                    self.line(&mut line, u)?;
                    lines.insert(at, line);
                }
                2 => lines.insert(at, format!("[{}]", u.choose(self.tables)?)),
                3 => {
                    if let Some((key, _)) = lines.get(at).and_then(|line| line.split_once(" = ")) {
                        lines[at] = format!("{key} = {}", u.choose(self.values)?);
                    }
                }
                4 => {
                    let line = lines.get(at).cloned().unwrap_or_default();
                    lines.insert(at, line);
                }
                _ => {
                    if let Some(line) = lines.get_mut(at) {
                        let cut = u.choose_index(line.len().max(1))?;
                        line.truncate(line.floor_char_boundary(cut));
                    }
                }
            }
        }
        Ok(lines.join("\n"))
    }

    /// Returns any text, a changed example, or a text of these words.
    pub fn any(&self, example: &str, u: &mut Unstructured<'_>) -> Result<String> {
        Ok(match u.int_in_range(0..=9)? {
            0 => String::from_utf8_lossy(u.bytes(u.len())?).into_owned(),
            1..=3 => self.changed(example, u)?,
            _ => self.text(u)?,
        })
    }
}

/// Checks that errors name their file, a line of it and a cause.
pub fn check_errors(
    file: &str,
    text: &str,
    errors: &[SettingsError],
) -> std::result::Result<(), Fault> {
    let lines = text.split('\n').count();
    for error in errors {
        let says = error.problem.len() > 8
            && error.line.is_none_or(|line| (1..=lines).contains(&line))
            && error.to_string().contains(file);
        if !says {
            return Err(format!("an error that says little: {error}\n{text}"));
        }
    }
    Ok(())
}
