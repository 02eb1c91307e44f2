//! The requirements of `[trust]` in `hooks.toml` for a source, and the check of a component against
//! them.

use std::path::Path;

use portcullis::lock::Credential;
use portcullis::settings::{Requirement, Trust};
use portcullis::verdict::Digest;

use crate::error::Error;
use crate::fetch::Fetched;
use crate::pattern;
use crate::reference::Source;
use crate::signature::Signer;

/// The requirements for a component.
#[derive(Debug, Clone)]
pub struct Policy {
    require: Requirement,
    signers: Vec<Signer>,
    /// The source, as patterns name it.
    name: String,
    /// The source of the requirement, for people.
    rule: String,
}

/// The reasons why the policy accepts a component.
#[derive(Debug, Clone)]
pub struct Accepted {
    /// The signer, if the component has a signature that counts. A key without a name in
    /// `hooks.toml` is called `key sha256:…`.
    pub signer: Option<Signer>,
    /// The credential that made the signature.
    pub credential: Option<Credential>,
    /// The bundle with that signature.
    pub bundle: Option<Vec<u8>>,
    /// The number of its other signatures.
    pub unknown: usize,
}

/// The reason why a component may not be added.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{source_name} is refused: {why} ({rule}). {fix}")]
pub struct Refused {
    source_name: String,
    why: String,
    rule: String,
    fix: String,
}

impl Policy {
    /// Returns the requirements for a source. Patterns are matched against the source without its
    /// digest; a source without a tag keeps its digest. With a given key, exactly that key's
    /// signature is required.
    ///
    /// # Errors
    ///
    /// A key or the trusted root cannot be read.
    pub fn of(trust: &Trust, source: &Source, key: Option<&Path>) -> Result<Self, Error> {
        let name = source.moving().to_string();
        if let Some(key) = key {
            return Ok(Self {
                require: Requirement::Signed,
                signers: vec![given(trust, key)?],
                name,
                rule: "--key".into(),
            });
        }
        let rule = trust
            .sources
            .iter()
            .filter(|(pattern, _)| pattern::fits_source(pattern, &name))
            .max_by_key(|(pattern, _)| pattern.len());
        let named = |name: &str| match rule.and_then(|(_, rule)| rule.signers.as_ref()) {
            Some(signers) => signers.iter().any(|signer| signer == name),
            None => true,
        };
        let signers = signers(trust).filter(|(name, _)| named(name));
        let signers = signers.map(|(_, signer)| signer);
        let require = rule.and_then(|(_, rule)| rule.require);
        Ok(Self {
            require: require.unwrap_or(trust.required()),
            signers: signers.collect::<Result<_, Error>>()?,
            name: name.clone(),
            rule: match rule {
                Some((pattern, _)) => format!("[trust.sources.\"{pattern}\"] in hooks.toml"),
                None => "[trust] in hooks.toml".into(),
            },
        })
    }

    /// Puts these signers before the others.
    #[must_use]
    pub fn first(mut self, are_first: impl Fn(&Signer) -> bool) -> Self {
        self.signers.sort_by_key(|one| !are_first(one));
        self
    }

    /// Checks a component. `pinned` is the digest that the operator gave, of the component or of its manifest.
    ///
    /// # Errors
    ///
    /// The component does not fulfil the policy.
    pub fn check(&self, fetched: &Fetched, pinned: Option<Digest>) -> Result<Accepted, Refused> {
        let refused = |why: String, fix: String| Refused {
            source_name: fetched.source.to_string(),
            why,
            rule: self.rule.clone(),
            fix,
        };
        if let Some(pinned) = pinned
            && pinned != fetched.digest
            && Some(pinned) != fetched.manifest_digest()
        {
            return Err(refused(
                format!(
                    "its digest is sha256:{}, and sha256:{pinned} was given",
                    fetched.digest
                ),
                "Ask its author which is right".into(),
            ));
        }
        let mut reasons = fetched.unreadable.clone();
        for signer in &self.signers {
            for bundle in &fetched.bundles {
                match signer.check(fetched.signed(), bundle) {
                    Ok(credential) => {
                        return Ok(Accepted {
                            signer: Some(signer.clone()),
                            credential: Some(credential),
                            bundle: Some(bundle.clone()),
                            unknown: fetched.bundles.len() + fetched.unreadable.len() - 1,
                        });
                    }
                    Err(why) => reasons.push(format!("not that of `{}`: {why}", signer.name())),
                }
            }
        }
        let is_pinned = pinned.is_some() || fetched.source.is_pinned();
        if self.require == Requirement::None || (self.require == Requirement::Pinned && is_pinned) {
            return Ok(Accepted {
                signer: None,
                credential: None,
                bundle: None,
                unknown: fetched.bundles.len() + fetched.unreadable.len(),
            });
        }
        let names: Vec<&str> = self.signers.iter().map(Signer::name).collect();
        let names = names.join(", ");
        Err(match (self.require, fetched.bundles.len() + fetched.unreadable.len()) {
            (Requirement::Pinned, _) => refused(
                "it must be signed, or its digest given".into(),
                format!("If you know that it is the right one, add it with --digest sha256:{}", fetched.digest),
            ),
            (_, _) if names.is_empty() => refused(
                "it must be signed, and nobody is named whose signature counts".into(),
                "Name the signer's public key: [trust.keys] NAME = \"FILE\"; or for once with --key FILE".into(),
            ),
            (_, 0) => refused(
                "it is not signed, and must be".into(),
                format!(
                    "Ask its author to sign it (portcullis publish --sign KEY); or, if you know that it is the right \
                     one, let its source be without a signature: [trust.sources.\"{}\"] require = \"pinned\"",
                    self.name
                ),
            ),
            (_, _) => refused(
                format!("no signature of it counts: {}", reasons.join("; ")),
                format!("A signature of these would count: {names}. If it is by another one whom you trust, name the public key: [trust.keys] NAME = \"FILE\""),
            ),
        })
    }
}

