//! `portcullis.toml`: the file that makes a directory a project.

mod read;

use std::path::{Path, PathBuf};

use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

pub use self::read::ManifestFault;
pub(crate) use self::read::read;

use crate::{About, Language, Point, Sdk};

/// The manifest of a project.
///
/// ```
/// use portcullis_project::{Language, Manifest};
///
/// let manifest: Manifest = toml::from_str(
///     r#"
///     name = "word-filter"
///     language = "c"
///     points = ["pre-turn"]
///     contract = "0.2.0"
///     "#,
/// )?;
/// assert_eq!(manifest.language, Language::C);
/// # Ok::<(), toml::de::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// The hook's id, which is the name of its component too.
    pub name: Name,
    /// The hook's language.
    pub language: Language,
    /// The points it serves, at least one.
    #[serde(deserialize_with = "points")]
    pub points: Vec<Point>,
    /// The version of the contract it is written for, such as `0.2.0`.
    pub contract: String,
    /// The SDK's place; the directory `sdk` if left out.
    #[serde(default)]
    pub sdk: SdkPlace,
    /// The hook's licence, and links to more information.
    #[serde(default)]
    pub about: About,
    /// Options for Rust.
    #[serde(default)]
    pub rust: RustSettings,
    /// Options for C.
    #[serde(default)]
    pub c: NativeSettings,
    /// Options for C++.
    #[serde(default)]
    pub cpp: NativeSettings,
    /// Options for Zig.
    #[serde(default)]
    pub zig: NativeSettings,
}

/// Reads the points, of which there is at least one.
fn points<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Point>, D::Error> {
    let points = Vec::deserialize(deserializer)?;
    match points.is_empty() {
        true => Err(D::Error::custom(
            "the list is empty, and a hook without a point is never called; name the points that it serves, such as [\"pre-turn\"]",
        )),
        false => Ok(points),
    }
}

/// The place of a project's SDK.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(from = "PathBuf")]
pub enum SdkPlace {
    /// The SDK is in this directory, relative to the project, with one directory for each language; the WIT is
    /// in `wit` beside it.
    Dir(PathBuf),
    /// The SDK is a package, written as `package`, that the language's manifest names.
    Package,
}

impl Default for SdkPlace {
    fn default() -> Self {
        Self::Dir("sdk".into())
    }
}

impl From<PathBuf> for SdkPlace {
    fn from(path: PathBuf) -> Self {
        match path == Path::new(Sdk::PACKAGE) {
            true => Self::Package,
            false => Self::Dir(path),
        }
    }
}

/// The build settings of a project in Rust.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RustSettings {
    /// Cargo's profile; `release` if left out.
    pub profile: String,
}

impl Default for RustSettings {
    fn default() -> Self {
        Self {
            profile: "release".to_owned(),
        }
    }
}

/// The build settings of a project in C, C++ or Zig.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct NativeSettings {
    /// More arguments for the compiler, such as `-DLIMIT=5`.
    #[serde(default)]
    pub flags: Vec<String>,
    /// The file with the JSON schema of the hook's configuration, relative to the project. Without a schema,
    /// the host cannot check the configuration.
    pub config_schema: Option<PathBuf>,
}

/// The name of a project and the id of its hook: lower-case letters, digits and dashes, a letter first.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(try_from = "String")]
pub struct Name(String);

/// The longest name, in bytes: it becomes a file's name.
const LONGEST: usize = 64;

/// The name is not valid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is no name for a hook: it has lower-case letters, digits and single dashes, begins with a letter, and has \
     {LONGEST} characters at most"
)]
pub struct BadName(String);

impl Name {
    /// Returns the name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for Name {
    type Error = BadName;

    fn try_from(name: String) -> Result<Self, BadName> {
        let is_word = |word: &str| {
            !word.is_empty()
                && word
                    .bytes()
                    .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
        };
        let begins = name.starts_with(|first: char| first.is_ascii_lowercase());
        match begins && name.len() <= LONGEST && name.split('-').all(is_word) {
            true => Ok(Self(name)),
            false => Err(BadName(name)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Manifest, Name};

    #[test]
    fn names_are_checked() {
        for good in ["a", "path-jail", "b2-c"] {
            assert!(Name::try_from(good.to_owned()).is_ok(), "{good}");
        }
        for bad in ["", "-a", "a-", "a--b", "2a", "A", "a_b", "../a", "ä"] {
            assert!(Name::try_from(bad.to_owned()).is_err(), "{bad}");
        }
    }

    #[test]
    fn an_unknown_key_or_point_is_an_error_that_names_it() {
        let base = "name = \"a\"\nlanguage = \"c\"\ncontract = \"0.2.0\"\n";
        let error = |more: &str| {
            toml::from_str::<Manifest>(&format!("{base}{more}"))
                .unwrap_err()
                .to_string()
        };
        assert!(error("points = [\"pre-turn\"]\npoint = 1\n").contains("`point`"));
        assert!(error("points = [\"pre-trun\"]\n").contains("`pre-turn`"));
    }
}
