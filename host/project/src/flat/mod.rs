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

/// The points that a hook serves, and which of the two records of each its handler reads.
pub(crate) type Served = BTreeMap<String, [bool; 2]>;

/// What a language's tools have seen of a hook: the points it serves.
///
/// # Errors
///
/// It is not what they should have written.
pub(crate) fn seen(bytes: &[u8]) -> Result<Served, BuildError> {
    #[derive(serde::Deserialize)]
    struct Seen {
        points: Served,
    }
    let seen: Result<Seen, _> = serde_json::from_slice(bytes);
    seen.map(|seen| seen.points)
        .map_err(|cause| BuildError::Component {
            what: "what the language's tools say of the hook cannot be read".to_owned(),
            cause: cause.into(),
        })
}

/// The contract made flat for one hook.
pub(crate) struct Flat<'a> {
    contract: &'a Contract,
    resolve: Resolve,
    package: PackageId,
    points: BTreeMap<String, Vec<Param>>,
}

impl<'a> Flat<'a> {
    /// The contract made flat where a hook serves it.
    ///
    /// # Errors
    ///
    /// There is no such point, or it cannot be made flat.
    pub(crate) fn of(contract: &'a Contract, served: &Served) -> Result<Self, BuildError> {
        contract::flattened(contract, served).map_err(|cause| BuildError::Component {
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
        let wrong = |cause| BuildError::Component {
            what: "the flat contract cannot be written".to_owned(),
            cause,
        };
        let files = self.files().map_err(wrong)?;
        let calls = serde_json::to_vec_pretty(&self.points);
        let calls = calls.map_err(|cause| wrong(cause.into()))?;
        for (path, text) in files {
            write(&dir.join("wit").join(path), text.as_bytes())?;
        }
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

    /// All points, of each of which this is read.
    fn all(reads: [bool; 2]) -> Served {
        let points = Contract::embedded().points().iter();
        points.map(|point| (point.name.clone(), reads)).collect()
    }

    #[test]
    fn every_point_can_be_made_flat_and_adapted_whatever_is_read_of_it() {
        for reads in [[true, true], [true, false], [false, true], [false, false]] {
            let flat = Flat::of(Contract::embedded(), &all(reads)).unwrap();
            let points: Vec<&str> = flat.points.keys().map(String::as_str).collect();
            assert_eq!(points.len(), Contract::embedded().points().len());
            adapter::component(&flat, &points).unwrap();
        }
    }

    /// The parameters of a point's function in the flat contract, read from its files.
    fn params(flat: &Flat<'_>, point: &str, function: &str) -> Vec<String> {
        let dir = tempfile::tempdir().unwrap();
        flat.write(dir.path()).unwrap();
        let mut resolve = Resolve::default();
        let (package, _) = resolve.push_dir(dir.path().join("wit")).unwrap();
        let interface = resolve.packages[package].interfaces[point];
        let params = &resolve.interfaces[interface].functions[function].params;
        params.iter().map(|param| param.name.clone()).collect()
    }

    #[test]
    fn a_point_is_called_with_the_fields_that_are_read() {
        let flat = |reads| Flat::of(Contract::embedded(), &all(reads)).unwrap();
        let context = ["context-turn", "context-step"];
        let input = [
            "input-index",
            "input-role",
            "input-parts",
            "input-text-bytes",
        ];
        let of = |reads| params(&flat(reads), "message-added", HANDLE);
        assert_eq!(of([true, true]), [&context[..], &input[..]].concat());
        assert_eq!(of([true, false]), context);
        assert_eq!(of([false, true]), input);
        assert!(of([false, false]).is_empty());
        assert!(params(&flat([true, true]), "message-added", ANSWER).is_empty());
    }

    #[test]
    fn what_is_passed_in_memory_is_passed_whole() {
        let flat = Flat::of(Contract::embedded(), &all([false, false])).unwrap();
        let params = params(&flat, "pre-llm-call", HANDLE);
        assert_eq!(params.first().unwrap(), "context-session-id");
        assert_eq!(params.len(), 12);
    }

    #[test]
    fn a_point_that_there_is_not_is_named() {
        let served = Served::from([("pre-tern".to_owned(), [true, true])]);
        let error = Flat::of(Contract::embedded(), &served).err().unwrap();
        assert!(error.to_string().contains("`pre-tern`"), "{error}");
    }
}
