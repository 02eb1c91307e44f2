//! The text of a settings file: reading it, finding lines in it, naming the nearest right name.

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

/// Something that is wrong with a settings file, such as `hooks.toml`.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}{}: {problem}", file.display(), line.map(|n| format!(":{n}")).unwrap_or_default())]
pub struct SettingsError {
    /// The file.
    pub file: PathBuf,
    /// The line, counted from 1.
    pub line: Option<usize>,
    /// The keys of the value, from the top; none if it is about the file.
    pub keys: Vec<String>,
    /// What is wrong, and what would be right.
    pub problem: String,
    /// The name of the value that the problem begins with, if it begins with one.
    pub name: Option<String>,
}

impl SettingsError {
    /// The problem without the value's name at its beginning, for an error that names the value itself.
    pub fn unnamed_problem(&self) -> &str {
        let name = self.name.as_deref().map(prefix);
        let problem = name.and_then(|name| self.problem.strip_prefix(&name));
        problem.unwrap_or(&self.problem)
    }

    /// The error with the value's name at the beginning of its problem.
    pub(crate) fn named(mut self, name: String) -> Self {
        self.problem.insert_str(0, &prefix(&name));
        self.name = Some(name);
        self
    }

    /// An error about a whole file.
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

/// A value's name at the beginning of a problem.
fn prefix(name: &str) -> String {
    format!("`{name}`: ")
}

/// How many mistakes are told. A person corrects a few of them and tries again.
pub(crate) const MOST_TOLD: usize = 50;

/// The text of a settings file in TOML, for reading a file of one's own as `hooks.toml` is read.
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
    /// Where its keys stand: found out when the first mistake is.
    places: OnceLock<Places>,
    /// What was left out when it was read.
    left_out: OnceLock<LeftOut>,
}

impl PartialEq for TomlSource {
    fn eq(&self, other: &Self) -> bool {
        (&self.path, &self.text) == (&other.path, &other.text)
    }
}

impl Eq for TomlSource {}

impl TomlSource {
    /// A text; `path` is what errors call it.
    pub fn new(path: &Path, text: &str) -> Self {
        Self {
            path: path.to_owned(),
            text: text.to_owned(),
            places: OnceLock::new(),
            left_out: OnceLock::new(),
        }
    }

    /// A text of which nothing could be read.
    pub(super) fn unread(path: &Path) -> Self {
        Self {
            left_out: LeftOut::all().into(),
            ..Self::new(path, "")
        }
    }

    /// The file, if there is one.
    pub fn file(&self) -> Option<&Path> {
        (self.path != Path::new("")).then_some(&*self.path)
    }

    /// The directory that the file stands in.
    pub fn dir(&self) -> &Path {
        self.path.parent().unwrap_or(Path::new(""))
    }

    /// An error about the value at a path of keys. Entries of lists have their index, counted from 0.
    pub fn error(&self, keys: &[&str], problem: String) -> SettingsError {
        SettingsError {
            file: self.path.clone(),
            line: self.line_of(keys),
            keys: keys.iter().map(|key| (*key).to_owned()).collect(),
            problem,
            name: None,
        }
    }

    /// As many mistakes as a person reads, and how many more there are.
    pub fn capped(&self, mut errors: Vec<SettingsError>) -> Vec<SettingsError> {
        let more = errors.len().saturating_sub(MOST_TOLD);
        errors.truncate(MOST_TOLD);
        if more > 0 {
            let problem = format!("and at least {more} more; correct these first");
            errors.push(SettingsError::of_file(&self.path, problem));
        }
        errors
    }

    /// Reads the text as a `T`; unknown keys are errors that name the nearest known one. A value of a
    /// wrong type is removed and the rest read again, until all of them are found, or as many as are
    /// reported.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with the text, sorted by line, and more than 50 if there are more: see
    /// [`TomlSource::capped`].
    pub fn read<T: DeserializeOwned + JsonSchema>(&self) -> Result<T, Vec<SettingsError>> {
        match self.read_partly() {
            (Some(file), errors) if errors.is_empty() => Ok(file),
            (_, errors) => Err(errors),
        }
    }

