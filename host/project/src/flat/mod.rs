//! The contract made flat, for languages whose runtimes take long over a record.
//!
//! The runtimes of JavaScript and Python make an object of a record by looking up its fields' names, which takes
//! six times as long as being given the fields one by one. So a hook in these languages is made a component
//! against a contract whose points take each field as a parameter of its own, and answer whether there is more to
//! say than to go on; of the fields the hook's own code makes its objects. An adapter is then composed with
//! that component, and together they serve the contract as it is.
//!
//! ```text
//!  the host             the adapter                    the hook
//!  handle(context, …) →  begin(session-id, agent)   →  once
//!                        handle(turn, step, …)      →  false: go on
//!                        answer()                   →  if it was true: reject(…)
//! ```
//!
//! Records and their fields are the same in the canonical ABI as long as they are passed in parameters, so the
//! adapter hands on what it is given as it is; only what belongs to the session it keeps, and tells once.
//!
//! | module | what it is |
//! | --- | --- |
//! | [`params`] | what a point's parameters are made of |
//! | [`contract`] | the flat contract, as WIT |
//! | [`adapter`] | the component between the two |
//! | [`module`] | its core module |
//! | [`compose`] | the two put together |

mod adapter;
mod compose;
mod contract;
mod module;
mod params;

use std::collections::BTreeMap;
use std::path::Path;

use params::Param;
use wit_parser::{PackageId, Resolve};

use crate::Contract;
use crate::build::BuildError;
use crate::error::write;

/// A function of a point, as the contract has it.
const HANDLE: &str = "handle";

/// What tells the outcome, if it is not to go on.
const ANSWER: &str = "answer";

/// The interface of the flat contract alone: what stays as it is while an instance lives.
const SESSION: &str = "flat-session";

/// Its function, called before the first call of a point and when something did change.
const BEGIN: &str = "begin";

/// The contract made flat.
pub(crate) struct Flat<'a> {
    contract: &'a Contract,
    resolve: Resolve,
    package: PackageId,
    points: BTreeMap<String, Vec<Param>>,
}

impl<'a> Flat<'a> {
    /// The contract made flat.
    ///
    /// # Errors
    ///
    /// A point of it cannot be made flat.
    pub(crate) fn of(contract: &'a Contract) -> Result<Self, BuildError> {
        contract::flattened(contract).map_err(|cause| BuildError::Component {
            what: "the contract cannot be made flat".to_owned(),
            cause,
        })
    }

    /// Writes what a language's tools need: the flat contract into `wit`, and into `calls.json` what the
    /// parameters of each point are, for code that makes records of them.
    ///
    /// # Errors
    ///
    /// A file cannot be written.
    pub(crate) fn write(&self, dir: &Path) -> Result<(), BuildError> {
        let files = self.files().map_err(|cause| BuildError::Component {
            what: "the flat contract cannot be written".to_owned(),
            cause,
        })?;
        for (path, text) in files {
            write(&dir.join("wit").join(path), text.as_bytes())?;
        }
        let calls = serde_json::to_vec_pretty(&self.points).unwrap_or_default();
        write(&dir.join("calls.json"), &calls)?;
        Ok(())
    }

    /// The hook whose component, `flat`, was made against the flat contract.
    ///
    /// # Errors
    ///
    /// The component is not one of the flat contract.
    pub(crate) fn hook(&self, flat: Vec<u8>) -> Result<Vec<u8>, BuildError> {
        compose::hook(self, flat).map_err(|cause| BuildError::Component {
            what: "what the language's tools made is no hook".to_owned(),
            cause,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_point_can_be_made_flat_and_adapted() {
        let flat = Flat::of(Contract::embedded()).unwrap();
        let points: Vec<&str> = flat.points.keys().map(String::as_str).collect();
        assert_eq!(points.len(), Contract::embedded().points().len());
        adapter::component(&flat, &points).unwrap();
    }

    #[test]
    fn the_flat_contract_is_wit_that_is_read_again() {
        let dir = tempfile::tempdir().unwrap();
        let flat = Flat::of(Contract::embedded()).unwrap();
        flat.write(dir.path()).unwrap();

        let mut resolve = Resolve::default();
        let (package, _) = resolve.push_dir(dir.path().join("wit")).unwrap();

        let interface = resolve.packages[package].interfaces["message-added"];
        let functions = &resolve.interfaces[interface].functions;
        let names = |name: &str| -> Vec<&str> {
            let params = functions[name].params.iter();
            params.map(|param| param.name.as_str()).collect()
        };
        assert_eq!(
            names(HANDLE),
            [
                "context-turn",
                "context-step",
                "input-index",
                "input-role",
                "input-parts",
                "input-text-bytes",
            ]
        );
        assert!(names(ANSWER).is_empty());
    }
}
