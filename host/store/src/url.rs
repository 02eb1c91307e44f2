//! The address of a store.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use percent_encoding::{NON_ALPHANUMERIC, percent_encode};
use url::Url;

/// The parameters of a PostgreSQL URL.
const PARAMETERS: &[&str] = &[
    "sslmode",
    "ssl-mode",
    "sslrootcert",
    "ssl-root-cert",
    "ssl-ca",
    "sslcert",
    "ssl-cert",
    "sslkey",
    "ssl-key",
    "statement-cache-capacity",
    "host",
    "hostaddr",
    "port",
    "dbname",
    "user",
    "password",
    "application_name",
    "options",
];

/// The address of a store: `sqlite:PATH`, or `postgres://USER:PASSWORD@HOST/DATABASE`.
///
/// Its text forms (`Display` and `Debug`) never contain the password.
#[derive(Clone, PartialEq, Eq)]
pub struct StoreUrl(Place);

#[derive(Clone, PartialEq, Eq)]
enum Place {
    Sqlite(PathBuf),
    Postgres(Url),
}

impl StoreUrl {
    /// Creates the address of an SQLite file.
    pub fn sqlite(path: impl Into<PathBuf>) -> Self {
        Self(Place::Sqlite(path.into()))
    }

    /// Returns the SQLite file; `None` for PostgreSQL.
    pub fn file(&self) -> Option<&Path> {
        match &self.0 {
            Place::Sqlite(path) => Some(path),
            Place::Postgres(_) => None,
        }
    }

    /// Returns the absolute path of the SQLite file.
    pub(crate) fn absolute_file(&self) -> Option<PathBuf> {
        self.file().map(absolute)
    }

    /// Resolves the relative path of a file in this directory.
    pub fn resolved(self, dir: &Path) -> Self {
        match self.0 {
            Place::Sqlite(path) => Self::sqlite(dir.join(path)),
            place => Self(place),
        }
    }

    /// Returns the URL in the form of the database library, with the password.
    pub(crate) fn secret(&self) -> Result<Url, url::ParseError> {
        match &self.0 {
            Place::Sqlite(path) => {
                let path = absolute(path);
                let path = percent_encode(path.as_os_str().as_encoded_bytes(), NON_ALPHANUMERIC);
                Url::parse(&format!("sqlite:{path}?mode=rwc"))
            }
            Place::Postgres(url) => Ok(url.clone()),
        }
    }
}

fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

/// Returns whether the database library knows the parameter. The library logs the value of an
/// unknown parameter.
fn is_parameter(key: &str) -> bool {
    PARAMETERS.contains(&key) || (key.starts_with("options[") && key.ends_with(']'))
}

impl FromStr for StoreUrl {
    type Err = BadStoreUrl;

    fn from_str(text: &str) -> Result<Self, BadStoreUrl> {
        if let Some(path) = text.strip_prefix("sqlite:") {
            let path = path.strip_prefix("//").unwrap_or(path);
            return match path {
                "" => Err(BadStoreUrl::NoPath),
                path => Ok(Self::sqlite(path)),
            };
        }
        if !["postgres://", "postgresql://"]
            .iter()
            .any(|scheme| text.starts_with(scheme))
        {
            return Err(BadStoreUrl::Scheme);
        }
        let url = Url::parse(text).map_err(BadStoreUrl::Postgres)?;
        if let Some((key, value)) = url.query_pairs().find(|(key, _)| !is_parameter(key)) {
            // Without a value it may be the rest of a password that contains a `?`.
            return Err(match value.is_empty() {
                true => BadStoreUrl::Query,
                false => BadStoreUrl::Parameter(key.into_owned()),
            });
        }
        Ok(Self(Place::Postgres(url)))
    }
}

