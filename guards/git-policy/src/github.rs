//! The tools of GitHub's MCP server, by their names.

use serde_json::Value;

use crate::config::Rule;
use crate::policy::{Finding, Policy};

impl Policy {
    pub(crate) fn github(&self, tool: &str, arguments: &Value, found: &mut Vec<Finding>) {
        let text = |name: &str| arguments.get(name).and_then(Value::as_str);
        // Clients put the server's name before the tool's.
        let is = |name: &str| {
            tool == name
                || tool
                    .strip_suffix(name)
                    .is_some_and(|rest| rest.ends_with(['_', '.', ':', '/', '-']))
        };
        let changes = [
            "create_or_update_file",
            "push_files",
            "delete_file",
            "git_push",
        ]
        .iter()
        .any(|name| is(name));
        if changes {
            let branch = text("branch");
            if branch.is_none_or(|branch| branch.is_empty() || self.is_protected(branch)) {
                found.push(Finding::new(
                    Rule::ProtectedBranch,
                    format!("`{tool}` changes a protected branch, or the default one"),
                ));
            }
            if let Some(message) = text("message") {
                self.message(message, found);
            }
        }
        if is("git_commit")
            && let Some(message) = text("message")
        {
            self.message(message, found);
        }
        if is("merge_pull_request") {
            found.push(Finding::new(Rule::Merge, "A pull request is merged"));
        }
        let approves = text("event").is_some_and(|event| event.eq_ignore_ascii_case("approve"));
        let reviews = [
            "create_pull_request_review",
            "create_and_submit_pull_request_review",
            "submit_pending_pull_request_review",
            "pull_request_review_write",
        ]
        .iter()
        .any(|name| is(name));
        if reviews && approves {
            found.push(Finding::new(Rule::Bypass, "A pull request is approved"));
        }
        if is("git_reset") {
            found.push(Finding::new(
                Rule::Rewrite,
                "`git_reset` discards what is staged",
            ));
        }
        if is("delete_branch") || is("delete_ref") {
            found.push(Finding::new(
                Rule::DeleteRemote,
                "A branch of the server is deleted",
            ));
        }
        if is("update_ref")
            && arguments
                .get("force")
                .and_then(Value::as_bool)
                .unwrap_or_default()
        {
            found.push(Finding::new(
                Rule::ForcePush,
                "A branch of the server is replaced",
            ));
        }
        if [
            "delete_repository",
            "update_branch_protection",
            "delete_branch_protection",
        ]
        .iter()
        .any(|name| is(name))
        {
            found.push(Finding::new(
                Rule::Bypass,
                "A repository's settings are changed",
            ));
        }
        if is("create_pull_request") && text("head").is_some_and(|head| self.is_protected(head)) {
            found.push(Finding::new(
                Rule::ProtectedBranch,
                "The pull request comes from a protected branch",
            ));
        }
    }
}
