//! `[trust]`: the requirements for fetched components, and the signers whose signatures count. The
//! library only reads the table; the lock pins the components that it loads.

mod spelling;

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::Serialize;

use super::check::Check;
use super::file;
use crate::contract::text::nearest;
use crate::model::named::Named;

pub use spelling::{is_loopback, plain_source};

/// The requirements for fetched components.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Trust {
    /// The requirement for sources without their own.
    pub require: Option<Requirement>,
    /// Public key files, by the name of the owner.
    pub keys: BTreeMap<String, PathBuf>,
    /// Certificate identities, by a name of the operator's choice.
    pub identities: BTreeMap<String, SignerIdentity>,
    /// The file with the authorities and logs against which identities are checked.
    pub trusted_root: Option<PathBuf>,
    /// The requirements for sources, by a pattern of their names in the spelling of
    /// [`plain_source`]. The longest matching pattern applies.
    pub sources: BTreeMap<String, SourceTrust>,
}

impl Trust {
    /// Returns the requirement for sources without their own. Default: a signature, if any key or
    /// identity is named.
    pub fn required(&self) -> Requirement {
        let default = match self.keys.is_empty() && self.identities.is_empty() {
            true => Requirement::None,
            false => Requirement::Signed,
        };
        self.require.unwrap_or(default)
    }

    /// Returns whether a signature is required, and no key or identity is named whose signature
    /// could count. Hooks that were added before still load.
    pub fn lacks_signers(&self) -> bool {
        let required = Some(Requirement::Signed);
        let mut sources = self.sources.values();
        self.keys.is_empty()
            && self.identities.is_empty()
            && (self.require == required || sources.any(|source| source.require == required))
    }
}

/// A requirement for a fetched component.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Requirement {
    /// A signature that counts.
    Signed,
    /// A signature that counts, or a digest that the operator specified.
    Pinned,
    /// No requirement.
    None,
}

impl Named for Requirement {
    const NAMES: &'static [(&'static str, Self)] = &[
        ("signed", Self::Signed),
        ("pinned", Self::Pinned),
        ("none", Self::None),
    ];
}

/// The identity in a certificate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignerIdentity {
    /// The OpenID provider that confirmed the identity.
    pub issuer: String,
    /// The subject: an address, or the URL of a workflow. `*` matches any characters but `@`.
    pub subject: String,
}

/// The requirements for a source.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SourceTrust {
    /// The requirement. Default: the requirement for all sources.
    pub require: Option<Requirement>,
    /// The names of the keys and identities whose signatures count. Default: all.
    pub signers: Option<Vec<String>>,
}

