//! What hooks may import: one module each, with its wiring and its implementation, and one table
//! that says which grant lets a hook have it.

mod agent_state;
mod call;
mod config;
mod content;
mod conversation;
mod deterministic;
pub(crate) mod directories;
mod events;
mod failure;
pub(crate) mod http;
mod log;
mod points;
mod prices;
mod prompt;
mod secrets;
mod session;
mod shared_state;
mod state;
mod tool_catalog;
mod tool_data;
mod verdict;
mod wasi;

use serde::Serialize;
use wasmtime::component::Linker;

use crate::model::points::PointId;
use crate::model::view::View;
use crate::sandbox::store::HookStore;

pub(crate) use config::Config;
pub(crate) use events::Events;
pub(crate) use http::Http;
pub use http::{HttpRule, HttpRuleError};
pub(crate) use log::Log;
pub use points::POINT_CAPABILITIES;
pub(crate) use state::State;
pub(crate) use wasi::Wasi;

/// What must be granted for an import.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Permission {
    /// Nothing: it is inert.
    None,
    /// A view, in `grants.views`.
    View(View),
    /// The answers of a point, in `grants.answers` and `grants.contribute`.
    Answers(PointId),
    /// `grants.state`.
    State,
    /// A namespace in `grants.shared-state`.
    SharedState,
    /// `grants.events`.
    Events,
    /// A name in `grants.secrets`.
    Secrets,
    /// A directory in `grants.read` or `grants.write`. Without one the import is inert, and its
    /// permission is [`Permission::None`].
    Directories,
    /// A server in `grants.http`.
    Http,
}

/// Something a hook may import.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Capability {
    /// The interface, without its version.
    pub interface: &'static str,
    /// What must be granted for it.
    pub permission: Permission,
    /// What a hook can do with it, in plain words.
    pub lets: &'static str,
}

const fn row(interface: &'static str, permission: Permission, lets: &'static str) -> Capability {
    Capability {
        interface,
        permission,
        lets,
    }
}

/// Everything a hook may import, beside the facts and the answers of its points.
pub const CAPABILITIES: &[Capability] = &[
    row(
        "portcullis:hooks/types",
        Permission::None,
        "use the shared types",
    ),
    row(
        "portcullis:hooks/call",
        Permission::None,
        "read the session's id, the agent's name, the turn and the step",
    ),
    row(
        "portcullis:hooks/failure",
        Permission::None,
        "report that it could not do its work",
    ),
    row("wasi:logging/logging", Permission::None, "write log lines"),
    row(
        "wasi:config/store",
        Permission::None,
        "read its own configuration",
    ),
    row(
        "portcullis:hooks/state",
        Permission::State,
        "remember things for the session",
    ),
    row(
        "portcullis:hooks/shared-state",
        Permission::SharedState,
        "share memory with other hooks, across sessions",
    ),
    row(
        "portcullis:hooks/events",
        Permission::Events,
        "send events to the agent's subscribers",
    ),
    row(
        "portcullis:hooks/secrets",
        Permission::Secrets,
        "read the secrets that it was granted by name",
    ),
    row(http::HANDLER, Permission::Http, http::LETS),
    row(http::TYPES, Permission::Http, http::LETS),
    row(
        "portcullis:hooks/content",
        Permission::View(View::Content),
        "read the content of a call: what the user, the model or the turn says",
    ),
    row(
        "portcullis:hooks/conversation",
        Permission::View(View::Conversation),
        "read the whole conversation",
    ),
    row(
        "portcullis:hooks/tool-data",
        Permission::View(View::ToolData),
        "read a tool call's arguments and output",
    ),
    row(
        "portcullis:hooks/tool-catalog",
        Permission::View(View::ToolCatalog),
        "read which tools the model is offered",
    ),
    row(
        "portcullis:hooks/prompt",
        Permission::View(View::Prompt),
        "read what other hooks contribute to the prompt",
    ),
    row(
        "portcullis:hooks/agent-state",
        Permission::View(View::AgentState),
        "read what tools keep in the agent's state",
    ),
    row(
        "portcullis:hooks/session",
        Permission::View(View::Session),
        "read who the user is and what the session is about",
    ),
    row(
        "portcullis:hooks/verdict",
        Permission::View(View::Verdict),
        "read what the other hooks decided",
    ),
    row(
        "wasi:filesystem/types",
        Permission::None,
        "run a language runtime: there are no files",
    ),
    row(
        "wasi:filesystem/preopens",
        Permission::None,
        "run a language runtime: there are no files",
    ),
    row("wasi:io/error", Permission::None, "run a language runtime"),
    row("wasi:io/poll", Permission::None, "wait on the clock"),
    row(
        "wasi:io/streams",
        Permission::None,
        "run a language runtime: its output goes nowhere, its input is empty",
    ),
    row(
        "wasi:cli/environment",
        Permission::None,
        "run a language runtime: no variables, no arguments",
    ),
    row(
        "wasi:cli/exit",
        Permission::None,
        "run a language runtime: to exit is to trap",
    ),
    row(
        "wasi:cli/stdin",
        Permission::None,
        "run a language runtime: its input is empty",
    ),
    row(
        "wasi:cli/stdout",
        Permission::None,
        "run a language runtime: its output goes nowhere",
    ),
    row(
        "wasi:cli/stderr",
        Permission::None,
        "run a language runtime: its output goes nowhere",
    ),
    row(
        "wasi:cli/terminal-input",
        Permission::None,
        "run a language runtime: there is no terminal",
    ),
    row(
        "wasi:cli/terminal-output",
        Permission::None,
        "run a language runtime: there is no terminal",
    ),
    row(
        "wasi:cli/terminal-stdin",
        Permission::None,
        "run a language runtime: there is no terminal",
    ),
    row(
        "wasi:cli/terminal-stdout",
        Permission::None,
        "run a language runtime: there is no terminal",
    ),
    row(
        "wasi:cli/terminal-stderr",
        Permission::None,
        "run a language runtime: there is no terminal",
    ),
    row(
        "wasi:clocks/monotonic-clock",
        Permission::None,
        "read the clock",
    ),
    row("wasi:clocks/wall-clock", Permission::None, "read the clock"),
    row(
        "wasi:random/random",
        Permission::None,
        "draw random numbers",
    ),
    row(
        "wasi:random/insecure",
        Permission::None,
        "draw random numbers",
    ),
    row(
        "wasi:random/insecure-seed",
        Permission::None,
        "draw random numbers",
    ),
];

