use super::scene::Scene;

const LOOKS: &str = "{ text = \"Looking.\", tool_calls = [{ name = \"list_dir\" }] }";

#[test]
fn a_limit_stops_a_turn_with_what_it_has() {
    let many = format!("{LOOKS}, ").repeat(25);
    let by_default = Scene::scripted(&many, "").run(&["Look."]);
    assert_eq!(
        (by_default.code, by_default.out),
        (Some(0), "Looking.\n".repeat(20))
    );
    assert!(by_default.err.contains("20/20"), "{}", by_default.err);
    let few = Scene::scripted(&many, "[guards]\nmax-steps = 2\n").run(&["Look."]);
    assert!(few.err.contains("2/2"), "{}", few.err);
    let none = Scene::scripted(
        &format!("{many}{{ text = \"Done.\" }}"),
        "[guards]\nmax-steps = false\n",
    );
    assert!(
        none.run(&["Look."]).out.ends_with("Done.\n"),
        "there is no limit"
    );
}

#[test]
fn tokens_and_finish_reasons_stop_a_turn() {
    let used = "{ text = \"First.\", usage = { input_tokens = 90, output_tokens = 20 }, \
                tool_calls = [{ name = \"list_dir\" }] }, { text = \"Second.\" }";
    let stopped = Scene::scripted(used, "[guards]\nmax-tokens = 100\n").run(&["Look."]);
    assert!(stopped.err.contains("110/100"), "{}", stopped.err);
    let reason = "{ text = \"First.\", stop = \"max-tokens\", tool_calls = [{ name = \"list_dir\" }] }, \
                  { text = \"Second.\" }";
    let stopped = Scene::scripted(reason, "[guards]\nfinish-reasons = [\"max-tokens\"]\n");
    assert_eq!(stopped.run(&["Look."]).out, "First.\n");
    let whole = Scene::scripted(reason, "").run(&["Look."]);
    assert_eq!(whole.out, "First.\nSecond.\n");
}

#[test]
fn a_subagent_has_limits_tools_and_hooks_of_its_own() {
    let file = format!(
        "[[providers]]\nname = \"main\"\nkind = \"scripted\"\nresponses = [\
           {{ tool_calls = [{{ name = \"helper\", arguments = {{ task = \"Look.\" }} }}] }}, {{ text = \"Done.\" }}]\n\
         [[providers]]\nname = \"small\"\nkind = \"scripted\"\nresponses = [{LOOKS}, {LOOKS}]\n\
         [subagents.helper]\ndescription = \"Looks.\"\nprovider = \"small\"\ntools = [\"list_dir\"]\n\
         hooks = \"of-helper\"\n[subagents.helper.guards]\nmax-steps = 1\n"
    );
    let scene = Scene::new(&file).probe("");
    std::fs::rename(scene.path("hooks"), scene.path("of-helper")).unwrap();
    std::fs::create_dir(scene.path("hooks")).unwrap();
    let events = scene.events("Go.");
    assert_eq!(events[0]["armed"], serde_json::json!(["probe"]));
    let started: Vec<_> = events
        .iter()
        .filter(|e| e["event"] == "session-started")
        .collect();
    assert_eq!(
        started[0]["tools"],
        serde_json::json!(["read_file", "list_dir", "helper"])
    );
    assert_eq!(started[1]["tools"], serde_json::json!(["list_dir"]));
    assert_eq!(started[1]["provider"], "small");
    let by = events
        .iter()
        .filter(|e| e["hook"] == "probe" && e["point"] == "pre-step");
    let sessions: Vec<_> = by.map(|run| &run["session-id"]).collect();
    assert!(!sessions.is_empty());
    assert!(
        sessions.iter().all(|id| **id == started[1]["session-id"]),
        "only in the sub-agent"
    );
    let calls = events.iter().filter(|e| e["event"] == "llm-call-finished");
    let of_helper = calls.filter(|e| e["session-id"] == started[1]["session-id"]);
    assert_eq!(of_helper.count(), 1, "its limit stops it");
}

#[test]
fn a_subagent_retries_as_its_parent_unless_it_says_otherwise() {
    let calls = |retry: &str| {
        let file = format!(
            "[[providers]]\nname = \"main\"\nkind = \"scripted\"\nresponses = [\
               {{ tool_calls = [{{ name = \"helper\", arguments = {{ task = \"Look.\" }} }}] }}, {{ text = \"Done.\" }}]\n\
             [[providers]]\nname = \"small\"\nkind = \"scripted\"\nrepeat = true\n\
             responses = [{{ error = {{ kind = \"overloaded\" }} }}]\n\
             [retry]\nretries = 1\nbase-delay-ms = 1\n\
             [subagents.helper]\ndescription = \"Looks.\"\nprovider = \"small\"\n{retry}"
        );
        let events = Scene::new(&file).events("Go.");
        let failed = events
            .iter()
            .filter(|event| event["event"] == "llm-call-failed");
        failed.count()
    };
    assert_eq!(calls(""), 2);
    assert_eq!(
        calls("[subagents.helper.retry]\nretries = 3\nbase-delay-ms = 1\n"),
        4
    );
}
