//! The contract versions that a hook may be built for.
//!
//! Versions are compatible as in Cargo: the major version must be the same, or the minor version
//! while the major version is 0. A hook may be older than the host. It may also be newer if it uses
//! nothing that the host lacks.

use std::cmp::Ordering;

use semver::Version;

use super::LoadFault;
use crate::contract;
use crate::contract::text::sanitize_for_terminal;

/// Returns the contract version that this host serves.
pub(super) fn ours() -> Version {
    // A test ensures that the constant is a version.
    Version::parse(contract::VERSION).unwrap_or(Version::new(0, 0, 0))
}

/// Returns the version in the name of a contract interface, if a hook may be built for it.
pub(super) fn of(name: &str) -> Result<Version, LoadFault> {
    let ours = ours();
    let said = name.split_once('@').map(|(_, version)| version);
    let wrong = |fix: &str| LoadFault::OtherVersion {
        name: sanitize_for_terminal(name).into(),
        ours: ours.to_string().into(),
        range: range(&ours).into(),
        fix: fix.into(),
    };
    let against = format!("build the hook against the WIT of {ours}");
    let Some(theirs) = said.and_then(|said| Version::parse(said).ok()) else {
        return Err(wrong(&against));
    };
    if is_compatible(&theirs, &ours) {
        return Ok(theirs);
    }
    Err(wrong(&match theirs.cmp_precedence(&ours) {
        Ordering::Greater => format!("run a newer host, or {against}"),
        _ => against,
    }))
}

/// Returns the fault of a hook that is built for the version `theirs`. If the version is newer than
/// the host's, it is the reason.
pub(super) fn explained(fault: LoadFault, theirs: &Version) -> LoadFault {
    let ours = ours();
    if theirs.cmp_precedence(&ours) != Ordering::Greater {
        return fault;
    }
    let what = fault.to_string();
    LoadFault::NewerContract {
        theirs: theirs.to_string().into(),
        ours: ours.to_string().into(),
        // The fault's own fix does not apply.
        what: what
            .split_once("; ")
            .map_or(what.as_str(), |(cause, _)| cause)
            .into(),
    }
}

fn is_compatible(theirs: &Version, ours: &Version) -> bool {
    let numbers = |version: &Version| match version.major {
        0 => (0, version.minor),
        major => (major, 0),
    };
    // A pre-release version guarantees no compatibility.
    numbers(theirs) == numbers(ours) && theirs.pre == ours.pre
}

/// Returns the versions that are compatible with this one.
fn range(ours: &Version) -> String {
    match ours.major {
        0 => format!("0.{}.x", ours.minor),
        major => format!("{major}.x"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_is_that_of_the_wit() {
        let wit = include_str!("../../wit/types.wit");
        let line = format!("package portcullis:hooks@{};", contract::VERSION);
        assert!(wit.lines().any(|l| l == line), "{line}");
        assert_eq!(ours().to_string(), contract::VERSION);
    }

    #[test]
    fn versions_are_compatible_as_cargos_are() {
        for (theirs, ours, compatible) in [
            ("0.1.0", "0.1.0", true),
            ("0.1.0", "0.1.7", true),
            ("0.1.9", "0.1.7", true),
            ("0.2.0", "0.1.7", false),
            ("0.1.7", "0.2.0", false),
            ("1.1.0", "0.1.0", false),
            ("1.0.0", "1.4.2", true),
            ("1.9.0", "1.4.2", true),
            ("2.0.0", "1.4.2", false),
            ("0.1.0-rc.1", "0.1.0", false),
            ("0.1.0+build", "0.1.0", true),
        ] {
            let (t, o) = (
                Version::parse(theirs).unwrap(),
                Version::parse(ours).unwrap(),
            );
            assert_eq!(is_compatible(&t, &o), compatible, "{theirs} on {ours}");
        }
    }

    #[test]
    fn a_fault_of_a_newer_hook_names_both_versions_and_the_fix() {
        let fault = LoadFault::NoDescribe;
        assert_eq!(explained(fault.clone(), &ours()), fault);
        let newer = Version {
            patch: 99,
            ..ours()
        };
        let text = explained(fault, &newer).to_string();
        for part in [
            newer.to_string(),
            ours().to_string(),
            "; run a newer host".into(),
        ] {
            assert!(text.contains(&part), "{text}");
        }
        assert_eq!(text.matches("; ").count(), 1, "{text}");
    }
}
