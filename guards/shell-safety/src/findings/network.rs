//! What comes from the network and is run, and what is sent away.

use guards_shell::{Command, Word};

use super::Look;
use super::write::last_is_remote;
use crate::config::Rule;

/// What fetches from servers.
const FETCHERS: &[&str] = &[
    "curl", "wget", "fetch", "aria2c", "http", "https", "xh", "ftp", "tftp", "nc", "ncat",
    "netcat", "lynx", "GET", "dig", "nslookup",
];
/// What runs a script on its input.
const RUNNERS: &[&str] = &[
    "sh",
    "bash",
    "dash",
    "zsh",
    "ksh",
    "ash",
    "fish",
    "python",
    "python2",
    "python3",
    "perl",
    "ruby",
    "node",
    "php",
    "lua",
    "pwsh",
    "osascript",
    "deno",
    "bun",
    "tclsh",
    "R",
    "at",
    "batch",
];
/// What makes another text of a text.
const DECODERS: &[&str] = &[
    "base64", "base32", "xxd", "openssl", "rev", "tr", "gunzip", "zcat", "uudecode", "od",
];
/// What sends its input.
const SENDERS: &[&str] = &[
    "curl", "wget", "nc", "ncat", "netcat", "socat", "telnet", "mail", "mailx", "sendmail", "mutt",
    "http", "https", "xh", "ssh",
];

impl Look<'_> {
    pub(super) fn network(&mut self, command: &Command) {
        self.runs_input(command);
        self.runs_download(command);
        self.remote_shell(command);
        self.sends(command);
    }

    /// What is run is another command's output.
    fn runs_input(&mut self, command: &Command) {
        let name = command.name();
        let runs = RUNNERS.contains(&name) || matches!(name, "eval" | "source" | ".");
        if !runs {
            return;
        }
        let is_input =
            command.operands().next().is_none() || command.says("-") || command.says("-s");
        let is_argument = command.words.iter().any(|word| !word.commands.is_empty());
        if !is_input && !is_argument && !command.upstream.is_empty() && RUNNERS.contains(&name) {
            // A script in a file reads the input as data.
            return;
        }
        let has = |names: &[&str]| {
            self.sources(command)
                .any(|source| names.contains(&source.name()))
        };
        let (fetches, decodes) = (has(FETCHERS), has(DECODERS));
        if fetches {
            self.add(
                Rule::RemoteCode,
                format!("`{name}` runs what a server sends"),
            );
        } else if decodes {
            self.add(
                Rule::EncodedCode,
                format!("`{name}` runs a text that is only readable once it is decoded"),
            );
        }
    }

    /// What is run was downloaded before.
    fn runs_download(&mut self, command: &Command) {
        let downloaded = self
            .commands
            .iter()
            .filter(|other| FETCHERS.contains(&other.name()))
            .flat_map(files);
        let downloaded: Vec<String> = downloaded.collect();
        let is_downloaded = |word: &Word| {
            downloaded
                .iter()
                .any(|file| file.trim_start_matches("./") == word.text.trim_start_matches("./"))
        };
        let runs_file =
            RUNNERS.contains(&command.name()) || matches!(command.name(), "source" | ".");
        let is_run = match runs_file {
            true => command.operands().next().is_some_and(is_downloaded),
            false => command
                .words
                .first()
                .is_some_and(|name| name.text.contains('/') && is_downloaded(name)),
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
        let feeds_shell = is_netcat
            && self.commands.iter().any(|other| {
                RUNNERS.contains(&other.name())
                    && (other.has(Some('i'), "")
                        || other.redirects.iter().any(|redirect| !redirect.writes))
            });
        if redirected || command.words.iter().any(is_socket) || runs || feeds_shell {
            self.add(
                Rule::RemoteShell,
                format!("`{name}` connects a shell or a file to a server"),
            );
        }
    }

    fn sends(&mut self, command: &Command) {
        let name = command.name();
        let takes_file = |word: &Word| {
            word.text.contains('@')
                && (word.text.starts_with('@')
                    || word.text.contains("=@")
                    || word.text.starts_with("-d@"))
        };
        let uploads = match name {
            "curl" => {
                let options = ["-T", "--upload-file"];
                let arguments = command.arguments();
                let data = arguments
                    .iter()
                    .zip(arguments.iter().skip(1))
                    .any(|(option, value)| {
                        let is_data = option.text.starts_with("-d")
                            || option.text.starts_with("--data")
                            || matches!(option.text.as_str(), "-F" | "--form");
                        is_data && (takes_file(value) || !value.is_known)
                    });
                data || options.iter().any(|option| command.says(option))
                    || arguments
                        .iter()
                        .any(|word| word.text.starts_with("--data") && word.text.contains("=@"))
            }
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

/// The files that a command downloads to.
fn files(command: &Command) -> Vec<String> {
    let arguments = command.arguments();
    let pairs = arguments.iter().zip(arguments.iter().skip(1));
    let named = pairs.filter(|(option, _)| {
        matches!(
            option.text.as_str(),
            "-o" | "--output" | "-O" | "--output-document"
        )
    });
    let mut files: Vec<String> = named.map(|(_, file)| file.text.clone()).collect();
    files.extend(
        command
            .redirects
            .iter()
            .filter(|redirect| redirect.writes)
            .map(|redirect| redirect.file.text.clone()),
    );
    let keeps_name = command.name() == "wget" || command.has(Some('O'), "remote-name");
    if keeps_name {
        let last = |word: &Word| word.text.rsplit('/').next().map(str::to_owned);
        files.extend(
            command
                .operands()
                .filter(|word| word.text.contains("://"))
                .filter_map(last),
        );
    }
    files.retain(|file| file != "-" && file != "/dev/null");
    files
}
