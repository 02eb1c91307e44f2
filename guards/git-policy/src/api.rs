//! `gh api`.

use crate::config::Rule;
use crate::options::{Known, Options, value};
use crate::policy::{Finding, Policy};

const API: &[Known] = &[
    value("X", "method"),
    value("f", "raw-field"),
    value("F", "field"),
    value("H", "header"),
    value("q", "jq"),
    value("t", "template"),
    value("p", "preview"),
    value("", "input"),
    value("", "form"),
    value("", "hostname"),
    value("", "cache"),
];

impl Policy {
    pub(crate) fn api(&self, arguments: &[&str], found: &mut Vec<Finding>) {
        let options = Options::of_gh(arguments, API);
        let Some(endpoint) = options.operands.first() else {
            return;
        };
        let fields: Vec<&str> = options
            .values("raw-field")
            .chain(options.values("field"))
            .collect();
        let names: Vec<&str> = endpoint.split(['/', '?', '#']).collect();
        let finding = match names.contains(&"graphql") {
            true => mutation(&fields),
            false => {
                let sends = !fields.is_empty() || options.has("input") || options.has("form");
                let method = match options.values("method").last() {
                    Some(method) => method.to_uppercase(),
                    None if sends => "POST".to_owned(),
                    None => "GET".to_owned(),
                };
                request(&method, &names, &fields)
            }
        };
        found.extend(finding.map(|(rule, what)| Finding::new(rule, what)));
    }
}

type Found = Option<(Rule, &'static str)>;

const PROTECTION: Found = Some((Rule::Bypass, "The protection of a branch is changed"));
const MERGED: Found = Some((Rule::Merge, "A pull request is merged"));
const APPROVED: Found = Some((Rule::Bypass, "A pull request is approved"));
const MOVED: Found = Some((
    Rule::DeleteRemote,
    "A branch of the server is moved or deleted",
));

/// Returns the finding for a request, by the names in its address.
fn request(method: &str, names: &[&str], fields: &[&str]) -> Found {
    let has = |wanted: &[&str]| names.iter().any(|name| wanted.contains(name));
    let approves = fields
        .iter()
        .any(|field| field.eq_ignore_ascii_case("event=approve"));
    if matches!(method, "GET" | "HEAD") {
        None
    } else if has(&["protection", "protected_branches", "rulesets"]) {
        PROTECTION
    } else if has(&["merge", "merges"]) {
        MERGED
    } else if has(&["approve"]) || has(&["reviews"]) && approves {
        APPROVED
    } else if method == "DELETE" || names.windows(2).any(|pair| pair == ["git", "refs"]) {
        MOVED
    } else {
        None
    }
}

/// Returns the finding for a GraphQL query.
fn mutation(fields: &[&str]) -> Found {
    let says = |wanted: &str| fields.iter().any(|field| field.contains(wanted));
    if !says("mutation") {
        None
    } else if says("BranchProtectionRule") || says("RepositoryRuleset") {
        PROTECTION
    } else if says("mergePullRequest") || says("mergeBranch") {
        MERGED
    } else if says("APPROVE") {
        APPROVED
    } else if says("deleteRef") || says("updateRef") {
        MOVED
    } else {
        None
    }
}
