//! Commands that delete or overwrite more than they should.

use guards_shell::{Command, Word};

use super::Look;
use super::place::Place;
use crate::config::Rule;

/// Commands that overwrite disks or stop the machine, whatever their arguments.
const ALWAYS: &[&str] = &[
    "wipefs",
    "fdisk",
    "sfdisk",
    "parted",
    "mkswap",
    "shred",
    "shutdown",
    "reboot",
    "halt",
    "poweroff",
    "blkdiscard",
    "cryptsetup",
    "badblocks",
];

impl Look {
    pub(super) fn delete(&mut self, command: &Command) {
        let name = command.name();
        let is_recursive = command.has(Some('r'), "recursive") || command.has(Some('R'), "");
        match name {
            "rm" | "rmdir" | "unlink" | "srm" => self.rm(command, is_recursive),
            "find" => self.find(command),
            "chmod" | "chown" | "chgrp" if is_recursive => {
                for operand in command.operands().skip(1) {
                    if self.places.of(operand) == Place::System {
                        self.add(
                            Rule::Destructive,
                            format!("`{name}` changes all of `{}`", operand.text),
                        );
                    }
                }
            }
            "mv" => self.mv(command),
            "dd" => {
                let target = command
                    .arguments()
                    .iter()
                    .find_map(|word| word.text.strip_prefix("of="));
                if target.is_some_and(is_disk) {
                    self.add(Rule::Destructive, "`dd` overwrites a device".to_owned());
                }
            }
            "kill" if command.says("-1") && command.arguments().len() > 1 => {
                self.add(Rule::Destructive, "`kill` ends all processes".to_owned());
            }
            "init" | "telinit" if command.says("0") || command.says("6") => {
                self.add(Rule::Destructive, "`init` stops the machine".to_owned());
            }
            "systemctl"
                if ["poweroff", "reboot", "halt"]
                    .iter()
                    .any(|verb| command.says(verb)) =>
            {
                self.add(
                    Rule::Destructive,
                    "`systemctl` stops the machine".to_owned(),
                );
            }
            "crontab" if command.has(Some('r'), "") => {
                self.add(
                    Rule::Destructive,
                    "`crontab -r` deletes all entries".to_owned(),
                );
            }
            name if ALWAYS.contains(&name) || name.starts_with("mkfs") => {
                self.add(
                    Rule::Destructive,
                    format!("`{name}` overwrites disks or stops the machine"),
                );
            }
            _ => {}
        }
        for redirect in command.redirects.iter().filter(|redirect| redirect.writes) {
            if is_disk(&redirect.file.text) {
                self.add(
                    Rule::Destructive,
                    format!("A device is overwritten: `{}`", redirect.file.text),
                );
            }
        }
    }

    fn rm(&mut self, command: &Command, is_recursive: bool) {
        if command.says("--no-preserve-root") {
            self.add(Rule::Destructive, "`rm` may delete the root".to_owned());
        }
        if is_recursive {
            self.given_by_xargs(command);
        }
        for operand in command.operands() {
            self.deleted(operand, is_recursive);
        }
    }

    /// Reports a command that deletes the files that `xargs` gives it.
    pub(super) fn given_by_xargs(&mut self, command: &Command) {
        if command.through.iter().any(|name| name == "xargs") {
            self.add(
                Rule::Unknown,
                format!(
                    "What `xargs` gives `{}` is only known when it runs",
                    command.name()
                ),
            );
        }
    }

    pub(super) fn deleted(&mut self, file: &Word, is_recursive: bool) {
        let shown = &file.text;
        match (self.places.of(file), is_recursive) {
            (Place::System, _) => self.add(
                Rule::Destructive,
                format!("`{shown}` is the system's or the home directory"),
            ),
            (Place::Whole, true) => self.add(
                Rule::Destructive,
                format!("`{shown}` is all of the directory"),
            ),
            (Place::Outside, true) => self.add(
                Rule::Destructive,
                format!("`{shown}` is outside of the working directory"),
            ),
            (Place::Unknown, true) => self.add(
                Rule::Unknown,
                format!("What `{shown}` is, is only known when it runs"),
            ),
            (Place::Outside, false) => self.add(
                Rule::Outside,
                format!("`{shown}` is outside of the working directory"),
            ),
            _ => {}
        }
    }

    fn mv(&mut self, command: &Command) {
        let operands: Vec<&Word> = command.operands().collect();
        let Some((target, sources)) = operands.split_last() else {
            return;
        };
        if target.text == "/dev/null" {
            self.add(
                Rule::Destructive,
                "What is moved to `/dev/null` is lost".to_owned(),
            );
        }
        for source in sources {
            if self.places.of(source) == Place::System {
                self.add(
                    Rule::Destructive,
                    format!("`{}` is the system's or the home directory", source.text),
                );
            }
        }
    }
}

/// Returns whether the path is a disk or the memory.
fn is_disk(path: &str) -> bool {
    path.strip_prefix("/dev/").is_some_and(|device| {
        [
            "sd", "nvme", "hd", "vd", "xvd", "disk", "mapper/", "md", "mem", "mmcblk",
        ]
        .iter()
        .any(|start| device.starts_with(start))
    })
}
