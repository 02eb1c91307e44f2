//! Commands that discard work or data, or publish something.

use guards_shell::Command;

use super::Look;
use crate::config::Rule;

/// Commands that discard something, and the words that must all be among their arguments.
const DISCARDS: &[(&str, &[&str])] = &[
    ("git", &["reset", "--hard"]),
    ("git", &["stash", "clear"]),
    ("git", &["stash", "drop"]),
    ("git", &["reflog", "expire"]),
    ("git", &["filter-branch"]),
    ("git", &["checkout", "."]),
    ("git", &["restore", "."]),
    ("terraform", &["destroy"]),
    ("terraform", &["apply", "-auto-approve"]),
    ("tofu", &["destroy"]),
    ("pulumi", &["destroy"]),
    ("kubectl", &["delete"]),
    ("helm", &["uninstall"]),
    ("helm", &["delete"]),
    ("docker", &["system", "prune"]),
    ("docker", &["volume", "rm"]),
    ("docker", &["volume", "prune"]),
    ("docker-compose", &["down", "-v"]),
    ("docker", &["compose", "down", "-v"]),
    ("aws", &["s3", "rm", "--recursive"]),
    ("aws", &["s3", "rb"]),
    ("aws", &["terminate-instances"]),
    ("gsutil", &["rm"]),
    ("gcloud", &["delete"]),
    ("az", &["delete"]),
    ("redis-cli", &["flushall"]),
    ("redis-cli", &["flushdb"]),
    ("dropdb", &[]),
    ("gh", &["repo", "delete"]),
    ("npm", &["unpublish"]),
];

/// Commands that publish something, in the same form.
const PUBLISHES: &[(&str, &[&str])] = &[
    ("npm", &["publish"]),
    ("yarn", &["publish"]),
    ("pnpm", &["publish"]),
    ("cargo", &["publish"]),
    ("twine", &["upload"]),
    ("gem", &["push"]),
    ("docker", &["push"]),
    ("gh", &["release", "create"]),
    ("poetry", &["publish"]),
];

/// Clients of databases.
const DATABASES: &[&str] = &[
    "psql",
    "mysql",
    "mariadb",
    "sqlite3",
    "mongosh",
    "mongo",
    "sqlcmd",
    "clickhouse-client",
    "duckdb",
];

impl Look {
    pub(super) fn discard(&mut self, command: &Command) {
        let name = command.name();
        if fits(DISCARDS, command) || cleans(command) {
            self.add(
                Rule::Discard,
                format!("`{name}` discards work or data that cannot be restored"),
            );
        }
        if fits(PUBLISHES, command) && !command.says("--dry-run") {
            self.add(Rule::Publish, format!("`{name}` publishes"));
        }
        if DATABASES.contains(&name)
            && command
                .arguments()
                .iter()
                .any(|word| deletes_data(&word.text))
        {
            self.add(Rule::Discard, format!("`{name}` deletes data"));
        }
    }
}

fn fits(table: &[(&str, &[&str])], command: &Command) -> bool {
    table.iter().any(|(name, words)| {
        let says = |word: &&str| {
            command
                .arguments()
                .iter()
                .any(|argument| argument.text.eq_ignore_ascii_case(word))
        };
        *name == command.name() && words.iter().all(says)
    })
}

/// Returns whether the command is a `git clean` that deletes.
fn cleans(command: &Command) -> bool {
    command.name() == "git"
        && command.says("clean")
        && command.has(Some('f'), "force")
        && !command.has(Some('n'), "dry-run")
}

/// Returns whether a statement deletes a table, a database or all rows.
fn deletes_data(text: &str) -> bool {
    let text = text.to_lowercase();
    let drops = [
        "drop table",
        "drop database",
        "drop schema",
        "truncate",
        "dropdatabase(",
        ".drop(",
        "deletemany({})",
    ];
    drops.iter().any(|statement| text.contains(statement))
        || text.contains("delete from") && !text.contains("where")
}
