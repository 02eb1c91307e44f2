//! The files that programs write when they fetch from servers.

use guards_shell::{Argument, Command, Syntax, Word, base};

/// Programs that fetch from servers, and their options.
struct Fetcher {
    names: &'static [&'static str],
    options: Syntax,
    /// Options that name the file.
    file: &'static [&'static str],
    /// Options that name its directory.
    dir: &'static [&'static str],
    /// Options that name files for something else, such as a log.
    other: &'static [&'static str],
    /// Options with which the file keeps its name on the server. If there are none, it does so unless another is given.
    keeps_name: &'static [&'static str],
}

/// The options of `curl`.
pub const CURL: Syntax = "AbcCdDeEFHKmoPQrtTuUwxXyYz --output --output-dir --dump-header --cookie --cookie-jar \
    --trace --trace-ascii --stderr --etag-save --libcurl --data --data-ascii \
    --data-binary --data-raw --data-urlencode --form --json --upload-file";

const PROGRAMS: &[Fetcher] = &[
    Fetcher {
        names: &["curl"],
        options: CURL,
        file: &["o", "output"],
        dir: &["output-dir"],
        other: &[
            "D",
            "dump-header",
            "c",
            "cookie-jar",
            "trace",
            "trace-ascii",
            "stderr",
            "etag-save",
            "libcurl",
        ],
        keeps_name: &["O", "remote-name", "remote-name-all"],
    },
    Fetcher {
        names: &["wget", "wget2"],
        options: "aABDeiIlnoOPQRtTUwX --output-document --directory-prefix --output-file \
    --append-output",
        file: &["O", "output-document"],
        dir: &["P", "directory-prefix"],
        other: &["o", "output-file", "a", "append-output"],
        keeps_name: &[],
    },
    Fetcher {
        names: &["aria2c"],
        options: "dijklmostxOT --out --dir --log",
        file: &["o", "out"],
        dir: &["d", "dir"],
        other: &["l", "log"],
        keeps_name: &[],
    },
    Fetcher {
        names: &["http", "https", "xh"],
        options: "aAopPs --output",
        file: &["o", "output"],
        dir: &[],
        other: &[],
        keeps_name: &["d", "download"],
    },
    Fetcher {
        names: &["fetch"],
        options: "BiNoSTw --output",
        file: &["o", "output"],
        dir: &[],
        other: &[],
        keeps_name: &[],
    },
];

/// The files that a command writes.
#[derive(Default)]
pub struct Files {
    /// The fetched files whose names are given.
    named: Vec<Word>,
    /// The fetched files that keep their names on the server.
    kept: Vec<Word>,
    dir: Option<Word>,
    other: Vec<Word>,
}

impl Files {
    /// Returns the files of a command, or none if it fetches nothing.
    pub fn of(command: &Command) -> Self {
        let mut all = PROGRAMS.iter();
        match all.find(|fetcher| fetcher.names.contains(&command.name())) {
            Some(fetcher) => fetcher.files(command),
            None => Self::default(),
        }
    }

    /// Returns the files and directories that it writes.
    pub fn written(mut self) -> Vec<Word> {
        match self.dir {
            Some(dir) => self.named.push(dir),
            None => self.named.append(&mut self.kept),
        }
        self.named.append(&mut self.other);
        self.named
    }

    /// Returns the paths that fetched files may have. Some programs do not put named files into `dir`.
    pub fn fetched(self) -> Vec<String> {
        let files = || self.named.iter().chain(&self.kept);
        let inside = self.dir.iter().flat_map(|dir| {
            let dir = &dir.text;
            files().map(move |file| format!("{dir}/{}", file.text))
        });
        files()
            .map(|file| file.text.clone())
            .chain(inside)
            .collect()
    }
}

impl Fetcher {
    fn files(&self, command: &Command) -> Files {
        let mut files = Files::default();
        let mut keeps_name = false;
        let mut addresses = Vec::new();
        for argument in command.parsed(self.options) {
            match argument {
                Argument::Option(name, value) if self.file.contains(&name) => {
                    files.named.extend(value);
                }
                Argument::Option(name, value) if self.dir.contains(&name) => files.dir = value,
                Argument::Option(name, value) if self.other.contains(&name) => {
                    files.other.extend(value);
                }
                Argument::Option(name, _) => keeps_name |= self.keeps_name.contains(&name),
                Argument::Operand(address) => addresses.push(address),
            }
        }
        if keeps_name || self.keeps_name.is_empty() && files.named.is_empty() {
            files.kept = addresses.into_iter().flat_map(kept).collect();
        }
        files
    }
}

/// Returns the files that are named as on the server. Some programs keep the query in the name.
fn kept(address: &Word) -> Vec<Word> {
    let whole = address.text.split('#').next().unwrap_or_default();
    let (path, query) = match whole.split_once('?') {
        Some((path, _)) => (path, Some(whole)),
        None => (whole, None),
    };
    let start = path.len() - base(path).len();
    let names = [Some(path), query].into_iter().flatten();
    let names = names.filter_map(|name| name.get(start..).filter(|name| !name.is_empty()));
    // The file is in the directory even if its name starts with `~`.
    let files = names.map(|name| Word {
        text: format!("./{name}"),
        ..address.clone()
    });
    files.collect()
}
