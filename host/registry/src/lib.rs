//! Components from elsewhere: from an OCI registry, over HTTPS, or from a file.
//!
//! The command uses this crate for `portcullis add`, `publish` and the like. The library `portcullis` does not:
//! what it loads is pinned by `hooks.lock`, wherever it came from.
//!
//! | module | holds |
//! | --- | --- |
//! | `reference` | where a component comes from, as text |
//! | `layout` | the WebAssembly OCI artifact layout |
//! | `web` | requests whose answers are bounded |
//! | `login` | the token that a registry asks for |
//! | `oci` | a registry: pulling, pushing, referrers |
//! | `referrers` | the signatures that an artifact in a registry has |
//! | `file` | components that are files, and what stands beside them |
//! | `fetch` | from a source to a component whose digests were checked, and its signatures |
//! | `signature` | sigstore bundles: making one with a key, checking one against a signer |
//! | `pattern` | patterns of sources and of those who sign |
//! | `policy` | what `[trust]` in `hooks.toml` requires of a source |
//! | `publish` | pushing a component with its signature, provenance and bill of materials |

mod error;
mod fetch;
mod file;
mod layout;
mod login;
mod oci;
mod pattern;
mod policy;
mod publish;
mod reference;
mod referrers;
mod signature;
mod web;

pub use error::Error;
pub use fetch::{Current, Fetched, Fetcher};
pub use file::{Beside, digest_of};
pub use layout::MOST_BYTES;
pub use oci_client::Reference;
pub use policy::{Accepted, Policy, Refused, signers};
pub use publish::{Extras, Published, publish};
pub use reference::Source;
pub use signature::{Signer, SigningKey};
