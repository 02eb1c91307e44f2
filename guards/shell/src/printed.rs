//! The outputs of commands, if they are written in the script.

use crate::Command;
use crate::decode::{Zeros, escaped};

/// The output of a command.
pub(crate) enum Printed {
    /// A text that is written in the script.
    Text(String),
    /// A text that the script computes, and that only the shell can know.
    Unseen,
    /// The output of a program.
    Other,
}

/// Returns the output of a command, even if it is redirected.
pub(crate) fn printed(command: &Command) -> Printed {
    let arguments = command.arguments().iter().map(|word| word.text.as_str());
    let arguments: Vec<&str> = arguments.collect();
    let are_known = command.arguments().iter().all(|word| word.is_known);
    let text = match command.name() {
        "cat" if matches!(arguments.as_slice(), [] | ["-"]) => match &command.input {
            Some(input) if input.commands.is_empty() => input.is_known.then(|| input.text.clone()),
            _ => return Printed::Other,
        },
        "echo" | "printf" if !are_known => None,
        "echo" => echo(&arguments),
        "printf" => match arguments.as_slice() {
            ["--", format, values @ ..] => printf(format, values),
            // `-v` keeps the text in a variable.
            [format, ..] if format.starts_with('-') => return Printed::Other,
            [format, values @ ..] => printf(format, values),
            [] => return Printed::Other,
        },
        _ => return Printed::Other,
    };
    text.map_or(Printed::Unseen, Printed::Text)
}

fn echo(arguments: &[&str]) -> Option<String> {
    let is_option = |text: &&str| {
        let letters = text.strip_prefix('-').unwrap_or_default();
        !letters.is_empty() && letters.chars().all(|letter| "neE".contains(letter))
    };
    let options = arguments.iter().take_while(|text| is_option(text));
    let letters: String = options.copied().collect();
    let options = arguments.iter().take_while(|text| is_option(text)).count();
    let mut text = arguments.get(options..).unwrap_or_default().join(" ");
    if text.contains('\\') {
        // Some shells read escapes without `-e`, and `-E` may come after it.
        text = match letters.contains('e') && !letters.contains('E') {
            true => escaped(&text, Zeros::Before)?,
            false => return None,
        };
    }
    if !letters.contains('n') {
        text.push('\n');
    }
    Some(text)
}

/// Formats the values. The format is repeated while there are values.
fn printf(format: &str, values: &[&str]) -> Option<String> {
    let mut text = String::new();
    let mut values = values.iter();
    loop {
        let before = values.len();
        let mut rest = format;
        while let Some((plain, directive)) = rest.split_once('%') {
            text.push_str(&escaped(plain, Zeros::None)?);
            let mut letters = directive.chars();
            match letters.next()? {
                '%' => text.push('%'),
                's' => text.push_str(values.next().unwrap_or(&"")),
                'b' => text.push_str(&escaped(values.next().unwrap_or(&""), Zeros::Before)?),
                _ => return None,
            }
            rest = letters.as_str();
        }
        text.push_str(&escaped(rest, Zeros::None)?);
        if values.len() == 0 || values.len() == before {
            return Some(text);
        }
    }
}
