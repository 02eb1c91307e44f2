//! The decision of each point, as JSON.

use portcullis::capabilities::View;
use portcullis::contract::Context;
use portcullis::json::{to_json, views_to_json};
use portcullis::points::{FailureRule, PointId};
use portcullis_bridge::{
    BridgeError, BridgeOptions, CallContext, CallRequest, Decision, RunResult,
};
use portcullis_tests::{AtPoint, Sample, at};
use serde_json::json;

use super::{bridge, call, dir, tool_call};

/// Makes a request from a point's sample.
struct Request;

impl AtPoint for Request {
    type Output = CallRequest;

    fn at<P: Sample>(self) -> CallRequest {
        let sample = P::sample();
        let Context {
            session_id,
            agent,
            turn,
            step,
        } = sample.context.clone();
        CallRequest {
            point: P::ID.name().into(),
            context: CallContext {
                session_id,
                agent,
                turn,
                step,
            },
            input: to_json(P::input(&sample.subject)).expect("JSON"),
            views: views_to_json(&View::ALL, &sample.views).expect("JSON"),
        }
    }
}

#[tokio::test]
async fn every_point_can_be_called_and_a_failure_is_reported_at_each() {
    let points = PointId::ALL
        .iter()
        .map(|point| format!("{point} = \"fail no\""));
    let actions: Vec<String> = points.collect();
    let dir = dir(&actions.join("\n"));
    let bridge = bridge(&dir, BridgeOptions::default());
    for point in PointId::ALL {
        let request = at(*point, Request);
        // Through text, as over a wire.
        let request = serde_json::to_string(&request).expect("JSON");
        let request = serde_json::from_str(&request).expect("a request");
        let reply = call(&bridge, request).await;
        let [run] = &reply.runs[..] else {
            panic!("{point}: {reply:?}");
        };
        let failed =
            matches!(&run.result, RunResult::Failed { cause, .. } if cause == "guest-error");
        assert!(failed, "{point}: {reply:?}");
        let never_fatal = point.info().failure == FailureRule::NeverFatal;
        match &reply.decision {
            Decision::Failed { by, cause, .. } => {
                assert!(
                    !never_fatal && by == "probe" && cause == "guest-error",
                    "{point}"
                );
            }
            Decision::Continue => assert!(never_fatal, "{point}"),
            other => panic!("{point}: {other:?}"),
        }
    }
}

#[tokio::test]
async fn decisions_have_their_payload() {
    let actions = [
        ("reject not today", "not today"),
        (r#"transform {"command":"ls -l"}"#, ""),
        ("answer done", ""),
    ];
    for (action, reason) in actions {
        let dir = dir(&format!("pre-tool-call = '{action}'"));
        let bridge = bridge(&dir, BridgeOptions::default());
        let reply = call(&bridge, tool_call("s", r#"{"command":"ls"}"#)).await;
        match reply.decision {
            Decision::Reject { by, rejection } => {
                assert_eq!((by.as_str(), rejection.reason.as_str()), ("probe", reason))
            }
            Decision::Transform { by } => {
                assert_eq!(by, ["probe"]);
                assert_eq!(reply.payload, json!(r#"{"command":"ls -l"}"#));
            }
            Decision::Answer { value, .. } => {
                assert_eq!(value, json!({"content": "done", "is-error": false}));
            }
            other => panic!("{action}: {other:?}"),
        }
    }
}

#[tokio::test]
async fn wrong_requests_are_errors_that_say_what_would_be_right() {
    let dir = dir("");
    let bridge = bridge(&dir, BridgeOptions::default());
    let good = || tool_call("s", "{}");
    let wrong = [
        CallRequest {
            point: "pre-tool-cal".into(),
            ..good()
        },
        CallRequest {
            input: json!({"call-idd": "1"}),
            ..good()
        },
        CallRequest {
            views: json!({"tool-dat": {}}),
            ..good()
        },
        tool_call("a\nb", "{}"),
        tool_call("", "{}"),
    ];
    let said = [
        "did you mean `pre-tool-call`?",
        "did you mean `call-id`?",
        "did you mean `tool-data`?",
        "1 to 256 bytes",
        "1 to 256 bytes",
    ];
    for (request, said) in wrong.into_iter().zip(said) {
        let error: BridgeError = bridge.call(request).await.expect_err(said);
        assert!(error.to_string().contains(said), "{error}");
    }
}
