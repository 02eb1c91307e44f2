//! An attack: its header and its hostile code.

use serde::{Deserialize, Serialize};

use crate::guest::Guest;

/// One attack.
#[derive(Debug, Clone)]
pub struct Attack {
    /// Its name.
    pub name: String,
    /// Its category: the directory of its file.
    pub category: String,
    /// The attack's description and the expected result.
    pub header: Header,
    /// The file for the hooks directory.
    pub guest: Guest,
}

/// The expected result of an attack.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Expected {
    /// The hook fails closed: the operation does not proceed.
    Refused,
    /// The hook refuses, which it may, and the refusal is not a failure.
    Rejected,
    /// The hook does not load.
    LoadRefused,
    /// The operation proceeds, unharmed.
    Survived,
}

impl Expected {
    /// Returns its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Refused => "refused",
            Self::Rejected => "rejected",
            Self::LoadRefused => "load-refused",
            Self::Survived => "survived",
        }
    }
}

/// The header of an attack's file: the comment at its beginning.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Header {
    /// The attack's description, in one sentence.
    pub what: String,
    /// The line of the list of threats that it covers.
    #[serde(default)]
    pub covers: String,
    /// The expected result.
    #[serde(default = "refused")]
    pub expected: Expected,
    /// The allowed causes. If empty, there must be no failure.
    #[serde(default)]
    pub cause: Vec<String>,
    /// The most time for a call, or for loading, on a release build, in milliseconds.
    #[serde(default = "ceiling_ms")]
    pub ceiling_ms: u64,
    /// The most growth of the process while it is called, in bytes.
    #[serde(default = "memory_bytes")]
    pub memory_bytes: u64,
    /// Whether the next call, in which the hook is not hostile, passes. `false` if the hook is hostile in
    /// every call: then the next call fails too.
    #[serde(default = "yes")]
    pub healthy: bool,
    /// The point at which it is called.
    #[serde(default = "point")]
    pub point: String,
    /// A second point that it serves, at which it does nothing.
    pub also: Option<String>,
    /// The answers of its point that it imports, and so may give. Default: `reject`, if the point has it.
    /// If empty, it only observes.
    pub answers: Option<Vec<String>>,
    /// Its other imports: `interface/function` of the contract, or a short name.
    #[serde(default)]
    pub imports: Vec<String>,
    /// Whether the operator names the hook. `false` if it was only put into the directory.
    #[serde(default = "yes")]
    pub named: bool,
    /// Its `hooks.toml`.
    #[serde(default)]
    pub settings: String,
    /// The place in the hooks directory.
    #[serde(default)]
    pub place: Place,
    /// Directories that are made in the hooks directory before anything is loaded.
    #[serde(default)]
    pub directories: Vec<String>,
    /// The number of files in each directory.
    #[serde(default)]
    pub files: usize,
    /// The way of calling the hook.
    #[serde(default)]
    pub play: Play,
    /// The initial size of the core module's memory, in pages of 64 KiB.
    #[serde(default = "pages")]
    pub pages: u32,
    /// Its id.
    #[serde(default = "id")]
    pub id: String,
    /// The turn in which it attacks. Default: every odd one.
    pub turn: Option<u32>,
    /// Its priority.
    pub priority: Option<i32>,
    /// Its execution policy.
    #[serde(default)]
    pub execution: String,
    /// Whether the text is a whole component.
    #[serde(default)]
    pub raw: bool,
    /// The file's bytes, in hexadecimal, if it is not a component.
    pub bytes: Option<String>,
}

/// The place of a hostile file in the hooks directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Place {
    /// As it is.
    #[default]
    AsItIs,
    /// Without its second half.
    CutOff,
    /// Twice, under two names.
    Twice,
    /// As a symbolic link to a device that never ends.
    LinkToDevice,
    /// As a symbolic link to nothing.
    LinkToNothing,
    /// As a symbolic link that changes its target while it is loaded.
    LinkSwapped,
    /// As a file that changes while it is loaded.
    Changing,
    /// As a pipe without a writer.
    Pipe,
    /// As a directory.
    Directory,
    /// As a sparse file larger than any component may be.
    Huge,
    /// No file: the settings are the attack.
    Nowhere,
    /// No file: `hooks.toml` is a pipe without a writer.
    SettingsPipe,
    /// No file: `hooks.toml` leads to a device that never ends.
    SettingsDevice,
    /// No file: `hooks.toml` has ten thousand unknown keys.
    SettingsMistakes,
    /// As it is, with the cache in a directory that another user can write to, or owns.
    CacheOfAnother,
    /// While the host runs, after another file of its id was removed.
    AfterARemovedOne,
}