/// Returns all signers whose signatures count, by their names in `hooks.toml`.
///
/// # Errors
///
/// For each signer: its key or the trusted root cannot be read.
pub fn signers(trust: &Trust) -> impl Iterator<Item = (&str, Result<Signer, Error>)> {
    let root = trust.trusted_root.as_deref().unwrap_or(Path::new(""));
    let keys = trust.keys.iter();
    let keys = keys.map(|(name, path)| (name.as_str(), Signer::key(name, path)));
    let identities = trust.identities.iter().map(move |(name, identity)| {
        let signer = Signer::identity(name, &identity.issuer, &identity.subject, root);
        (name.as_str(), signer)
    });
    keys.chain(identities)
}

/// Returns a given key, by its name in `hooks.toml` if it has one there. The name of its file is not trusted.
fn given(trust: &Trust, path: &Path) -> Result<Signer, Error> {
    let key = Signer::key("", path)?;
    for (name, path) in &trust.keys {
        let named = Signer::key(name, path)?;
        if named.key_name() == key.key_name() {
            return Ok(named);
        }
    }
    Signer::key(&key.key_name().unwrap_or_default(), path)
}

#[cfg(test)]
mod tests {
    use portcullis::settings::Settings;

    use super::*;

    /// Returns the requirement for a source, and the signers whose signatures count for it.
    fn required(source: &str) -> (Requirement, Vec<String>) {
        let dir = tempfile::tempdir().unwrap();
        let key = rcgen::KeyPair::generate().unwrap().public_key_pem();
        for name in ["acme.pub", "helper.pub"] {
            std::fs::write(dir.path().join(name), &key).unwrap();
        }
        let text = "[trust]\nrequire = \"none\"\n\
            [trust.keys]\nacme = \"acme.pub\"\nhelper = \"helper.pub\"\n\
            [trust.sources.\"oci://ghcr.io/*\"]\nrequire = \"pinned\"\n\
            [trust.sources.\"oci://ghcr.io/acme/*\"]\nrequire = \"signed\"\nsigners = [\"acme\"]\n";
        let settings = Settings::parse(&dir.path().join("hooks.toml"), text).unwrap();
        let policy = Policy::of(&settings.trust, &source.parse().unwrap(), None).unwrap();
        let signers = policy.signers.iter().map(|one| one.name().to_owned());
        (policy.require, signers.collect())
    }

    #[test]
    fn the_longest_pattern_says_what_is_required_and_who_may_sign() {
        let digest = format!("@sha256:{}", "a".repeat(64));
        let all = || vec!["acme".to_owned(), "helper".to_owned()];
        let acme = || vec!["acme".to_owned()];
        for (source, require, signers) in [
            ("oci://ghcr.io/acme/a:1".into(), Requirement::Signed, acme()),
            (
                "oci://GHCR.IO:443/acme/a:1".into(),
                Requirement::Signed,
                acme(),
            ),
            (
                format!("oci://ghcr.io/acme/a:1{digest}"),
                Requirement::Signed,
                acme(),
            ),
            (
                format!("oci://ghcr.io/acme/a{digest}"),
                Requirement::Signed,
                acme(),
            ),
            ("oci://ghcr.io/other/a:1".into(), Requirement::Pinned, all()),
            (
                "oci://example.com/acme/a:1".into(),
                Requirement::None,
                all(),
            ),
        ] {
            assert_eq!(required(&source), (require, signers), "{source}");
        }
    }
}
