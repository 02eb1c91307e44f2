use guards_common::rules::Rule;
use serde_json::{Value, json};

use super::config::Config;
use super::policy::Policy;

fn rules(config: Value, tool: &str, arguments: Value) -> Vec<&'static str> {
    let config: Config = serde_json::from_value(config).expect("a table");
    let found = Policy::new(config)
        .expect("a policy")
        .findings(tool, &arguments, None);
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
fn a_push_names_protected_branches_in_several_ways() {
    for (arguments, expected) in [
        ("origin 'refs/heads/*'", vec!["protected-branch"]),
        (
            "origin 'refs/heads/*:refs/heads/*'",
            vec!["protected-branch"],
        ),
        ("origin 'refs/*:refs/*'", vec!["protected-branch"]),
        (
            "origin '+refs/heads/*'",
            vec!["force-push", "protected-branch"],
        ),
        ("origin 'refs/heads/rel*'", vec!["protected-branch"]),
        ("origin :", vec!["protected-branch"]),
        ("origin topic:main -o ci.skip", vec!["protected-branch"]),
        ("-o ci.skip origin main", vec!["protected-branch"]),
        ("origin 'refs/heads/topic/*'", vec![]),
        ("origin 'refs/heads/*:refs/heads/copy/*'", vec![]),
        ("origin 'refs/tags/*'", vec![]),
        ("-o main origin topic", vec![]),
        ("--push-option=main origin topic", vec![]),
    ] {
        let script = format!("git push {arguments}");
        assert_eq!(shell(&script), expected, "{script}");
    }
}

#[test]
fn long_options_may_be_cut_short() {
    for (script, expected) in [
        (
            "git push --mir origin",
            vec!["force-push", "protected-branch"],
        ),
        ("git push --forc origin topic", vec!["force-push"]),
        ("git push --del origin topic", vec!["delete-remote"]),
        ("git push --al origin", vec!["protected-branch"]),
        ("git push --no-verif origin topic", vec!["skip-checks"]),
        ("git push --dry-r --force origin topic", vec![]),
        ("git push -nf origin topic", vec![]),
        (
            "git push -f --dry-run --no-dry-run origin topic",
            vec!["force-push"],
        ),
        ("git commit --no-verif -m x", vec!["skip-checks"]),
        ("git commit --no-gpg -m x", vec!["skip-checks"]),
        ("git merge --no-verif topic", vec!["skip-checks"]),
        ("git am -n x.patch", vec!["skip-checks"]),
        ("git reset --har", vec!["rewrite"]),
        ("git clean --forc -d", vec!["rewrite"]),
        ("git branch --del main", vec!["protected-branch"]),
        ("git switch --force-c main", vec!["protected-branch"]),
        ("git push --follow-tags --set-upstream origin topic", vec![]),
        ("git push --progress origin topic", vec![]),
        ("git push --force-with-lease origin topic", vec![]),
        ("git commit --verbose --no-edit --amend", vec![]),
        ("git merge --no-ff -n topic", vec![]),
        ("git cherry-pick -n abc", vec![]),
    ] {
        assert_eq!(shell(script), expected, "{script}");
    }
}

#[test]
fn a_branch_is_changed_by_its_own_name_only() {
    for (script, expected) in [
        ("git branch -f main HEAD~2", vec!["protected-branch"]),
        ("git branch -D topic main", vec!["protected-branch"]),
        ("git branch -M topic main", vec!["protected-branch"]),
        ("git branch -C topic main", vec!["protected-branch"]),
        ("git checkout -B main", vec!["protected-branch"]),
        ("git checkout -Bmain topic", vec!["protected-branch"]),
        ("git switch -C main topic", vec!["protected-branch"]),
        ("git branch -f topic main", vec![]),
        ("git branch --contains main", vec![]),
        ("git branch -C main topic", vec![]),
        ("git checkout -B topic main", vec![]),
        ("git switch -c topic main", vec![]),
        ("git -C main checkout topic", vec![]),
    ] {
        assert_eq!(shell(script), expected, "{script}");
    }
}

#[test]
fn settings_are_read_or_changed() {
    for (arguments, changes) in [
        ("core.hooksPath /dev/null", true),
        ("core.hooksPath list", true),
        ("core.hooksPath get", true),
        ("-f x core.hooksPath y", true),
        ("--file=x core.hooksPath y", true),
        ("--fil x --type path core.hooksPath y", true),
        ("--type=path core.hooksPath y", true),
        ("set --file x user.name list", true),
        ("--add alias.x y", true),
        ("--unset-a core.hooksPath", true),
        ("unset core.hooksPath", true),
        ("--rename-section x alias", true),
        ("core.hooksPath", false),
        ("-f x core.hooksPath", false),
        ("--file x --get core.hooksPath", false),
        ("--get-all --type path core.hooksPath y", false),
        ("get --show-origin core.hooksPath", false),
        ("list --name-only", false),
        ("-l", false),
        ("-f core.hooksPath pull.rebase true", false),
        ("pull.rebase true", false),
        ("set pull.rebase true", false),
        ("--remove-section branch.topic", false),
    ] {
        let script = format!("git config {arguments}");
        assert_eq!(shell(&script) == ["settings"], changes, "{script}");
    }
    let script = "git --config-env=core.hooksPath=X status";
    assert_eq!(shell(script), ["settings"]);
}

