//! Facts read from a compiled module.

use std::collections::BTreeSet;

use wasmparser::{KnownCustom, Name, Parser, Payload};

/// Functions of Go's library that wait, by the names that they are linked under.
const WAITING: &[&str] = &["time.Sleep", "time.newTimer"];

/// The functions that reach files.
const FILES: &[&str] = &[
    "os.openFileNolog",
    "os.statNolog",
    "os.lstatNolog",
    "os.Mkdir",
    "os.Remove",
    "os.rename",
];

/// The exports of a module, and the functions that were linked into it.
pub(super) struct Contents {
    exports: BTreeSet<String>,
    waits: bool,
    opens_files: bool,
}

impl Contents {
    pub(super) fn of(module: &[u8]) -> anyhow::Result<Self> {
        let mut contents = Self {
            exports: BTreeSet::new(),
            waits: false,
            opens_files: false,
        };
        for payload in Parser::new(0).parse_all(module) {
            match payload? {
                Payload::ExportSection(section) => {
                    for export in section {
                        contents.exports.insert(export?.name.to_owned());
                    }
                }
                Payload::CustomSection(section) => {
                    let KnownCustom::Name(names) = section.as_known() else {
                        continue;
                    };
                    for names in names {
                        let Name::Function(functions) = names? else {
                            continue;
                        };
                        for function in functions {
                            let name = function?.name;
                            contents.waits |= WAITING.contains(&name);
                            contents.opens_files |= FILES.contains(&name);
                        }
                    }
                }
                _ => {}
            }
        }
        Ok(contents)
    }

    /// Returns whether the module exports a function of an interface of the contract, in any
    /// version.
    pub(super) fn exports_from(&self, interface: &str) -> bool {
        let start = format!("portcullis:hooks/{interface}@");
        self.exports.iter().any(|name| name.starts_with(&start))
    }

    /// Returns whether its source waits for a time. Go links only functions that are called.
    pub(super) fn waits(&self) -> bool {
        self.waits
    }

    /// Returns whether its source opens files.
    pub(super) fn opens_files(&self) -> bool {
        self.opens_files
    }
}
