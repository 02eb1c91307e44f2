//! The text of a settings file: reading it, finding lines in it, and suggesting the nearest valid
//! name.

mod entries;

use std::cell::LazyCell;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use toml::de::DeTable;

use self::entries::{entry_at, is_in_list, is_index, remove, value_at, without_index};
use super::left_out::LeftOut;
use super::misfit::misfit;
use super::places::Places;
use super::steps;
use crate::contract::text::{nearest, sanitize_for_terminal};

/// An error in a settings file, such as `hooks.toml`.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}{}: {problem}", file.display(), line.map(|n| format!(":{n}")).unwrap_or_default())]
pub struct SettingsError {
    /// The file.
    pub file: PathBuf,
    /// The line, counted from 1.
    pub line: Option<usize>,
    /// The keys of the value, from the top; empty if the error is about the file.
    pub keys: Vec<String>,
    /// The problem and its fix.
    pub problem: String,
    /// The value's name at the beginning of the problem, if there is one.
    pub name: Option<String>,
}

impl SettingsError {
    /// Returns the problem without the value's name at its beginning, for an error that names the
    /// value itself.
    pub fn unnamed_problem(&self) -> &str {
        let name = self.name.as_deref().map(prefix);
        let problem = name.and_then(|name| self.problem.strip_prefix(&name));
        problem.unwrap_or(&self.problem)
    }

    /// Returns the error with the value's name at the beginning of its problem.
    pub(crate) fn named(mut self, name: String) -> Self {
        self.problem.insert_str(0, &prefix(&name));
        self.name = Some(name);
        self
    }

    /// Creates an error about a whole file.
    pub fn of_file(file: impl Into<PathBuf>, problem: String) -> Self {
        Self {
            file: file.into(),
            line: None,
            keys: Vec::new(),
            problem,
            name: None,
        }
    }
}

/// Returns a value's name in the form that begins a problem.
fn prefix(name: &str) -> String {
    format!("`{name}`: ")
}

/// The most errors that are reported. A person corrects a few of them and tries again.
pub(crate) const MOST_TOLD: usize = 50;

/// The text of a settings file in TOML. Embedders can read their own files like `hooks.toml`.
///
/// ```
/// use std::path::Path;
///
/// use portcullis::settings::TomlSource;
///
/// #[derive(Debug, serde::Deserialize, schemars::JsonSchema)]
/// #[serde(rename_all = "kebab-case")]
/// struct File {
///     max_steps: u32,
/// }
///
/// let source = TomlSource::new(Path::new("a.toml"), "max-steps = 1\nmax-stepz = 2\n");
/// let errors = source.read::<File>().unwrap_err();
/// assert_eq!(
///     errors[0].to_string(),
///     "a.toml:2: unknown key `max-stepz`; did you mean `max-steps`?"
/// );
/// ```
#[derive(Debug, Clone, Default)]
pub struct TomlSource {
    path: PathBuf,
    text: String,
    /// The positions of the keys, computed when the first error is reported.
    places: OnceLock<Places>,
    /// The entries that were left out by the first reading.
    left_out: OnceLock<LeftOut>,
}

impl PartialEq for TomlSource {
    fn eq(&self, other: &Self) -> bool {
        (&self.path, &self.text) == (&other.path, &other.text)
    }
}

impl Eq for TomlSource {}

impl TomlSource {
    /// Creates a source from a text. Errors show `path` as its file.
    pub fn new(path: &Path, text: &str) -> Self {
        Self {
            path: path.to_owned(),
            text: text.to_owned(),
            places: OnceLock::new(),
            left_out: OnceLock::new(),
        }
    }

    /// Creates a source of which nothing could be read.
    pub(super) fn unread(path: &Path) -> Self {
        Self {
            left_out: LeftOut::all().into(),
            ..Self::new(path, "")
        }
    }

    /// Returns the file, if there is one.
    pub fn file(&self) -> Option<&Path> {
        (self.path != Path::new("")).then_some(&*self.path)
    }

