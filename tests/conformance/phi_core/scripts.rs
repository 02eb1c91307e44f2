//! "Script Callbacks". phi-core ignores errors, has no timeout and passes no arguments. Our scripts
//! follow the failure policy, have a deadline and get the full payload (design.md).

use crate::harness::{Actor, Does, Kind, Row, calls, does, play, row, says};

fn script(name: &'static str, text: &'static str) -> Row {
    row(name)
        .kinds(&[Kind::Script])
        .actors([Actor::script(text)])
        .points(&["pre-turn", "pre-tool-call"])
        .model([calls("rm -rf"), says("done")])
        .turn("go")
}

#[tokio::test]
async fn exit_codes() {
    play([
        script("0: continue", "exit 0").expect([
            "pre-turn",
            "pre-tool-call",
            "(echo runs: rm -rf)",
            "(turn-ended: done)",
        ]),
        script(
            "2: abort, for a before-hook; the reason is on stderr",
            "[ $PORTCULLIS_POINT = pre-turn ] && { echo 'not today' >&2; exit 2; }; exit 0",
        )
        .expect([
            "pre-turn reject",
            "(turn-failed: hook `actor` refused at pre-turn: not today (script-refused))",
        ]),
        script(
            "any other: a failure, which blocks",
            "[ $PORTCULLIS_POINT = pre-tool-call ] && exit 1; exit 0",
        )
        .expect([
            "pre-turn",
            "pre-tool-call fails closed",
            "(turn-ended: done)",
        ]),
        script(
            "any other: a failure, which passes where the operator says so",
            "[ $PORTCULLIS_POINT = pre-tool-call ] && exit 1; exit 0",
        )
        .actors([
            Actor::script("[ $PORTCULLIS_POINT = pre-tool-call ] && exit 1; exit 0")
                .failure("fail-open"),
        ])
        .expect([
            "pre-turn",
            "pre-tool-call fails open",
            "(echo runs: rm -rf)",
            "(turn-ended: done)",
        ]),
    ])
    .await;
}

#[tokio::test]
async fn what_a_script_is_told() {
    play([
        script(
            "JSON on stdin: tool name, arguments, the turn",
            r#"[ $PORTCULLIS_POINT = pre-tool-call ] || exit 0
            IFS= read -r input
            case "$input" in
                *'"turn":1'*'"name":"echo"'*'rm -rf'*) echo 'no rm' >&2; exit 2;;
            esac"#,
        )
        .expect(["pre-turn", "pre-tool-call reject", "(turn-ended: done)"]),
        script(
            "variables: session, turn, step, point, hook",
            r#"said="$PORTCULLIS_SESSION $PORTCULLIS_TURN $PORTCULLIS_STEP $PORTCULLIS_POINT $PORTCULLIS_HOOK"
            [ "$said" = "main 1 1 pre-tool-call actor" ] && { echo yes >&2; exit 2; }
            exit 0"#,
        )
        .expect(["pre-turn", "pre-tool-call reject", "(turn-ended: done)"]),
        script(
            "JSON on stdout: any outcome",
            r#"[ $PORTCULLIS_POINT = pre-tool-call ] && echo '{"transform": "{\"text\":\"ls\"}"}'
            exit 0"#,
        )
        .expect([
            "pre-turn",
            "pre-tool-call transform",
            "(echo runs: ls)",
            "(turn-ended: done)",
        ]),
    ])
    .await;
}

#[tokio::test]
async fn a_deadline() {
    play(
        [row("a hook that takes too long is stopped, and has failed")
            // A closure cannot be stopped: native hooks have no deadline.
            .kinds(&[Kind::Component, Kind::Script])
            .answers([does("pre-tool-call", Does::Hang)])
            .points(&["pre-tool-call"])
            .model([calls("hi"), says("done")])
            .turn("go")
            .expect(["pre-tool-call fails closed", "(turn-ended: done)"])],
    )
    .await;
}
