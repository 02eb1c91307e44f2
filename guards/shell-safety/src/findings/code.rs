//! Programs in other languages that are written into the command.

use guards_shell::Command;

use super::Look;
use crate::config::Rule;

/// Calls in such programs that run commands, delete files or connect to servers.
const SIGNS: &[&str] = &[
    "os.system",
    "subprocess",
    "popen",
    "pty.spawn",
    "rmtree",
    "os.remove",
    "os.unlink",
    "socket",
    "exec(",
    "eval(",
    "__import__",
    "child_process",
    "execsync",
    "spawnsync",
    "rmsync",
    "unlinksync",
    "fs.rm",
    "unlink",
    "system(",
    "shell_exec",
    "passthru",
    "`",
    "kernel.exec",
    "fileutils",
    "b64decode",
    "urlopen",
    "requests.",
    "fetch(",
    "open('/etc",
    "open(\"/etc",
    "fsockopen",
    "io.popen",
];

impl Look {
    pub(super) fn code(&mut self, command: &Command) {
        let name = command.name();
        let is_language = [
            "python",
            "perl",
            "ruby",
            "node",
            "php",
            "lua",
            "osascript",
            "deno",
            "bun",
        ]
        .iter()
        .any(|language| name.starts_with(language));
        if name == "awk" || name == "gawk" || name == "vim" || name == "vi" || name == "tclsh" {
            let runs = command
                .arguments()
                .iter()
                .any(|word| word.text.contains("system(") || word.text.contains(":!"));
            if runs {
                self.add(
                    Rule::InlineCode,
                    format!("`{name}` runs a command from within its program"),
                );
            }
        }
        let has_code = ["-c", "-e", "-r", "-p", "--eval", "eval"]
            .iter()
            .any(|option| command.says(option))
            || command.arguments().iter().any(|word| {
                word.text.starts_with("-e")
                    || word.text.starts_with("-ne")
                    || word.text.starts_with("-pe")
            });
        if !is_language || !has_code {
            return;
        }
        let is_dangerous = command.arguments().iter().any(|word| {
            let text = word.text.to_lowercase();
            !word.text.starts_with('-') && SIGNS.iter().any(|sign| text.contains(sign))
        });
        if is_dangerous {
            self.add(Rule::InlineCode, format!("`{name}` runs a program that runs commands, deletes files or connects to servers"));
        }
    }
}
