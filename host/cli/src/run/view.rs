//! What shows a session.

use std::sync::Arc;

use portcullis_agent::{Emitted, TurnEnd, TurnError};

use super::armed::Armed;

/// Shows what happens in a session.
pub trait View {
    /// The session is about to begin.
    fn opening(&mut self, armed: &Armed) -> anyhow::Result<()>;

    /// Something happened.
    fn event(&mut self, emitted: &Arc<Emitted>) -> anyhow::Result<()>;

    /// A person is about to be asked.
    fn asking(&mut self) -> anyhow::Result<()>;

    /// A turn ended.
    fn turn_ended(&mut self, ended: &Result<TurnEnd, TurnError>) -> anyhow::Result<()>;

    /// The user may type.
    fn prompt(&mut self) -> anyhow::Result<()>;
}
