use super::read;

/// Returns the words of each command, after the commands that run it, each with `:`.
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
        ("f() { a; }; f", vec!["f", "a"]),
        ("f() { a; }", vec!["a"]),
        (": ${x:-$(a)} $(( $(b) ))", vec!["a", "b", ": $(a) 0"]),
        ("case x in $(a)) b;; esac", vec!["a", "b"]),
        ("x[$(a)]=1", vec!["a", ""]),
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
        ("watch -n 1 'rm x'", vec!["watch -n 1 rm x", "watch:rm x"]),
        ("ssh -p 22 h 'rm x'", vec!["ssh -p 22 h rm x", "ssh:rm x"]),
        ("bash -cx 'rm x'", vec!["bash -cx rm x", "bash:rm x"]),
        ("bash -c -- 'rm x'", vec!["bash -c -- rm x", "bash:rm x"]),
        (
            "bash -euo pipefail -c 'rm x'",
            vec!["bash -euo pipefail -c rm x", "bash:rm x"],
        ),
        ("echo 'rm x' | bash -", vec!["echo rm x", "bash -", "rm x"]),
        (
            "echo 'rm x' | bash -s y",
            vec!["echo rm x", "bash -s y", "rm x"],
        ),
        (
            "(printf r; printf 'm x') | sh",
            vec!["printf r", "printf m x", "sh", "r", "m x", "rm x"],
        ),
        ("cat <<< 'rm x' | sh", vec!["cat", "sh", "rm x"]),
        (
            "parallel ::: 'rm x'",
            vec!["parallel ::: rm x", "parallel:rm x"],
        ),
        (
            "parallel rm ::: x",
            vec!["parallel rm ::: x", "parallel:rm x"],
        ),
        ("{ sh; } <<< 'rm x'", vec!["sh", "sh:rm x"]),
        ("sh < <(echo rm x)", vec!["echo rm x", "sh", "sh:rm x"]),
        (
            "bash <(echo rm x)",
            vec!["echo rm x", "bash /dev/fd/63", "bash:rm x"],
        ),
        (
            ". <(echo rm x)",
            vec!["echo rm x", ". /dev/fd/63", ".:rm x"],
        ),
        (
            "source /dev/stdin <<< 'rm x'",
            vec!["source /dev/stdin", "source:rm x"],
        ),
        (
            "echo rm x | . /dev/stdin",
            vec!["echo rm x", ". /dev/stdin", "rm x"],
        ),
        ("A='rm x'; sh <<< $A", vec!["", "sh", "sh:rm x"]),
        ("a | echo rm x | sh", vec!["a", "echo rm x", "sh", "rm x"]),
        (
            "echo rm x 2>/dev/null | sh",
            vec!["echo rm x", "sh", "rm x"],
        ),
        (
            "sh -c \"$(echo rm; echo x)\"",
            vec![
                "echo rm", "echo x", "sh -c ", "sh:rm", "sh:x", "sh:rm", "sh:x",
            ],
        ),
        ("(bash) <<E\nrm x\nE\n", vec!["bash", "bash:rm x"]),
    ] {
        assert_eq!(commands(script), expected, "{script}");
    }
}

#[test]
fn the_options_of_wrappers_are_taken_off() {
    for (script, expected) in [
        ("env -iu A rm x", "env:rm x"),
        ("env - A=1 rm x", "env:rm x"),
        ("env -vS 'rm x'", "env:rm x"),
        ("env -S rm x", "env:rm x"),
        ("env -S'rm x'", "env:rm x"),
        ("env --split='rm x'", "env:rm x"),
        ("exec -ca y rm x", "exec:rm x"),
        ("xargs -0n 1 rm x", "xargs:rm x"),
        ("xargs -in rm x", "xargs:rm x"),
        ("xargs --max-lines rm x", "xargs:rm x"),
        ("sudo -nu root rm x", "sudo:rm x"),
        ("sudo A=1 rm x", "sudo:rm x"),
        ("sudo --chdir / rm x", "sudo:rm x"),
        ("sudo --preserve-env rm x", "sudo:rm x"),
        ("sudo --login rm x", "sudo:rm x"),
        ("ionice --class 3 rm x", "ionice:rm x"),
        ("stdbuf --output L rm x", "stdbuf:rm x"),
        ("timeout --sig KILL 5 rm x", "timeout:rm x"),
        ("flock -w 1 f rm x", "flock:rm x"),
        ("flock f -c 'rm x'", "flock:rm x"),
        ("su -lc 'rm x' root", "su:rm x"),
        ("su root -c 'rm x'", "su:rm x"),
        ("runuser -u root -- rm x", "runuser:rm x"),
        ("runuser root -c 'rm x'", "runuser:rm x"),
        ("script -qc 'rm x' /dev/null", "script:rm x"),
        ("script -q /dev/null rm x", "script:rm x"),
        ("setarch x86_64 -R rm x", "setarch:x86_64:rm x"),
        ("ssh -tp 22 h -t 'rm x'", "ssh:rm x"),
        ("eval -- 'rm x'", "eval:rm x"),
    ] {
        let commands = commands(script);
        let last = commands.last().map(String::as_str);
        assert_eq!(last, Some(expected), "{script}: {commands:?}");
    }
}