    /// Returns the file's directory.
    pub fn dir(&self) -> &Path {
        self.path.parent().unwrap_or(Path::new(""))
    }

    /// Creates an error about the value at a path of keys. List entries have their index, counted
    /// from 0.
    pub fn error(&self, keys: &[&str], problem: String) -> SettingsError {
        SettingsError {
            file: self.path.clone(),
            line: self.line_of(keys),
            keys: keys.iter().map(|key| (*key).to_owned()).collect(),
            problem,
            name: None,
        }
    }

    /// Limits the errors to as many as a person reads, and adds the number of the others.
    pub fn capped(&self, mut errors: Vec<SettingsError>) -> Vec<SettingsError> {
        let more = errors.len().saturating_sub(MOST_TOLD);
        errors.truncate(MOST_TOLD);
        if more > 0 {
            let problem = format!("and at least {more} more; correct these first");
            errors.push(SettingsError::of_file(&self.path, problem));
        }
        errors
    }

    /// Reads the text as a `T`. Unknown keys are errors that suggest the nearest known key. A value
    /// of a wrong type is removed and the rest is read again, until all errors are found, or as
    /// many as are reported.
    ///
    /// # Errors
    ///
    /// Returns the errors in the text, sorted by line. The list may contain more than 50: see
    /// [`TomlSource::capped`].
    pub fn read<T: DeserializeOwned + JsonSchema>(&self) -> Result<T, Vec<SettingsError>> {
        match self.read_partly() {
            (Some(file), errors) if errors.is_empty() => Ok(file),
            (_, errors) => Err(errors),
        }
    }

    /// Reads the text as [`TomlSource::read`] does, and also returns the value without the wrong
    /// entries. `None` if the text cannot be read at all, or has more errors than are reported.
    /// Afterwards, [`TomlSource::follows`] and [`TomlSource::lacks`] report the entries that were
    /// left out.
    pub fn read_partly<T: DeserializeOwned + JsonSchema>(&self) -> (Option<T>, Vec<SettingsError>) {
        let mut left_out = LeftOut::default();
        let (read, errors) = self.read_without(&mut left_out);
        if read.is_none() {
            left_out = LeftOut::all();
        }
        // Only the first reading counts.
        let _ = self.left_out.set(left_out);
        (read, errors)
    }

    /// Returns whether an error of a value may follow from an entry that was left out: it is about
    /// that entry, about its table, or about a misspelled key of that table.
    pub fn follows(&self, error: &SettingsError) -> bool {
        let keys: Vec<&str> = error.keys.iter().map(String::as_str).collect();
        self.left_out
            .get()
            .is_some_and(|left_out| left_out.explains(&keys))
    }

    /// Returns whether an entry was left out that may belong to the value at a path of keys: a part
    /// of the value, or a misspelled key on its path.
    pub fn lacks(&self, keys: &[&str]) -> bool {
        self.left_out
            .get()
            .is_some_and(|left_out| left_out.may_be_of(keys))
    }

    /// Returns whether a table or a whole entry of it was left out. A name that is missing from the
    /// table may then be right.
    pub fn lacks_entries(&self, table: &[&str]) -> bool {
        self.left_out
            .get()
            .is_some_and(|left_out| left_out.may_be_an_entry_of(table))
    }

    /// Returns whether the text contains the key at the end of this path.
    pub(crate) fn has(&self, keys: &[&str]) -> bool {
        self.places().has(keys)
    }

