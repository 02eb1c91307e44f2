//! Seed 000, AgentHook v2.

mod flow;
