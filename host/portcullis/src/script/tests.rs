use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};

use super::*;
use crate::contract::{ChainVerdict, ContentPart, Message, Role, ToolSpec, ViewDecision};
use crate::model::call::{SessionInfo, Views};
use crate::model::failure::{Cause, Ending};
use crate::model::points::{
    PostCompaction, PreToolCall, PreTurn, post_compaction, pre_tool_call, pre_turn,
};
use crate::model::tools::ToolCatalog;
use crate::model::view::View;

fn script(text: &str) -> ScriptCommand {
    let mut command = ScriptCommand::new("sh");
    command.args = vec!["-c".into(), text.into()];
    command.timeout = Duration::from_secs(20);
    command
}

fn context() -> Context {
    Context {
        session_id: "session-1".into(),
        agent: "demo".into(),
        turn: 3,
        step: 2,
    }
}

fn tool_call(arguments: &str) -> Call<PreToolCall> {
    let tool = ToolSpec {
        name: "run".into(),
        description: "Runs.".into(),
        schema: "{}".into(),
    };
    Call::unchecked(
        context(),
        pre_tool_call::ToolRequest {
            call_id: "call-1".into(),
            name: "run".into(),
            arguments_bytes: 0,
            grant: pre_tool_call::ExecutionGrant {
                working_dir: None,
                timeout_ms: 10,
            },
        },
        Views {
            content: Arc::new(vec![ContentPart::Text("the content".into())]),
            conversation: Arc::new(vec![Message {
                role: Role::User,
                content: vec![ContentPart::Text("the conversation".into())],
            }]),
            tool_arguments: arguments.into(),
            tool_output: None,
            tools: Arc::new(ToolCatalog::new([tool]).unwrap()),
            session: Arc::new(SessionInfo {
                user: Some("ada".into()),
                working_dir: Some("/work".into()),
                parent: None,
                metadata: vec![("ticket".into(), "7".into())],
            }),
            verdict: Some(Arc::new(ChainVerdict {
                decision: ViewDecision::Passed,
                decided_by: None,
                changed_by: vec!["jail".into()],
            })),
            ..Views::default()
        },
    )
}

fn compaction() -> Call<PostCompaction> {
    let done = post_compaction::CompactionResult {
        removed: 1,
        messages: 2,
        summary_bytes: 3,
    };
    Call::new(context(), done, Views::default())
}

async fn answer<P: JsonPoint>(
    command: ScriptCommand,
    call: &Call<P>,
) -> Result<P::Outcome, Failure> {
    let hook = ScriptHook::new(HookId::from("check"), command);
    let said = hook.ask(hook.asked(call)).await?;
    answer::outcome::<P>(said)
}

async fn at_tool(text: &str) -> Result<pre_tool_call::Outcome, Failure> {
    answer(script(text), &tool_call("{}")).await
}

/// Returns the document and the variables that a script with these views gets.
async fn given(views: &[View]) -> Value {
    let dir = tempfile::tempdir().unwrap();
    let mut command = script("cat > given");
    command.cwd = Some(dir.path().to_owned());
    command.views = views.to_vec();
    let outcome = answer(command, &tool_call("{\"a\": 1}")).await.unwrap();
    assert_eq!(outcome, pre_tool_call::Outcome::Continue);
    let text = std::fs::read_to_string(dir.path().join("given")).unwrap();
    assert!(text.ends_with('\n') && text.lines().count() == 1, "{text}");
    serde_json::from_str(&text).unwrap()
}

