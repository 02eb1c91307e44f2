use guards_common::rules::Rule;
use serde_json::{Value, json};

use super::config::Config;
use super::policy::Policy;

fn rules(config: Value, tool: &str, arguments: Value) -> Vec<&'static str> {
    let config: Config = serde_json::from_value(config).expect("a table");
    let found = Policy::new(config)
        .expect("a policy")
        .findings(tool, &arguments);
    found.iter().map(|finding| finding.rule.name()).collect()
}

fn shell(script: &str) -> Vec<&'static str> {
    rules(json!({}), "bash", json!({ "command": script }))
}

#[test]
fn each_rule_finds_its_commands() {
    for (script, expected) in [
        ("git push origin main", vec!["protected-branch"]),
        (
            "git push origin HEAD:refs/heads/main",
            vec!["protected-branch"],
        ),
        ("git push origin HEAD:heads/main", vec!["protected-branch"]),
        (
            "# ((((((((((((((((((((((((((\ngit push origin topic",
            vec!["unreadable"],
        ),
        ("cd x && git -C y push -f origin topic", vec!["force-push"]),
        ("git push origin +topic", vec!["force-push"]),
        ("git push origin :topic", vec!["delete-remote"]),
        ("git commit -nm 'x'", vec!["skip-checks"]),
        (
            "git -c core.hooksPath=/dev/null commit -m x",
            vec!["settings"],
        ),
        ("sh -c 'git reset --hard HEAD~3'", vec!["rewrite"]),
        ("gh pr merge 12 --admin", vec!["bypass"]),
        ("gh pr merge 12", vec!["merge"]),
        ("git push origin topic", vec![]),
        (
            "git commit -m 'name the option -n, and push --force'",
            vec![],
        ),
        ("git log -n 3 main", vec![]),
        ("git config --get user.email", vec![]),
        ("echo git push --force origin main", vec![]),
    ] {
        assert_eq!(shell(script), expected, "{script}");
    }
}

#[test]
fn a_command_may_be_a_list() {
    for arguments in [
        json!({ "command": ["git", "push", "--force"] }),
        json!({ "command": "git", "args": ["push", "--force"] }),
        json!({ "commands": ["git status", "git push --force"] }),
    ] {
        let found = rules(json!({}), "bash", arguments.clone());
        assert_eq!(found, ["force-push"], "{arguments}");
    }
}

#[test]
fn messages_and_files_have_rules() {
    let config = json!({ "message_pattern": "^[a-z]+: ", "longest_subject": 20, "message_forbidden": ["(?i)wip"], "files": [".github/**"] });
    let commit = |message: &str| {
        rules(
            config.clone(),
            "bash",
            json!({ "command": format!("git commit -m '{message}'") }),
        )
    };
    assert_eq!(commit("docs: say more"), [""; 0]);
    assert_eq!(commit("Say more"), ["message"]);
    assert_eq!(commit("docs: wip"), ["message"]);
    assert_eq!(commit("docs: say very much more"), ["message"]);
    assert_eq!(
        rules(
            config.clone(),
            "write_file",
            json!({ "path": ".github/workflows/ci.yml" })
        ),
        ["file"]
    );
    assert_eq!(
        rules(config, "bash", json!({ "command": "echo x > .github/x" })),
        ["file"]
    );
}

#[test]
fn tools_of_github_are_known_by_name() {
    let tool = |tool: &str, arguments| rules(json!({}), tool, arguments);
    assert_eq!(
        tool("mcp__github__push_files", json!({ "branch": "main" })),
        ["protected-branch"]
    );
    assert_eq!(tool("push_files", json!({ "branch": "topic" })), [""; 0]);
    assert_eq!(tool("github_merge_pull_request", json!({})), ["merge"]);
    assert_eq!(
        tool(
            "mcp__github__create_pull_request",
            json!({ "head": "topic", "base": "main" })
        ),
        [""; 0]
    );
}