    fn read_without<T: DeserializeOwned + JsonSchema>(
        &self,
        left_out: &mut LeftOut,
    ) -> (Option<T>, Vec<SettingsError>) {
        let mut document = match DeTable::parse(&self.text) {
            Ok(document) => document,
            Err(error) => return (None, vec![self.syntax_error(&error)]),
        };
        let schema = LazyCell::new(|| schemars::schema_for!(T).to_value());
        let mut errors = Vec::new();
        let mut removed: Vec<Vec<String>> = Vec::new();
        loop {
            steps::count(self.text.len());
            let parser = toml::Deserializer::from(document.clone());
            let mut unknown = Vec::new();
            match serde_ignored::deserialize(parser, |path| unknown.push(segments(&path))) {
                Ok(file) => {
                    let more = unknown.iter().map(|path| self.unknown_key(path, &schema));
                    errors.extend(more);
                    left_out.add(removed.into_iter().chain(unknown));
                    errors.sort_by_key(|error: &SettingsError| error.line);
                    return (Some(file), errors);
                }
                Err(error) => {
                    let at = error
                        .span()
                        .and_then(|span| entry_at(document.get_ref(), &span));
                    let error = match &at {
                        // A type may itself refuse unknown keys.
                        Some(path) if !is_known(&schema, path) => {
                            Some(self.unknown_key(path, &schema))
                        }
                        // The missing entry was removed here, and its error is reported already.
                        Some(path) if is_among(&removed, path, error.message()) => None,
                        _ => {
                            let path = at.as_deref().unwrap_or_default();
                            let misfit = value_at(document.get_ref(), path).and_then(|value| {
                                let path: Vec<&str> = path.iter().map(String::as_str).collect();
                                misfit(&schemas_at(&schema, &path), value, is_in_list(&path))
                            });
                            Some(self.value_error(path, &error, misfit))
                        }
                    };
                    errors.extend(error);
                    // Each error costs another reading of the whole text.
                    let more = errors.len() <= MOST_TOLD;
                    let at = at.map(without_index);
                    let Some(path) = at.filter(|path| more && remove(document.get_mut(), path))
                    else {
                        errors.sort_by_key(|error: &SettingsError| error.line);
                        return (None, errors);
                    };
                    removed.push(path);
                }
            }
        }
    }

    fn unknown_key(&self, path: &[String], schema: &Value) -> SettingsError {
        let keys: Vec<&str> = path.iter().map(String::as_str).collect();
        let (key, section) = keys.split_last().map_or(("", &[][..]), |(k, s)| (*k, s));
        let known = known_keys(schema, section);
        let hint = match nearest(key, known.iter().copied()) {
            Some(name) => format!("did you mean `{name}`?"),
            None => format!("known here: {}", known.join(", ")),
        };
        let key = sanitize_for_terminal(key);
        self.error(&keys, format!("unknown key `{key}`; {hint}"))
    }

    fn parse_error(&self, error: &toml::de::Error) -> SettingsError {
        SettingsError {
            line: error.span().map(|span| self.line_at(span.start)),
            ..SettingsError::of_file(&self.path, error.message().to_owned())
        }
    }

    /// Returns the error of a text that is not TOML, with the key at its position, such as a
    /// duplicate key.
    fn syntax_error(&self, error: &toml::de::Error) -> SettingsError {
        let mut told = self.parse_error(error);
        if let Some(key) = error.span().and_then(|span| self.key_at(span)) {
            told.problem
                .push_str(&format!(": `{}`", sanitize_for_terminal(key)));
        }
        told
    }

    /// Returns the text at a position, if it begins its line. Text after a `=` is a value, perhaps
    /// a secret.
    fn key_at(&self, span: Range<usize>) -> Option<&str> {
        let before = self.text.get(..span.start)?;
        let line = before.rsplit('\n').next().unwrap_or_default();
        let there = self.text.get(span)?;
        let is_key = !there.trim().is_empty() && !there.contains(['\n', '=']);
        (is_key && !line.contains('=')).then_some(there)
    }

    /// Returns the error with the key's name, since the line may contain other keys. `misfit`
    /// describes the problem better.
    fn value_error(
        &self,
        path: &[String],
        error: &toml::de::Error,
        misfit: Option<String>,
    ) -> SettingsError {
        let error = self.parse_error(error);
        let problem = misfit.unwrap_or_else(|| error.problem.clone());
        let error = SettingsError { problem, ..error };
        match named(path) {
            Some(key) => SettingsError {
                keys: path.to_vec(),
                ..error.named(key)
            },
            None => error,
        }
    }

