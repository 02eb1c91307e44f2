//! Ordinary code in JavaScript and TypeScript: promises, the console, and errors.

use std::time::{SystemTime, UNIX_EPOCH};

use portcullis::observer::LogLevel;
use portcullis::verdict::Cause;
use portcullis_project::Language;

use super::Ordinary;
#[tokio::test]
async fn in_typescript() {
    let hook = Ordinary::new(Language::TypeScript, "src/hook.ts", include_str!("hook.ts"));
    hook.behaves().await;
    let (cause, message) = hook.fails("crash").await;
    assert_eq!(cause, Cause::GuestError);
    assert!(
        message.contains(
            "RangeError: boom 3 (at inner (src/hook.ts:14:32), at <anonymous> (src/hook.ts:33:14)"
        ) && message.contains("at act (src/hook.ts:17)"),
        "{message}"
    );
    let (_, message) = hook.fails("wait").await;
    assert!(
        message.contains("waits for a promise that nothing settles"),
        "{message}"
    );
}

#[tokio::test]
async fn typescript_runs_what_a_call_began() {
    let hook = Ordinary::new(
        Language::TypeScript,
        "src/hook.ts",
        include_str!("unfinished.ts"),
    );
    let said = hook.calls(&["rules", "rules"]).await;
    assert_eq!(said, ["rules", "rules"]);

    let said = hook.calls(&["shared", "shared"]).await;
    assert!(said[0].contains("RangeError: the check failed"), "{said:?}");
    assert_eq!(said[1], "loaded");

    let said = hook.calls(&["start", "start and fail", "done"]).await;
    assert_eq!(said[0], "");
    assert!(said[1].contains("RangeError: no more"), "{said:?}");
    assert_eq!(said[2], "returned thrown");

    let said = hook.calls(&["lost", "unsettled", "start a task"]).await;
    let failures = ["the check failed", "the check failed", "the task failed"];
    for (said, failure) in said.iter().zip(failures) {
        assert!(said.contains(&format!("RangeError: {failure}")), "{said}");
    }
}

#[tokio::test]
async fn typescript_takes_promises_of_a_list_alone() {
    let hook = Ordinary::new(
        Language::TypeScript,
        "src/hook.ts",
        include_str!("unfinished.ts"),
    );
    let said = hook.says("no list").await;
    assert_eq!(said, ["TypeError"; 5].join(" "));
}

#[tokio::test]
async fn typescript_has_a_fixed_time_while_it_is_loaded() {
    let hook = Ordinary::new(
        Language::TypeScript,
        "src/hook.ts",
        include_str!("loaded.ts"),
    );
    let (said, lines) = hook.act("then").await;
    assert_eq!(said.expect("an answer"), "0 1970 true true");
    assert_eq!(lines, []);
    let built = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .expect("a time")
        .as_millis();

    let (said, lines) = hook.act("now").await;
    let said = said.expect("an answer");
    let (time, number) = said.split_once(' ').expect("a time");
    let time: u128 = time.parse().expect("milliseconds");
    assert!(time >= built, "{built} {time}");
    assert_eq!(lines, [(LogLevel::Info, "called".to_owned())]);
    assert!(!hook.says("now").await.ends_with(number), "{number}");
}

fn told_in_typescript() -> Ordinary {
    Ordinary::new(Language::TypeScript, "src/hook.ts", include_str!("told.ts"))
}

