//! Wrong files: every fault at once, with its line and the nearest name.

use serde_json::Value;

use super::scene::Scene;
use crate::support::{bare, run};

/// Returns the problems that `portcullis check` finds: lines, causes and fixes.
fn problems(scene: &Scene) -> Vec<(Option<u64>, String)> {
    let ran = run(&mut scene.command(&["check", "--json"]));
    assert_eq!(ran.code, Some(1), "{ran:?}");
    let found = ran.json();
    let text =
        |problem: &Value| format!("{}; {}", problem["cause"], problem["fix"]).replace('"', "");
    let found = found.as_array().expect("a list").iter();
    // Most of these directories have no hooks, which is not tested here.
    let found =
        found.filter(|problem| !problem["cause"].as_str().unwrap().contains("has no hooks"));
    found
        .map(|problem| (problem["line"].as_u64(), text(problem)))
        .collect()
}

#[test]
fn every_wrong_key_and_value_is_found_at_once() {
    let scene = Scene::new(
        "nme = \"a\"\n[[providers]]\nkind = \"scripted\"\nreponses = []\n[[providers]]\nkind = \"openia\"\n\
         [guards]\nmax-stepz = 1\nmax-tokens = \"many\"\n[retry]\nretrys = 1\n[compaction]\nlimit-tokens = 0\n\
         [subagents.a]\ndescripton = \"x\"\n[subagents.a.guards]\nmax-second = 1\n[mcp.a]\ncomand = \"x\"\n\
         [workspaces]\nrot = \"x\"\n[memory.limits]\nmax-recaled = 1\n[jobs.a]\ntol = \"x\"\n\
         [client-tools.a]\nschem = {}\n[finish]\nnam = \"x\"\n[stores]\njournl = \"x\"\n[tols]\n\
         [approvals]\ntimeout_ms = 5\ncommand = \"./decide\"\n",
    );
    let found = problems(&scene);
    let expected = [
        (1, "did you mean `name`?"),
        (4, "did you mean `responses`?"),
        (6, "did you mean `openai`?"),
        (8, "did you mean `max-steps`?"),
        (9, "must be a whole number"),
        (11, "did you mean `retries`?"),
        (13, "must be a whole number from 1, and is 0"),
        (15, "did you mean `description`?"),
        (17, "did you mean `max-seconds`?"),
        (19, "did you mean `command`?"),
        (21, "did you mean `root`?"),
        (23, "did you mean `max-recalled`?"),
        (25, "did you mean `tool`?"),
        (26, "`description` is missing"),
        (27, "did you mean `schema`?"),
        (29, "did you mean `name`?"),
        (31, "did you mean `journal`?"),
        (32, "did you mean `tools`?"),
        (34, "did you mean `timeout-ms`?"),
        (35, "`command`: must be a list"),
    ];
    for (line, words) in expected {
        let on_line =
            |(at, text): &&(Option<u64>, String)| *at == Some(line) && text.contains(words);
        assert!(
            found.iter().find(on_line).is_some(),
            "line {line}: {words}\n{found:#?}"
        );
    }
    assert_eq!(found.len(), expected.len(), "{found:#?}");
}

#[test]
fn a_misspelt_name_is_answered_with_the_nearest() {
    let scene = Scene::new(
        "approvals = \"deffer\"\n[[providers]]\nkind = \"anthropc\"\n[[alerts]]\nname = \"a\"\nwhen = \"not-runs\"\n\
         over = \"x\"\n[tools]\nstrategy = \"paralel\"\nbuilt-in = [\"read_fil\"]\n[stores]\nurl = \"sqlit:x\"\n\
         durability = \"ful\"\n[model]\ndeltas = \"allways\"\n",
    );
    let found = problems(&scene);
    for (line, words) in [
        (1, "did you mean `defer`?"),
        (3, "did you mean `anthropic`?"),
        (6, "did you mean `not-run`?"),
        (7, "`over`: must be a number, and is a text"),
        (9, "did you mean `parallel`?"),
        (10, "did you mean `read_file`?"),
        (12, "`sqlit:x` is no store"),
        (13, "did you mean `full`?"),
        (15, "did you mean `always`?"),
    ] {
        let on_line =
            |(at, text): &&(Option<u64>, String)| *at == Some(line) && text.contains(words);
        assert!(
            found.iter().find(on_line).is_some(),
            "line {line}: {words}\n{found:#?}"
        );
    }
}

#[test]
fn a_key_that_is_there_twice_is_named() {
    let scene = Scene::new("name = \"a\"\nname = \"b\"\n");
    let found = problems(&scene);
    assert!(
        found
            .iter()
            .any(|(line, text)| *line == Some(2) && text.contains("duplicate key: `name`")),
        "{found:#?}"
    );
}

