//! The flow of fetched and decoded data through a script.

use std::collections::BTreeSet;
use std::ops::Range;

use guards_shell::{Command, Word};

use super::fetch::Files;
use super::place::resolve;
use super::runner::is_runner;

/// Programs that fetch from servers.
pub const FETCHERS: &[&str] = &[
    "curl", "wget", "wget2", "fetch", "aria2c", "http", "https", "xh", "ftp", "tftp", "nc", "ncat",
    "netcat", "lynx", "GET", "dig", "nslookup",
];
/// Programs that decode a text or transform it.
const DECODERS: &[&str] = &[
    "base64", "base32", "xxd", "openssl", "rev", "tr", "gunzip", "zcat", "uudecode", "od",
];

/// The data that a script's commands print and write.
pub struct Flow {
    fetching: Tally,
    decoding: Tally,
    downloaded: BTreeSet<String>,
    /// Whether a shell or an interpreter reads its input from a file, or is interactive.
    pub has_fed_runner: bool,
}

impl Flow {
    /// Follows the commands of a script.
    pub fn of(commands: &[Command]) -> Self {
        let mut flow = Self {
            fetching: Tally::default(),
            decoding: Tally::default(),
            downloaded: BTreeSet::new(),
            has_fed_runner: false,
        };
        for command in commands {
            flow.command(command);
        }
        flow
    }

    fn command(&mut self, command: &Command) {
        let name = command.name();
        let is_fetcher = FETCHERS.contains(&name);
        let prints = is_fetcher
            || command
                .arguments()
                .iter()
                .any(|word| self.is_downloaded(word));
        let mut files = Vec::new();
        if is_fetcher || self.fetches(&command.upstream) {
            let redirects = command.redirects.iter().filter(|redirect| redirect.writes);
            files.extend(redirects.map(|redirect| redirect.file.text.clone()));
            if name == "tee" {
                files.extend(command.operands().map(|word| word.text.clone()));
            }
        }
        files.extend(Files::of(command).fetched());
        let is_file = |file: &&String| !matches!(file.as_str(), "-" | "/dev/null" | "/dev/stdout");
        let files = files.iter().filter(is_file).map(|file| normal(file));
        self.downloaded.extend(files);
        self.fetching.push(prints);
        self.decoding.push(DECODERS.contains(&name));
        self.has_fed_runner |= is_runner(name)
            && (command.has(Some('i'), "")
                || command.redirects.iter().any(|redirect| !redirect.writes));
    }

    /// Returns whether one of the commands prints data of a server.
    pub fn fetches(&self, commands: &Range<usize>) -> bool {
        self.fetching.has(commands)
    }

    /// Returns whether one of the commands decodes a text.
    pub fn decodes(&self, commands: &Range<usize>) -> bool {
        self.decoding.has(commands)
    }

    /// Returns whether the file was downloaded.
    pub fn is_downloaded(&self, file: &Word) -> bool {
        !self.downloaded.is_empty() && self.downloaded.contains(&normal(&file.text))
    }
}

/// For each command, how many of the commands up to it do something.
#[derive(Default)]
struct Tally(Vec<usize>);

impl Tally {
    fn push(&mut self, does: bool) {
        let before = self.0.last().copied().unwrap_or_default();
        self.0.push(before + usize::from(does));
    }

    /// Returns whether one of the commands does it.
    fn has(&self, commands: &Range<usize>) -> bool {
        let before = |at: usize| {
            let last = at.checked_sub(1).and_then(|last| self.0.get(last));
            last.copied().unwrap_or_default()
        };
        before(commands.start) < before(commands.end)
    }
}

/// Returns the same text for all ways to write a path.
fn normal(path: &str) -> String {
    let (names, leaves) = resolve(path);
    let start = match (path.starts_with('/'), leaves) {
        (true, _) => "/",
        (false, true) => "../",
        (false, false) => "",
    };
    format!("{start}{}", names.join("/"))
}
