//! What the probes are written in, and how one is loaded.

use std::fmt::{self, Display, Formatter};

use portcullis::{Hooks, Session, SessionOptions};
use portcullis_tests::{HooksDir, component, hook, projects};

/// A language that there is a probe in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Speech {
    Rust,
    JavaScript,
    Python,
}

impl Speech {
    pub const ALL: [Self; 3] = [Self::Rust, Self::JavaScript, Self::Python];

    /// The probe's component.
    pub fn probe(self) -> Vec<u8> {
        projects::bytes(&match self {
            Self::Rust => component("probe"),
            Self::JavaScript => projects::project("tests/polyglot/javascript"),
            Self::Python => projects::project("tests/polyglot/python"),
        })
    }

    /// The probe, told to do this.
    pub fn hooks(self, deeds: &str) -> Hooks {
        self.hooks_with("", deeds)
    }

    /// The same, with more settings of the hook.
    pub fn hooks_with(self, settings: &str, deeds: &str) -> Hooks {
        let toml = format!("{PATIENT}{}", hook("probe", settings, deeds));
        HooksDir::new()
            .with_file("probe.wasm", &self.probe())
            .settings(&toml)
            .load()
    }

    /// A session of it.
    pub fn session(self, deeds: &str) -> Session {
        self.hooks(deeds).session(SessionOptions::new("test"))
    }
}

/// A language runtime takes its time to compile where the compiler is not optimised itself. The machine
/// may be busy; what is looked at here is not the time.
pub const PATIENT: &str = "[engine]\ncompile-ms = 600000\n[turn]\nhooks-ms = 60000\n\
     [defaults.limits]\nwall-ms = 20000\ndeadline-ms = 2000\n[quarantine]\nfailures = 1000\n";

impl Display for Speech {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Rust => "Rust",
            Self::JavaScript => "JavaScript",
            Self::Python => "Python",
        })
    }
}
