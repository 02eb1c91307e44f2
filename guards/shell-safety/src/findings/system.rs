//! Commands that change the machine, or run as another user.

use guards_shell::Command;

use super::Look;
use crate::config::Rule;

/// Programs that run commands as another user.
const OTHER_USER: &[&str] = &["sudo", "su", "doas", "pkexec", "runuser", "chroot"];

/// Commands, and the arguments with which they change the machine; without any, they always do.
const CHANGES: &[(&str, &[&str])] = &[
    (
        "systemctl",
        &[
            "stop", "disable", "mask", "restart", "kill", "start", "enable",
        ],
    ),
    ("service", &[]),
    ("iptables", &[]),
    ("nft", &[]),
    ("ufw", &[]),
    ("useradd", &[]),
    ("userdel", &[]),
    ("usermod", &[]),
    ("passwd", &[]),
    ("chpasswd", &[]),
    ("visudo", &[]),
    ("mount", &[]),
    ("umount", &[]),
    ("insmod", &[]),
    ("modprobe", &[]),
    ("sysctl", &["-w"]),
    ("setenforce", &[]),
    ("crontab", &["-", "-e"]),
    ("launchctl", &[]),
    ("killall", &[]),
    ("nsenter", &[]),
];

impl Look {
    pub(super) fn system(&mut self, command: &Command) {
        let name = command.name();
        let other = command
            .through
            .iter()
            .find(|name| OTHER_USER.contains(&name.as_str()));
        if let Some(other) = other
            .map(String::as_str)
            .or(OTHER_USER.contains(&name).then_some(name))
        {
            self.add(
                Rule::Privilege,
                format!("`{other}` runs a command as another user"),
            );
        }
        let sets_user = name == "setcap"
            || (name == "chmod"
                && command
                    .operands()
                    .next()
                    .is_some_and(|mode| sets_id(&mode.text)));
        if sets_user {
            self.add(
                Rule::Privilege,
                format!("`{name}` lets a file run as another user"),
            );
        }
        let is_privileged = matches!(name, "docker" | "podman")
            && (command.says("--privileged")
                || command
                    .arguments()
                    .iter()
                    .any(|word| word.text == "/:/host" || word.text.starts_with("/:/")));
        if is_privileged {
            self.add(
                Rule::Privilege,
                format!("`{name}` gives a container the machine"),
            );
        }
        let changes = CHANGES.iter().any(|(command_name, words)| {
            *command_name == name
                && (words.is_empty() || words.iter().any(|word| command.says(word)))
        });
        let is_look = matches!(name, "mount" | "service") && command.arguments().is_empty()
            || name == "iptables" && command.has(Some('L'), "list");
        if changes && !is_look {
            self.add(Rule::System, format!("`{name}` changes the machine"));
        }
    }
}

/// Returns whether a mode lets a file run as its owner or its group.
fn sets_id(mode: &str) -> bool {
    if let Ok(bits) = u32::from_str_radix(mode.trim_start_matches(['+', '=']), 8) {
        return bits & 0o6000 != 0;
    }
    let mut sets = false;
    mode.chars().any(|sign| {
        match sign {
            '+' | '=' => sets = true,
            '-' | ',' => sets = false,
            _ => {}
        }
        sets && sign == 's'
    })
}
