//! Texts of `hooks.toml`: texts of its grammar, changed copies of the example, and any text.

mod grammar;

use std::path::Path;

use anyhow::Context as _;
use arbitrary::Unstructured;
use portcullis::hooks::HooksError;
use portcullis::settings::Settings;
use portcullis::verdict::{Cause, RunStatus};
use portcullis::{Hooks, LoadOptions, SessionOptions};
use portcullis_tests::{HooksDir, cache, root, tool_call, turn};

use crate::target::{Behaviour, Fault, Target};
use crate::words::{Words, check_errors};

struct Texts {
    example: String,
    words: Words,
    /// A directory with the hooks that the texts name.
    dir: HooksDir,
    runtime: tokio::runtime::Runtime,
}

pub fn target() -> anyhow::Result<Box<dyn Target>> {
    let example = root().join("example-hooks").join("hooks.toml");
    Ok(Box::new(Texts {
        example: std::fs::read_to_string(&example).context("the example's settings")?,
        words: grammar::words()?,
        dir: HooksDir::new().with("tiny").with("canned-answer"),
        runtime: tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?,
    }))
}

impl Target for Texts {
    fn run(&mut self, input: &[u8]) -> Result<Behaviour, Fault> {
        let mut u = Unstructured::new(input);
        let text = self
            .words
            .any(&self.example, &mut u)
            .map_err(|e| e.to_string())?;
        let path = self.dir.path().join("hooks.toml");
        let settings = match Settings::parse(&path, &text) {
            Ok(settings) => settings,
            Err(errors) => {
                check_errors("hooks.toml", &text, &errors)?;
                return Ok(match errors.as_slice() {
                    [] => return Err(format!("refused for nothing:\n{text}")),
                    [error] => format!("refused: {}", shape(&error.problem)),
                    _ => "refused for more than one thing".into(),
                });
            }
        };
        written_anew(&path, &text, &settings)?;
        self.load(settings, &text)
    }
}

impl Texts {
    /// Loads hooks with valid settings. If that fails, the error must name the faulty setting.
    fn load(&self, mut settings: Settings, text: &str) -> Result<Behaviour, Fault> {
        // The scripts are the operator's, and would be run.
        let scripts = settings.scripts.len().min(1);
        settings.scripts.clear();
        let options = LoadOptions {
            cache: cache(),
            ..LoadOptions::default()
        };
        let hooks = match Hooks::load_with(self.dir.path(), &settings, &options) {
            Ok(hooks) => hooks,
            Err(HooksError::Load(errors)) => {
                let mut said = Vec::new();
                for error in &errors.0 {
                    if error.to_string().len() < 20 {
                        return Err(format!("an error that says little: {error}\n{text}"));
                    }
                    let fault = format!("{:?}", error.fault);
                    said.push(shape(&fault).to_owned());
                }
                said.sort();
                said.dedup();
                return Ok(format!("not loaded: {}", said.join(", ")));
            }
            Err(error) => return Err(format!("{error}\n{text}")),
        };
        let session = hooks.session(SessionOptions::new("test"));
        let (mut tool, mut turn) = (tool_call(r#"{"path":"a"}"#), turn("help"));
        let runs = self.runtime.block_on(async {
            let mut runs = session.run(&mut tool).await.runs;
            runs.extend(session.run(&mut turn).await.runs);
            runs
        });
        let mut said = Vec::new();
        for run in &runs {
            said.push(match &run.status {
                RunStatus::Failed { cause, message, .. } if *cause == Cause::Host => {
                    return Err(format!("no fault of the host's: {message}\n{text}"));
                }
                RunStatus::Failed { cause, .. } => cause.code(),
                RunStatus::Completed { outcome, .. } | RunStatus::NotApplied { outcome } => {
                    outcome.name()
                }
                RunStatus::Skipped => "skipped",
                RunStatus::Backgrounded => "backgrounded",
            });
        }
        Ok(format!("loaded, {scripts} scripts: {}", said.join(" ")))
    }
}

/// Checks that a text's meaning does not depend on its layout.
fn written_anew(path: &Path, text: &str, settings: &Settings) -> Result<(), Fault> {
    let fault = |what: &str| format!("{what}\n{text}");
    // A hook's configuration may hold a number that is too large for a `toml::Table`.
    let Ok(table) = text.parse::<toml::Table>() else {
        return Ok(());
    };
    let anew = toml::to_string(&table).map_err(|_| fault("cannot be written anew"))?;
    let again = Settings::parse(path, &anew).map_err(|errors| {
        let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
        fault(&format!(
            "refused when written anew: {}\n{anew}",
            errors.join("; ")
        ))
    })?;
    match meaning(settings) == meaning(&again) {
        true => Ok(()),
        false => Err(fault(&format!(
            "means something else when written anew:\n{anew}"
        ))),
    }
}

fn meaning(settings: &Settings) -> String {
    let Settings {
        engine,
        turn,
        quarantine,
        integrity,
        defaults,
        hooks,
        scripts,
        secrets,
        ..
    } = settings;
    format!(
        "{engine:?} {turn:?} {quarantine:?} {integrity:?} {defaults:?} {hooks:?} {scripts:?} \
         {secrets:?}"
    )
}

/// Returns the words of a problem before the first quoted text.
fn shape(problem: &str) -> &str {
    let end = problem.find(|c: char| !(c.is_ascii_alphabetic() || c == ' '));
    &problem[..end.unwrap_or(problem.len())]
}
