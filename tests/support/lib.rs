//! Shared code of the end-to-end tests: hooks directories with real components, and calls.

mod change;
mod decided;
mod frozen;
mod process;
pub mod projects;
mod samples;
mod state_store;
mod watcher;

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use portcullis::compiler::{Compiler, WorkerCommand};
use portcullis::contract::{ContentPart, Context, ToolSpec};
use portcullis::hooks::{CacheChoice, HooksError};
use portcullis::points::{PreToolCall, PreTurn, pre_tool_call, pre_turn};
use portcullis::tools::ToolCatalog;
use portcullis::{Call, Hooks, LoadOptions, NativeHook, Session, SessionOptions, Views};

pub use change::{digest, soon, variant};
pub use decided::{decided, decision_after};
pub use frozen::{FROZEN, Frozen};
pub use process::{grown_at_most, resident};
pub use samples::{AtPoint, Check, NO_USAGE, Sample, at, at_every_point};
pub use state_store::{Does, TestStore};
pub use watcher::Watcher;
use xtask_projects::hooks::Missing;

/// Returns a component of `example-hooks` or `tests/guests`. The Rust components are built once,
/// and the others once one of them is requested.
pub fn component(name: &str) -> PathBuf {
    static IN_RUST: OnceLock<Result<(), String>> = OnceLock::new();
    static OTHERS: OnceLock<Result<(), String>> = OnceLock::new();
    let root = root();
    let built = |of: &OnceLock<Result<(), String>>, build: &dyn Fn() -> xtask::Result<()>| {
        if let Err(cause) = of.get_or_init(|| build().map_err(|e| e.to_string())) {
            panic!("the hooks do not build: {cause}");
        }
    };
    let there = |dir: &str| {
        let path = root.join("target").join(dir).join(name);
        Some(path.with_extension("wasm")).filter(|path| path.exists())
    };
    built(&IN_RUST, &|| xtask::guests::build(&root).map(drop));
    there("hooks")
        .or_else(|| there("test-hooks"))
        .or_else(|| {
            built(&OTHERS, &|| {
                xtask_projects::hooks::build(&root, Missing::Fails)
            });
            there("project-hooks")
        })
        .unwrap_or_else(|| {
            panic!("there is no component `{name}` in example-hooks or tests/guests")
        })
}

/// Returns the workspace.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Returns the cache that all tests share, so that a component is compiled once.
pub fn cache() -> CacheChoice {
    CacheChoice::Dir(root().join("target").join("test-cache"))
}

/// Returns a component under another id of the same length, by rewriting the id in its data. The
/// two hooks differ in nothing else.
pub fn renamed(name: &str, id: &str) -> Vec<u8> {
    assert_eq!(name.len(), id.len(), "the ids must be of one length");
    let mut bytes = std::fs::read(component(name)).expect("a component");
    let places: Vec<usize> = bytes
        .windows(name.len())
        .enumerate()
        .filter(|(_, window)| *window == name.as_bytes())
        .map(|(at, _)| at)
        .collect();
    assert!(!places.is_empty(), "`{name}` does not hold its id");
    for at in places {
        bytes[at..at + id.len()].copy_from_slice(id.as_bytes());
    }
    bytes
}

/// The name of the settings file.
const SETTINGS: &str = "hooks.toml";
/// The text that [`HooksDir`] adds to settings without this table.
const TRUSTED: &str = "\n[unnamed]\nload = \"trusted\"\n";

/// A hooks directory of one test. Hooks that its settings do not name are trusted, unless it is
/// [`HooksDir::capped`].
pub struct HooksDir {
    dir: tempfile::TempDir,
    is_capped: bool,
    compiler: Compiler,
}

impl Default for HooksDir {
    fn default() -> Self {
        Self::new()
    }
}

impl HooksDir {
    /// Creates an empty directory.
    pub fn new() -> Self {
        let dir = Self {
            is_capped: false,
            ..Self::capped()
        };
        dir.settings("")
    }

    /// Creates an empty directory as an operator has it: hooks that its settings do not name are
    /// capped.
    pub fn capped() -> Self {
        Self {
            dir: tempfile::tempdir().expect("a temporary directory"),
            is_capped: true,
            compiler: Compiler::InProcess,
        }
    }

    /// Creates an empty directory for hooks that contain their language's runtime. `worker`
    /// compiles the runtime once.
    pub fn compiled_by(worker: &str) -> Self {
        Self {
            compiler: Compiler::Child(WorkerCommand::new(worker, [""; 0]).sharing_functions()),
            ..Self::new()
        }
    }

    /// Adds a component.
    pub fn with(self, name: &str) -> Self {
        std::fs::copy(
            component(name),
            self.path().join(name).with_extension("wasm"),
        )
        .expect("a copy");
        self
    }

    /// Adds a component under another id of the same length: see [`renamed`].
    pub fn with_renamed(self, name: &str, id: &str) -> Self {
        self.with_file(&format!("{id}.wasm"), &renamed(name, id))
    }

