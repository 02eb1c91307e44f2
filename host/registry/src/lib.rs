//! Components from an OCI registry, over HTTPS, or from a file.
//!
//! The command uses this crate for `portcullis add`, `publish` and the like. The library
//! `portcullis` does not: `hooks.lock` pins the components that it loads, whatever their source.
//!
//! | module | holds |
//! | --- | --- |
//! | `reference` | the source of a component, as text |
//! | `layout` | the WebAssembly OCI artifact layout |
//! | `web` | requests whose answers are bounded |
//! | `login` | the token that a registry requires |
//! | `oci` | a registry: pulling, pushing, referrers |
//! | `referrers` | the signatures of an artifact in a registry |
//! | `file` | components in files, and the files beside them |
//! | `fetch` | fetching a component of a source with its signatures, and checking its digests |
//! | `signature` | sigstore bundles: making one with a key, checking one against a signer |
//! | `pattern` | patterns of sources and of signers |
//! | `policy` | the requirements of `[trust]` in `hooks.toml` for a source |
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