impl Place {
    /// Returns whether the settings are the attack, and there is no hostile hook.
    pub(crate) const fn is_settings(self) -> bool {
        matches!(
            self,
            Self::Nowhere | Self::SettingsPipe | Self::SettingsDevice | Self::SettingsMistakes
        )
    }
}

/// The way of calling a hostile hook.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Play {
    /// Once, and then once more.
    #[default]
    Once,
    /// Its future is dropped while it runs.
    Dropped,
    /// Repeatedly, until it fails.
    UntilItFails,
    /// Once, among hooks of which one refuses.
    BeforeAGuard,
    /// Once, among hooks of which one refuses and has the role `transform`.
    BeforeATransform,
    /// In one session, while fifty others work.
    Crowd,
    /// In one session, and then in another, in which the hook must not find the data that it left.
    OtherSession,
}

const fn refused() -> Expected {
    Expected::Refused
}

/// The default: the deadline of 100 ms, some ticks, and time for a busy machine.
const fn ceiling_ms() -> u64 {
    400
}

/// The default: the memory that a hook may have, and as much again for the host's side of a call.
const fn memory_bytes() -> u64 {
    128 << 20
}

const fn yes() -> bool {
    true
}

fn point() -> String {
    "pre-turn".into()
}

const fn pages() -> u32 {
    2
}

fn id() -> String {
    "hostile".into()
}

/// An attack's file cannot be read.
#[derive(Debug, Clone, thiserror::Error)]
#[error("attack `{name}`: {problem}")]
pub struct HeaderError {
    /// The attack.
    pub name: String,
    /// The fault.
    pub problem: String,
}

impl Attack {
    /// Reads an attack's file. `path` is its category and name.
    ///
    /// # Errors
    ///
    /// The header is not valid.
    pub fn read(path: &str, text: &str) -> Result<Self, HeaderError> {
        let (category, name) = path.rsplit_once('/').unwrap_or(("", path));
        let wrong = |problem: String| HeaderError {
            name: path.to_owned(),
            problem,
        };
        let (said, body) = parted(text);
        let header: Header = toml::from_str(&said).map_err(|e| wrong(e.to_string()))?;
        let guest = Guest::of(&header, body).map_err(wrong)?;
        Ok(Self {
            name: name.to_owned(),
            category: category.to_owned(),
            header,
            guest,
        })
    }
}

/// Returns the comment at the beginning of a file, and the rest.
fn parted(text: &str) -> (String, &str) {
    let mut header = String::new();
    let mut rest = text;
    // `;;!` is an instruction to the shell, and belongs to the text.
    while let Some(line) = rest
        .strip_prefix(";;")
        .filter(|line| !line.starts_with('!'))
    {
        let (line, after) = line.split_once('\n').unwrap_or((line, ""));
        header.push_str(line.strip_prefix(' ').unwrap_or(line));
        header.push('\n');
        rest = after;
    }
    (header, rest)
}

#[cfg(test)]
impl Header {
    /// Returns an empty header.
    pub(crate) fn bare() -> Self {
        toml::from_str("what = \"\"").expect("a header")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_card_is_the_comment_at_the_beginning() {
        let text = ";; what = \"Traps.\"\n;; cause = [\"trap\"]\n(func $attack (type $handle)\n  ;; at once\n  unreachable)\n";
        let attack = Attack::read("traps/at-once", text).expect("an attack");
        assert_eq!(
            (attack.category.as_str(), attack.name.as_str()),
            ("traps", "at-once")
        );
        assert_eq!(attack.header.cause, ["trap"]);
        assert_eq!(attack.header.expected, Expected::Refused);
        assert!(matches!(attack.guest, Guest::Component(_)));
    }

    #[test]
    fn a_card_with_an_unknown_word_is_wrong() {
        let error = Attack::read("a/b", ";; what = \"\"\n;; cuase = []\n").expect_err("an error");
        assert!(error.to_string().contains("cuase"), "{error}");
    }
}
