//! Hook descriptors, the schemas of their configurations, and configurations that are checked
//! against the schemas. A hook is loaded, inspected and put into the schema of `hooks.toml`.

mod grammar;
mod guest;

use arbitrary::Unstructured;
use portcullis::LoadOptions;
use portcullis::hooks::{CacheChoice, HooksError, LoadErrors, inspect, schema};
use portcullis::report::HookReport;
use portcullis::settings::Settings;
use portcullis::text::is_hidden;
use portcullis_tests::HooksDir;
use serde_json::{Map, Value as Json, json};

use self::grammar::Given;
use self::guest::Guest;
use crate::guest::ID;
use crate::target::{Behaviour, Fault, Target};

/// The file's name.
const FILE: &str = "fuzz.wasm";
/// The maximum length of a text in a report, in bytes: the shown text, escapes and the mark of a
/// cut.
const LONGEST: usize = 2_100;

struct Configurations {
    guest: Guest,
}

pub fn target() -> anyhow::Result<Box<dyn Target>> {
    Ok(Box::new(Configurations {
        guest: Guest::read()?,
    }))
}

impl Target for Configurations {
    fn run(&mut self, input: &[u8]) -> Result<Behaviour, Fault> {
        let mut u = Unstructured::new(input);
        let given = Given::any(&mut u).map_err(|e| e.to_string())?;
        let component = self.guest.component(&given).map_err(|e| format!("{e:#}"))?;
        // TOML has no `null`: such a configuration is left out.
        let text = toml::to_string(&json!({ "hooks": { ID: { "config": given.config } } }));
        let text = text.unwrap_or_default();
        let dir = HooksDir::new().with_file(FILE, &component).settings(&text);
        let settings = Settings::of_dir(dir.path())
            .map_err(|errors| format!("the settings: {}\n{text}", LoadErrors::from(errors)))?;
        let options = LoadOptions {
            cache: CacheChoice::None,
            ..LoadOptions::default()
        };
        let report = match inspect(&dir.path().join(FILE), &settings, &options) {
            Ok(report) => report,
            Err(HooksError::Load(errors)) => return refused(&errors),
            Err(error) => return Err(format!("the file cannot be the cause of that: {error}")),
        };
        harmless(&report)?;
        let whole = schema(dir.path(), &settings, &options).map_err(|e| e.to_string())?;
        leads_nowhere(&whole).map_err(|fault| format!("{fault}\n{}", given.schema))?;
        agrees(&given, &settings, &report, whole)
    }
}

/// Checks that every error names the file, and can be printed.
fn refused(errors: &LoadErrors) -> Result<Behaviour, Fault> {
    let mut said = Vec::new();
    for error in &errors.0 {
        let text = error.to_string();
        if !text.contains(FILE) || text.len() < FILE.len() + 10 {
            return Err(format!("an error that names nothing: {text}"));
        }
        printable(&text)?;
        let fault = format!("{:?}", error.fault);
        let words = fault.split(|c: char| !c.is_ascii_alphabetic());
        let words = words.filter(|word| !word.is_empty()).take(5);
        said.push(words.collect::<Vec<_>>().join(" "));
    }
    said.dedup();
    Ok(format!("refused: {}", said.join(", ")))
}

/// Checks that the hook's texts can be printed, are bounded, and contain no links except to the
/// web.
fn harmless(report: &HookReport) -> Result<(), Fault> {
    let about = &report.about;
    let texts = [
        Some(&report.version),
        Some(&report.kind),
        Some(&report.description),
        about.license.as_ref(),
        about.homepage.as_ref(),
        about.source.as_ref(),
        about.authors.as_ref(),
        about.revision.as_ref(),
    ];
    let texts = texts.into_iter().flatten();
    for text in texts.chain(&report.after).chain(&about.left_out) {
        printable(text)?;
        if text.len() > LONGEST {
            return Err(format!("a text of {} bytes", text.len()));
        }
    }
    for error in &report.config_errors {
        printable(&error.to_string())?;
    }
    for address in [&about.homepage, &about.source].into_iter().flatten() {
        let lower = address.to_ascii_lowercase();
        if !lower.starts_with("http://") && !lower.starts_with("https://") {
            return Err(format!("an address that is not of the web: {address}"));
        }
    }
    Ok(())
}

fn printable(text: &str) -> Result<(), Fault> {
    match text.chars().find(|c| *c != '\n' && is_hidden(*c)) {
        None => Ok(()),
        Some(hidden) => Err(format!("it has {hidden:?}: {text:?}")),
    }
}

/// Checks that no part of the editors' schema is in another document.
fn leads_nowhere(schema: &Json) -> Result<(), Fault> {
    match schema {
        Json::Object(members) => members.iter().try_for_each(|(keyword, value)| match value {
            Json::String(reference) if keyword == "$ref" => match reference.starts_with('#') {
                true => Ok(()),
                false => Err(format!("a `$ref` leads to {reference}")),
            },
            _ if ["const", "default", "enum", "examples"].contains(&keyword.as_str()) => Ok(()),
            value => leads_nowhere(value),
        }),
        Json::Array(items) => items.iter().try_for_each(leads_nowhere),
        _ => Ok(()),
    }
}

/// Checks that an editor with the schema of `hooks.toml` judges the configuration as the host does.
fn agrees(
    given: &Given,
    settings: &Settings,
    report: &HookReport,
    whole: Json,
) -> Result<Behaviour, Fault> {
    let config = settings
        .hooks
        .get(ID)
        .map(|hook| Json::Object(hook.config.clone()));
    let config = config.unwrap_or_else(|| Json::Object(Map::new()));
    let errors = report.config_errors.iter();
    let errors: Vec<String> = errors.map(ToString::to_string).collect();
    if errors
        .iter()
        .any(|error| error.contains("too much work to check"))
    {
        return Ok("too much work".into());
    }
    let fits = errors.is_empty();
    let whole = jsonschema::options().build(&whole).map_err(|error| {
        format!(
            "the schema of hooks.toml is none: {error}\n{}",
            given.schema
        )
    })?;
    let table = json!({ "hooks": { ID: { "config": config } } });
    if whole.is_valid(&table) == fits {
        return Ok(match errors.as_slice() {
            [] => "fits".into(),
            [error] => format!("does not fit: {}", shape(error)),
            _ => "does not fit for more than one reason".into(),
        });
    }
    Err(format!(
        "the host says {errors:?}, and an editor would not\n{}\n{config}",
        given.schema
    ))
}

/// Returns the words of an error after its position, up to the first quoted text.
fn shape(error: &str) -> String {
    let words = error.rsplit(": ").next().unwrap_or_default();
    let words = words
        .split('`')
        .next()
        .unwrap_or_default()
        .split_whitespace();
    words.take(6).collect::<Vec<_>>().join(" ")
}