#[test]
fn a_script_that_cannot_be_seen_is_a_command_without_a_known_name() {
    for script in [
        "echo \"$A\" | sh",
        "printf '%d' 1 | sh",
        "cat <<< \"$A\" | sh",
        "sh -c \"$(echo \"$A\")\"",
        "sh <(echo \"$A\")",
        "sh -c \"$A\"",
    ] {
        let commands = read(script).expect("a script");
        let is_unseen =
            |command: &crate::Command| command.words.first().is_some_and(|word| !word.is_known);
        assert!(commands.iter().any(is_unseen), "{script}: {commands:?}");
    }
    for script in [
        "eval \"$(ssh-agent -s)\"",
        "make | sh",
        "sh -c ''",
        "echo \"$A\" | grep b",
    ] {
        let commands = read(script).expect("a script");
        let is_seen =
            |command: &crate::Command| command.words.iter().take(1).all(|word| word.is_known);
        assert!(commands.iter().all(is_seen), "{script}: {commands:?}");
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
        "$(printf 'r%s' m) x",
        "r{m..m} x",
        "{rm,{x,}}",
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

/// Returns the words of the last command, with `?` after those that are not known.
fn last(script: &str) -> String {
    let commands = read(script).expect("a script");
    let mut named = commands.iter().filter(|command| !command.words.is_empty());
    let words = named.next_back().expect("a command").words.iter();
    let words = words.map(|word| match word.is_known {
        true => word.text.clone(),
        false => format!("{}?", word.text),
    });
    words.collect::<Vec<_>>().join(" ")
}

#[test]
fn a_variable_has_the_value_that_it_has_there() {
    for (script, expected) in [
        ("x=a; rm $x", "rm a"),
        ("x=a true; rm $x", "rm $x?"),
        ("x=a; x=b true; rm $x", "rm a"),
        ("x=a x=b rm $x", "rm $x?"),
        ("x=a; (x=b); rm $x", "rm a"),
        ("x=a; (x=b; rm $x)", "rm b"),
        ("x=/; if false; then x=a; fi; rm $x", "rm $x?"),
        ("x=/; false && x=a; rm $x", "rm $x?"),
        ("x=a; for i in 1 2; do rm $x; x=/; done", "rm $x?"),
        ("x=a; f() { x=/; }; f; rm $x", "rm $x?"),
        ("f() { rm $x; }; x=a; f", "rm a"),
        ("x=a; read x; rm $x", "rm $x?"),
        ("x=a; echo / | read x; rm $x", "rm $x?"),
        ("x=a; sh -c 'rm $x'", "rm $x?"),
        ("x=a sh -c 'rm $x'", "rm a"),
        ("x=a; eval 'x=b'; rm $x", "rm b"),
        ("x=a; : ${x:=b}; rm $x", "rm a"),
        (": ${x:=b}; rm $x", "rm $x?"),
        ("IFS=,; x=rm,a; $x", "rm,a?"),
        ("HOME=/tmp/a true; rm $HOME", "rm ~"),
        ("HOME=/tmp/a; rm $HOME", "rm /tmp/a"),
        ("$(printf '%d' 1)", "?"),
        ("{rm,'x'}", "{rm,x}?"),
    ] {
        assert_eq!(last(script), expected, "{script}");
    }
}

#[test]
fn a_directory_is_entered_in_its_own_shell() {
    for (script, expected) in [
        ("rm", vec![""]),
        ("cd a && rm", vec!["a"]),
        ("cd a; rm", vec!["a", ""]),
        ("cd a || exit; rm", vec!["a"]),
        ("set -e; cd a; rm", vec!["a"]),
        ("(cd a); rm", vec![""]),
        ("cd a | b; rm", vec![""]),
        ("cd a & rm", vec![""]),
        ("(cd a && rm)", vec!["a"]),
        ("cd a && cd /b && rm", vec!["/b"]),
        ("cd && rm", vec!["~"]),
        ("cd $x && rm", vec!["?"]),
        ("cd a && popd && rm", vec!["?"]),
        ("if x; then cd a; else cd b; fi; rm", vec!["b", "", "a"]),
        ("f() { cd a; }; f; rm", vec!["", "a"]),
        ("for d in a b; do cd c; rm; done", vec!["?", "c", ""]),
        ("! cd a && rm", vec![""]),
        ("sudo cd a; rm", vec![""]),
    ] {
        let commands = read(script).expect("a script");
        let mut dirs = commands.iter().filter(|command| command.name() == "rm");
        let dirs = &dirs.next_back().expect("a command").dirs;
        let dirs: Vec<&str> = dirs
            .iter()
            .map(|dir| dir.as_deref().unwrap_or("?"))
            .collect();
        assert_eq!(dirs, expected, "{script}");
    }
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
