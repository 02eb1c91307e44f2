use portcullis_sdk::prelude::*;
use portcullis_sdk::testing::Host;

use super::MemoryExtractor;

fn turn(steps: u32) -> post_turn::Facts {
    post_turn::Facts {
        text_bytes: 0,
        steps,
        stop: StopReason::EndTurn,
        usage: Usage::default(),
        elapsed_us: 0,
    }
}

#[test]
fn a_fact_is_kept_once() {
    let host = Host::new()
        .shared("memory")
        .conversation([Message::user("My name is Ann.")]);
    for expected in [
        r#"{"stored":1,"unchanged":0,"no_room":0}"#,
        r#"{"stored":0,"unchanged":1,"no_room":0}"#,
    ] {
        let note = post_turn::Contribution::Note {
            code: "memory.extracted".into(),
            data: expected.into(),
        };
        let outcome = host.call(MemoryExtractor::post_turn, turn(1));
        assert_eq!(outcome, Ok(post_turn::Outcome::Contribute(vec![note])));
    }
}

#[test]
fn nothing_is_kept_of_a_turn_without_a_step_or_a_permission() {
    let policy = DomainPolicy {
        domain: "memory".into(),
        rules: r#"{"write":false}"#.into(),
    };
    for (host, steps) in [(Host::new(), 0), (Host::new().policies([policy]), 1)] {
        let outcome = host.call(MemoryExtractor::post_turn, turn(steps));
        assert_eq!(outcome, Ok(post_turn::Outcome::Continue));
    }
}