impl Check<'_> {
    pub(super) fn trust(&mut self, trust: file::Trust) -> Trust {
        let dir = self.source.dir().to_owned();
        let mut identities = BTreeMap::new();
        for (name, identity) in trust.identities {
            let at = ["trust", "identities", name.as_str()];
            if trust.keys.contains_key(&name) {
                self.refuse(
                    &at,
                    format!("`{name}` is a key already; give one of them another name"),
                );
            }
            if trust.trusted_root.is_none() {
                self.refuse(&at, "an identity needs `trusted-root` in [trust]: the file trusted_root.json of the sigstore that issues the certificates".into());
            }
            match (identity.issuer, identity.subject) {
                (Some(issuer), Some(subject)) if !issuer.is_empty() && !subject.is_empty() => {
                    identities.insert(name, SignerIdentity { issuer, subject });
                }
                _ => self.refuse(
                    &at,
                    format!("the identity `{name}` needs an `issuer` and a `subject`"),
                ),
            }
        }
        let keys: BTreeMap<String, PathBuf> = trust
            .keys
            .into_iter()
            .map(|(name, file)| (name, dir.join(file)))
            .collect();
        let mut sources = BTreeMap::new();
        for (pattern, source) in trust.sources {
            let why = match plain_source(&pattern) {
                Ok(plain) if plain == pattern => None,
                Ok(plain) => Some(format!("write `{plain}`, as sources are compared")),
                Err(why) => Some(why),
            };
            if let Some(why) = why {
                self.refuse(
                    &["trust", "sources", &pattern],
                    format!("the pattern `{pattern}` fits no source: {why}"),
                );
            }
            for signer in source.signers.iter().flatten() {
                if keys.contains_key(signer) || identities.contains_key(signer) {
                    continue;
                }
                let known = keys.keys().chain(identities.keys()).map(String::as_str);
                let hint = match nearest(signer, known) {
                    Some(name) => format!("did you mean `{name}`?"),
                    None => "name it in [trust.keys] or [trust.identities]".into(),
                };
                self.refuse(
                    &["trust", "sources", &pattern, "signers"],
                    format!("there is no signer `{signer}`; {hint}"),
                );
            }
            sources.insert(
                pattern,
                SourceTrust {
                    require: source.require,
                    signers: source.signers,
                },
            );
        }
        Trust {
            require: trust.require,
            keys,
            identities,
            trusted_root: trust.trusted_root.map(|file| dir.join(file)),
            sources,
        }
    }

    fn refuse(&mut self, at: &[&str], problem: String) {
        let error = self.source.error(at, problem);
        self.errors.push(error);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::Settings;

    fn parse(text: &str) -> Result<Trust, String> {
        let settings = Settings::parse("dir/hooks.toml".as_ref(), text);
        settings.map(|settings| settings.trust).map_err(|errors| {
            let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
            errors.join("\n")
        })
    }

    #[test]
    fn a_signature_is_required_where_somebody_is_named_whose_signature_counts() {
        assert_eq!(parse("").unwrap().required(), Requirement::None);
        let trust = parse("[trust.keys]\nacme = \"acme.pub\"\n").unwrap();
        assert_eq!(trust.required(), Requirement::Signed);
        assert_eq!(trust.keys["acme"], PathBuf::from("dir/acme.pub"));
        let trust =
            parse("[trust]\nrequire = \"pinned\"\n[trust.keys]\nacme = \"acme.pub\"\n").unwrap();
        assert_eq!(trust.required(), Requirement::Pinned);
    }

    #[test]
    fn required_signatures_without_a_signer_keep_no_hook_from_loading() {
        let signed = "[trust]\nrequire = \"signed\"\n";
        let key = "[trust.keys]\nacme = \"acme.pub\"\n";
        let source = "[trust.sources.\"oci://a.example/*\"]\nrequire = \"signed\"\n";
        for (text, lacks_signers) in [
            (String::new(), false),
            (signed.to_owned(), true),
            (source.to_owned(), true),
            (format!("{signed}{key}"), false),
            (format!("{key}{source}"), false),
        ] {
            let trust = parse(&text).unwrap();
            assert_eq!(trust.lacks_signers(), lacks_signers, "{text}");
        }
    }

    #[test]
    fn a_wrong_policy_is_an_error() {
        for (text, why) in [
            ("[trust]\nrequire = \"sined\"\n", "signed"),
            (
                "[trust.keys]\nacme = \"a.pub\"\n[trust.sources.\"*\"]\nsigners = [\"amce\"]\n",
                "did you mean `acme`?",
            ),
            (
                "[trust.sources.\"oci://GHCR.io/acme/*\"]\nrequire = \"pinned\"\n",
                "write `oci://ghcr.io/acme/*`",
            ),
            (
                "[trust.sources.\"./vendored/*\"]\nrequire = \"pinned\"\n",
                "absolute",
            ),
            (
                "[trust.identities.ci]\nissuer = \"https://a\"\nsubject = \"b\"\n",
                "trusted-root",
            ),
            (
                "[trust]\ntrusted-root = \"r\"\n[trust.identities.ci]\nissuer = \"https://a\"\n",
                "subject",
            ),
        ] {
            let error = parse(text).expect_err(text);
            assert!(error.contains(why), "{text}: {error}");
        }
    }
}
