//! Commands that write outside of the working directory, or read keys.

use guards_shell::{Command, Syntax, Word};

use super::Look;
use super::fetch::Files;
use super::place::Place;
use crate::config::Rule;

/// Parts of paths of files with keys and passwords.
const CREDENTIALS: &[&str] = &[
    "/.ssh/id_",
    "/.ssh/*",
    "/.aws/credentials",
    "/.netrc",
    "/.npmrc",
    "/.pypirc",
    "/.docker/config.json",
    "/.kube/config",
    "/.gnupg",
    "/.git-credentials",
    "/etc/shadow",
    "/etc/sudoers",
    "/.config/gcloud",
    "/.azure/",
    "/.vault-token",
    "/proc/self/environ",
    "/.pgpass",
    "/.config/gh/hosts.yml",
    "/.bash_history",
    "/.zsh_history",
    "/.password-store",
];

const COPY: Syntax = "gmotS --target-directory";
const TAR: Syntax = "bCfFgHIKLNTVX --directory";
const UNZIP: Syntax = "dP";

impl Look {
    pub(super) fn write(&mut self, command: &Command) {
        for redirect in &command.redirects {
            match redirect.writes {
                true => self.written(&redirect.file),
                false => self.is_credential(&redirect.file),
            }
        }
        for file in written(command) {
            self.written(&file);
        }
        for word in command.arguments() {
            self.is_credential(word);
        }
    }

    fn written(&mut self, file: &Word) {
        let shown = &file.text;
        if shown.starts_with("/dev/tcp") || shown.starts_with("/dev/udp") || shown.is_empty() {
            return;
        }
        let is_hook = shown.contains(".git/hooks/");
        match self.places.of(file) {
            Place::System | Place::Outside => {
                self.add(
                    Rule::Outside,
                    format!("`{shown}` is outside of the working directory"),
                );
            }
            Place::Unknown if shown.starts_with('$') && shown.contains('/') => {
                self.add(
                    Rule::Outside,
                    format!("`{shown}` may be outside of the working directory"),
                );
            }
            _ if is_hook => self.add(Rule::Outside, format!("Git runs `{shown}` by itself")),
            _ => {}
        }
    }

    fn is_credential(&mut self, word: &Word) {
        let text = word.text.strip_prefix('@').unwrap_or(&word.text);
        let name = text.rsplit('/').next().unwrap_or(text);
        let is_environment = name == ".env"
            || name.starts_with(".env.") && !name.ends_with("example") && !name.ends_with("sample");
        let is_key = [".pem", ".p12", ".pfx", ".keystore", ".kdbx"]
            .iter()
            .any(|ending| name.ends_with(ending))
            || ["id_rsa", "id_ed25519", "id_ecdsa"].contains(&name);
        let path = format!("/{}", text.trim_start_matches("~/"));
        let is_known_place = (text.starts_with(['/', '~']) || text.contains("/."))
            && CREDENTIALS.iter().any(|part| path.contains(part));
        if is_environment || is_key || is_known_place {
            self.add(
                Rule::Credentials,
                format!("`{}` may have keys or passwords", word.text),
            );
        }
    }
}

/// Returns the files that a command writes, from its arguments.
fn written(command: &Command) -> Vec<Word> {
    let operands = || command.operands().cloned();
    let last = || operands().last().into_iter().collect();
    match command.name() {
        "tee" | "touch" | "mkdir" | "truncate" | "mknod" | "mkfifo" => operands().collect(),
        "cp" | "mv" | "install" | "ln" => {
            let dirs = command.values(COPY, &["t", "target-directory"]);
            match dirs.is_empty() {
                true => last(),
                false => dirs,
            }
        }
        "rsync" if !last_is_remote(command) => last(),
        "sed" | "perl" if command.has(Some('i'), "in-place") => {
            let files = operands().skip(usize::from(!command.has(Some('e'), "expression")));
            files.collect()
        }
        "chmod" | "chown" => operands().skip(1).collect(),
        "dd" => command
            .arguments()
            .iter()
            .filter_map(|word| {
                let text = word.text.strip_prefix("of=")?;
                Some(Word {
                    text: text.to_owned(),
                    ..word.clone()
                })
            })
            .collect(),
        "tar" => command.values(TAR, &["C", "directory"]),
        "unzip" => command.values(UNZIP, &["d"]),
        _ => Files::of(command).written(),
    }
}

/// Returns whether the last operand is a file of another machine.
pub(super) fn last_is_remote(command: &Command) -> bool {
    command.operands().last().is_some_and(|word| {
        let host = word.text.split('/').next().unwrap_or_default();
        host.contains(':')
    })
}