impl Capability {
    /// The capability behind an interface, named without its version.
    pub fn of(interface: &str) -> Option<&'static Capability> {
        let mut all = CAPABILITIES.iter().chain(POINT_CAPABILITIES);
        all.find(|row| row.interface == interface)
    }
}

/// How a hook is called: at once on the caller's thread, or as a future, since it can wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum CallMode {
    /// Nothing that it imports can wait.
    Sync,
    /// It imports something that can wait.
    Async,
}

impl CallMode {
    /// How a hook is called that imports these functions, each with its interface. Only the clock
    /// and servers can make a hook wait: its streams never do, though language runtimes poll them.
    pub(crate) fn of<'a>(mut functions: impl Iterator<Item = (&'a str, &'a str)>) -> Self {
        let waits = functions.any(|(interface, function)| {
            let clock = interface == "wasi:clocks/monotonic-clock";
            clock && function.starts_with("subscribe") || http::is_http(interface)
        });
        match waits {
            true => Self::Async,
            false => Self::Sync,
        }
    }
}

/// Wires everything into a linker.
pub(crate) fn add_to_linker(
    linker: &mut Linker<HookStore>,
    calling: CallMode,
) -> wasmtime::Result<()> {
    points::add_to_linker(linker)?;
    call::add_to_linker(linker)?;
    failure::add_to_linker(linker)?;
    log::add_to_linker(linker)?;
    config::add_to_linker(linker)?;
    state::add_to_linker(linker)?;
    shared_state::add_to_linker(linker)?;
    events::add_to_linker(linker)?;
    secrets::add_to_linker(linker)?;
    content::add_to_linker(linker)?;
    conversation::add_to_linker(linker)?;
    tool_data::add_to_linker(linker)?;
    tool_catalog::add_to_linker(linker)?;
    prompt::add_to_linker(linker)?;
    agent_state::add_to_linker(linker)?;
    session::add_to_linker(linker)?;
    verdict::add_to_linker(linker)?;
    crate::contract::bindings::portcullis::hooks::types::add_to_linker::<
        _,
        wasmtime::component::HasSelf<_>,
    >(linker, |store: &mut HookStore| &mut store.current)?;
    directories::add_to_linker(linker, calling)?;
    if calling == CallMode::Async {
        // To speak with a server is to wait.
        http::add_to_linker(linker)?;
    }
    wasi::add_to_linker(linker, calling)
}

impl crate::contract::bindings::portcullis::hooks::types::Host
    for crate::model::current::CurrentCall
{
}