#[test]
fn commands_of_gh_have_options_anywhere() {
    for (script, expected) in [
        ("gh -R a/b pr merge 12", vec!["merge"]),
        ("gh pr -R a/b merge 12", vec!["merge"]),
        ("gh pr --repo a/b merge 12 --admin", vec!["bypass"]),
        ("gh pr merge 12 --repo=a/b --admin=true", vec!["bypass"]),
        ("gh pr merge 12 --admin=false", vec!["merge"]),
        ("gh -R a/b secret set X", vec!["bypass"]),
        ("gh repo edit --visibility=public", vec!["bypass"]),
        ("gh repo edit a/b --default-branch=x", vec!["bypass"]),
        ("gh pr review 12 --approve=true", vec!["bypass"]),
        ("gh pr review 12 -ab 'text'", vec!["bypass"]),
        ("gh pr review 12 -cb 'an approval: -a'", vec![]),
        ("gh pr review 12 --comment --body --approve", vec![]),
        ("gh pr review 12 --approve=false -b x", vec![]),
        ("gh pr review -Ra/b 12 -c", vec![]),
        ("gh pr merge 12 -t --admin", vec!["merge"]),
        ("gh pr -R a/merge view 12", vec![]),
        ("gh pr view merge", vec![]),
        ("gh repo edit --description 'public --visibility'", vec![]),
        ("glab mr -R a/b approve 5", vec!["bypass"]),
    ] {
        assert_eq!(shell(script), expected, "{script}");
    }
}

#[test]
fn requests_of_gh_have_a_method() {
    for (arguments, expected) in [
        ("-XDELETE repos/a/b/git/refs/heads/x", vec!["delete-remote"]),
        ("-X=delete repos/a/b/releases/1", vec!["delete-remote"]),
        (
            "--method=DELETE repos/a/b/branches/main/protection",
            vec!["bypass"],
        ),
        ("repos/a/b/rulesets --input x.json", vec!["bypass"]),
        ("--input=x.json repos/a/b/merges", vec!["merge"]),
        ("-XPUT /repos/a/b/pulls/12/merge", vec!["merge"]),
        ("-iX PUT repos/a/b/pulls/12/merge", vec!["merge"]),
        ("repos/a/b/merges -fbase=main -f head=topic", vec!["merge"]),
        (
            "repos/a/b/pulls/12/reviews -f event=APPROVE",
            vec!["bypass"],
        ),
        (
            "graphql -f query='mutation { mergePullRequest(input: {}) { x } }'",
            vec!["merge"],
        ),
        (
            "graphql -f query='mutation { deleteBranchProtectionRule(input: {}) { x } }'",
            vec!["bypass"],
        ),
        ("repos/a/b/rulesets", vec![]),
        ("repos/a/b/rulesets --method GET -f per_page=5", vec![]),
        ("--method=GET repos/a/b/branches/main/protection", vec![]),
        ("repos/a/b/issues/1/comments -f body='see /merge'", vec![]),
        ("repos/a/merge-tools/issues -f title=DELETE", vec![]),
        ("repos/a/b/pulls/12/reviews -f event=COMMENT", vec![]),
        (
            "graphql -f query='{ repository { rulesets { x } } }'",
            vec![],
        ),
        ("repos/a/b/pulls/12 -q .merge", vec![]),
    ] {
        let script = format!("gh api {arguments}");
        assert_eq!(shell(&script), expected, "{script}");
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
    for (arguments, expected) in [
        (r#"-m"Fix the form""#, vec!["message"]),
        (r#"-am"Fix the form""#, vec!["message"]),
        (r#"-am "Fix the form""#, vec!["message"]),
        (r#"--mess="Fix the form""#, vec!["message"]),
        (r#"-m"docs: the form" x"#, vec![]),
        (r#"-am"docs: the form""#, vec![]),
        (r#"-m "docs: form" --author "Ada m""#, vec![]),
        (r#"-Cam -m "docs: form""#, vec![]),
        (r#"-F Form"#, vec![]),
    ] {
        let script = format!("git commit {arguments}");
        let found = rules(config.clone(), "bash", json!({ "command": script }));
        assert_eq!(found, expected, "{script}");
    }
    assert_eq!(
        rules(
            config.clone(),
            "write_file",
            json!({ "path": ".github/workflows/ci.yml" })
        ),
        ["file"]
    );
    for (script, expected) in [
        ("echo x > .github/x", vec!["file"]),
        ("echo x > src/../.github/x", vec!["file"]),
        ("rm /work/repo/.github/x", vec!["file"]),
        ("cd .github && touch x", vec!["file"]),
        ("cd src && touch ../.github/x", vec!["file"]),
        ("git -C src rm ../.github/x", vec!["file"]),
        ("git -C .github rm -- x", vec!["file"]),
        ("cd src && touch .github/x", vec![]),
        ("touch src/.github/x /work/repo/x", vec![]),
        ("git -C src add .github/x", vec![]),
    ] {
        let config = serde_json::from_value(config.clone()).expect("a table");
        let policy = Policy::new(config).expect("a policy");
        let arguments = json!({ "command": script });
        let found = policy.findings("bash", &arguments, Some("/work/repo"));
        let found: Vec<_> = found.iter().map(|finding| finding.rule.name()).collect();
        assert_eq!(found, expected, "{script}");
    }
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
