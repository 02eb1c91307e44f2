use serde_json::json;

use super::Host;
use crate::prelude::*;
use crate::state::Error as StateError;

/// Calls at `pre-turn`.
fn call(host: &Host, handler: fn(&pre_turn::Call) -> HookResult<pre_turn::Verdict>) {
    host.call(handler, Default::default())
        .map(drop)
        .expect("the handler succeeds");
}

#[test]
fn without_a_stand_in_there_is_nothing_to_see() {
    assert_eq!(content::text(), "");
    assert_eq!(conversation::last(), None);
    assert_eq!(secrets::get("key"), None);
    assert_eq!(config::get("blocked"), Ok(None));
    info!("nobody reads this");
}

#[test]
fn views_are_what_the_test_says() {
    let host = Host::new()
        .config(json!({"blocked": ["a"], "mode": "strict"}))
        .text("Hello")
        .conversation([Message::system("Be brief."), Message::user("Hello")])
        .tool_arguments(json!({"path": "a"}))
        .queries(["cats"])
        .user("ada")
        .metadata("plan", "free")
        .secret("KEY", "s3cret");
    call(&host, |call| {
        assert_eq!(config::get("mode")?.as_deref(), Some("strict"));
        assert_eq!(config::get("blocked")?.as_deref(), Some("[\"a\"]"));
        assert_eq!(content::text(), "Hello");
        assert_eq!(conversation::iter().count(), 2);
        assert_eq!(conversation::slice(1, 9), [Message::user("Hello")]);
        assert_eq!(tool_data::arguments_json(), r#"{"path":"a"}"#);
        assert_eq!(prompt::queries(), ["cats"]);
        assert_eq!(session::user().as_deref(), Some("ada"));
        assert_eq!(session::metadata(), [("plan".into(), "free".into())]);
        assert_eq!(secrets::get("KEY").as_deref(), Some("s3cret"));
        Ok(call.proceed())
    });
}

#[test]
fn state_is_kept_between_calls() {
    let host = Host::new().with_state("calls", 1).shared("costs");
    call(&host, |call| {
        state::increment("calls", 1)?;
        let costs = shared::namespace("costs");
        assert_eq!(costs.compare_and_swap("total", None, Some(&5)), Ok(true));
        let denied = shared::namespace("other").increment("total", 1);
        assert!(matches!(denied, Err(StateError::Denied(_))));
        Ok(call.proceed())
    });
    assert_eq!(host.state("calls"), Ok(Some(2)));
    let total = host.run(|| shared::namespace("costs").increment("total", 1));
    assert_eq!(total, Ok(6));
}

#[test]
fn a_call_that_fails_writes_nothing() {
    let host = Host::new();
    let result = host.call(
        |_: &pre_turn::Call| {
            warn!(left = 0, "nothing is left");
            events::emit("spent", &1)?;
            state::set("spent", &true)?;
            Err(Error::failed("no"))
        },
        Default::default(),
    );
    assert_eq!(result, Err(Error::failed("no")));
    assert_eq!(host.state::<bool>("spent"), Ok(None));
    assert!(host.events().is_empty());
    assert_eq!(host.logs()[0].message, "nothing is left left=0");
}

#[test]
fn a_server_answers_requests() {
    let host = Host::new().server(|request| {
        assert_eq!((request.method(), request.bytes()), ("POST", &b"hello"[..]));
        Ok(http::Response::new(200, request.url()))
    });
    let send = || http::post("https://a.example").body("hello").send();
    let response = host.run(send).expect("a response");
    assert_eq!(response.text(), "https://a.example");
    assert!(matches!(send(), Err(http::Error::Refused(_))));
    let wrong = host.run(|| http::get("a.example").send());
    assert!(matches!(wrong, Err(http::Error::Invalid(_))));
}

#[test]
#[should_panic(expected = "answered more than once")]
fn two_answers_are_a_fault() {
    call(&Host::new(), |call| {
        let _ = call.reject("a", "b");
        Ok(call.answer_text("Hello"))
    });
}

#[test]
#[should_panic(expected = "returned another verdict")]
fn an_answer_that_is_not_returned_is_a_fault() {
    call(&Host::new(), |call| {
        let _ = call.reject("a", "b");
        Ok(call.proceed())
    });
}

#[test]
#[should_panic(expected = "both answered and contributed")]
fn an_answer_beside_a_contribution_is_a_fault() {
    let _ = Host::new().call(
        |call: &prompt_compile::Call| {
            call.add_note("a", "1");
            Ok(call.transform(prompt_compile::PromptEdit::default()))
        },
        Default::default(),
    );
}
