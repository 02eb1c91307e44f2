//! Hooks from other places: `portcullis add`, `publish`, `remove` and related commands.

mod add;
mod audit;
mod difference;
mod fetch;
mod origin;
mod provenance;
mod publish;
mod remove;
mod update;
mod vendor;
mod verdicts;

pub use add::{AddArgs, run as add};
pub use audit::{AuditArgs, run as audit};
pub use publish::{PublishArgs, run as publish};
pub use remove::{RemoveArgs, run as remove};
pub use update::{UpdateArgs, run as update};
pub use vendor::{VendorArgs, run as vendor};
