//! A person's input while a turn runs, and at a suspended turn.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use super::live::{gated, make_gate, open_gate};
use super::scene::Scene;
use super::suspended::{approvals, suspended};
use crate::terminal::Terminal;

const FILE: &str = "[tools]\nbuilt-in = [\"run_command\"]\n[[providers]]\nkind = \"scripted\"\n\
                    script = \"script.json\"\n";

/// Returns a conversation at a terminal, whose first turn waits at the gate.
fn talk() -> (Scene, Terminal) {
    let scene = Scene::new(FILE);
    make_gate(&scene);
    scene.write("script.json", &gated(""));
    let mut terminal = Terminal::of(scene.command(&["run", "--no-hooks"]));
    terminal.wait("›");
    terminal.answer("Run.");
    terminal.wait("→ run_command");
    terminal.answer("And be brief.");
    terminal.wait("… for this turn: And be brief.");
    (scene, terminal)
}

#[test]
fn what_is_typed_during_a_turn_is_for_the_turn() {
    let (scene, mut terminal) = talk();
    open_gate(&scene);
    terminal.wait("↳ taken: And be brief.");
    terminal.wait("Done.");
    terminal.wait("›");
    terminal.press(b"\x04");
    assert!(terminal.ends_well());
}

#[test]
fn what_a_turn_did_not_read_is_left_over_for_the_next() {
    let (_scene, mut terminal) = talk();
    // Ctrl-C ends the turn before it reads anything.
    terminal.press(b"\x03");
    terminal.wait("the turn was cancelled");
    terminal.wait("left over for the next turn:");
    terminal.wait("And be brief.");
    terminal.wait("›");
    // An empty line sends it.
    terminal.answer("");
    terminal.wait("Done.");
    terminal.wait("›");
    terminal.press(b"\x04");
    assert_eq!(terminal.exit_code(), Some(1), "a turn failed");
}

#[test]
fn commands_are_for_the_chat_and_not_for_the_agent() {
    let script = "{ expect = \"/etc/hosts\", text = \"First.\" }, { expect = \"/help\", text = \"Second.\" }";
    let scene = Scene::scripted(script, "").probe("");
    let mut terminal = Terminal::of(scene.command(&["run"]));
    for (typed, shown) in [
        ("/help", "/approvals  shows the suspended turns"),
        ("/hooks", "probe"),
        ("/approvals", "no turn is suspended"),
        (
            "/hoks",
            "there is no command `/hoks`; did you mean `/hooks`?",
        ),
        ("/etc/hosts", "First."),
        (" /help", "Second."),
    ] {
        terminal.wait("›");
        terminal.answer(typed);
        terminal.wait(shown);
    }
    terminal.wait("›");
    terminal.answer("/quit");
    assert!(terminal.ends_well());
}

#[test]
fn commands_are_served_while_a_turn_runs() {
    let (scene, mut terminal) = talk();
    terminal.answer("/approvals");
    terminal.wait("no turn is suspended");
    terminal.answer("/quit");
    open_gate(&scene);
    terminal.wait("Done.");
    assert!(terminal.ends_well());
}

#[test]
fn a_line_of_a_pipe_is_a_turn_although_it_looks_like_a_command() {
    let scene = Scene::scripted("{ expect = \"/help\", text = \"A turn.\" }", "");
    let ran = crate::support::run_with_input(&mut scene.command(&["run", "--no-hooks"]), "/help\n");
    assert_eq!(
        (ran.code, ran.out.as_str()),
        (Some(0), "A turn.\n"),
        "{ran:?}"
    );
}

#[test]
fn ctrl_c_cancels_the_turn_and_the_second_ends_the_session() {
    let (_scene, mut terminal) = talk();
    terminal.press(b"\x03");
    terminal.wait("the turn was cancelled");
    terminal.wait("›");
    terminal.press(b"\x03");
    assert_eq!(terminal.exit_code(), Some(130));
}

#[test]
fn approving_shows_what_is_approved() {
    let (scene, id) = suspended();
    let mut terminal = Terminal::of(scene.uncached(&["approvals", "approve", &id]));
    let shown = terminal.wait("yes or no? ");
    assert!(
        shown.contains("May it?") && shown.contains("\"path\": \"a\""),
        "{shown}"
    );
    terminal.answer("no");
    terminal.wait("nothing was recorded");
    assert_eq!(terminal.exit_code(), Some(1));
    let mut terminal = Terminal::of(scene.uncached(&["approvals", "approve", &id]));
    terminal.wait("yes or no? ");
    terminal.answer("yes");
    terminal.wait("c-1 approved");
    assert!(terminal.ends_well());
}

#[test]
fn arguments_are_edited_in_the_editor() {
    let (scene, id) = suspended();
    scene.write("editor", "#!/bin/sh\nsed -i 's/\"a\"/\"other\"/' \"$2\"\n");
    fs::set_permissions(scene.path("editor"), fs::Permissions::from_mode(0o755)).unwrap();
    let edit = |editor: &str| {
        let mut command = scene.uncached(&["approvals", "edit", &id]);
        command.env_remove("VISUAL").env("EDITOR", editor);
        Terminal::of(command)
    };
    let mut terminal = edit("true");
    terminal.wait("the arguments are unchanged");
    assert_eq!(terminal.exit_code(), Some(1));
    let mut terminal = edit("./editor --wait");
    terminal.wait("c-1 edited");
    assert!(terminal.ends_well());
    let shown = approvals(&scene, &["show", &id, "--json"]).json();
    let edited = shown["resolutions"]["c-1"]["decision"]["edit"]
        .as_str()
        .unwrap();
    assert!(edited.contains("\"path\": \"other\""), "{edited}");
}

#[test]
fn a_person_may_answer_later() {
    let (scene, _) = suspended();
    scene.write(
        "script.json",
        r#"{ "responses": [{ "tool_calls": [
            { "id": "c-1", "name": "write_file", "arguments": { "path": "z", "content": "b" } }] }] }"#,
    );
    let mut terminal = Terminal::of(scene.command(&["run", "--approvals", "ask", "Write."]));
    terminal.wait("yes, no, edit or later? ");
    terminal.answer("later");
    terminal.wait("the turn is suspended");
    assert_eq!(terminal.exit_code(), Some(3));
}