    /// Adds any file.
    pub fn with_file(self, name: &str, bytes: &[u8]) -> Self {
        std::fs::write(self.path().join(name), self.content(name, bytes)).expect("a file");
        self
    }

    /// Replaces a file while the directory is in use: the new file is written beside the old one,
    /// then renamed.
    pub fn put(&self, name: &str, bytes: &[u8]) {
        let beside = self.path().join(format!("{name}.part"));
        std::fs::write(&beside, self.content(name, bytes)).expect("a file");
        std::fs::rename(&beside, self.path().join(name)).expect("a file");
    }

    /// Removes a file.
    pub fn take(&self, name: &str) {
        std::fs::remove_file(self.path().join(name)).expect("a file to remove");
    }

    /// Writes `hooks.toml`.
    pub fn settings(self, toml: &str) -> Self {
        self.with_file(SETTINGS, toml.as_bytes())
    }

    /// Returns the content of a file: settings trust hooks that they do not name.
    fn content(&self, name: &str, bytes: &[u8]) -> Vec<u8> {
        let mut content = bytes.to_vec();
        let own = String::from_utf8_lossy(bytes).contains("[unnamed]");
        if name == SETTINGS && !self.is_capped && !own {
            content.extend_from_slice(TRUSTED.as_bytes());
        }
        content
    }

    /// Returns the path.
    pub fn path(&self) -> &Path {
        self.dir.path()
    }

    /// Loads the directory.
    pub fn try_load(&self) -> Result<Hooks, HooksError> {
        self.try_load_beside([])
    }

    /// Loads the directory with native hooks beside the components.
    pub fn try_load_beside(
        &self,
        native: impl IntoIterator<Item = NativeHook>,
    ) -> Result<Hooks, HooksError> {
        Hooks::load(
            self.path(),
            &LoadOptions {
                cache: cache(),
                compiler: self.compiler.clone(),
                native: native.into_iter().collect(),
                ..LoadOptions::default()
            },
        )
    }

    /// Loads the directory, which must be valid.
    pub fn load(&self) -> Hooks {
        self.load_beside([])
    }

    /// Loads the directory with native hooks beside the components. All must be valid.
    pub fn load_beside(&self, native: impl IntoIterator<Item = NativeHook>) -> Hooks {
        match self.try_load_beside(native) {
            Ok(hooks) => hooks,
            Err(error) => panic!("{error}"),
        }
    }
}

/// Returns the settings of the probe: the grants that it needs, and its actions, as lines of `point
/// = "action"`.
pub fn probe(actions: &str) -> String {
    hook("probe", "", actions)
}

/// Returns the same settings for a probe under another id, with more settings.
pub fn hook(id: &str, settings: &str, actions: &str) -> String {
    format!(
        "[hooks.{id}]\n{settings}\n[hooks.{id}.grants]\nstate = true\nevents = true\n\
         contribute = [\"policy\", \"context\", \"section\", \"tools\", \"note\", \"job\"]\n\
         [hooks.{id}.config]\n{actions}\n"
    )
}

/// Opens a session with only the probe, which performs these actions.
pub fn probe_session(actions: &str) -> Session {
    HooksDir::new()
        .with("probe")
        .settings(&probe(actions))
        .load()
        .session(SessionOptions::new("test"))
}

/// Returns a context of the first turn.
pub fn context() -> Context {
    Context {
        session_id: "test".into(),
        agent: "tests".into(),
        turn: 1,
        step: 1,
    }
}

/// Returns a turn that begins with this text.
pub fn turn(text: &str) -> Call<PreTurn> {
    let said = vec![ContentPart::Text(text.into())];
    Call::new(
        context(),
        pre_turn::facts(&said),
        Views {
            content: Arc::new(said),
            ..Views::default()
        },
    )
}

/// Returns a call of the tool `write`, which takes a string `path`, with these arguments.
pub fn tool_call(arguments: &str) -> Call<PreToolCall> {
    tool_call_of("write", arguments)
}

/// Returns a call of the tool of this name, which takes the same arguments as `write`.
pub fn tool_call_of(tool: &str, arguments: &str) -> Call<PreToolCall> {
    let spec = ToolSpec {
        name: tool.into(),
        description: "Writes a file.".into(),
        schema: r#"{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]}"#
            .into(),
    };
    Call::unchecked(
        context(),
        pre_tool_call::ToolRequest {
            call_id: "call-1".into(),
            name: tool.into(),
            arguments_bytes: arguments.len() as u32,
            grant: pre_tool_call::ExecutionGrant {
                working_dir: Some("/work".into()),
                timeout_ms: 1_000,
            },
        },
        Views {
            tool_arguments: arguments.into(),
            tools: Arc::new(ToolCatalog::new([spec]).expect("a catalogue")),
            ..Views::default()
        },
    )
}

/// Returns the current text.
pub fn text<P: portcullis::points::Point>(call: &Call<P>) -> String {
    call.views
        .content
        .iter()
        .filter_map(|part| match part {
            ContentPart::Text(text) => Some(text.as_str()),
            _ => None,
        })
        .collect()
}
