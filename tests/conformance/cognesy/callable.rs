//! Hooks as closures and as trait objects, the data available at each trigger, and no hooks at all.

use std::sync::{Arc, Mutex};

use portcullis::hooks::{Answer, Hook, Response};
use portcullis::points::{
    PostStep, PostToolCall, PostTurn, PreStep, PreToolCall, PreTurn, TurnError, TurnStopping,
    post_step, post_tool_call, post_turn, pre_step, pre_tool_call, pre_turn, turn_error,
    turn_stopping,
};
use portcullis::{Call, Hooks, NativeHook};
use portcullis_agent::{Agent, AgentEvent, EventSender, NewSession, Script};
use serde_json::json;

use super::TRIGGERS;
use crate::harness::{Actor, at, calls, content, fails, play, reject, row, says};

/// The notes that hooks recorded.
type Notes = Arc<Mutex<Vec<String>>>;

/// `HookInterface`: a type with a `handle`.
struct Counter(Notes);

impl Hook<PreTurn> for Counter {
    fn call<'a>(&'a self, call: &Call<PreTurn>) -> Response<'a, PreTurn> {
        let note = format!("object at turn {}", call.context.turn);
        self.0.lock().unwrap().push(note);
        Response::Ready(Answer::of(pre_turn::Outcome::Continue))
    }
}

async fn run(hooks: [NativeHook; 1], responses: &serde_json::Value) {
    let script = json!({ "responses": responses }).to_string();
    let agent = Agent::builder()
        .providers(Script::parse(&script).unwrap().providers())
        .hooks(Hooks::none().with(hooks).unwrap())
        .build()
        .unwrap();
    let mut session = agent.session(NewSession::default()).await.unwrap();
    let _ = session.turn("go").await;
    session.close().await;
}

#[tokio::test]
async fn a_closure_and_an_object_are_hooks() {
    let notes = Notes::default();
    let told = notes.clone();
    let closure = NativeHook::new("closure").on::<PreTurn>(move |call| {
        let note = format!("closure at turn {}", call.context.turn);
        told.lock().unwrap().push(note);
        Ok(pre_turn::Outcome::Continue)
    });
    run([closure], &json!([says("done")])).await;
    let object = NativeHook::new("object").serve::<PreTurn>(Arc::new(Counter(notes.clone())));
    run([object], &json!([says("done")])).await;
    assert_eq!(
        *notes.lock().unwrap(),
        ["closure at turn 1", "object at turn 1"]
    );
}

/// The table's column "Available Data": the messages everywhere, and the trigger's own. (Components
/// and scripts see the same views: `tests/end_to_end/views.rs`.)
#[tokio::test]
async fn what_each_trigger_has_available() {
    let notes = Notes::default();
    let mut hook = NativeHook::new("looker");
    macro_rules! look {
        ($($point:ident $module:ident $own:expr),* $(,)?) => {$({
            let notes = notes.clone();
            hook = hook.on::<$point>(move |call| {
                let own: fn(&Call<$point>) -> String = $own;
                notes.lock().unwrap().push(format!(
                    "{}: {} messages{}",
                    <$point as portcullis::points::Point>::INFO.name,
                    call.views.conversation.len(),
                    own(call),
                ));
                Ok($module::Outcome::Continue)
            });
        })*};
    }
    look!(
        PreTurn pre_turn |_| String::new(),
        PostTurn post_turn |_| String::new(),
        PreStep pre_step |_| String::new(),
        PostStep post_step |_| String::new(),
        PreToolCall pre_tool_call
            |call| format!(", {}({})", call.subject.name, call.views.tool_arguments),
        PostToolCall post_tool_call |call| format!(
            ", {} gave {}",
            call.subject.name,
            call.views.tool_output.as_deref().unwrap_or_default()
        ),
        TurnStopping turn_stopping |_| String::new(),
        TurnError turn_error |call| format!(", {:?}", call.subject.kind),
    );
    let world = json!({ "responses": [calls("hi"), says("done"), fails("auth")] });
    let mut tools = portcullis_agent::Toolbox::new();
    tools.add(Arc::new(Greeter)).unwrap();
    let agent = Agent::builder()
        .providers(Script::parse(&world.to_string()).unwrap().providers())
        .tools(Arc::new(tools))
        .hooks(Hooks::none().with([hook]).unwrap())
        .build()
        .unwrap();
    let mut session = agent.session(NewSession::default()).await.unwrap();
    session.turn("go").await.unwrap();
    session.turn("again").await.unwrap_err();
    assert_eq!(
        *notes.lock().unwrap(),
        [
            "pre-turn: 0 messages",
            "pre-step: 1 messages",
            r#"pre-tool-call: 2 messages, echo({"text":"hi"})"#,
            "post-tool-call: 2 messages, echo gave hello",
            "post-step: 3 messages",
            "pre-step: 3 messages",
            "post-step: 4 messages",
            "turn-stopping: 4 messages",
            "post-turn: 4 messages",
            "pre-turn: 4 messages",
            "pre-step: 5 messages",
            "turn-error: 5 messages, ErrorKind::Provider",
        ]
    );
}

