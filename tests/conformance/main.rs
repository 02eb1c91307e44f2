//! Conformance with five other designs: a table of scenarios for each, with the exact sequence of
//! points and effects. Every row runs three times: with a component, a native hook and a script.

mod agenthook_v2;
mod cognesy;
mod harness;
mod helix;
mod hook_runtime;
mod phi_core;
