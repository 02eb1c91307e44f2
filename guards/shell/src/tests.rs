use super::read;

/// The commands, as their words between spaces, with what they run through before `:`.
fn commands(script: &str) -> Vec<String> {
    let commands = read(script).expect("a script");
    let shown = commands.iter().map(|command| {
        let words: Vec<&str> = command
            .words
            .iter()
            .map(|word| word.text.as_str())
            .collect();
        let through: String = command
            .through
            .iter()
            .map(|name| format!("{name}:"))
            .collect();
        format!("{through}{}", words.join(" "))
    });
    shown.collect()
}

#[test]
fn commands_are_found_wherever_they_are() {
    for (script, expected) in [
        ("a && b || c; d &", vec!["a", "b", "c", "d"]),
        (
            "if a; then b; fi; while c; do d; done",
            vec!["a", "b", "c", "d"],
        ),
        ("f() { a; }; f", vec!["a", "f"]),
        ("echo \"$(a; b)\" `c`", vec!["a", "b", "c", "echo  "]),
        ("cat <<E\n$(a)\nE\n", vec!["a", "cat"]),
        ("a <(b)", vec!["b", "a /dev/fd/63"]),
    ] {
        assert_eq!(commands(script), expected, "{script}");
    }
}

#[test]
fn wrappers_are_taken_off() {
    for (script, expected) in [
        ("sudo -u root env A=1 rm x", vec!["sudo:env:rm x"]),
        ("timeout -k 5 10 nice -n 3 rm x", vec!["timeout:nice:rm x"]),
        (
            "find . -name x -exec rm {} \\;",
            vec!["find . -name x -exec rm {} ;", "find:rm {}"],
        ),
        ("sh -c 'a; b'", vec!["sh -c a; b", "sh:a", "sh:b"]),
        ("bash <<E\na\nE\n", vec!["bash", "bash:a"]),
        ("eval \"a b\"", vec!["eval a b", "eval:a b"]),
        ("echo 'rm x' | sh", vec!["echo rm x", "sh", "rm x"]),
        ("ls | xargs -n 1 rm", vec!["ls", "xargs:rm"]),
    ] {
        assert_eq!(commands(script), expected, "{script}");
    }
}

#[test]
fn disguises_are_seen_through() {
    for script in [
        "A=rm; $A x",
        "\\rm x",
        "r'm' x",
        "r\"\"m x",
        "$'\\x72m' x",
        "rm${IFS}x",
        "{rm,x}",
        "$(echo rm) x",
        "A='rm x'; $A",
    ] {
        let commands = commands(script);
        assert_eq!(
            commands.last().map(String::as_str),
            Some("rm x"),
            "{script}: {commands:?}"
        );
    }
}

#[test]
fn what_is_not_known_is_marked() {
    let commands = read("$X y \"$Z\"").expect("a script");
    let known: Vec<bool> = commands[0].words.iter().map(|word| word.is_known).collect();
    assert_eq!(known, [false, true, false]);
}

#[test]
fn a_function_that_calls_itself_in_a_pipeline_multiplies() {
    let multiplies = |script| {
        read(script)
            .expect("a script")
            .iter()
            .any(|command| command.multiplies)
    };
    assert!(multiplies(":(){ :|:& };:"));
    assert!(!multiplies("f() { f; }; f"));
}

#[test]
fn what_is_no_script_is_unreadable() {
    assert!(read("if then (").is_err());
    assert!(read("echo 'open").is_err());
    assert!(read(&"$(".repeat(2_000)).is_err());
}
