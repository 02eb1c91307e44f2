//! The text of `hooks.toml`: reading it, finding lines in it, naming the nearest right name.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use serde::de::{self, DeserializeOwned, Visitor};
use toml::de::{DeTable, DeValue};

use super::file::{Defaults, Engine, File, Hook, Http, Limits, Quarantine, Script, Secret, Turn};
use super::places::Places;
use super::{Grants, Integrity, Unnamed};
use crate::contract::text::{nearest, sanitize_for_terminal};

/// Something that is wrong with `hooks.toml`.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}{}: {problem}", file.display(), line.map(|n| format!(":{n}")).unwrap_or_default())]
pub struct SettingsError {
    /// The file.
    pub file: PathBuf,
    /// The line, counted from 1.
    pub line: Option<usize>,
    /// What is wrong, and what would be right.
    pub problem: String,
}

/// How many mistakes are told. A person corrects a few of them and tries again.
pub(crate) const MOST_TOLD: usize = 50;

/// The text that settings were read from.
#[derive(Debug, Clone, Default)]
pub(crate) struct Source {
    path: PathBuf,
    text: String,
    /// Where its keys stand: found out when the first mistake is.
    places: OnceLock<Places>,
}

impl PartialEq for Source {
    fn eq(&self, other: &Self) -> bool {
        (&self.path, &self.text) == (&other.path, &other.text)
    }
}

impl Eq for Source {}

impl Source {
    pub(super) fn new(path: &Path, text: &str) -> Self {
        Self {
            path: path.to_owned(),
            text: text.to_owned(),
            places: OnceLock::new(),
        }
    }

    /// The file, if there is one.
    pub(crate) fn file(&self) -> Option<&Path> {
        (self.path != Path::new("")).then_some(&*self.path)
    }

    /// The directory that the file stands in.
    pub(super) fn dir(&self) -> &Path {
        self.path.parent().unwrap_or(Path::new(""))
    }

    /// An error about the value at a path of keys.
    pub(crate) fn error(&self, keys: &[&str], problem: String) -> SettingsError {
        SettingsError {
            file: self.path.clone(),
            line: self.line_of(keys),
            problem,
        }
    }

    /// As many mistakes as a person reads, and how many more there are.
    pub(super) fn told(&self, mut errors: Vec<SettingsError>) -> Vec<SettingsError> {
        let more = errors.len().saturating_sub(MOST_TOLD);
        errors.truncate(MOST_TOLD);
        if more > 0 {
            errors.push(SettingsError {
                file: self.path.clone(),
                line: None,
                problem: format!("and at least {more} more; correct these first"),
            });
        }
        errors
    }

    /// Reads the file; unknown keys are errors that name the nearest known one. A value of a wrong
    /// type is removed and the rest read again, until all of them are found, or as many as are reported.
    pub(super) fn read(&self) -> Result<File, Vec<SettingsError>> {
        let mut document = DeTable::parse(&self.text).map_err(|e| vec![self.parse_error(&e)])?;
        let mut errors = Vec::new();
        loop {
            let parser = toml::Deserializer::from(document.clone());
            let mut unknown = Vec::new();
            match serde_ignored::deserialize(parser, |path| unknown.push(segments(&path))) {
                Ok(file) => {
                    let more = unknown.iter().map(|path| self.unknown_key(path));
                    errors.extend(more);
                    errors.sort_by_key(|error: &SettingsError| error.line);
                    return match errors.is_empty() {
                        true => Ok(file),
                        false => Err(errors),
                    };
                }
                Err(error) => {
                    errors.push(self.parse_error(&error));
                    // Each of them is another reading of the whole.
                    if errors.len() > MOST_TOLD {
                        return Err(errors);
                    }
                    let span = error.span();
                    if !span.is_some_and(|span| take_away(document.get_mut(), &span)) {
                        return Err(errors);
                    }
                }
            }
        }
    }

    fn unknown_key(&self, path: &[String]) -> SettingsError {
        let keys: Vec<&str> = path.iter().map(String::as_str).collect();
        let (key, section) = keys.split_last().map_or(("", &[][..]), |(k, s)| (*k, s));
        let known = known_keys(section);
        let hint = match nearest(key, known.iter().copied()) {
            Some(name) => format!("did you mean `{name}`?"),
            None => format!("known here: {}", known.join(", ")),
        };
        let key = sanitize_for_terminal(key);
        self.error(&keys, format!("unknown key `{key}`; {hint}"))
    }

