//! The imports of hooks: a module for each capability, and the list of all.
//!
//! A module contains the functions that the guest calls, the state that an instance keeps for them
//! ([`InstanceState`]), and their [`Capability`]: the interfaces, the grant, the texts for reports,
//! and the wiring.

mod agent_state;
mod agent_state_edit;
mod call;
mod call_mode;
mod capability;
mod config;
mod content;
mod conversation;
mod deterministic;
pub(crate) mod directories;
mod events;
mod failure;
mod grants;
pub(crate) mod http;
mod instance_state;
mod last_words;
mod lines;
mod log;
mod model;
mod output;
mod permission;
mod points;
mod prices;
mod prompt;
mod secrets;
mod session;
mod shared_state;
mod state;
mod stored_state;
mod tool_catalog;
mod tool_data;
mod types;
mod verdict;
mod wasi;

use std::sync::Arc;

use crate::contract::linked::component::Linker;
use crate::model::failure::Failure;
use crate::model::secrets::Secrets;
use crate::model::state::WriteState;
use crate::model::state_edits::HeldEdits;
use crate::sandbox::store::{CallOwner, HookStore};

pub use call_mode::CallMode;
pub use capability::{Access, Capability};
pub(crate) use capability::{OpenError, Sources, named};
pub(crate) use config::{CAPABILITY as CONFIG, Config};
pub use grants::Grants;
pub use http::{HttpRule, HttpRuleError};
pub(crate) use instance_state::{InstanceContext, InstanceState};
pub(crate) use model::SessionModel;
pub use model::{ModelBudgets, ModelGrant};
pub(crate) use output::Output;
pub use permission::{Key, Permission};
pub use points::POINT_CAPABILITIES;

/// All capabilities that a hook may import, in addition to the facts and the answers of its points.
/// A hook gets its grants in this order.
pub static CAPABILITIES: &[Capability] = &[
    types::CAPABILITY,
    call::CAPABILITY,
    failure::CAPABILITY,
    log::CAPABILITY,
    config::CAPABILITY,
    state::CAPABILITY,
    shared_state::CAPABILITY,
    events::CAPABILITY,
    // Before the capabilities that use secrets.
    secrets::CAPABILITY,
    http::CAPABILITY,
    model::CAPABILITY,
    content::CAPABILITY,
    conversation::CAPABILITY,
    tool_data::CAPABILITY,
    tool_catalog::CAPABILITY,
    prompt::CAPABILITY,
    agent_state::CAPABILITY,
    agent_state_edit::CAPABILITY,
    session::CAPABILITY,
    verdict::CAPABILITY,
    directories::CAPABILITY,
    wasi::CLOCKS,
    wasi::RANDOM,
    wasi::IO,
    wasi::CLI,
];

instance_state::instance_states! {
    config: Config,
    edits: Option<Box<HeldEdits>>,
    events: events::Events,
    http: Option<Box<http::Http>>,
    log: log::Log,
    model: Option<Box<model::Model>>,
    secrets: Arc<Secrets>,
    state: state::State,
    wasi: wasi::Wasi,
}

fn all() -> impl Iterator<Item = &'static Capability> {
    CAPABILITIES.iter().chain(POINT_CAPABILITIES)
}

impl Capability {
    /// Returns the capability of an interface, named without its version.
    pub fn of(interface: &str) -> Option<&'static Self> {
        all().find(|capability| capability.interfaces.contains(&interface))
    }
}

/// Adds all capabilities to a linker.
pub(crate) fn add_to_linker(
    linker: &mut Linker<HookStore>,
    mode: CallMode,
) -> wasmtime::Result<()> {
    all().try_for_each(|capability| (capability.link)(linker, mode))
}

/// Returns whether a capability makes a hook wait for the store of hooks' state, if the host has
/// one.
pub(crate) fn waits_for_store(capability: &Capability, when: WriteState) -> bool {
    *capability == shared_state::CAPABILITY
        || (*capability == state::CAPABILITY && when == WriteState::BeforeAnswer)
}

/// Adds the functions that wait for the store of hooks' state, in place of those that do not.
pub(crate) fn add_stored_to_linker(linker: &mut Linker<HookStore>) -> wasmtime::Result<()> {
    linker.allow_shadowing(true);
    stored_state::add_to_linker(linker)?;
    linker.allow_shadowing(false);
    Ok(())
}

#[cfg(test)]
mod tests;