#[test]
fn every_fault_of_values_that_fit_their_types_is_found_at_once() {
    let scene = Scene::new(
        "approvals = \"defer\"\nsystem-prompt-file = \"none.md\"\nworking-dir = \"nowhere\"\n\
         [[providers]]\nname = \"a\"\nkind = \"anthropic\"\nkey-env = \"PORTCULLIS_NO_SUCH_KEY\"\nmodel = \"m\"\n\
         [[providers]]\nname = \"a\"\nkind = \"scripted\"\nresponses = []\nbase-url = \"http://x\"\n\
         [[providers]]\nkind = \"openai\"\nno-key = true\n\
         [mcp.\"b c\"]\ncommand = \"portcullis-no-such-program\"\n[mcp.both]\ncommand = \"sh\"\nurl = \"http://x\"\n\
         [subagents.read_file]\ndescription = \"x\"\nprovider = \"aa\"\nhooks = \"nothing\"\n\
         [client-tools.c]\nschema = { type = 3 }\n[jobs.j]\ntool = \"list_dr\"\n[jobs.k]\n\
         [workspaces]\nsession = \"../x\"\n[stores]\nurl = { env = \"PORTCULLIS_NO_SUCH_STORE\" }\n",
    );
    let found = problems(&scene);
    for (line, words) in [
        (2, "none.md"),
        (3, "nowhere"),
        (7, "PORTCULLIS_NO_SUCH_KEY"),
        (10, "two providers are called `a`"),
        (13, "has no `base-url`"),
        (14, "no model is named"),
        (17, "cannot be the name of an MCP server"),
        (18, "portcullis-no-such-program"),
        (19, "one address"),
        (22, "there is a tool called `read_file` already"),
        (24, "did you mean `a`?"),
        (25, "nothing"),
        (26, "`description` is missing"),
        (27, "not a JSON schema"),
        (29, "did you mean `list_dir`?"),
        (30, "one handler"),
        (31, "`root` is missing"),
        (32, "cannot name a workspace"),
        (34, "PORTCULLIS_NO_SUCH_STORE"),
    ] {
        let on_line =
            |(at, text): &&(Option<u64>, String)| *at == Some(line) && text.contains(words);
        assert!(
            found.iter().find(on_line).is_some(),
            "line {line}: {words}\n{found:#?}"
        );
    }
    let started = scene.run(&["Hi"]);
    assert_eq!(started.code, Some(1), "a start is as strict");
    assert!(
        started.err.contains("PORTCULLIS_NO_SUCH_KEY"),
        "{}",
        started.err
    );
}

#[test]
fn the_file_and_the_hooks_are_checked_together() {
    let scene = Scene::scripted("{ text = \"x\" }", "[finish]\nname = \"\"\n").probe("");
    scene.write("hooks/hooks.toml", "[hooks.prob]\nenabled = true\n");
    let found = problems(&scene);
    assert!(
        found
            .iter()
            .any(|(_, text)| text.contains("`name` is missing")),
        "{found:#?}"
    );
    assert!(
        found.iter().any(|(_, text)| text.contains("probe")),
        "{found:#?}"
    );
}

#[test]
fn the_hooks_are_checked_although_a_key_of_the_file_is_wrong() {
    let rest = "[guards]\nmax-stepz = 1\nmax-tokens = \"many\"\n";
    let scene = Scene::scripted("{ text = \"x\" }", rest).probe("");
    scene.write("hooks/hooks.toml", "[hooks.prob]\nenabled = true\n");
    let found = problems(&scene);
    for words in ["`max-steps`", "must be a whole number", "`probe`"] {
        assert!(
            found.iter().any(|(_, text)| text.contains(words)),
            "{words}: {found:#?}"
        );
    }
}

#[test]
fn keys_values_names_and_hooks_are_checked_in_one_go() {
    let rest = "[guards]\nmax-stepz = 1\nmax-tokens = \"many\"\n[finish]\nname = \"\"\n\
        [policy]\ndeny = [\"red_file\"]\n[mcp.git]\ncommand = 3\n";
    let scene = Scene::scripted("{ text = \"x\" }", rest).probe("");
    scene.write(
        "hooks/hooks.toml",
        "[turn]\nfeul = 1\n[hooks.prob]\nenabled = true\n",
    );
    let found = problems(&scene);
    for words in [
        "`max-steps`",
        "and is a text",
        "`name` is missing",
        "red_file",
        "`command`: must be a text, and is a number",
        "`fuel`",
        "`probe`",
    ] {
        assert!(
            found.iter().any(|(_, text)| text.contains(words)),
            "{words}: {found:#?}"
        );
    }
    // The missing address follows from the wrong type of the command, so it is not reported.
    let follows = |(_, text): &&(Option<u64>, String)| text.contains("must have one address");
    assert_eq!(found.iter().find(follows), None, "{found:#?}");
}

