use super::*;

fn seen(result: &Value) -> String {
    output(&result.to_string()).unwrap().content
}

fn changed(result: &Value, new: &ToolOutput) -> Value {
    let text = with_output(&result.to_string(), new).unwrap();
    serde_json::from_str(&text).unwrap()
}

#[test]
fn all_text_is_seen_and_what_is_not_text_survives() {
    let picture = json!({"type": "image", "data": "AAAA", "mimeType": "image/png", "x": 1});
    let result = json!({
        "content": [
            {"type": "text", "text": "one", "annotations": {}},
            picture,
            {"type": "resource", "resource": {"uri": "file:///a", "text": "two"}},
        ],
        "_meta": {"kept": true},
    });
    assert_eq!(seen(&result), "one\ntwo");
    let new = ToolOutput::error("three");
    assert_eq!(
        changed(&result, &new),
        json!({
            "content": [{"type": "text", "text": "three"}, picture],
            "_meta": {"kept": true},
            "isError": true,
        })
    );
}

#[test]
fn structured_content_changes_with_the_text() {
    let with = |text: &str, structured: Value| json!({"content": [{"type": "text", "text": text}], "structuredContent": structured});
    for (result, is_seen, new, text, structured) in [
        // The text is the content's JSON, in another layout.
        (
            with("{ \"a\": \"k\" }", json!({"a": "k"})),
            "{ \"a\": \"k\" }",
            "{\"a\":\"-\"}",
            "{\"a\":\"-\"}",
            json!({"a": "-"}),
        ),
        (
            with("{\"a\":1}", json!({"a": 1})),
            "{\"a\":1}",
            "gone",
            "gone",
            Value::Null,
        ),
        // The content's only field is the text.
        (
            with("k", json!({"result": "k"})),
            "k",
            "-",
            "-",
            json!({"result": "-"}),
        ),
        // The text differs from the content.
        (
            with("t", json!({"a": "k"})),
            "t\n{\"a\":\"k\"}",
            "t\n{\"a\":\"-\"}",
            "t",
            json!({"a": "-"}),
        ),
        (
            with("t", json!({"a": "k"})),
            "t\n{\"a\":\"k\"}",
            "t",
            "t",
            Value::Null,
        ),
    ] {
        assert_eq!(seen(&result), is_seen);
        let after = changed(&result, &ToolOutput::ok(new));
        assert_eq!(after["content"][0]["text"], text, "{result}");
        assert_eq!(after["structuredContent"], structured, "{result}");
    }
}

#[test]
fn kinds_of_results() {
    let task = || ResultKind::Task("t".into());
    let complete = || ResultKind::Complete;
    // In a version of the protocol with types of results, and in one without.
    for (result, typed, untyped) in [
        (json!({"content": []}), complete(), complete()),
        (json!({"resultType": "complete"}), complete(), complete()),
        (
            json!({"resultType": "input_required"}),
            ResultKind::InputRequired,
            complete(),
        ),
        (
            json!({"resultType": "input_required", "content": null}),
            ResultKind::InputRequired,
            complete(),
        ),
        (
            json!({"resultType": "task", "taskId": "t"}),
            task(),
            complete(),
        ),
        (json!({"task": {"taskId": "t"}}), task(), task()),
        // A message with content is a result, whatever its other fields.
        (
            json!({"resultType": "input_required", "content": []}),
            complete(),
            complete(),
        ),
        (
            json!({"resultType": "task", "taskId": "t", "structuredContent": {}}),
            complete(),
            complete(),
        ),
        (
            json!({"task": {"taskId": "t"}, "structuredContent": {}}),
            complete(),
            complete(),
        ),
    ] {
        let text = result.to_string();
        assert_eq!(kind(&text, true), Ok(typed), "{result}");
        assert_eq!(kind(&text, false), Ok(untyped), "{result}");
    }
    assert!(kind(r#"{"resultType": "task"}"#, true).is_err());
}

#[test]
fn an_error_shows_its_data_and_loses_it_when_it_is_changed() {
    let error = r#"{"code":-1,"message":"no","data":{"key":"k"}}"#;
    assert_eq!(
        error_output(error).unwrap(),
        ToolOutput::error("no\n{\"key\":\"k\"}")
    );
    let new = with_error_output(error, &ToolOutput::error("hidden")).unwrap();
    assert_eq!(new, r#"{"code":-1,"message":"hidden"}"#);
}