    fn line_at(&self, offset: usize) -> usize {
        self.places().line(offset)
    }

    /// Returns the line of the key at the end of the path, or of the last existing key on the path.
    fn line_of(&self, keys: &[&str]) -> Option<usize> {
        let places = self.places();
        let offset = places.offset(keys)?;
        Some(places.line(offset))
    }

    fn places(&self) -> &Places {
        self.places.get_or_init(|| Places::of(&self.text))
    }
}

/// Returns the name of an entry in errors: the last key on its path. List entries have the key of
/// the list.
fn named(path: &[String]) -> Option<String> {
    let key = path.iter().rev().find(|key| !is_index(key))?;
    Some(sanitize_for_terminal(key))
}

/// Returns whether an error reports a missing key of this table that was removed.
fn is_among(removed: &[Vec<String>], table: &[String], message: &str) -> bool {
    removed.iter().any(|path| match path.split_last() {
        Some((key, above)) => above == table && message == format!("missing field `{key}`"),
        None => false,
    })
}

fn segments(path: &serde_ignored::Path<'_>) -> Vec<String> {
    use serde_ignored::Path;
    match path {
        Path::Root => Vec::new(),
        Path::Seq { parent, index } => with(segments(parent), index.to_string()),
        Path::Map { parent, key } => with(segments(parent), key.clone()),
        Path::Some { parent }
        | Path::NewtypeStruct { parent }
        | Path::NewtypeVariant { parent } => segments(parent),
    }
}

fn with(mut path: Vec<String>, last: String) -> Vec<String> {
    path.push(last);
    path
}

/// Returns whether the last key of a path is known in its section.
fn is_known(schema: &Value, path: &[String]) -> bool {
    let Some((key, section)) = path.split_last() else {
        return true;
    };
    let section: Vec<&str> = section.iter().map(String::as_str).collect();
    let known = known_keys(schema, &section);
    known.is_empty() || known.contains(&key.as_str())
}

/// Returns the schemas that the value at a path may have.
fn schemas_at<'a>(schema: &'a Value, path: &[&str]) -> Vec<&'a Value> {
    let mut here = alternatives(schema, schema);
    for key in path {
        let below = here.iter().filter_map(|schema| below(schema, key));
        here = below
            .flat_map(|found| alternatives(schema, found))
            .collect();
    }
    here
}

/// Returns the known keys of the section at a path, sorted. Empty if the section allows any keys.
fn known_keys<'a>(schema: &'a Value, section: &[&str]) -> Vec<&'a str> {
    let here = schemas_at(schema, section);
    let keys = here
        .iter()
        .filter_map(|schema| schema["properties"].as_object());
    let mut keys: Vec<&str> = keys.flat_map(Map::keys).map(String::as_str).collect();
    steps::count(keys.len());
    keys.sort_unstable();
    keys.dedup();
    keys
}

/// Returns the schema of a key, or of a list entry.
fn below<'a>(schema: &'a Value, key: &str) -> Option<&'a Value> {
    let property = schema.get("properties").and_then(|keys| keys.get(key));
    let others = ["additionalProperties", "items"].map(|others| schema.get(others));
    property.or_else(|| {
        others
            .into_iter()
            .flatten()
            .find(|schema| schema.is_object())
    })
}

/// Resolves the references and choices of a schema: returns every schema that a value may have.
fn alternatives<'a>(root: &'a Value, schema: &'a Value) -> Vec<&'a Value> {
    if let Some(reference) = schema["$ref"].as_str() {
        let found = root.pointer(reference.trim_start_matches('#'));
        return found.map_or_else(Vec::new, |found| alternatives(root, found));
    }
    let choices = ["anyOf", "oneOf"]
        .iter()
        .filter_map(|key| schema[*key].as_array());
    let choices: Vec<&Value> = choices.flatten().collect();
    match choices.is_empty() {
        true => vec![schema],
        false => choices
            .into_iter()
            .flat_map(|choice| alternatives(root, choice))
            .collect(),
    }
}

#[cfg(test)]
mod tests;