#[test]
fn a_name_of_what_could_not_be_read_is_no_fault_and_a_missing_table_is_one() {
    let rest = "[policy]\nallow = [\"pick\"]\n[client-tool.pick]\ndescription = \"x\"\n";
    let found = problems(&Scene::scripted("{ text = \"x\" }", rest));
    let [(Some(6), text)] = found.as_slice() else {
        panic!("{found:#?}");
    };
    assert!(text.contains("did you mean `client-tools`?"), "{text}");
    let found = problems(&Scene::new("usr = \"x\"\n"));
    for words in ["`usr`", "there is no provider"] {
        assert!(
            found.iter().any(|(_, text)| text.contains(words)),
            "{words}: {found:#?}"
        );
    }
}

#[test]
fn hooks_that_are_missing_are_a_fault() {
    let scene = Scene::scripted("{ text = \"x\" }", "[hooks]\ndir = \"none\"\n");
    let ran = scene.run(&["Hi"]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.contains("agent.toml:5"), "{}", ran.err);
    assert!(ran.err.contains("--no-hooks"), "{}", ran.err);
    assert_eq!(scene.run(&["--no-hooks", "Hi"]).out, "x\n");
}

#[test]
fn a_fault_of_an_option_names_the_option_and_no_line_of_the_file() {
    let scene = Scene::scripted("{ text = \"x\" }", "[hooks]\ndir = \"none\"\n");
    for (option, value) in [
        ("--hooks", "nowhere"),
        ("--provider", "scripted:nowhere.json"),
        ("--workdir", "nowhere"),
        ("--approvals", "command:./nowhere"),
    ] {
        let hooks = match option {
            "--hooks" => &[][..],
            _ => &["--no-hooks"],
        };
        let ran = scene.run(&[&[option, value][..], hooks, &["Hi"]].concat());
        assert_eq!(ran.code, Some(1), "{ran:?}");
        let said = format!("the option {option}");
        assert!(
            ran.err.contains(&said) && !ran.err.contains("agent.toml:"),
            "{}",
            ran.err
        );
    }
}

#[test]
fn a_model_granted_of_a_provider_that_is_not_there_is_a_fault() {
    let grants = |provider: &str| {
        format!(
            "[hooks.llm-judge.grants]\nmodel = {{ tokens = 100, provider = \"{provider}\" }}\n[hooks.llm-judge.config]\ntools = []\nrules = \"\"\n"
        )
    };
    let scene = Scene::new(
        "[[providers]]\nname = \"large\"\nkind = \"scripted\"\nresponses = [{ text = \"x\" }]\n",
    )
    .hook("hooks/llm-judge.wasm", &grants("lagre"));
    let found = problems(&scene);
    let [(Some(2), text)] = found.as_slice() else {
        panic!("{found:#?}");
    };
    for said in ["llm-judge", "`lagre`", "did you mean `large`?"] {
        assert!(text.contains(said), "{said}: {text}");
    }
    let checked = run(&mut scene.command(&["check", "--json"])).json();
    let file = checked[0]["file"].as_str();
    assert!(
        file.is_some_and(|file| file.ends_with("hooks.toml")),
        "{checked}"
    );
    scene.write("hooks/hooks.toml", &grants("large"));
    let checked = run(&mut scene.command(&["check", "--json"]));
    assert_eq!(checked.code, Some(0), "{checked:?}");
}

#[test]
fn compiled_hooks_are_kept_where_the_file_says() {
    let scene =
        Scene::scripted("{ text = \"x\" }", "[hooks]\ncache-dir = \"compiled\"\n").probe("");
    let checked = run(bare(&["check"]).current_dir(scene.path("")));
    assert_eq!(checked.code, Some(0), "{checked:?}");
    assert!(scene.path("compiled").is_dir());
}

#[test]
fn what_has_no_effect_or_would_be_printed_is_a_fault() {
    let scene = Scene::new(
        "[[providers]]\nkind = \"openai\"\nmodel = \"m\"\nno-key = true\n\
         base-url = \"http://user:word@127.0.0.1:9/v1?api_key=zzz\"\n\
         [jobs.a]\ntool = \"list_dir\"\ninherit-env = [\"HOME\"]\ntimeout-ms = 5\n\
         [mcp.b]\nurl = \"http://127.0.0.1:9/mcp?token=zzz\"\n",
    );
    let found = problems(&scene);
    for (line, words) in [
        (5, "would be printed"),
        (8, "has no `inherit-env`"),
        (9, "has no `timeout-ms`"),
        (11, "name a token with `token-env`"),
    ] {
        assert!(
            found
                .iter()
                .any(|(at, text)| *at == Some(line) && text.contains(words)),
            "line {line}: {words}\n{found:#?}"
        );
    }
    assert!(!format!("{found:?}").contains("zzz"));
}
