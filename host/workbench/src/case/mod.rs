//! Cases: a hook's input at a point and the expected result, one TOML file each.
//!
//! `docs/cases.md` describes the format.

mod bare;
mod compare;
mod error;
mod expect;
mod expected;
mod file;
mod http;
mod kind;
mod moment;
mod read;
mod recorded;
mod schema;
mod setup;
mod short;
mod source;
mod state_before;
mod update;
mod visible;

use std::path::{Path, PathBuf};

use portcullis::Views;
use portcullis::contract::Context;
use portcullis::points::PointId;
use serde_json::Value;

pub(crate) use bare::bare;
pub use compare::{Difference, compare};
pub(crate) use compare::{all, changes, same, verdict};
pub use error::CaseError;
pub use expect::Expect;
pub(crate) use http::origin;
pub use recorded::{RecordedCaseError, of_recorded};
pub use schema::schema;
pub use update::{UpdateError, update};

use crate::play::Setup;

/// A case.
#[derive(Debug, Clone)]
pub struct Case {
    /// The case's name: its file's name, without the ending.
    pub name: String,
    /// Its file.
    pub file: PathBuf,
    /// The case's description.
    pub about: Option<String>,
    /// The point.
    pub point: PointId,
    /// The session, the turn and the step of the call.
    pub context: Context,
    /// The point's record, in the JSON form.
    pub input: Value,
    /// The views.
    pub views: Views,
    /// Another hook's earlier answer, in the JSON form.
    pub before: Option<Value>,
    /// The hook's configuration, grants and state.
    pub setup: Setup,
    /// The expected result; a case without one fails.
    pub expect: Option<Expect>,
    /// The text, for errors that are found when the case runs.
    pub(crate) source: source::Source,
}

impl Case {
    /// Reads a case.
    ///
    /// # Errors
    ///
    /// All errors in the file.
    pub fn read(path: &Path) -> Result<Self, Vec<CaseError>> {
        match std::fs::read_to_string(path) {
            Ok(text) => Self::parse(path, &text),
            Err(e) => Err(vec![CaseError::unreadable(path, &e)]),
        }
    }

    /// Reads a case from text. `path` is its name in errors.
    ///
    /// # Errors
    ///
    /// All errors in the text.
    pub fn parse(path: &Path, text: &str) -> Result<Self, Vec<CaseError>> {
        file::parse(path, text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_on_cases_has_a_row_for_every_key() {
        let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/cases.md");
        let page = std::fs::read_to_string(docs).unwrap();
        for key in expect::KEYS {
            assert!(page.contains(&format!("| `{key}` |")), "no row for `{key}`");
        }
        for key in file::KEYS {
            let rows = [format!("| `{key}` |"), format!("| `[{key}")];
            let is_described = key == "expect" || rows.iter().any(|row| page.contains(row));
            assert!(is_described, "no row for `{key}`");
        }
    }

    #[test]
    fn the_first_case_of_the_page_is_one() {
        let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/cases.md");
        let page = std::fs::read_to_string(docs).unwrap();
        let case = page.split("```toml\n").nth(1).unwrap();
        let case = case.split("```").next().unwrap();
        let case = Case::parse(Path::new("refuses.toml"), case).unwrap();
        assert_eq!(case.point, PointId::PreTurn);
        assert_eq!(case.input["text-bytes"], 20);
        let expect = case.expect.unwrap();
        assert_eq!(expect.fields["rejection"]["code"], "blocked-word");
    }

    #[test]
    fn what_is_said_of_a_record_is_put_over_what_is_made_up() {
        let text = "point = \"pre-tool-call\"\ninput.grant.working-dir = \"/work\"\n\
                    views.tool-data.input = { path = \"a\" }\nviews.tool-catalog = [\"read\"]\n";
        let case = Case::parse(Path::new("a.toml"), text).unwrap();
        assert_eq!(case.input["grant"]["working-dir"], "/work");
        assert_eq!(case.input["grant"]["timeout-ms"], 1);
        assert_eq!(case.input["name"], "read");
        assert_eq!(&*case.views.tool_arguments, r#"{"path":"a"}"#);
    }

    #[test]
    fn a_case_of_a_variant_takes_the_place_of_another() {
        let text = "point = \"turn-stopping\"\ninput.ending = { model = \"max-tokens\" }\n";
        let case = Case::parse(Path::new("a.toml"), text).unwrap();
        assert_eq!(case.input["ending"]["model"], "max-tokens");
    }

    #[test]
    fn every_error_is_reported_at_once() {
        for (text, expected) in [
            (
                "point = \"pre-turn\"\nseed = -1\nconfg = 1\n[expect]\noutcome = \"x\"\n",
                &["2 seed", "3 confg", "5 expect.outcome"][..],
            ),
            // Checks that depend on an unknown point are skipped.
            (
                "point = \"pre-trun\"\nseed = -1\nviews.contnt = \"a\"\ninput.nam = \"a\"\n",
                &["1 point", "2 seed", "3 views.contnt"],
            ),
            (
                "point = \"pre-tool-call\"\ninput.arguments-bytes = \"many\"\ninput.nam = \"a\"\n\
                 input.grant.workingdir = \"x\"\nviews.tool-data.inptu = 3\nviews.tooldata = {}\n\
                 before.reject = { cod = \"x\", reson = \"y\" }\ncontext.trn = 1\ncontext.step = \"x\"\n",
                &[
                    "2 input.arguments-bytes",
                    "3 input.nam",
                    "4 input.grant.workingdir",
                    "5 views.tool-data.inptu",
                    "6 views.tooldata",
                    "7 before.reject.cod",
                    "7 before.reject.reson",
                    "8 context.trn",
                    "9 context.step",
                ],
            ),
            (
                "point = \"pre-turn\"\n[expect]\noutcome = \"reject\"\nrejection.cod = \"x\"\n\
                 logs = \"x\"\nstate = 3\n",
                &["4 expect.rejection.cod", "5 expect.logs", "6 expect.state"],
            ),
            // A misplaced key is one error, whatever its value.
            (
                "point = \"pre-turn\"\n[expect]\noutcome = \"continue\"\ncause = \"fule\"\n",
                &["4 expect.cause"],
            ),
        ] {
            let errors = Case::parse(Path::new("a.toml"), text).unwrap_err();
            let told: Vec<String> = errors
                .iter()
                .map(|error| {
                    let key = error.key.as_deref().unwrap_or_default();
                    format!("{} {key}", error.line.unwrap_or_default())
                })
                .collect();
            assert_eq!(told, expected, "{errors:?}");
        }
    }
}
