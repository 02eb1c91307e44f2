//! Turns that are suspended, and resumed in another process.

mod claims;
mod client_tools;
mod decisions;
mod reopening;
mod saved;
mod saving;
mod state;
mod sub_agents;
mod support;
mod warnings;
