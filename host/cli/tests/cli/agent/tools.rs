use super::scene::Scene;

#[test]
fn the_policy_decides_on_all_tools() {
    let scene = Scene::scripted(
        "{ text = \"x\" }",
        "[tools]\nbuilt-in = [\"read_file\", \"run_command\", \"set_state\"]\n[policy]\ndeny = [\"run_*\", \"helper\"]\n\
         [subagents.helper]\ndescription = \"Helps.\"\n[subagents.other]\ndescription = \"Helps too.\"\n\
         [finish]\nname = \"done\"\n",
    );
    let tools = scene.events("Hi")[0]["tools"].clone();
    assert_eq!(
        tools,
        serde_json::json!(["read_file", "set_state", "done", "other"])
    );
}

#[test]
fn no_tool_is_there_that_the_file_does_not_ask_for() {
    for (policy, expected) in [
        ("", vec!["read_file", "list_dir"]),
        ("others = \"allow\"", vec!["read_file", "list_dir"]),
        ("allow = []", vec![]),
        ("allow = []\nothers = \"allow\"", vec![]),
        (
            "allow = [\"read_file\"]\nothers = \"allow\"",
            vec!["read_file"],
        ),
        ("allow = [\"*_file\"]", vec!["read_file", "write_file"]),
    ] {
        let scene = Scene::scripted("{ text = \"x\" }", &format!("[policy]\n{policy}\n"));
        let tools = scene.events("Hi")[0]["tools"].clone();
        assert_eq!(tools, serde_json::json!(expected), "{policy}");
    }
}

#[test]
fn a_nested_sub_agent_has_no_tool_that_an_agent_above_it_does_not_have() {
    let calls = |agent: &str| {
        format!("{{ tool_calls = [{{ name = \"{agent}\", arguments = {{ task = \"Look.\" }} }}] }}")
    };
    let scene = Scene::scripted(
        &format!(
            "{}, {}, {{ text = \"1\" }}, {{ text = \"2\" }}, {{ text = \"3\" }}",
            calls("reader"),
            calls("helper")
        ),
        "[tools]\nbuilt-in = [\"read_file\", \"list_dir\", \"run_command\"]\n\
         [policy]\ndeny = [\"list_dir\"]\n\
         [subagents.reader]\ndescription = \"Reads.\"\ntools = [\"*_file\", \"list_dir\"]\n\
         [subagents.reader.subagents.helper]\ndescription = \"Helps.\"\ntools = [\"*\"]\n",
    );
    let events = scene.events("Go.");
    let started = events.iter().filter(|it| it["event"] == "session-started");
    let tools: Vec<_> = started.map(|it| it["tools"].clone()).collect();
    assert_eq!(
        tools,
        [
            serde_json::json!(["read_file", "run_command", "reader"]),
            serde_json::json!(["read_file", "helper"]),
            serde_json::json!(["read_file"]),
        ]
    );
}

#[test]
fn the_finish_tool_gives_an_output_of_its_schema() {
    let scene = Scene::scripted(
        "{ tool_calls = [{ name = \"finish\", arguments = { size = \"big\" } }] }, \
         { expect = \"integer\", tool_calls = [{ name = \"finish\", arguments = { size = 3 } }] }, \
         { text = \"never asked for\" }",
        "[finish.schema]\ntype = \"object\"\nrequired = [\"size\"]\nproperties = { size = { type = \"integer\" } }\n",
    );
    let ran = scene.run(&["How large?"]);
    assert_eq!(
        (ran.code, ran.out.as_str()),
        (Some(0), "{\"size\":3}\n"),
        "{ran:?}"
    );
}

/// The first command waits for the second, so this ends only if they run in parallel.
#[cfg(unix)]
#[test]
fn tool_calls_run_in_parallel_if_the_file_says_so() {
    let command = |line: &str| {
        format!("{{ name = \"run_command\", arguments = {{ command = \"{line}\" }} }}")
    };
    let calls = [
        command("until test -e b; do sleep 0.01; done; echo met"),
        command("touch b"),
    ];
    let scene = Scene::scripted(
        &format!(
            "{{ tool_calls = [{}] }}, {{ text = \"Both.\" }}",
            calls.join(", ")
        ),
        "[tools]\nbuilt-in = [\"run_command\"]\nstrategy = \"parallel\"\n[policy]\ntimeout-ms = 600_000\n",
    );
    let events = scene.events("Go.");
    let ends: Vec<_> = events
        .iter()
        .filter(|event| event["event"] == "tool-finished")
        .collect();
    assert_eq!(ends.len(), 2);
    assert!(
        ends.iter()
            .any(|end| end["content"].as_str().unwrap().contains("met")),
        "{ends:#?}"
    );
}

#[cfg(unix)]
#[test]
fn a_command_has_the_time_that_the_policy_gives() {
    let scene = Scene::scripted(
        "{ tool_calls = [{ name = \"run_command\", arguments = { command = \"sleep 600\" } }] }, \
         { expect = \"time limit of 20 ms\", text = \"Stopped.\" }",
        "[tools]\nbuilt-in = [\"run_command\"]\n[policy]\n\
         time-limits = [{ tool = \"run_*\", timeout-ms = 20 }]\n",
    );
    let ran = scene.run(&["Go."]);
    assert_eq!(ran.out, "Stopped.\n", "{ran:?}");
}

#[test]
fn a_command_works_in_the_workspace() {
    let scene = Scene::scripted(
        "{ tool_calls = [{ name = \"write_file\", arguments = { path = \"a\", content = \"b\" } }] }, { text = \"Ok.\" }",
        "[tools]\nbuilt-in = [\"write_file\"]\n[workspaces]\nroot = \"rooms\"\nsession = \"ann\"\n",
    );
    assert_eq!(scene.run(&["Write."]).out, "Ok.\n");
    assert_eq!(
        std::fs::read_to_string(scene.path("rooms/ann/a")).unwrap(),
        "b"
    );
    assert_eq!(scene.run(&["Again."]).out, "Ok.\n");
    assert!(
        scene.path("rooms/ann/a").exists(),
        "nothing is evicted without snapshots"
    );
}

#[test]
fn the_agents_own_guards_are_not_counted_as_hook_runs() {
    let scene = Scene::scripted("{ text = \"x\" }", "");
    let ran = scene.run(&["Hi"]);
    assert_eq!(ran.out, "x\n");
    assert!(!ran.err.contains("hook run"), "{}", ran.err);
    let probed = Scene::scripted("{ text = \"x\" }", "").probe("pre-turn = \"lines 1\"");
    let counted = probed.run(&["Hi"]);
    let json = probed.run(&["--json", "Hi"]).lines();
    let of_probe = json.iter().filter(|event| event["hook"] == "probe");
    let of_turn = of_probe.filter(|event| event["point"] != "session-end");
    let said = format!("  {} hook runs", of_turn.count());
    assert!(counted.err.contains(&said), "{said}: {}", counted.err);
}