#[tokio::test]
async fn typescript_tells_so_much_of_an_error() {
    let hook = told_in_typescript();
    let (cause, message) = hook.fails("own cause").await;
    assert_eq!(cause, Cause::GuestError, "{message}");
    assert_eq!(message.matches("RangeError: circular").count(), 1);
    assert!(message.contains("; caused by [circular]"), "{message}");
    let (_, message) = hook.fails("cause with it").await;
    assert!(
        message.contains(r#"; caused by {"error":[circular]}"#),
        "{message}"
    );
    let (_, message) = hook.fails("chain").await;
    assert!(
        message.contains("Error: cause 4") && !message.contains("cause 5"),
        "{message}"
    );
    let (_, message) = hook.fails("deep").await;
    let frames = message.matches("at deep ").count();
    assert!((1..=16).contains(&frames), "{frames}: {message}");
}

#[tokio::test]
async fn javascript_tells_a_place_in_a_file_of_any_name() {
    let source = "import { defineHook } from \"portcullis\";\n\
         import { thrown } from \"./entry.js\";\n\
         export default defineHook({ id: \"my-hook\", description: \"Fails.\", preTurn: () => thrown() });\n";
    let entry = "export function thrown() {\n  throw new RangeError(\"entry\");\n}\n";
    let hook = Ordinary::of_files(
        Language::JavaScript,
        &[("src/hook.js", source), ("src/entry.js", entry)],
    );
    let (_, message) = hook.fails("").await;
    let place = "RangeError: entry (at thrown (src/entry.js:2:13)";
    assert!(message.contains(place), "{message}");
}

#[tokio::test]
async fn typescript_shows_what_json_cannot() {
    let hook = told_in_typescript();
    let (said, lines) = hook.act("show").await;
    assert_eq!(said, Ok("shown".to_owned()));
    let lines: Vec<&str> = lines.iter().map(|(_, line)| line.as_str()).collect();
    let expected = [
        "2 of 3% {\"a\":1} more",
        "{\"self\":[circular]} Map {\"a\" => 1} Set {1} [1n,undefined,null,Symbol(x)] Uint8Array [1,2]",
        "in",
        "  a group",
        "calls: 1",
        "0: {\"a\":1}",
    ];
    assert_eq!(lines[..6], expected);
    assert!(
        lines[6].starts_with("it failed TypeError: cannot read")
            && lines[6].contains("(src/hook.ts:"),
        "{lines:?}"
    );
    assert!(
        lines[7].starts_with("fields big=1n error=TypeError: cannot read"),
        "{lines:?}"
    );
    let (_, message) = hook.fails("object").await;
    assert!(
        message.contains(r#"{"code":5,"self":[circular]}"#),
        "{message}"
    );
    let (_, message) = hook.fails("aggregate").await;
    assert!(
        message.contains("; of which Error: first (at ") && message.contains("; of which 5"),
        "{message}"
    );
}

#[tokio::test]
async fn typescript_draws_many_random_numbers_at_once() {
    let hook = told_in_typescript();
    assert_eq!(hook.says("random").await, "true true");
}

#[tokio::test]
async fn typescript_gives_no_number_of_the_build_in_a_call() {
    let hook = told_in_typescript();
    for action in ["taken early", "taken late"] {
        let (cause, message) = hook.fails(action).await;
        assert_eq!(cause, Cause::GuestError, "{message}");
        assert!(message.contains("write `Math.random()`"), "{message}");
    }
}

#[tokio::test]
async fn typescript_has_the_globals_of_the_web() {
    let hook = Ordinary::new(Language::TypeScript, "src/hook.ts", include_str!("web.ts"));
    let mut wrong = Vec::new();
    for (action, expected) in [
        (
            "url",
            r#"["https://example.com:8080/c%20d?q=1&q=%C3%A4%26b#top","127.0.0.1","evil.example.","/x","xn--bcher-kva.example","{\"base\":\"https://example.com/a/b\"}"]"#,
        ),
        ("not a url", r#"["TypeError",true,false,true]"#),
        (
            "parameters",
            r#"["a=1+2&b=%C3%BC&a=3","1 2,3",3,"x,1","ä b",true,"x,x"]"#,
        ),
        (
            "text",
            "[\"195,164,239,191,189\",\"2 3\",\"€\",\"a\u{fffd}\",\"TypeError\",\"€\",\"ä\",\"RangeError\"]",
        ),
        (
            "base64",
            r#"["early","/wBh",3,"InvalidCharacterError","InvalidCharacterError"]"#,
        ),
        (
            "clone",
            r#"[true,5,1,{"0":1,"1":2},true,"far","/a/gi","TypeError"]"#,
        ),
        ("signals", r#"[false,true,"RangeError",true]"#),
        ("random", "[true,true,true]"),
        ("clock", "[true,true]"),
    ] {
        let (said, _) = hook.act(action).await;
        if said.as_deref() != Ok(expected) {
            wrong.push((action, said));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
