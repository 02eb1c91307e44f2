//! Script errors.

use std::path::{Path, PathBuf};

use portcullis::text::{nearest, sanitize_for_terminal};

/// The error that a script cannot be played.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ScriptError {
    /// The file cannot be read.
    #[error("cannot read the script {}: {cause}; name a file that exists and that you may read", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The cause.
        cause: std::io::Error,
    },
    /// The text of the file is not a script.
    #[error(
        "{}{}: {problem}",
        file.as_deref().unwrap_or(Path::new("the script")).display(),
        line.map(|n| format!(":{n}")).unwrap_or_default()
    )]
    Wrong {
        /// The file, if it is one.
        file: Option<PathBuf>,
        /// The line, counted from 1.
        line: Option<usize>,
        /// The problem, and its fix.
        problem: String,
    },
}

impl ScriptError {
    pub(super) fn of_text(problem: &str) -> Self {
        Self::Wrong {
            file: None,
            line: None,
            problem: problem.to_owned(),
        }
    }

    pub(super) fn of_json(error: &serde_json::Error) -> Self {
        let (line, text) = (error.line(), error.to_string());
        // Here the position has its own form.
        let place = format!(" at line {line} column {}", error.column());
        let text = text.strip_suffix(&place).unwrap_or(&text);
        Self::Wrong {
            file: None,
            line: (line > 0).then_some(line),
            problem: sanitize_for_terminal(&explained(text)),
        }
    }

    /// Returns the same error with this file.
    pub(super) fn of(self, path: &Path) -> Self {
        match self {
            Self::Wrong { line, problem, .. } => Self::Wrong {
                file: Some(path.to_owned()),
                line,
                problem,
            },
            read => read,
        }
    }
}

/// Rewrites serde's message, which names the wrong key first and then the known keys, each in
/// backticks.
fn explained(text: &str) -> String {
    let mut names = text.split('`').skip(1).step_by(2);
    let name = names.next().unwrap_or_default();
    if text.starts_with("missing field") {
        return format!("`{name}` is missing; add it");
    }
    if !text.starts_with("unknown field") {
        return text.to_owned();
    }
    let known: Vec<&str> = names.collect();
    match nearest(name, known.iter().copied()) {
        Some(near) => format!("unknown key `{name}`; did you mean `{near}`?"),
        None => format!("unknown key `{name}`; known here: {}", known.join(", ")),
    }
}
