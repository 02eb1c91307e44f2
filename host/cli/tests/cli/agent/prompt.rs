//! The prompt of a conversation at a terminal: editing, history, completion, pasting.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use super::live::{gated, make_gate, open_gate};
use super::scene::Scene;
use crate::support::built;
use crate::terminal::Terminal;

const CTRL_C: &[u8] = b"\x03";
const CTRL_D: &[u8] = b"\x04";
const LEFT: &str = "\x1b[D";
const UP: &str = "\x1b[A";

/// Returns a conversation in a scene whose history is the scene's own.
fn talk(scene: &Scene, more: &[&str]) -> Terminal {
    let mut command = scene.command(&["run", "--no-hooks"]);
    command
        .args(more)
        .env("XDG_STATE_HOME", scene.path("state"));
    let mut terminal = Terminal::of(command);
    terminal.wait("›");
    terminal
}

/// Returns a model that expects this message.
fn expects(said: &str) -> Scene {
    let said = serde_json::to_string(said).unwrap();
    let answer = format!("{{ expect = {said}, text = \"Heard.\" }}");
    Scene::scripted(&format!("{answer}, {answer}"), "")
}

fn leave(mut terminal: Terminal) {
    terminal.wait("›");
    terminal.press(CTRL_D);
    assert!(terminal.ends_well());
}

#[test]
fn a_line_is_edited_and_is_found_again_in_the_next_session() {
    let scene = expects("Hello");
    let mut terminal = talk(&scene, &[]);
    terminal.answer(&format!("Helo{LEFT}l"));
    terminal.wait("Heard.");
    terminal.wait("›");
    terminal.answer("/help");
    leave(terminal);
    let history = scene.path("state/portcullis/chat-history");
    assert!(fs::read_to_string(&history).unwrap().contains("Hello\n"));
    let mode = fs::metadata(&history).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let mut terminal = talk(&scene, &[]);
    terminal.answer(&format!("{UP}{UP}"));
    terminal.wait("Heard.");
    leave(terminal);
}

#[test]
fn what_begins_with_a_space_is_not_kept_and_without_a_history_nothing_is() {
    let scene = expects("secret");
    let history = scene.path("state/portcullis/chat-history");
    for (more, said) in [(&[][..], " secret"), (&["--no-history"], "secret")] {
        let mut terminal = talk(&scene, more);
        terminal.answer(said);
        terminal.wait("Heard.");
        leave(terminal);
        let kept = fs::read_to_string(&history).unwrap_or_default();
        assert!(!kept.contains("secret"), "{kept}");
    }
}

#[test]
fn a_command_is_completed() {
    let mut terminal = talk(&expects(""), &[]);
    terminal.answer("/appr\t");
    terminal.wait("no turn is suspended");
    leave(terminal);
}

#[test]
fn what_is_pasted_is_one_input() {
    let mut terminal = talk(&expects("one\ntwo"), &[]);
    terminal.answer("\x1b[200~one\ntwo\x1b[201~");
    terminal.wait("Heard.");
    // Alt-Enter begins another line.
    terminal.wait("›");
    terminal.answer("one\x1b\rtwo");
    terminal.wait("Heard.");
    leave(terminal);
}

#[test]
fn ctrl_c_drops_what_was_typed() {
    let mut terminal = talk(&expects(""), &[]);
    terminal.press(b"not this");
    terminal.wait("not this");
    terminal.press(CTRL_C);
    terminal.answer("/quit");
    assert!(terminal.ends_well());
}

#[test]
fn what_was_typed_in_a_turn_and_not_entered_is_at_the_prompt() {
    let scene = Scene::new(
        "[tools]\nbuilt-in = [\"run_command\"]\n[[providers]]\nkind = \"scripted\"\nscript = \"script.json\"\n",
    );
    make_gate(&scene);
    scene.write("script.json", &gated(""));
    let mut terminal = talk(&scene, &[]);
    terminal.answer("Run.");
    terminal.wait("→ run_command");
    terminal.press(b"/qu");
    terminal.wait("/qu");
    open_gate(&scene);
    terminal.wait("Done.");
    terminal.wait("/qu");
    terminal.answer("it");
    assert!(terminal.ends_well());
}

#[test]
fn what_happens_is_shown_above_the_line_that_is_typed() {
    let scene = expects("Hello");
    let mut command = scene.command(&["run"]);
    command.env("XDG_STATE_HOME", scene.path("state"));
    let mut terminal = Terminal::of(command);
    terminal.wait("›");
    terminal.press(b"Hel");
    terminal.wait("Hel");
    let hook = built().join("audit-log.wasm");
    fs::copy(hook, scene.path("hooks/audit-log.wasm")).unwrap();
    terminal.wait("audit-log");
    // The line appears again below the output.
    terminal.wait("Hel");
    terminal.answer("lo");
    terminal.wait("Heard.");
    leave(terminal);
}

#[test]
fn a_signal_at_the_prompt_leaves_the_terminal_as_it_was() {
    let terminal = talk(&expects(""), &[]);
    assert!(!terminal.echoes(), "the editor echoes");
    terminal.signal(libc::SIGTERM);
    let terminal = terminal.ended(Some(143));
    assert!(terminal.echoes());
}
