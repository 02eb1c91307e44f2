//! The languages of the probes, and how a probe is loaded.

use std::fmt::{self, Display, Formatter};
use std::sync::OnceLock;

use portcullis::{Hooks, Session, SessionOptions};
use portcullis_tests::{component, hook, projects};

use crate::hooks_dir;

/// A language with a probe.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Speech {
    Rust,
    C,
    Cpp,
    Zig,
    JavaScript,
    Python,
    Go,
}

impl Speech {
    pub const ALL: [Self; 7] = [
        Self::Rust,
        Self::C,
        Self::Cpp,
        Self::Zig,
        Self::JavaScript,
        Self::Python,
        Self::Go,
    ];

    /// Returns the probe's component.
    fn probe(self) -> Vec<u8> {
        projects::bytes(&match self {
            Self::Rust => component("probe"),
            Self::C => projects::project("tests/polyglot/c"),
            Self::Cpp => projects::project("tests/polyglot/cpp"),
            Self::Zig => projects::project("tests/polyglot/zig"),
            Self::JavaScript => projects::project("tests/polyglot/javascript"),
            Self::Python => projects::project("tests/polyglot/python"),
            Self::Go => projects::project("tests/polyglot/go"),
        })
    }

    /// Loads the probe with these actions.
    pub fn hooks(self, actions: &str) -> Hooks {
        self.hooks_with("", actions)
    }

    /// Loads the probe with these actions and more settings.
    pub fn hooks_with(self, settings: &str, actions: &str) -> Hooks {
        self.load(&format!("{PATIENT}{}", hook("probe", settings, actions)))
    }

    /// Loads the probe with this `hooks.toml`. The first test to load it compiles it, and the
    /// others wait: concurrent compilations would take as much longer.
    pub fn load(self, toml: &str) -> Hooks {
        static COMPILED: [OnceLock<()>; Speech::ALL.len()] =
            [const { OnceLock::new() }; Speech::ALL.len()];
        COMPILED[self as usize]
            .get_or_init(|| drop(self.load_now(&format!("{PATIENT}{}", hook("probe", "", "")))));
        self.load_now(toml)
    }

    fn load_now(self, toml: &str) -> Hooks {
        hooks_dir()
            .with_file("probe.wasm", &self.probe())
            .settings(toml)
            .load()
    }

    /// Opens a session of the probe.
    pub fn session(self, actions: &str) -> Session {
        self.hooks(actions).session(SessionOptions::new("test"))
    }
}

/// Generous limits: a language runtime takes long to compile where the compiler is not optimised
/// itself, and the machine may be busy. These tests do not measure time.
pub const PATIENT: &str = "[engine]\ncompile-ms = 600000\n[turn]\nhooks-ms = 60000\n\
     [defaults.limits]\nwall-ms = 20000\ndeadline-ms = 2000\n[quarantine]\nfailures = 1000\n";

impl Display for Speech {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Rust => "Rust",
            Self::C => "C",
            Self::Cpp => "C++",
            Self::Zig => "Zig",
            Self::JavaScript => "JavaScript",
            Self::Python => "Python",
            Self::Go => "Go",
        })
    }
}
