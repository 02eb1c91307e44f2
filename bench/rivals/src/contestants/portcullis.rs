//! Hooks of Portcullis: the whole chain, with every limit in force.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context as _, bail};
use futures::FutureExt;
use portcullis::contract::{Context, Rejection, ToolSpec};
use portcullis::points::{PreToolCall, pre_tool_call};
use portcullis::hooks::CacheChoice;
use portcullis::tools::ToolCatalog;
use portcullis::{Call, Decision, Hooks, LoadOptions, NativeHook, Session, SessionOptions, Views};
use portcullis_project::Language;

use crate::call::{self, ToolCall, Verdict};
use crate::contestant::{Contestant, Entry};

pub const NATIVE: Entry = Entry {
    key: "portcullis-native",
    name: "Portcullis, native hook",
    limits: "none",
    passing: "borrowed facts",
};

pub const LANGUAGES: [(Entry, Language); 5] = [
    (
        entry("portcullis-rust", "Portcullis, hook in Rust"),
        Language::Rust,
    ),
    (entry("portcullis-c", "Portcullis, hook in C"), Language::C),
    (
        entry("portcullis-javascript", "Portcullis, hook in JavaScript"),
        Language::JavaScript,
    ),
    (
        entry("portcullis-python", "Portcullis, hook in Python"),
        Language::Python,
    ),
    (
        entry("portcullis-go", "Portcullis, hook in Go"),
        Language::Go,
    ),
];

const fn entry(key: &'static str, name: &'static str) -> Entry {
    Entry {
        key,
        name,
        limits: "fuel, deadline, memory",
        passing: "imports, called for what is read",
    }
}

/// The turn never ends here, so its limits must exceed the use of all calls together. The limits of a
/// call are the defaults.
const TURN: &str = "[turn]\nfuel = 1000000000000000\nhooks-ms = 86400000\n";

/// A session of one hook, and its calls.
pub struct Hook {
    session: Session,
    calls: Vec<(&'static ToolCall, Call<PreToolCall>)>,
}

impl Hook {
    /// Returns a hook in Rust that is part of the host.
    pub fn native() -> anyhow::Result<Self> {
        let mut session = Hooks::none().session(SessionOptions::new("rivals"));
        let guard = NativeHook::new("guard").on::<PreToolCall>(|call| {
            let refuses =
                call.subject.name == "shell" && call.views.tool_arguments.contains("rm -rf");
            Ok(match refuses {
                true => pre_tool_call::Outcome::Reject(Rejection {
                    code: "no-rm".to_owned(),
                    reason: "Nothing is deleted here.".to_owned(),
                    details: None,
                }),
                false => pre_tool_call::Outcome::Continue,
            })
        });
        session.add(guard)?;
        Self::of(session)
    }

    /// Loads a component from a separate directory.
    pub fn component(component: &Path, cache: &Path) -> anyhow::Result<Self> {
        let dir = tempfile::tempdir()?;
        std::fs::copy(component, dir.path().join("guard.wasm"))?;
        std::fs::write(dir.path().join("hooks.toml"), TURN)?;
        let options = LoadOptions {
            cache: CacheChoice::Dir(cache.to_owned()),
            ..LoadOptions::default()
        };
        let hooks = Hooks::load(dir.path(), &options)?;
        Self::of(hooks.session(SessionOptions::new("rivals")))
    }

    fn of(session: Session) -> anyhow::Result<Self> {
        let catalog = Arc::new(catalog()?);
        let calls = call::cases().map(|(call, _)| (call, of_host(call, &catalog)));
        Ok(Self {
            session,
            calls: calls.into(),
        })
    }
}

impl Contestant for Hook {
    fn decide(&mut self, call: &ToolCall) -> anyhow::Result<Verdict> {
        let known = self
            .calls
            .iter_mut()
            .find(|(known, _)| std::ptr::eq(*known, call));
        let (_, call) = known.context("an unknown call")?;
        let verdict = self.session.run(call).now_or_never();
        let verdict = verdict.context("the chain waits for something")?;
        if let Some(cause) = verdict.runs.iter().find_map(|run| run.cause()) {
            bail!("the hook failed: {cause:?}");
        }
        Ok(match verdict.decision {
            Decision::Passed => Verdict::Continue,
            Decision::Rejected { rejection, .. } => {
                Verdict::reject(rejection.code, rejection.reason)
            }
            _ => bail!("the hook gave another answer"),
        })
    }
}

fn catalog() -> anyhow::Result<ToolCatalog> {
    let tool = |name: &str| ToolSpec {
        name: name.to_owned(),
        description: "A tool.".to_owned(),
        schema: r#"{"type":"object"}"#.to_owned(),
    };
    Ok(ToolCatalog::new([tool("shell"), tool("write_file")])?)
}

fn of_host(call: &ToolCall, catalog: &Arc<ToolCatalog>) -> Call<PreToolCall> {
    Call::unchecked(
        Context {
            session_id: "rivals".to_owned(),
            agent: "main".to_owned(),
            turn: 1,
            step: 1,
        },
        pre_tool_call::ToolRequest {
            call_id: "call-1".to_owned(),
            name: call.name.to_owned(),
            arguments_bytes: u32::try_from(call.arguments.len()).unwrap_or(u32::MAX),
            grant: pre_tool_call::ExecutionGrant {
                working_dir: Some("/srv/project".to_owned()),
                timeout_ms: 120_000,
            },
        },
        Views {
            tool_arguments: call.arguments.into(),
            tools: Arc::clone(catalog),
            ..Views::default()
        },
    )
}