    fn parse_error(&self, error: &toml::de::Error) -> SettingsError {
        SettingsError {
            file: self.path.clone(),
            line: error.span().map(|span| self.line_at(span.start)),
            problem: error.message().to_owned(),
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

/// Takes the innermost entry away whose key or value is there. Says whether there is one.
fn take_away(table: &mut DeTable<'_>, span: &Range<usize>) -> bool {
    let holds = |outer: Range<usize>| outer.start <= span.start && span.end <= outer.end;
    let mut found = None;
    for (key, value) in table.iter_mut() {
        if let DeValue::Table(inner) = value.get_mut()
            && take_away(inner, span)
        {
            return true;
        }
        if holds(key.span()) || holds(value.span()) {
            found = Some(key.clone());
        }
    }
    found.is_some_and(|key| table.remove(&key).is_some())
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

/// The keys of a section, by its path.
fn known_keys(section: &[&str]) -> &'static [&'static str] {
    match section {
        [] => fields::<File>(),
        ["engine"] => fields::<Engine>(),
        ["turn"] => fields::<Turn>(),
        ["quarantine"] => fields::<Quarantine>(),
        ["integrity"] => fields::<Integrity>(),
        ["http"] => fields::<Http>(),
        ["defaults"] => fields::<Defaults>(),
        ["unnamed"] => fields::<Unnamed>(),
        ["hooks", _] => fields::<Hook>(),
        ["scripts", _] => fields::<Script>(),
        ["secrets", _] => fields::<Secret>(),
        ["hooks", _, "grants"] => fields::<Grants>(),
        ["defaults", "limits"] | ["hooks", _, "limits"] => fields::<Limits>(),
        _ => &[],
    }
}

/// The names of a struct's fields, as its own `Deserialize` tells them.
fn fields<T: DeserializeOwned>() -> &'static [&'static str] {
    struct Asker<'a>(&'a mut &'static [&'static str]);

    impl<'de> de::Deserializer<'de> for Asker<'_> {
        type Error = de::value::Error;

        fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Self::Error> {
            Err(de::Error::custom("only asks"))
        }

        fn deserialize_struct<V: Visitor<'de>>(
            self,
            _: &'static str,
            fields: &'static [&'static str],
            visitor: V,
        ) -> Result<V::Value, Self::Error> {
            *self.0 = fields;
            self.deserialize_any(visitor)
        }

        serde::forward_to_deserialize_any! {
            bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 char str string bytes byte_buf option unit
            unit_struct newtype_struct seq tuple tuple_struct map enum identifier ignored_any
        }
    }

    let mut fields: &'static [&'static str] = &[];
    let _ = T::deserialize(Asker(&mut fields));
    fields
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_of_a_wrong_type_is_found_in_one_go() {
        let text = "[engine]\ntick-ms = \"fast\"\n[hooks.a]\npriority = 1.5\nrole = \"gat\"\n\
                    limits = { fuel = [], deadline-ms = true }\npriorty = 2\n[scripts.b]\n\
                    command = \"sh\"\npoints = [\"pre-turn\", 7]\n[secrets]\nKEY = 3\n";
        let errors = Source::new(Path::new("hooks.toml"), text)
            .read()
            .unwrap_err();
        let lines: Vec<usize> = errors.iter().filter_map(|error| error.line).collect();
        assert_eq!(lines, [2, 4, 5, 6, 6, 7, 9, 10, 12], "{errors:#?}");
        assert!(
            errors[2].problem.contains("did you mean `gate`?"),
            "{errors:#?}"
        );
    }

    #[test]
    fn text_that_is_not_toml_is_one_error() {
        let errors = Source::new(
            Path::new("hooks.toml"),
            "[hooks
",
        )
        .read();
        assert_eq!(errors.unwrap_err().len(), 1);
    }

    /// Every kind of mistake that there can be thousands of.
    #[test]
    fn many_mistakes_are_counted_and_not_all_told() {
        let many = |line: &dyn Fn(usize) -> String| -> String { (0..10_000).map(line).collect() };
        for text in [
            many(&|n| format!("k{n} = 1\n")),
            many(&|n| format!("[hooks.h{n}]\npriorty = 1\n")),
            many(&|n| format!("[hooks.h{n}]\npriority = true\n")),
            many(&|n| format!("[hooks.h{n}.limits]\nfuel = -1\n")),
            many(&|n| format!("[secrets.s{n}]\n")),
            format!("[engine]\n{} = 1\n", "x".repeat(900_000)),
        ] {
            let began = cpu_time::ThreadTime::now();
            let errors = crate::settings::Settings::parse(Path::new("hooks.toml"), &text)
                .expect_err("mistakes");
            assert!(errors.len() <= 51, "{}", errors.len());
            if errors.len() > 1 {
                assert!(errors.iter().take(50).all(|error| error.line.is_some()));
                let last = &errors.last().expect("errors").problem;
                assert!(last.contains(" more"), "{last}");
            }
            let told: usize = errors.iter().map(|error| error.to_string().len()).sum();
            assert!(told < 100_000, "{told}");
            assert!(
                began.elapsed() < std::time::Duration::from_secs(20),
                "{:?}",
                began.elapsed()
            );
        }
    }
}