#[tokio::test]
async fn what_an_end_means() {
    use pre_tool_call::Outcome;
    let refusal = |reason: &str| {
        Outcome::Reject(crate::contract::Rejection {
            code: "script-refused".into(),
            reason: reason.into(),
            details: None,
        })
    };
    let long = "x".repeat(3_000);
    for (text, want) in [
        ("exit 0", Outcome::Continue),
        ("cat > /dev/null; printf ' \\n\\t\\n'", Outcome::Continue),
        ("echo '\"continue\"'; echo noise >&2", Outcome::Continue),
        (
            "echo '{\"reject\": {\"code\": \"c\", \"reason\": \"Continue\"}}'",
            Outcome::Reject(crate::contract::Rejection {
                code: "c".into(),
                reason: "Continue".into(),
                details: None,
            }),
        ),
        ("exit 2", refusal("the script gave no reason")),
        (
            "echo first >&2; echo ' no \u{1b}[31m rm ' >&2; echo >&2; exit 2",
            refusal("no \\u{1b}[31m rm"),
        ),
        ("echo '{'; echo why >&2; exit 2", refusal("why")),
        (
            &format!("echo {long} >&2; exit 2"),
            refusal(&"x".repeat(1_000)),
        ),
    ] {
        assert_eq!(at_tool(text).await.unwrap(), want, "{text}");
    }
}

#[tokio::test]
async fn arguments_are_transformed() {
    // The arguments are text in the document, and text in the answer.
    let text = r#"grep -q '"input":"{\\"path\\": \\"a\\"}"' || exit 9
        echo '{"transform": "{\"path\": \"jail/a\"}"}'"#;
    let outcome = answer(script(text), &tool_call("{\"path\": \"a\"}")).await;
    assert_eq!(
        outcome.unwrap(),
        pre_tool_call::Outcome::Transform("{\"path\": \"jail/a\"}".into())
    );
}

#[tokio::test]
async fn every_other_end_is_a_failure_of_its_own() {
    for (text, cause, says) in [
        ("exit 1", Cause::Exit, "ended with exit code 1"),
        (
            "echo 'no module named x' >&2; exit 1",
            Cause::Exit,
            "exit code 1: no module named x",
        ),
        ("exit 127", Cause::Exit, "exit code 127"),
        ("echo '\"continue\"'; exit 3", Cause::Exit, "exit code 3"),
        ("kill -9 $$", Cause::Exit, "ended with signal 9"),
        ("kill -TERM $$", Cause::Exit, "ended with signal 15"),
        ("echo nonsense", Cause::BadOutput, "is not JSON"),
        ("echo '\"continue\" x'", Cause::BadOutput, "is not JSON"),
        ("printf '\"\\377\"'", Cause::BadOutput, "is not JSON"),
        (
            "echo '\"Continue\"'",
            Cause::BadOutput,
            "did you mean `continue`?",
        ),
        (
            "echo '{\"reject\": {\"code\": 1}}'",
            Cause::BadOutput,
            "at `/reject/code`: expected a string, found a number",
        ),
    ] {
        let failure = at_tool(text).await.expect_err(text);
        assert_eq!(failure.cause(), cause, "{text}: {failure}");
        assert!(failure.to_string().contains(says), "{text}: {failure}");
    }
    let output = r#"echo '{"reject": "IBAN DE44500105175407324"}'"#;
    let failure = at_tool(output).await.unwrap_err().to_string();
    assert!(!failure.contains("DE44"), "{failure}");
    assert!(failure.contains("found a string"), "{failure}");
    let ended = at_tool("kill -9 $$").await.unwrap_err();
    assert!(matches!(
        ended,
        Failure::Exit {
            ending: Ending::Signal(9),
            said: None
        }
    ));
}

#[tokio::test]
async fn a_point_that_knows_no_refusal_sees_a_failure() {
    let failure = answer(script("exit 2"), &compaction()).await.unwrap_err();
    assert_eq!(failure.cause(), Cause::BadOutput);
    let says = failure.to_string();
    assert!(says.contains("post-compaction knows no refusal"), "{says}");
    let outcome = answer(script("exit 0"), &compaction()).await.unwrap();
    assert_eq!(outcome, post_compaction::Outcome::Continue);
}