struct Greeter;

#[async_trait::async_trait]
impl portcullis_agent::Tool for Greeter {
    fn spec(&self) -> portcullis::contract::ToolSpec {
        crate::harness::spec("echo")
    }

    async fn execute(
        &self,
        _: serde_json::Value,
        _: portcullis_agent::ToolRun,
    ) -> Result<portcullis_agent::ToolOutput, portcullis_agent::ToolError> {
        Ok(portcullis_agent::ToolOutput::ok("hello"))
    }
}

#[tokio::test]
async fn every_run_is_told_of() {
    play([
        row("HookExecuted: trigger and hook, also of those that were skipped or failed")
            .actors([
                Actor::new("guard", [at("pre-turn", reject("no")).turn(1)]).priority(1),
                Actor::new(
                    "meter",
                    [crate::harness::does(
                        "pre-step",
                        crate::harness::Does::Fail("broken"),
                    )],
                )
                .failure("fail-open"),
            ])
            .points(TRIGGERS)
            .model([says("two")])
            .turn("1")
            .turn("2")
            .expect([
                "guard pre-turn reject",
                "meter pre-turn skipped",
                "meter turn-error",
                "guard turn-error",
                "(turn-failed: hook `guard` refused at pre-turn: no (no))",
                "guard pre-turn",
                "meter pre-turn",
                "guard pre-step",
                "meter pre-step fails open",
                "meter post-step",
                "guard post-step",
                "guard turn-stopping",
                "meter turn-stopping",
                "meter post-turn",
                "guard post-turn",
                "(turn-ended: two)",
            ]),
    ])
    .await;
}

#[tokio::test]
async fn without_hooks_everything_stays_as_it_is() {
    play([
        row("PassThroughInterceptor: no hooks")
            .actors([])
            .model([calls("hi"), says("done")])
            .turn("go")
            .expect(["(echo runs: hi)", "(turn-ended: done)"])
            .conversation([
                "user: go",
                "assistant: [echo]",
                "tool: echo hi",
                "assistant: done",
            ]),
        row("a hook that passes everything through")
            .points(&["workspace-opened"])
            .model([calls("hi"), says("done")])
            .turn("go")
            .expect(["(echo runs: hi)", "(turn-ended: done)"])
            .conversation([
                "user: go",
                "assistant: [echo]",
                "tool: echo hi",
                "assistant: done",
            ]),
        row("a hook at another trigger does not matter")
            .answers([at("turn-error", content("replace", "never"))])
            .points(&["turn-error"])
            .model([says("done")])
            .turn("go")
            .expect(["(turn-ended: done)"]),
    ])
    .await;
    let events = EventSender::new();
    let mut heard = events.subscribe();
    let script = json!({ "responses": [says("done")] }).to_string();
    let agent = Agent::builder()
        .providers(Script::parse(&script).unwrap().providers())
        .events(events)
        .build()
        .unwrap();
    let mut session = agent.session(NewSession::default()).await.unwrap();
    session.turn("go").await.unwrap();
    while let Some(told) = heard.try_next() {
        assert!(!matches!(told.event, AgentEvent::HookRun { .. }));
    }
}
