//! Questions to a person at a terminal, and the effects of the answers.

use crate::terminal::Terminal;

/// Returns a long text on one line, with the important part after `before` characters.
fn hiding(before: usize, after: usize) -> String {
    format!("{}EVIL{}", "x".repeat(before), "y".repeat(after))
}

#[test]
fn a_short_value_is_shown_whole_and_a_yes_approves_it() {
    let mut terminal = Terminal::new("EVIL");
    let shown = terminal.wait("yes, no, edit or later? ");
    assert!(
        shown.contains("May it?") && shown.contains("EVIL"),
        "{shown}"
    );
    terminal.answer("y");
    assert!(terminal.end());
    let mut terminal = Terminal::new("EVIL");
    terminal.wait("yes, no, edit or later? ");
    terminal.answer("no");
    terminal.wait("why");
    terminal.answer("not today");
    assert!(!terminal.end());
}

#[test]
fn a_yes_does_not_approve_what_is_not_shown() {
    for (before, after) in [(6_000, 0), (6_000, 20), (20_000, 20_000), (0, 100_000)] {
        let content = hiding(before, after);
        let mut terminal = Terminal::new(&content);
        let shown = terminal.wait("approve, no, edit, later or show? ");
        assert!(shown.contains("not shown"), "{before} {after}: {shown}");
        assert!(shown.contains("bytes"), "{before} {after}: {shown}");
        for yes in ["y", "yes", "Y", ""] {
            terminal.answer(yes);
            terminal.wait("approve, no, edit, later or show? ");
        }
        terminal.answer("no");
        terminal.wait("why");
        terminal.answer("");
        assert!(!terminal.end());
    }
}

#[test]
fn the_beginning_and_the_end_of_a_long_value_are_shown() {
    for (before, after) in [(5, 50_000), (50_000, 5)] {
        let mut terminal = Terminal::new(&hiding(before, after));
        let shown = terminal.wait("approve, no, edit, later or show? ");
        assert!(shown.contains("EVIL"), "{before} {after}: {shown}");
        terminal.answer("approve");
        assert!(terminal.end());
    }
}

#[test]
fn the_whole_value_can_be_seen_before_it_is_approved() {
    let mut terminal = Terminal::new(&hiding(20_000, 20_000));
    let shown = terminal.wait("approve, no, edit, later or show? ");
    assert!(!shown.contains("EVIL"), "{shown}");
    terminal.answer("show");
    let shown = terminal.wait("yes, no, edit or later? ");
    assert!(shown.replace(['\r', '\n', ' '], "").contains("EVIL"));
    terminal.answer("yes");
    assert!(terminal.end());
}

#[test]
fn lines_and_spaces_hide_nothing() {
    for filler in ["\n", " ", "\u{200b}"] {
        let content = format!("fine{}EVIL{}", filler.repeat(10_000), filler.repeat(10_000));
        let mut terminal = Terminal::new(&content);
        terminal.wait("approve, no, edit, later or show? ");
        terminal.answer("y");
        terminal.wait("approve, no, edit, later or show? ");
        terminal.answer("no");
        terminal.wait("why");
        terminal.answer("");
        assert!(!terminal.end());
    }
}
