use serde_json::json;

use super::*;

fn catalog(schema: impl ToString) -> Result<ToolCatalog, CatalogError> {
    ToolCatalog::new([ToolSpec {
        name: "t".into(),
        description: String::new(),
        schema: schema.to_string(),
    }])
}

/// Builds definitions with two `$ref`s to the next one each.
fn levels(levels: usize, level: impl Fn(&str) -> String) -> String {
    let definitions: Vec<String> = (0..levels)
        .map(|n| {
            format!(
                r##""d{n}":{}"##,
                level(&format!(r##"{{"$ref":"#/$defs/d{}"}}"##, n + 1))
            )
        })
        .collect();
    format!(
        r##"{{"$defs":{{{},"d{levels}":{{"type":"object"}}}},"$ref":"#/$defs/d0"}}"##,
        definitions.join(",")
    )
}

fn why(schema: impl ToString) -> String {
    match catalog(schema) {
        Err(CatalogError::TooComplex { cause, .. }) => cause,
        other => panic!("{other:?}"),
    }
}

/// A chain of 20,000 crashed the process: its stack overflowed.
#[test]
fn a_chain_of_refs_is_refused() {
    for links in [100, 999, 5_000, 20_000] {
        let cause = why(levels(links, ToString::to_string));
        assert!(
            ["one within the other", "`$ref`s", "bytes"]
                .iter()
                .any(|said| cause.contains(said)),
            "{cause}"
        );
    }
    assert!(catalog(levels(20, ToString::to_string)).is_ok());
}

/// A check with 30 levels would have taken minutes.
#[test]
fn refs_that_multiply_are_refused() {
    for keyword in ["anyOf", "allOf", "oneOf"] {
        let twice = |next: &str| format!(r#"{{"{keyword}":[{next},{next}]}}"#);
        assert!(why(levels(20, twice)).contains("apply to one value"));
        assert!(catalog(levels(8, twice)).is_ok());
    }
    // If each level applies to another value, there are as many levels as in the arguments.
    let members = |next: &str| format!(r#"{{"properties":{{"a":{next},"b":{next}}}}}"#);
    let deep = catalog(levels(40, members)).expect("a catalogue");
    assert!(check(&deep, r#"{"a":{"b":{"a":{}}}}"#).is_ok());
}

#[test]
fn what_leads_back_to_itself_is_refused_and_what_leads_on_is_not() {
    for schema in [
        r##"{"$ref":"#"}"##,
        r##"{"allOf":[{"$ref":"#"}]}"##,
        r##"{"$defs":{"a":{"$ref":"#/$defs/b"},"b":{"not":{"$ref":"#/$defs/a"}}},"$ref":"#/$defs/a"}"##,
    ] {
        assert!(why(schema).contains("back to itself"), "{schema}");
    }
    let tree = r##"{"type":"object","properties":{"left":{"$ref":"#"},"right":{"$ref":"#"}},
        "additionalProperties":false}"##;
    let tree = catalog(tree).expect("a catalogue");
    assert!(check(&tree, r#"{"left":{"right":{}}}"#).is_ok());
    assert!(check(&tree, r#"{"left":{"other":{}}}"#).is_err());
}

#[test]
fn refs_that_might_mean_something_else_are_refused() {
    for (schema, said) in [
        (r##"{"$ref":"https://example.com/x"}"##, "leads out of it"),
        (r##"{"$ref":"#anchor"}"##, "to an anchor"),
        (r##"{"$ref":"#/$defs/none"}"##, "leads to nothing"),
        (r##"{"$ref":"#/%4"}"##, "badly escaped"),
        (
            r##"{"$dynamicRef":"#/$defs/a","$defs":{"a":{}}}"##,
            "`$ref`",
        ),
        (
            r##"{"$ref":"#/$defs/a/not","not":{},"$defs":{"a":{"$id":"b","not":{"$ref":"#/not"}}}}"##,
            "`$id`",
        ),
    ] {
        assert!(why(schema).contains(said), "{schema}: {}", why(schema));
    }
    for schema in [
        r##"{"$ref":"#/$defs/a%20b","$defs":{"a b":{}}}"##,
        r##"{"$ref":"#/components/x","components":{"x":{"type":"object"}}}"##,
        r##"{"$id":"https://example.com/s","properties":{"a":{"$ref":"#/$defs/a"}},"$defs":{"a":{}}}"##,
        r##"{"properties":{"id":{"type":"string"},"$ref":{"type":"string"}}}"##,
    ] {
        assert!(catalog(schema).is_ok(), "{schema}: {:?}", catalog(schema));
    }
}

#[test]
fn a_schema_has_an_end() {
    let bytes = format!(r#"{{"description":"{}"}}"#, "x".repeat(300_000));
    assert!(why(bytes).contains("bytes"));
    let patterns = vec![r#"{"pattern":"a"}"#; 101].join(",");
    assert!(why(format!(r#"{{"anyOf":[{patterns}]}}"#)).contains("regular expressions"));
    let deep = format!("{}{}{}", r#"{"not":"#.repeat(200), "true", "}".repeat(200));
    assert!(matches!(catalog(deep), Err(CatalogError::NotJson { .. })));
    let tools = (0..20).map(|n| ToolSpec {
        name: format!("t{n}"),
        description: String::new(),
        schema: format!(
            r#"{{"anyOf":[{}]}}"#,
            vec![r#"{"pattern":"a"}"#; 60].join(",")
        ),
    });
    let together = ToolCatalog::new(tools);
    assert!(matches!(together, Err(CatalogError::TooComplex { .. })));
}

/// Checks that arguments fit the tool `t`.
fn check(tools: &ToolCatalog, arguments: &str) -> Result<(), InvalidValue> {
    tools.arguments("t", arguments).map(drop)
}

fn too_much(checked: Result<(), InvalidValue>) {
    let why = checked.expect_err("it takes too much work").to_string();
    assert!(why.contains("too much work"), "{why}");
}

/// Every level doubles the work: two paths lead to the same value.
#[test]
fn arguments_that_multiply_the_work_are_refused_unchecked() {
    let twice = r##"{"anyOf":[{"properties":{"a":{"$ref":"#"},"x":{"type":"null"}}},
        {"properties":{"a":{"$ref":"#"},"y":{"type":"null"}}}]}"##;
    let twice = catalog(twice).expect("a catalogue");
    let nested = |levels: usize| {
        (0..levels).fold(r#"{"x":1,"y":1}"#.to_owned(), |inner, _| {
            format!(r#"{{"a":{inner}}}"#)
        })
    };
    assert!(check(&twice, r#"{"a":{"a":{"x":1}}}"#).is_ok());
    let broken = check(&twice, &nested(6)).expect_err("neither fits");
    assert!(broken.to_string().contains("break its schema"), "{broken}");
    too_much(check(&twice, &nested(40)));
    too_much(check(&twice, &nested(100)));
}

#[test]
fn the_place_of_a_fault_is_told_unless_it_is_the_arguments_as_a_whole() {
    let tools = catalog(r#"{"required":["a"],"properties":{"a":{"type":"string"}}}"#);
    let tools = tools.expect("a catalogue");
    let said = |arguments: &str| check(&tools, arguments).expect_err("misfits").to_string();
    assert!(said("{}").contains("break its schema: "), "{}", said("{}"));
    let inner = said(r#"{"a":1}"#);
    assert!(inner.contains("break its schema at `/a`: "), "{inner}");
}

#[test]
fn long_strings_are_matched_by_simple_patterns_only() {
    let simple = catalog(r#"{"properties":{"a":{"pattern":"\\S"}}}"#).expect("a catalogue");
    let looks =
        catalog(r#"{"properties":{"a":{"pattern":"^(?!x)(?=.*y)"}}}"#).expect("a catalogue");
    let of = |bytes: usize| format!(r#"{{"a":"{}"}}"#, "y".repeat(bytes));
    assert!(check(&simple, &of(500_000)).is_ok());
    too_much(check(&simple, &of(2_000_000)));
    assert!(check(&looks, &of(1_000)).is_ok());
    assert!(check(&looks, r#"{"a":"xy"}"#).is_err());
    too_much(check(&looks, &of(100_000)));
}

/// Each check ends. A backtracking engine without a limit would practically never end.
#[test]
fn patterns_that_would_be_tried_in_every_way_end() {
    let text = format!("{}!", "a".repeat(3_000));
    let arguments = json!({ "a": text }).to_string();
    for pattern in [
        "^(a+)+$",
        "^(a|a)*$",
        "^(a|aa)+$",
        "^([a-z]+)*[0-9]$",
        "^(a?){64}a{64}$",
        // Patterns with lookaround run on an engine that backtracks.
        "^(?=a)(a+)+$",
        "^(?=(a+)+$)",
        "^(?!b)(a|aa)+$",
        "^(a*)*(?<!a)$",
    ] {
        let schema = json!({ "properties": { "a": { "pattern": pattern } } });
        let tools = catalog(&schema).unwrap_or_else(|error| panic!("{pattern}: {error}"));
        assert!(check(&tools, &arguments).is_err(), "{pattern}");
    }
    for pattern in [
        "(a{1000}){1000}",
        "((a{100}){100}){100}",
        r"(?=a)(\w{500}){500}",
    ] {
        let schema = json!({ "properties": { "a": { "pattern": pattern } } });
        assert!(catalog(&schema).is_err(), "{pattern}");
    }
}

#[test]
fn formats_of_long_and_deep_texts_end() {
    let texts = [
        "(".repeat(300_000),
        "[".repeat(300_000),
        "(?:a{1000}){1000}".to_owned(),
        "a@".repeat(150_000),
        ".".repeat(300_000),
        "%{".repeat(150_000),
        format!("{}/", "1:".repeat(150_000)),
    ];
    for format in [
        "regex",
        "email",
        "hostname",
        "uri",
        "uri-template",
        "ipv6",
        "date-time",
        "duration",
        "json-pointer",
        "iri",
    ] {
        let schema = json!({
            "$schema": "http://json-schema.org/draft-07/schema#",
            "properties": { "a": { "format": format } },
        });
        let tools = catalog(&schema).unwrap_or_else(|error| panic!("{format}: {error}"));
        for text in &texts {
            // The result does not matter: the check ends, and the stack is large enough.
            let _ = check(&tools, &json!({ "a": text }).to_string());
        }
    }
}

/// A check of the greatest allowed depth does not overflow the stack of a worker thread.
#[test]
fn the_deepest_check_fits_on_a_small_stack() {
    let wrap = |inner: String, levels: usize| {
        (0..levels).fold(inner, |inner, n| match n % 3 {
            0 => format!(r#"{{"anyOf":[{inner}]}}"#),
            1 => format!(r#"{{"allOf":[{inner}]}}"#),
            _ => format!(r#"{{"oneOf":[{inner}]}}"#),
        })
    };
    let recursive = r##"{"properties":{"a":{"$ref":"#"},"z":{"type":"null"}}}"##;
    let schema = wrap(recursive.to_owned(), 7);
    let nested = |levels: usize, end: &str| {
        (0..levels).fold(end.to_owned(), |inner, _| format!(r#"{{"a":{inner}}}"#))
    };
    let checked = std::thread::Builder::new()
        .stack_size(2 << 20)
        .spawn(move || {
            let tools = catalog(schema).expect("a catalogue");
            for levels in [100, 105, 110, 115, 120, 126] {
                assert!(check(&tools, &nested(10, r#"{"z":1}"#)).is_err());
                // The result does not matter: the check ends.
                let _ = check(&tools, &nested(levels, "{}"));
                let _ = check(&tools, &nested(levels, r#"{"z":1}"#));
            }
        });
    assert!(checked.expect("a thread").join().is_ok());
}

#[test]
fn thousands_of_tools_keep_their_names_apart() {
    let spec = |n: usize| ToolSpec {
        name: format!("t{n}"),
        description: String::new(),
        schema: "true".into(),
    };
    let all = ToolCatalog::new((0..5_000).map(spec)).expect("a catalogue");
    assert_eq!(all.len(), 5_000);
    let twice = all.with([spec(4_999)]);
    assert!(matches!(twice, Err(CatalogError::Twice { .. })));
    let names: Vec<String> = all.names().map(str::to_owned).collect();
    assert_eq!(all.only(&names).expect("all of them").len(), 5_000);
}

/// Subschemas apply to a property name as to any string.
#[test]
fn names_are_checked_by_all_of_their_schema() {
    let wanted: Vec<String> = (0..500).map(|n| format!(r#"{{"const":"{n}"}}"#)).collect();
    let schema = format!(r#"{{"propertyNames":{{"anyOf":[{}]}}}}"#, wanted.join(","));
    let tools = catalog(schema).expect("a catalogue");
    let named = |names: usize| {
        let members: Vec<String> = (0..names).map(|n| format!(r#""{n}":1"#)).collect();
        format!("{{{}}}", members.join(","))
    };
    assert_eq!(check(&tools, &named(100)), Ok(()));
    assert!(check(&tools, &named(501)).is_err());
    too_much(check(&tools, &named(5_000)));
}

/// Repeated evaluation by nested `unevaluatedProperties` is counted each time.
#[test]
fn what_is_looked_at_again_and_again_is_counted() {
    let schema = (0..19).fold(r#"{"type":"object"}"#.to_owned(), |inner, _| {
        format!(r#"{{"anyOf":[{inner}],"unevaluatedProperties":true}}"#)
    });
    let tools = catalog(schema).expect("a catalogue");
    too_much(check(&tools, r#"{"a":1}"#));
}

#[test]
fn arguments_fit_the_tool_and_the_one_that_it_runs_as() {
    let tool = |name: &str, schema: &str| ToolSpec {
        name: name.into(),
        description: String::new(),
        schema: schema.into(),
    };
    let own = ToolCatalog::new([tool("write", r#"{"required":["path"]}"#)]).expect("a catalogue");
    let mut offered = own
        .with([tool("note", r#"{"required":["text"]}"#)])
        .expect("a catalogue");
    let fits = |offered: &ToolCatalog, text: &str| offered.arguments("note", text).is_ok();
    assert!(fits(&offered, r#"{"text":""}"#));
    offered.run_as("note", &own, "write");
    assert!(!fits(&offered, r#"{"text":""}"#));
    assert!(!fits(&offered, r#"{"path":""}"#));
    let both = offered
        .arguments("note", r#"{"text":"","path":""}"#)
        .expect("arguments");
    assert_eq!(
        (&**both.text(), both.value()["path"].as_str()),
        (r#"{"text":"","path":""}"#, Some(""))
    );
    for text in ["", "[]", "{"] {
        assert!(offered.arguments("unknown", text).is_err(), "{text}");
    }
}

#[test]
fn a_model_may_leave_the_arguments_empty() {
    for (written, text) in [("", "{}"), (" \n", "{}"), (" {} ", " {} "), ("x", "x")] {
        assert_eq!(ToolArguments::written(written), text);
    }
    // An empty text from a hook or a person is refused.
    assert!(ToolCatalog::default().arguments("t", "").is_err());
}
