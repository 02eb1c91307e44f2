//! Commands that run data from the network, or send data to it.

use guards_shell::{Argument, Command, Word};

use super::Look;
use super::fetch::CURL;
use super::flow::FETCHERS;
use super::runner::Script;
use super::write::last_is_remote;
use crate::config::Rule;

/// Programs that send their input to a server.
const SENDERS: &[&str] = &[
    "curl", "wget", "nc", "ncat", "netcat", "socat", "telnet", "mail", "mailx", "sendmail", "mutt",
    "http", "https", "xh", "ssh",
];

impl Look {
    pub(super) fn network(&mut self, command: &Command) {
        let script = Script::of(command);
        if let Some(script) = &script {
            self.runs_output(command, script);
        }
        self.runs_download(command, script.as_ref());
        self.remote_shell(command);
        self.sends(command);
    }

    /// Reports a command that runs fetched or decoded output of another command.
    fn runs_output(&mut self, command: &Command, script: &Script) {
        let name = command.name();
        let words = script.texts.iter().chain(&script.file);
        let input = script.is_input.then_some(&command.upstream);
        let sources = || words.clone().map(|word| &word.commands).chain(input);
        if sources().any(|commands| self.flow.fetches(commands)) {
            self.add(
                Rule::RemoteCode,
                format!("`{name}` runs what a server sends"),
            );
        } else if sources().any(|commands| self.flow.decodes(commands)) {
            self.add(
                Rule::EncodedCode,
                format!("`{name}` runs a text that is only readable once it is decoded"),
            );
        }
    }

    /// Reports a command that runs a file that was downloaded before.
    fn runs_download(&mut self, command: &Command, script: Option<&Script>) {
        let is_run = match script {
            Some(script) => {
                let mut input = command.redirects.iter().filter(|redirect| !redirect.writes);
                let is_downloaded = |word: &Word| self.flow.is_downloaded(word);
                script.file.as_ref().is_some_and(is_downloaded)
                    || script.is_input && input.any(|redirect| is_downloaded(&redirect.file))
            }
            None => command
                .words
                .first()
                .is_some_and(|name| name.text.contains('/') && self.flow.is_downloaded(name)),
        };
        if is_run {
            self.add(
                Rule::RemoteCode,
                format!("`{}` runs what was downloaded", command.name()),
            );
        }
    }

    fn remote_shell(&mut self, command: &Command) {
        let name = command.name();
        let is_socket =
            |word: &Word| word.text.contains("/dev/tcp/") || word.text.contains("/dev/udp/");
        let redirected = command
            .redirects
            .iter()
            .any(|redirect| is_socket(&redirect.file));
        let is_netcat = matches!(name, "nc" | "ncat" | "netcat");
        let runs = (is_netcat
            && (command.has(Some('e'), "exec") || command.has(Some('c'), "sh-exec")))
            || (name == "socat"
                && command
                    .arguments()
                    .iter()
                    .any(|word| word.text.to_lowercase().contains("exec:")));
        let feeds_shell = is_netcat && self.flow.has_fed_runner;
        if redirected || command.words.iter().any(is_socket) || runs || feeds_shell {
            self.add(
                Rule::RemoteShell,
                format!("`{name}` connects a shell or a file to a server"),
            );
        }
    }

    fn sends(&mut self, command: &Command) {
        let name = command.name();
        let uploads = match name {
            "curl" => command.parsed(CURL).any(|argument| uploads(&argument)),
            "wget" => command.arguments().iter().any(|word| {
                word.text.starts_with("--post-file") || word.text.starts_with("--body-file")
            }),
            "scp" | "rsync" | "sftp" => last_is_remote(command),
            _ => false,
        };
        let is_piped = SENDERS.contains(&name)
            && !command.upstream.is_empty()
            && (name != "ssh" || command.operands().count() > 0);
        let reads_input = !matches!(name, "curl" | "wget")
            || command
                .arguments()
                .iter()
                .any(|word| word.text == "@-" || word.text == "-");
        let in_address = FETCHERS.contains(&name)
            && command
                .arguments()
                .iter()
                .any(|word| !word.commands.is_empty());
        if uploads || (is_piped && reads_input) || in_address {
            self.add(
                Rule::Sending,
                format!("`{name}` sends a file or another command's output away"),
            );
        }
    }
}

/// Returns whether an argument of `curl` sends a file.
fn uploads(argument: &Argument) -> bool {
    let takes_file =
        |word: &Word| word.text.starts_with('@') || word.text.contains("=@") || !word.is_known;
    match argument {
        Argument::Option("T" | "upload-file", _) => true,
        Argument::Option(name, Some(value)) => {
            let is_data = matches!(*name, "d" | "F" | "form" | "json") || name.starts_with("data");
            is_data && takes_file(value)
        }
        _ => false,
    }
}