    /// The same, with what there is without that which is wrong. Nothing if the text cannot be read at
    /// all, or has more mistakes than are reported. From then on, [`TomlSource::follows`] and
    /// [`TomlSource::lacks`] tell what was left out.
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

    /// Whether an error of a value may follow from what was left out: it is about what was left out, about the table
    /// in which that stands, or about a key of that table that is misspelled.
    pub fn follows(&self, error: &SettingsError) -> bool {
        let keys: Vec<&str> = error.keys.iter().map(String::as_str).collect();
        self.left_out
            .get()
            .is_some_and(|left_out| left_out.explains(&keys))
    }

    /// Whether something was left out that may belong to the value at a path of keys: a part of it, or a key that
    /// is misspelled on the way to it.
    pub fn lacks(&self, keys: &[&str]) -> bool {
        self.left_out
            .get()
            .is_some_and(|left_out| left_out.may_be_of(keys))
    }

    /// Whether a whole entry of a table was left out, or the table: a name that is not in it may be right.
    pub fn lacks_entries(&self, table: &[&str]) -> bool {
        self.left_out
            .get()
            .is_some_and(|left_out| left_out.may_be_an_entry_of(table))
    }

    /// Whether the text has a key at the end of this path.
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
                        // A type may refuse unknown keys itself.
                        Some(path) if !is_known(&schema, path) => {
                            Some(self.unknown_key(path, &schema))
                        }
                        // What is missing was removed here, and its error is told.
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
                    // Each of them is another reading of the whole.
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

    /// The error of a text that is not TOML, with the key at its place, such as one that is there twice.
    fn syntax_error(&self, error: &toml::de::Error) -> SettingsError {
        let mut told = self.parse_error(error);
        if let Some(key) = error.span().and_then(|span| self.key_at(span)) {
            told.problem
                .push_str(&format!(": `{}`", sanitize_for_terminal(key)));
        }
        told
    }

    /// The text at a place, if it begins its line. What is behind a `=` is a value, perhaps a secret.
    fn key_at(&self, span: Range<usize>) -> Option<&str> {
        let before = self.text.get(..span.start)?;
        let line = before.rsplit('\n').next().unwrap_or_default();
        let there = self.text.get(span)?;
        let is_key = !there.trim().is_empty() && !there.contains(['\n', '=']);
        (is_key && !line.contains('=')).then_some(there)
    }

    /// The error with the name of the key, which the line may not have alone. `misfit` says better what is wrong.
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

    /// The line of the key at the end of the path, or of the last one on it that is there.
    fn line_of(&self, keys: &[&str]) -> Option<usize> {
        let places = self.places();
        let offset = places.offset(keys)?;
        Some(places.line(offset))
    }

    fn places(&self) -> &Places {
        self.places.get_or_init(|| Places::of(&self.text))
    }
}

/// What an error calls an entry: the last key on its path. Entries of lists have the key of the list.
fn named(path: &[String]) -> Option<String> {
    let key = path.iter().rev().find(|key| !is_index(key))?;
    Some(sanitize_for_terminal(key))
}

/// Whether an error says that a key of this table is missing which was removed.
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

/// Whether the last key of a path is known in its section.
fn is_known(schema: &Value, path: &[String]) -> bool {
    let Some((key, section)) = path.split_last() else {
        return true;
    };
    let section: Vec<&str> = section.iter().map(String::as_str).collect();
    let known = known_keys(schema, &section);
    known.is_empty() || known.contains(&key.as_str())
}

/// The schemas that the value at a path may have.
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

/// The keys of a section, by its path, sorted; none if the section has any keys.
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

/// The schema of a key, or of an entry of a list.
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

/// A schema without its references and choices: every schema that a value may have.
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
