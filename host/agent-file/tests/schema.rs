//! The published schema matches the parser.

use std::path::Path;

use portcullis_agent_file::{AgentFile, schema};
use serde_json::Value;

/// The checked tables, each with its header in a file.
const TABLES: [(&str, &str); 17] = [
    ("AgentFile", ""),
    ("Provider", "[[providers]]"),
    ("Model", "[model]"),
    ("PiecesConfig", "[model.pieces]"),
    ("HooksTable", "[hooks]"),
    ("Tools", "[tools]"),
    ("Mcp", "[mcp.a]"),
    ("Policy", "[policy]"),
    ("Subagent", "[subagents.a]"),
    ("Finish", "[finish]"),
    ("Guards", "[guards]"),
    ("RetryConfig", "[retry]"),
    ("CompactionConfig", "[compaction]"),
    ("JobTable", "[jobs.a]"),
    ("AlertTable", "[[alerts]]"),
    ("WorkspacesTable", "[workspaces]"),
    ("Memory", "[memory]"),
];

fn read(header: &str, key: &str, value: &Value) -> Result<AgentFile, String> {
    let text = format!("{header}\n{key} = {value}\n");
    AgentFile::parse(Path::new("agent.toml"), &text).map_err(|errors| format!("{text}{errors:?}"))
}

#[test]
fn defaults_and_least_values_are_read() {
    let schema = schema();
    let mut defaults = 0;
    for (name, header) in TABLES {
        let table = match header {
            "" => &schema,
            _ => &schema["$defs"][name],
        };
        let keys = table["properties"].as_object().expect(name);
        for (key, property) in keys {
            let default = &property["default"];
            if default.is_string() || default.is_number() || default.is_boolean() {
                defaults += 1;
                read(header, key, default).unwrap();
            }
            if let Some(least) = property["minimum"].as_i64() {
                read(header, key, &least.into()).unwrap();
                assert!(
                    read(header, key, &(least - 1).into()).is_err(),
                    "{header} {key}"
                );
            }
        }
    }
    assert!(defaults > 40, "{defaults} defaults");
}

#[test]
fn every_key_is_described() {
    fn check(value: &Value, at: &str) {
        for (key, property) in value["properties"].as_object().into_iter().flatten() {
            let says = property["description"].as_str();
            assert!(says.is_some(), "{at} {key}");
        }
    }
    let schema = schema();
    check(&schema, "");
    let tables = schema["$defs"].as_object().expect("tables");
    assert!(tables.len() > 15);
    for (name, table) in tables {
        check(table, name);
    }
}
