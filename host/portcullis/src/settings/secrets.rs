//! `[secrets]`: the locations of secrets, by name.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::Settings;
use super::check::Check;
use super::file;
use crate::model::regular_file;
use crate::model::secrets::{SecretError, SecretSource};

/// The most bytes of a secret in a file: enough for a key with its certificate chain.
const LARGEST: u64 = 64 << 10;

/// The location of a secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SecretPlace {
    /// In an environment variable of the host.
    Env(String),
    /// In a file. A line break at its end is not part of the secret.
    File(PathBuf),
}

impl Check<'_> {
    pub(super) fn secrets(
        &mut self,
        secrets: BTreeMap<String, file::Secret>,
    ) -> BTreeMap<String, SecretPlace> {
        let mut places = BTreeMap::new();
        for (name, secret) in secrets {
            let place = match (secret.env, secret.file) {
                (Some(variable), None) if !variable.is_empty() => SecretPlace::Env(variable),
                (None, Some(path)) if !path.is_empty() => {
                    SecretPlace::File(self.source.dir().join(path))
                }
                _ => {
                    let problem = format!(
                        "the secret `{name}` must say where it is: `{{ env = \"VARIABLE\" }}` or `{{ file = \"path\" }}`"
                    );
                    let error = self.source.error(&["secrets", &name], problem);
                    self.errors.push(error);
                    continue;
                }
            };
            places.insert(name, place);
        }
        places
    }
}

/// The secrets of `hooks.toml`.
impl SecretSource for Settings {
    fn read(&self, name: &str) -> Result<String, SecretError> {
        match self.secrets.get(name) {
            None => Err(SecretError(format!(
                "hooks.toml does not say where it is; add it: [secrets] {name} = {{ env = \"VARIABLE\" }}"
            ))),
            Some(SecretPlace::Env(variable)) => std::env::var(variable).map_err(|why| {
                SecretError(format!(
                    "the environment variable {variable}: {why}; set it"
                ))
            }),
            Some(SecretPlace::File(path)) => from_file(path)
                .map_err(|why| SecretError(format!("{}: {why}; put it there", path.display()))),
        }
    }
}

fn from_file(path: &Path) -> std::io::Result<String> {
    // Links are followed, since secrets are mounted through links, and the operator chose the path.
    let mut text = regular_file::read_text(path, LARGEST)?;
    let length = text.trim_end_matches(['\r', '\n']).len();
    text.truncate(length);
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_read_from_variables_and_files() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("key"), "k-123\n").unwrap();
        let toml = "[secrets]\nFILE = { file = \"key\" }\nENV = { env = \"CARGO_PKG_NAME\" }\n\
                    GONE = { file = \"none\" }\nUNSET = { env = \"PORTCULLIS_NO_SUCH\" }\nDIR = { file = \".\" }\n";
        let settings = Settings::parse(&dir.path().join("hooks.toml"), toml).unwrap();
        assert_eq!(settings.read("FILE").unwrap(), "k-123");
        assert_eq!(settings.read("ENV").unwrap(), "portcullis");
        for (name, why) in [
            ("GONE", "put it there"),
            ("DIR", "not a regular file"),
            ("UNSET", "PORTCULLIS_NO_SUCH"),
            ("OTHER", "[secrets] OTHER ="),
        ] {
            let error = settings.read(name).expect_err(name).to_string();
            assert!(error.contains(why), "{error}");
        }
    }

    #[test]
    fn a_place_is_one_place() {
        for secret in ["{}", "{ env = \"A\", file = \"b\" }", "{ env = \"\" }"] {
            let toml = format!("[secrets]\nKEY = {secret}\n");
            let errors = Settings::parse("hooks.toml".as_ref(), &toml).expect_err(secret);
            assert_eq!(errors[0].line, Some(2));
            assert!(errors[0].problem.contains("`KEY`"), "{}", errors[0]);
        }
    }
}
