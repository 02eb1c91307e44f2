//! Tool names in the policy and in sub-agents: such tools must exist.

use serde_json::{Value, json};

use super::loopback::Loopback;
use super::providers::mcp;
use super::scene::Scene;
use crate::support::{Ran, run};

fn check(scene: &Scene, arguments: &[&str]) -> Ran {
    run(&mut scene.command(&[&["check", "--json"], arguments].concat()))
}

/// Returns the problems: their levels, lines, and causes with fixes.
fn problems(ran: &Ran) -> Vec<(Value, Value, String)> {
    let found = ran.json();
    let found = found.as_array().expect("a list").iter();
    // These directories have no hooks, which is not tested here.
    let no_hooks = |problem: &&Value| problem["cause"].as_str().unwrap().contains("has no hooks");
    found
        .filter(|problem| !no_hooks(problem))
        .map(|problem| {
            let text = format!("{}; {}", problem["cause"], problem["fix"]).replace('"', "");
            (problem["level"].clone(), problem["line"].clone(), text)
        })
        .collect()
}

#[test]
fn names_that_no_tool_has_are_faults_of_check_and_of_a_start() {
    let scene = Scene::scripted(
        "{ text = \"x\" }",
        "[policy]\nallow = [\"raed_file\", \"set_state\", \"helper\", \"pick\"]\n\
         deny = [\"run_comand\"]\ntime-limits = [{ tool = \"list_dri\", timeout-ms = 1 }]\n\
         [client-tools.pick]\ndescription = \"Picks.\"\n\
         [subagents.helper]\ndescription = \"Helps.\"\ntools = [\"read_fil\", \"list_dir\"]\n\
         [subagents.helper.subagents.below]\ndescription = \"Helps.\"\ntools = [\"gti__log\"]\n",
    );
    let checked = check(&scene, &[]);
    assert_eq!(checked.code, Some(1), "{checked:?}");
    let found = problems(&checked);
    let expected = [
        (5, "did you mean `read_file`?"),
        (5, "`set_state`; add it to `tools.built-in`"),
        (6, "did you mean `run_command`?"),
        (7, "did you mean `list_dir`?"),
        (12, "did you mean `read_file`?"),
        (15, "there is no tool `gti__log`"),
    ];
    for (line, words) in expected {
        let is_found = found
            .iter()
            .any(|(level, at, text)| level.is_null() && *at == json!(line) && text.contains(words));
        assert!(is_found, "line {line}: {words}\n{found:#?}");
    }
    assert_eq!(found.len(), expected.len(), "{found:#?}");
    let started = scene.run(&["Hi"]);
    assert_eq!(started.code, Some(1), "{started:?}");
    assert!(
        started.err.contains("did you mean `read_file`?"),
        "{started:?}"
    );
}

#[test]
fn a_pattern_that_matches_nothing_is_a_warning() {
    let scene = Scene::scripted(
        "{ text = \"x\" }",
        "[policy]\ndeny = [\"rm_*\", \"run_*\"]\n",
    );
    let checked = check(&scene, &[]);
    assert_eq!(checked.code, Some(0), "{checked:?}");
    let found = problems(&checked);
    let [(level, line, text)] = found.as_slice() else {
        panic!("{found:#?}");
    };
    assert_eq!((level, line), (&json!("warning"), &json!(5)));
    assert!(text.contains("`rm_*` matches no tool"), "{text}");
    let started = scene.run(&["Hi"]);
    assert_eq!(started.code, Some(0), "{started:?}");
    let warned = started
        .err
        .lines()
        .any(|line| line.starts_with("warning: ") && line.contains("`rm_*` matches no tool"));
    assert!(warned, "{started:?}");
}