/// An error for a text that is not a [`StoreUrl`]. Its message contains at most the name of a
/// parameter of the text, which may contain a password.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BadStoreUrl {
    /// It begins with neither `sqlite:` nor `postgres://`.
    #[error("a store is `sqlite:PATH` or `postgres://USER:PASSWORD@HOST/DATABASE`")]
    Scheme,
    /// There is no path after `sqlite:`.
    #[error("a path is missing after `sqlite:`")]
    NoPath,
    /// It is not a URL.
    #[error("the URL of the PostgreSQL database cannot be read: {0}")]
    Postgres(url::ParseError),
    /// It has a parameter that PostgreSQL URLs do not have.
    #[error(
        "the URL of the PostgreSQL database has the unknown parameter `{0}`; remove or correct it"
    )]
    Parameter(String),
    /// The text after its `?` is not a parameter.
    #[error(
        "in the URL of the PostgreSQL database no parameters follow the `?`; write a `?` of the password \
         as `%3F`"
    )]
    Query,
}

impl BadStoreUrl {
    /// Returns the message, with the text unless the text may contain a password.
    pub fn of(&self, text: &str) -> String {
        let may_hold_password = |c: char| "@?=".contains(c) || c.is_whitespace();
        match text.contains(may_hold_password) {
            true => self.to_string(),
            false => format!("`{text}` is no store; {self}"),
        }
    }
}

impl fmt::Display for StoreUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Place::Sqlite(path) => write!(f, "sqlite:{}", path.display()),
            // Without user information and parameters, which may contain a password.
            Place::Postgres(url) => {
                write!(f, "postgres://{}", url.host_str().unwrap_or_default())?;
                if let Some(port) = url.port() {
                    write!(f, ":{port}")?;
                }
                f.write_str(url.path())
            }
        }
    }
}

impl fmt::Debug for StoreUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_are_never_shown() {
        for text in [
            "postgres://ann:s3cret@db.example:5433/agents",
            "postgresql://ann@db.example:5433/agents?password=s3cret",
        ] {
            let url: StoreUrl = text.parse().unwrap();
            assert_eq!(url.to_string(), "postgres://db.example:5433/agents");
            assert!(!format!("{url:?}").contains("s3cret"));
            assert_eq!(url.secret().unwrap().as_str(), text);
        }
        let error = "postgres://ann:s3cret@db.example:no/x".parse::<StoreUrl>();
        let error = error.unwrap_err();
        assert!(!format!("{error} {error:?}").contains("s3cret"), "{error}");
    }

    #[test]
    fn unknown_parameters_are_named_without_their_values() {
        let error = "postgres://h/d?sslmode=require&pasword=s3cret".parse::<StoreUrl>();
        assert_eq!(error, Err(BadStoreUrl::Parameter("pasword".into())));
        let error = error.unwrap_err().to_string();
        assert!(
            error.contains("`pasword`") && !error.contains("s3cret"),
            "{error}"
        );
        for text in ["host=db password=s3cret", "postgre://ann:s3cret@h/d"] {
            let error = text.parse::<StoreUrl>().unwrap_err();
            assert_eq!(error.of(text), error.to_string());
        }
        let error = "demo.sqlite".parse::<StoreUrl>().unwrap_err();
        assert!(
            error
                .of("demo.sqlite")
                .starts_with("`demo.sqlite` is no store; ")
        );
        let error = "postgres://ann:1?s3cret@h/d".parse::<StoreUrl>();
        assert_eq!(error, Err(BadStoreUrl::Query));
        for known in ["sslmode=require", "options[lock_timeout]=1s"] {
            let url = format!("postgres://h/d?{known}").parse::<StoreUrl>();
            assert!(url.is_ok(), "{known}");
        }
    }

    #[test]
    fn files_are_paths() {
        for (text, path) in [("sqlite:a b.db", "/d/a b.db"), ("sqlite:///x/y", "/x/y")] {
            let url: StoreUrl = text.parse().unwrap();
            assert_eq!(url.resolved(Path::new("/d")).file(), Some(Path::new(path)));
        }
        assert_eq!("sqlite:".parse::<StoreUrl>(), Err(BadStoreUrl::NoPath));
        assert_eq!("store.db".parse::<StoreUrl>(), Err(BadStoreUrl::Scheme));
        assert_eq!("mysql://h/d".parse::<StoreUrl>(), Err(BadStoreUrl::Scheme));
    }
}
