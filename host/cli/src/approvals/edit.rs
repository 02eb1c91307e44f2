//! `portcullis approvals edit`

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context as _, bail, ensure};
use clap::Args;
use portcullis::text::indented_json;
use portcullis_agent::Resolution;
use serde_json::Value;

use super::decide::{by, record};
use super::open::{TurnArg, questions};
use crate::person::PersonArg;
use crate::run::split::words;
use crate::terminal::shows_output;

/// Approve a call with other arguments.
///
/// The arguments are edited in $VISUAL or $EDITOR, or read with --value. All hooks see them before
/// the tool runs. The answer is recorded; the turn continues in the process that waits for it, or
/// by `portcullis resume`. The first answer to a call counts.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  portcullis approvals edit ID\n  \
    echo '{\"path\": \"b\"}' | portcullis approvals edit ID call-1 --value -")]
pub struct EditArgs {
    #[command(flatten)]
    turn: TurnArg,
    /// The call. Required if several wait for a decision.
    #[arg(value_name = "CALL")]
    call: Option<String>,
    /// A file with the arguments, a JSON object; `-` is the standard input.
    #[arg(long, value_name = "FILE|-")]
    value: Option<PathBuf>,
    #[command(flatten)]
    person: PersonArg,
    /// Replace an earlier answer.
    #[arg(long)]
    replace: bool,
    /// Print JSON: the turn.
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: &EditArgs) -> anyhow::Result<ExitCode> {
    let (store, info) = args.turn.find()?;
    let named: Vec<String> = args.call.iter().cloned().collect();
    let calls = questions(&info, &named, args.replace)?;
    let [call] = calls[..] else {
        let names: Vec<&str> = calls.iter().map(|call| call.call_id.as_str()).collect();
        bail!("several calls wait; name one of {}", names.join(", "));
    };
    let value = match &args.value {
        Some(path) => read(path)?,
        None => edited(&call.arguments)?,
    };
    let value = value.trim();
    match serde_json::from_str(value) {
        Ok(Value::Object(_)) => {}
        Ok(_) => bail!("nothing was recorded: the arguments are not a JSON object"),
        Err(e) => bail!("nothing was recorded: the arguments are not JSON: {e}"),
    }
    let answer = BTreeMap::from([(call.call_id.clone(), Resolution::change(value))]);
    record(
        &store,
        &info,
        answer,
        by(&args.person, args.replace),
        args.json,
    )
}

fn read(path: &Path) -> anyhow::Result<String> {
    if path == Path::new("-") {
        let mut text = String::new();
        let read = io::stdin().read_to_string(&mut text);
        read.context("the arguments cannot be read from the standard input")?;
        return Ok(text);
    }
    fs::read_to_string(path).with_context(|| format!("{} cannot be read", path.display()))
}

/// Returns the arguments after the person has edited them in their editor.
fn edited(arguments: &str) -> anyhow::Result<String> {
    let (program, options) = editor(|name| std::env::var(name).ok())?;
    ensure!(
        shows_output(),
        "there is no terminal for the editor; give the arguments with --value"
    );
    // Only its owner can read it.
    let mut file = tempfile::Builder::new().suffix(".json").tempfile()?;
    let before = indented_json(arguments) + "\n";
    file.write_all(before.as_bytes())?;
    let path = file.into_temp_path();
    let status = Command::new(&program).args(options).arg(&path).status();
    let status = status.with_context(|| format!("the editor `{program}` does not start"))?;
    ensure!(
        status.success(),
        "nothing was recorded: the editor ended with {status}"
    );
    let after = fs::read_to_string(&path).context("the edited arguments cannot be read")?;
    ensure!(
        after != before,
        "nothing was recorded: the arguments are unchanged. `portcullis approvals approve` approves them"
    );
    Ok(after)
}

/// Returns the program of the editor and its options, from the first of the variables that is set.
fn editor(variable: impl Fn(&str) -> Option<String>) -> anyhow::Result<(String, Vec<String>)> {
    let set = |name: &'static str| {
        let value = variable(name).filter(|value| !value.is_empty());
        value.map(|value| (name, value))
    };
    let named = set("VISUAL").or_else(|| set("EDITOR"));
    let (name, value) =
        named.context("there is no editor: set EDITOR, or give the arguments with --value")?;
    let words = words(&value).map_err(|why| anyhow::anyhow!("{name} is no command: {why}"))?;
    let mut words = words.into_iter();
    let program = words.next();
    let program = program.with_context(|| format!("{name} names no program"))?;
    Ok((program, words.collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the editor with these values of VISUAL and EDITOR.
    fn with(visual: &str, value: &str) -> anyhow::Result<(String, Vec<String>)> {
        editor(|name| match name {
            "VISUAL" => Some(visual.to_owned()),
            _ => Some(value.to_owned()),
        })
    }

    #[test]
    fn an_error_names_the_variable_that_has_the_editor() {
        let found = with("", "vi -n").expect("an editor");
        assert_eq!(found, ("vi".to_owned(), vec!["-n".to_owned()]));
        let found = with("code --wait", "vi").expect("an editor");
        assert_eq!(found.0, "code");
        for (visual, value, expected) in [
            (
                "'code",
                "vi",
                "VISUAL is no command: the quote ' is not closed",
            ),
            ("", "'vi", "EDITOR is no command: the quote ' is not closed"),
            (" ", "vi", "VISUAL names no program"),
            (
                "",
                "",
                "there is no editor: set EDITOR, or give the arguments with --value",
            ),
        ] {
            let error = with(visual, value).expect_err("no editor").to_string();
            assert_eq!(error, expected);
        }
    }
}
