//! `git push`.

use guards_common::names;

use crate::config::Rule;
use crate::options::{Known, Options, attached, flag, value};
use crate::policy::{Finding, Policy};

const PUSH: &[Known] = &[
    flag("", "all"),
    flag("", "branches"),
    flag("", "mirror"),
    flag("d", "delete"),
    flag("n", "dry-run"),
    flag("f", "force"),
    attached("", "force-with-lease"),
    flag("", "force-if-includes"),
    flag("", "prune"),
    flag("", "no-verify"),
    value("", "repo"),
    value("", "receive-pack"),
    value("", "exec"),
    value("", "recurse-submodules"),
    value("o", "push-option"),
];

impl Policy {
    pub(crate) fn push(&self, arguments: &[&str], found: &mut Vec<Finding>) {
        let options = Options::of_git(arguments, PUSH);
        let refs = options.operands.get(1..).unwrap_or_default();
        let targets: Vec<Target> = refs.iter().map(|name| Target::new(name)).collect();
        let forces = options.has("force")
            || options.has("mirror")
            || refs.iter().any(|name| name.starts_with('+'));
        if forces && !options.has("dry-run") {
            found.push(Finding::new(
                Rule::ForcePush,
                "`git push --force` replaces what the server has",
            ));
        }
        let deletes = options.has("delete")
            || options.has("prune")
            || targets.iter().any(|target| target.is_deleted);
        if deletes {
            found.push(Finding::new(
                Rule::DeleteRemote,
                "A branch or a tag of the server is deleted",
            ));
        }
        if options.has("no-verify") {
            found.push(Finding::new(
                Rule::SkipChecks,
                "`git push --no-verify` leaves out the hooks",
            ));
        }
        let is_all = ["all", "mirror", "branches"]
            .iter()
            .any(|name| options.has(name));
        let leases = options.has("force-with-lease") || options.has("force-if-includes");
        if is_all || targets.iter().any(|target| self.has_protected(target)) {
            found.push(Finding::new(
                Rule::ProtectedBranch,
                "A protected branch is pushed to",
            ));
        } else if leases && refs.is_empty() {
            // The branch that is pushed to is not known.
            found.push(Finding::new(
                Rule::Rewrite,
                "`git push --force-with-lease` replaces what the server has",
            ));
        }
    }

    fn has_protected(&self, target: &Target) -> bool {
        let meets = |branch: &String| {
            let reference = format!("refs/heads/{branch}");
            target.name.contains('*') && meet(target.name, &reference)
        };
        // `:` pushes all branches that are also on the server.
        target.name.is_empty()
            || self.is_protected(target.name)
            || self.config.protected.iter().any(meets)
    }
}

/// A branch or tag that a push changes on the server.
struct Target<'a> {
    name: &'a str,
    is_deleted: bool,
}

impl<'a> Target<'a> {
    fn new(refspec: &'a str) -> Self {
        let refspec = refspec.trim_start_matches('+');
        let (source, name) = refspec.rsplit_once(':').unwrap_or((refspec, refspec));
        Self {
            name,
            is_deleted: source.is_empty() && !name.is_empty(),
        }
    }
}

/// Returns whether both patterns match a common name. `*` stands for any text.
fn meet(a: &str, b: &str) -> bool {
    match (ends(a), ends(b)) {
        (None, _) => names::fits(b, a),
        (_, None) => names::fits(a, b),
        // The text between the ends of one pattern fits a star of the other.
        (Some((start, end)), Some((other_start, other_end))) => {
            (start.starts_with(other_start) || other_start.starts_with(start))
                && (end.ends_with(other_end) || other_end.ends_with(end))
        }
    }
}

/// Returns the texts before the first star and after the last, if there is a star.
fn ends(pattern: &str) -> Option<(&str, &str)> {
    let (start, _) = pattern.split_once('*')?;
    let (_, end) = pattern.rsplit_once('*')?;
    Some((start, end))
}

#[cfg(test)]
mod tests {
    use super::meet;

    #[test]
    fn patterns_meet_where_a_name_fits_both() {
        for (a, b, expected) in [
            ("refs/heads/*", "refs/heads/main", true),
            ("refs/heads/m*n", "refs/heads/main", true),
            ("refs/heads/topic/*", "refs/heads/main", false),
            ("refs/heads/rel*", "refs/heads/release/*", true),
            ("refs/heads/release/1/*", "refs/heads/release/*", true),
            ("refs/heads/*-x", "refs/heads/release/*", true),
            ("refs/heads/*-x", "refs/heads/*-y", false),
            ("refs/tags/*", "refs/heads/*", false),
        ] {
            assert_eq!(meet(a, b), expected, "{a} {b}");
            assert_eq!(meet(b, a), expected, "{b} {a}");
        }
    }
}
