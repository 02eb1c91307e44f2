use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        ".*".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 32, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map(".{0,6}", inner, 0..4)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn a_changed_field_leaves_the_others(
        before in any_json(), key in "[a-f]{1,3}", new in any_json(), pretty in any::<bool>()
    ) {
        let object = json!({"first": before, "params": {"x": 1}, "last": before});
        let text = if pretty { format!("{object:#}") } else { object.to_string() };
        let changed = with_fields(&text, &[(&key, Some(new.to_string())), ("first", None)]).unwrap();
        let mut expected = object;
        expected.as_object_mut().unwrap().shift_remove("first");
        expected[key.as_str()] = new;
        prop_assert_eq!(serde_json::from_str::<Value>(&changed).unwrap(), expected);
    }

    #[test]
    fn a_replaced_part_leaves_every_other_byte(params in any_json(), new in any_json(), pad in "[ \t\r\n]{0,3}") {
        let text = format!("{pad}{{\"id\":{pad}\"a\",\"params\"{pad}:{params}{pad},\"method\":\"m\",\"é\":1}}{pad}");
        let message = Message::parse(text.clone()).unwrap();
        let changed = message.with(message.params(), &new.to_string());
        let (head, tail) = text.split_once("\"params\"").unwrap();
        let tail = &tail[tail.find(&format!("{pad},\"method\"")).unwrap()..];
        prop_assert_eq!(changed, format!("{head}\"params\"{pad}:{new}{tail}"));
    }

    #[test]
    fn the_id_of_a_message_that_is_not_kept_is_found(
        params in any_json(), id in prop_oneof![any::<u32>().prop_map(Value::from), ".{0,20}".prop_map(Value::from)],
        last in any::<bool>(), cut in 1usize..50
    ) {
        let text = match last {
            true => json!({"method": "m", "params": params, "x": [{"id": 7}], "id": id}),
            false => json!({"id": id, "x": {"id": "no"}, "result": params}),
        }.to_string();
        let mut scanner = Scanner::default();
        text.as_bytes().chunks(cut).for_each(|piece| scanner.read(piece));
        let found = scanner.finish();
        prop_assert_eq!(found.has_method, last);
        let found = found.id.map(|id| serde_json::from_str::<Value>(&id).unwrap());
        prop_assert_eq!(found, Some(id));
    }

    #[test]
    fn a_text_of_more_lines_is_the_same_json_in_one(value in any_json(), end in "\r|\n|\r\n") {
        let text = format!("{value:#}").replace('\n', &end);
        let line = OneLine::from(text.clone());
        prop_assert!(!line.as_str().contains(['\n', '\r']));
        prop_assert_eq!(serde_json::from_str::<Value>(line.as_str()).unwrap(), value);
        prop_assert_eq!(String::from(line).len(), text.len());
    }

    #[test]
    fn the_names_of_any_value_are_read_alike(value in any_json(), pretty in any::<bool>()) {
        let text = if pretty { format!("{value:#}") } else { value.to_string() };
        prop_assert_eq!(check_names(&text), Ok(()));
        let twice = format!("[{{\"x\":{{\"a\":{text},\"b\":0,\"\\u0061\":{text}}}}}]");
        prop_assert!(check_names(&twice).is_err());
    }

    #[test]
    fn no_text_makes_the_parser_panic(text in ".*", bytes in prop::collection::vec(any::<u8>(), 0..100)) {
        let _ = check_names(&text);
        let _ = Incoming::parse(text);
        let mut scanner = Scanner::default();
        scanner.read(&bytes);
        scanner.finish();
    }
}

#[test]
fn what_two_programs_could_read_in_two_ways_is_malformed() {
    for text in [
        r#"{"id":1,"method":"ping","method":"tools/call"}"#,
        r#"{"id":1,"Method":"tools/call","method":"ping"}"#,
        r#"{"id":1,"METHOD":"tools/call"}"#,
        r#"{"id":1,"method":"ping","paramſ":{}}"#,
        r#"{"id":1,"method":"ping","result":{}}"#,
        r#"{"id":1,"result":{},"error":{}}"#,
        r#"{"id":null,"method":"ping"}"#,
        r#"{"id":[1],"method":"ping"}"#,
        r#"{"id":1,"method":NaN}"#,
        r#"{"id":1}"#,
        r#"{"id":1,"method":"ping"} {}"#,
        "[]",
        "[[]]",
        "",
    ] {
        assert!(Incoming::parse(text.into()).is_err(), "{text}");
    }
}

#[test]
fn names_that_two_programs_could_read_in_two_ways_are_malformed() {
    let deep = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
    for text in [
        r#"{"a":1,"a":1}"#,
        r#"{"":1,"":2}"#,
        r#"[{"a":{"b":[],"c":1,"b":[]}}]"#,
        r#"{"$serde_json::private::RawValue":"{}"}"#,
        r#"{"a":{"b":1,"$serde_json::private::RawValue":"{}"}}"#,
        r#"{"a":1} {}"#,
        r#"{"a":NaN}"#,
        deep(200).as_str(),
    ] {
        assert!(check_names(text).is_err(), "{text}");
    }
    for text in [r#"{"a":{"a":[{"a":1},{"a":1}]},"A":1}"#, deep(100).as_str()] {
        assert_eq!(check_names(text), Ok(()), "{text}");
    }
}

#[test]
fn ids_are_compared_by_what_they_say() {
    let id = |text| Id::parse(text).unwrap().unwrap();
    assert_eq!(id(r#""\u0061""#), id(r#""a""#));
    assert_ne!(id(r#""1""#), id("1"));
    assert_ne!(id("18446744073709551617"), id("18446744073709551616"));
    assert_eq!(Id::parse("null"), Ok(None));
}

#[test]
fn an_id_that_is_too_long_is_not_kept() {
    let mut scanner = Scanner::default();
    scanner.read(format!("{{\"id\":\"{}\"}}", "x".repeat(300)).as_bytes());
    assert_eq!(scanner.finish(), Fragment::default());
}