#[tokio::test]
async fn a_program_that_cannot_be_started_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let plain = dir.path().join("plain");
    std::fs::write(&plain, "").unwrap();
    let mut elsewhere = script("exit 0");
    elsewhere.cwd = Some(dir.path().join("gone"));
    for (command, says) in [
        (ScriptCommand::new("no-such-program"), "`no-such-program`"),
        (ScriptCommand::new(plain), "chmod +x"),
        (elsewhere, "the directory it is to run in does not exist"),
    ] {
        let failure = answer(command, &tool_call("{}")).await.unwrap_err();
        assert_eq!(failure.cause(), Cause::Spawn, "{failure}");
        assert!(failure.to_string().contains(says), "{failure}");
    }
}

#[tokio::test]
async fn a_timeout_stops_the_whole_group() {
    let dir = tempfile::tempdir().unwrap();
    let mut command = script("(sleep 2; touch mark) & wait");
    command.cwd = Some(dir.path().to_owned());
    command.timeout = Duration::from_millis(500);
    let failure = answer(command, &tool_call("{}")).await.unwrap_err();
    assert_eq!(failure.cause(), Cause::Deadline);
    assert!(failure.to_string().contains("500 ms"), "{failure}");
    assert_never(&dir.path().join("mark")).await;
}

#[tokio::test]
async fn a_dropped_call_stops_the_whole_group() {
    let dir = tempfile::tempdir().unwrap();
    let mut command = script("(sleep 2; touch mark) & wait");
    command.cwd = Some(dir.path().to_owned());
    let call = tool_call("{}");
    let dropped = tokio::time::timeout(Duration::from_millis(500), answer(command, &call)).await;
    assert!(dropped.is_err());
    assert_never(&dir.path().join("mark")).await;
}

#[tokio::test]
async fn what_a_script_leaves_running_is_stopped_and_does_not_hold_it_up() {
    let dir = tempfile::tempdir().unwrap();
    let mut command = script("(sleep 2; touch mark) & exit 2");
    command.cwd = Some(dir.path().to_owned());
    let outcome = answer(command, &tool_call("{}")).await.unwrap();
    assert!(matches!(outcome, pre_tool_call::Outcome::Reject(_)));
    assert_never(&dir.path().join("mark")).await;
}

async fn assert_never(mark: &Path) {
    tokio::time::sleep(Duration::from_millis(2_500)).await;
    assert!(!mark.exists(), "what the script had started continued");
}

#[tokio::test]
async fn what_a_child_writes_after_the_end_still_counts() {
    let text = "(sleep 0.1; echo '{\"transform\": \"{}\"}') & exit 0";
    let outcome = at_tool(text).await.unwrap();
    assert_eq!(outcome, pre_tool_call::Outcome::Transform("{}".into()));
}

#[tokio::test]
async fn a_flood_is_stopped() {
    for (text, stream) in [("yes", "stdout"), ("yes >&2", "stderr")] {
        let failure = at_tool(text).await.unwrap_err();
        assert_eq!(failure.cause(), Cause::TooMuchOutput, "{failure}");
        let says = failure.to_string();
        assert!(
            says.contains(&format!("more than 1048576 bytes to {stream}")),
            "{says}"
        );
    }
    let mut exact = script("printf '\"continue\"'");
    exact.max_output_bytes = "\"continue\"".len();
    let outcome = answer(exact.clone(), &tool_call("{}")).await;
    assert_eq!(outcome.unwrap(), pre_tool_call::Outcome::Continue);
    exact.max_output_bytes -= 1;
    let failure = answer(exact, &tool_call("{}")).await.unwrap_err();
    assert_eq!(failure.cause(), Cause::TooMuchOutput);
}