#[test]
fn names_of_servers_tools_are_checked_once_the_servers_are_asked() {
    let server = Loopback::new(mcp);
    let scene = |names: &str| {
        let file = format!(
            "[policy]\ndeny = [{names}]\n[mcp.colours]\nurl = \"{}\"\n",
            server.url
        );
        Scene::scripted("{ text = \"x\" }", &file)
    };
    let right = scene("\"colours__favourite\", \"col*\"");
    let unchecked = check(&right, &[]);
    assert_eq!(unchecked.code, Some(0), "{unchecked:?}");
    let found = problems(&unchecked);
    assert_eq!(found.len(), 2, "{found:#?}");
    for (level, _, text) in found {
        assert_eq!(level, "unchecked");
        assert!(text.contains("server `colours` was not asked"), "{text}");
    }
    let connected = check(&right, &["--connect"]);
    assert_eq!((connected.code, problems(&connected)), (Some(0), vec![]));

    let wrong = scene("\"colours__favorite\"");
    let says = "did you mean `colours__favourite`?";
    let connected = check(&wrong, &["--connect"]);
    assert_eq!(connected.code, Some(1), "{connected:?}");
    let found = problems(&connected);
    assert!(found.len() == 1 && found[0].2.contains(says), "{found:#?}");
    let started = wrong.run(&["Hi"]);
    assert_eq!(started.code, Some(1), "{started:?}");
    assert!(started.err.contains(says), "{started:?}");
}

#[test]
fn a_job_that_is_a_servers_tool_is_checked_once_the_server_is_asked() {
    let server = Loopback::new(mcp);
    let scene = |tool: &str| {
        let file = format!(
            "[jobs.paint]\ntool = \"{tool}\"\n[mcp.colours]\nurl = \"{}\"\n",
            server.url
        );
        Scene::scripted("{ text = \"x\" }", &file)
    };
    let right = scene("colours__favourite");
    let unchecked = check(&right, &[]);
    assert_eq!(unchecked.code, Some(0), "{unchecked:?}");
    let found = problems(&unchecked);
    let [(level, line, text)] = found.as_slice() else {
        panic!("{found:#?}");
    };
    assert_eq!((level, line), (&json!("unchecked"), &json!(5)));
    assert!(text.contains("server `colours` was not asked"), "{text}");
    let connected = check(&right, &["--connect"]);
    assert_eq!((connected.code, problems(&connected)), (Some(0), vec![]));

    for wrong in ["colours__favorite", "colours__*"] {
        let wrong = scene(wrong);
        let connected = check(&wrong, &["--connect"]);
        assert_eq!(connected.code, Some(1), "{connected:?}");
        let found = problems(&connected);
        let [(level, line, _)] = found.as_slice() else {
            panic!("{found:#?}");
        };
        assert_eq!((level, line), (&Value::Null, &json!(5)));
        let started = wrong.run(&["Hi"]);
        assert_eq!(started.code, Some(1), "{started:?}");
    }
}

#[test]
fn a_server_that_does_not_start_is_a_fault_if_it_is_asked() {
    let scene = Scene::scripted(
        "{ text = \"x\" }",
        "[mcp.gone]\nurl = \"http://127.0.0.1:1/mcp\"\n",
    );
    assert_eq!(check(&scene, &[]).code, Some(0));
    let connected = check(&scene, &["--connect"]);
    assert_eq!(connected.code, Some(1), "{connected:?}");
    let found = problems(&connected);
    assert!(found[0].2.contains("`gone`"), "{found:#?}");
    assert_eq!(found[0].1, 4);
}

#[test]
fn a_name_that_a_hooks_tool_may_have_is_not_checked() {
    let rest = "[policy]\ndeny = [\"probe_tool\"]\n";
    let scene = Scene::scripted("{ text = \"x\" }", rest).probe("");
    let checked = check(&scene, &[]);
    assert_eq!(checked.code, Some(0), "{checked:?}");
    let found = problems(&checked);
    assert!(
        found.len() == 1 && found[0].0 == "unchecked" && found[0].2.contains("a hook contributes"),
        "{found:#?}"
    );
    let shown = run(&mut scene.command(&["check"]));
    assert!(
        shown.out.contains("`probe_tool` is not checked"),
        "{shown:?}"
    );
    let without = Scene::scripted("{ text = \"x\" }", rest);
    assert_eq!(check(&without, &[]).code, Some(1));
}
