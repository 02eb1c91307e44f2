//! Texts of `agent.toml`: texts of its grammar, changed copies of the example, and any text.

mod grammar;

use arbitrary::Unstructured;
use portcullis_agent_file::{AgentFile, SAMPLE};

use crate::target::{Behaviour, Fault, Target};
use crate::words::check_errors;

/// The grants of a hook that may use a model of a provider in the texts.
const GRANTS: &str = "[hooks.a.grants]\nmodel = { tokens = 1, provider = \"b\" }\n";

struct Texts {
    /// The sample, with its commented-out settings.
    example: String,
    /// The directory that the texts' paths are relative to.
    dir: tempfile::TempDir,
}

pub fn target() -> anyhow::Result<Box<dyn Target>> {
    let dir = tempfile::tempdir()?;
    std::fs::create_dir(dir.path().join("hooks"))?;
    std::fs::write(dir.path().join("hooks/hooks.toml"), GRANTS)?;
    let lines = SAMPLE.lines();
    let lines = lines.map(|line| line.strip_prefix("# ").filter(is_toml).unwrap_or(line));
    let example = lines.collect::<Vec<_>>().join("\n");
    Ok(Box::new(Texts { example, dir }))
}

/// Returns whether a comment is a commented-out line of the file.
fn is_toml(line: &&str) -> bool {
    line.starts_with('[') || line.contains(" = ")
}

impl Target for Texts {
    fn run(&mut self, input: &[u8]) -> Result<Behaviour, Fault> {
        let mut u = Unstructured::new(input);
        let text = grammar::WORDS.any(&self.example, &mut u);
        let text = text.map_err(|e| e.to_string())?;
        let path = self.dir.path().join("agent.toml");
        let (read, errors) = match AgentFile::parse(&path, &text) {
            Ok(file) => {
                let faults = file.faults();
                if faults != file.faults() {
                    return Err(format!(
                        "its faults differ when they are asked for again\n{text}"
                    ));
                }
                ("read", faults)
            }
            Err(errors) if errors.is_empty() => {
                return Err(format!("refused for nothing:\n{text}"));
            }
            Err(errors) => ("refused", errors),
        };
        let (own, of_hooks): (Vec<_>, Vec<_>) =
            errors.into_iter().partition(|error| error.file == path);
        check_errors("agent.toml", &text, &own)?;
        check_errors("hooks.toml", GRANTS, &of_hooks)?;
        let errors = [own, of_hooks].concat();
        Ok(match errors.as_slice() {
            [] => read.into(),
            [error] => format!("{read}: {}", shape(&error.problem)),
            [_, ..] => format!("{read}: more than one fault"),
        })
    }
}

/// Returns the first words of a problem, which do not depend on the input.
fn shape(problem: &str) -> String {
    let words = problem
        .split('`')
        .next()
        .unwrap_or_default()
        .split_whitespace();
    words.take(4).collect::<Vec<_>>().join(" ")
}
