use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU32, Ordering};

use serde::Deserialize;

use super::{Prepared, from_json};
use crate::Error;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Config {
    patterns: Vec<String>,
    #[serde(default)]
    prices: BTreeMap<String, Price>,
}

#[derive(Debug, Deserialize)]
struct Price {
    #[expect(dead_code, reason = "only its type matters here")]
    input: f64,
}

fn fault(table: &str) -> String {
    let error = from_json::<Config>(table).expect_err("a wrong table");
    assert!(error.is_bad_config(), "{error}");
    error.message().to_owned()
}

#[test]
fn a_table_is_read() {
    let config: Config = from_json(r#"{"patterns": ["x"]}"#).expect("a correct table");
    assert_eq!(config.patterns, ["x"]);
    assert!(config.prices.is_empty());
}

#[test]
fn a_fault_names_the_key() {
    assert_eq!(fault("{}"), "missing field `patterns`");
    assert_eq!(
        fault(r#"{"patterns": 3}"#),
        "`patterns`: invalid type: integer `3`, expected a sequence"
    );
    assert_eq!(
        fault(r#"{"patterns": ["a", 3]}"#),
        "`patterns[1]`: invalid type: integer `3`, expected a string"
    );
    assert_eq!(
        fault(r#"{"patterns": [], "prices": {"small": {"input": "free"}}}"#),
        "`prices.small.input`: invalid type: string \"free\", expected f64"
    );
    assert!(fault(r#"{"pattern": []}"#).contains("unknown field `pattern`"));
}

#[test]
fn a_value_is_prepared_once() {
    static MADE: AtomicU32 = AtomicU32::new(0);
    static VALUE: Prepared<u32> = Prepared::new(|| Ok(MADE.fetch_add(1, Ordering::Relaxed)));
    assert_eq!(VALUE.get(), Ok(&0));
    assert_eq!(VALUE.get(), Ok(&0));
    assert_eq!(MADE.load(Ordering::Relaxed), 1);
}

#[test]
fn a_failure_is_not_kept() {
    static TRIES: AtomicU32 = AtomicU32::new(0);
    static VALUE: Prepared<u32> = Prepared::new(|| match TRIES.fetch_add(1, Ordering::Relaxed) {
        0 => Err(Error::failed("not yet")),
        tries => Ok(tries),
    });
    assert_eq!(VALUE.get(), Err(Error::failed("not yet")));
    assert_eq!(VALUE.get(), Ok(&1));
}