#[tokio::test]
async fn a_script_reads_when_it_likes() {
    let much = "x".repeat(1 << 20);
    for text in [
        "exit 0",
        "exec <&-; sleep 0.2; exit 0",
        "sleep 0.2; exit 0",
        // The script writes more than a pipe holds before it reads anything.
        "head -c 500000 /dev/zero | tr '\\0' ' '; cat > /dev/null",
        "head -c 500000 /dev/zero >&2; cat > /dev/null",
        "test $(wc -c) -gt 1048576",
    ] {
        let outcome = answer(script(text), &tool_call(&much)).await;
        assert_eq!(outcome.unwrap(), pre_tool_call::Outcome::Continue, "{text}");
    }
}

#[tokio::test]
async fn the_document_tells_of_the_call() {
    assert_eq!(
        given(&View::ALL).await,
        json!({
            "portcullis": crate::contract::VERSION,
            "point": "pre-tool-call",
            "hook": "check",
            "context": {"session-id": "session-1", "agent": "demo", "turn": 3, "step": 2},
            "input": to_json(&tool_call("").subject),
            "views": {
                "content": [{"text": "the content"}],
                "conversation": [{"role": "user", "content": [{"text": "the conversation"}]}],
                "tool-data": {"input": "{\"a\": 1}", "output": null},
                "tool-catalog": [{"name": "run", "description": "Runs.", "schema": "{}"}],
                "prompt": {
                    "policies": [], "items": [], "sections": [], "bundles": [], "queries": [],
                },
                "agent-state": {"values": {}, "diff": {}},
                "session": {
                    "user": "ada", "working-dir": "/work", "parent": null,
                    "metadata": [["ticket", "7"]],
                },
                "verdict": {"decision": "passed", "decided-by": null, "changed-by": ["jail"]},
            },
        })
    );
}

fn to_json(input: &pre_tool_call::ToolRequest) -> Value {
    let input = crate::model::json::to_json(input).unwrap();
    assert_eq!(input["call-id"], "call-1");
    input
}

#[tokio::test]
async fn only_granted_views_are_in_the_document() {
    for views in [
        &[][..],
        &[View::Session],
        &[View::ToolData, View::Content],
        &[View::Verdict],
    ] {
        let given = given(views).await;
        let mut seen: Vec<&str> = given["views"]
            .as_object()
            .unwrap()
            .keys()
            .map(String::as_str)
            .collect();
        let mut granted: Vec<&str> = views.iter().map(|view| view.name()).collect();
        seen.sort_unstable();
        granted.sort_unstable();
        assert_eq!(seen, granted);
        let sees_conversation = given.to_string().contains("the conversation");
        assert!(!sees_conversation, "{given}");
    }
}

#[tokio::test]
async fn the_environment_stays_here() {
    // Cargo sets this variable for tests. The test treats it as a key.
    assert!(std::env::var_os("CARGO_MANIFEST_DIR").is_some());
    let mut command = script(
        "echo \"[$CARGO_MANIFEST_DIR] $LEVEL ${PATH:+path} $PORTCULLIS_POINT $PORTCULLIS_HOOK \
         $PORTCULLIS_SESSION $PORTCULLIS_TURN $PORTCULLIS_STEP\" >&2; exit 2",
    );
    command.env.insert("LEVEL".into(), "high".into());
    command.env.insert("PORTCULLIS_TURN".into(), "99".into());
    match answer(command, &tool_call("{}")).await.unwrap() {
        pre_tool_call::Outcome::Reject(rejection) => assert_eq!(
            rejection.reason,
            "[] high path pre-tool-call check session-1 3 2"
        ),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn one_hook_serves_many_points() {
    let hook = Arc::new(ScriptHook::new(
        HookId::from("check"),
        script("test $PORTCULLIS_POINT = pre-tool-call"),
    ));
    let _: Arc<dyn Hook<PreToolCall>> = hook.clone();
    let turn: Arc<dyn Hook<PreTurn>> = hook;
    let call = Call::new(context(), pre_turn::facts(&[]), Views::default());
    let Response::Future(later) = turn.call(&call) else {
        panic!("a script cannot answer at once");
    };
    assert_eq!(later.await.action().unwrap_err().cause(), Cause::Exit);
}
