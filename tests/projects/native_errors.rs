//! Errors and warnings of builds in C, C++ and Zig name the author's function, and the line to write.

use std::fs;

use portcullis_project::{BuildError, Language, Progress, Project};

use super::from_nothing::{make, options, point};

const C: &str = "#include \"portcullis.h\"\n\n\
    PORTCULLIS_HOOK(.id = \"my-hook\", .description = \"Answers.\");\n\n";
const CPP: &str = "#include \"portcullis.hpp\"\n\n\
    PORTCULLIS_HOOK(.id = \"my-hook\", .description = \"Answers.\");\n\n";
const ZIG: &str = "const pc = @import(\"portcullis\");\n\n\
    pub const hook: pc.Hook = .{ .id = \"my-hook\", .description = \"Answers.\" };\n\n";

/// Builds a hook at pre-turn with this source. Returns the warnings of the compiler.
fn build(language: Language, file: &str, source: &str) -> Result<Vec<String>, BuildError> {
    let dir = tempfile::tempdir().expect("a directory");
    let project: Project = make(dir.path(), language, vec![point("pre-turn")]);
    fs::write(dir.path().join("src").join(file), source).expect("the source");
    let mut warnings = Vec::new();
    project.build_with(&options(), &mut |progress| {
        if let Progress::Warning(line) = progress {
            warnings.push(line.to_owned());
        }
    })?;
    Ok(warnings)
}

fn error(language: Language, file: &str, source: &str) -> String {
    let error = build(language, file, source).expect_err("a wrong hook");
    error.to_string()
}

fn contains_all(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "`{part}` is not in:\n{text}");
    }
    assert!(!text.contains("undefined symbol"), "{text}");
}

#[test]
fn c_names_a_function_of_a_point_that_is_not_listed() {
    let served = "bool on_pre_turn(void) { return PC_CONTINUE; }\n";
    let source = format!("{C}{served}bool on_post_turn(void) {{ return PC_CONTINUE; }}\n");
    contains_all(
        &error(Language::C, "hook.c", &source),
        &[
            "src/hook.c has the function `on_post_turn`",
            "points = [\"pre-turn\", \"post-turn\"]",
        ],
    );
    let local = format!("{C}{served}static bool on_post_turn(void) {{ return PC_CONTINUE; }}\n");
    let warnings = build(Language::C, "hook.c", &local).expect("a component");
    let unused = warnings.iter().find(|line| line.contains("on_post_turn"));
    assert!(unused.is_some(), "{warnings:?}");
}

#[test]
fn c_names_a_missing_function_and_a_missing_descriptor() {
    let misspelled = "#include \"portcullis.h\"\nbool on_pre_trun(void) { return PC_CONTINUE; }\n";
    contains_all(
        &error(Language::C, "hook.c", misspelled),
        &[
            "src has no descriptor of the hook; write PORTCULLIS_HOOK(.id = \"my-hook\"",
            "lists `pre-turn`, and src has no function `bool on_pre_turn(void)`; rename `on_pre_trun`",
        ],
    );
}

#[test]
fn c_shows_the_warnings_of_a_build_that_succeeds() {
    let forgets = "bool on_pre_turn(void) {\n    pre_turn_reject(\"a\", \"b\");\n    return PC_CONTINUE;\n}\n";
    let warnings = build(Language::C, "hook.c", &format!("{C}{forgets}")).expect("a component");
    contains_all(&warnings.join("\n"), &["src/hook.c:6", "warning"]);
}

#[test]
fn cpp_names_functions_of_points_that_are_not_listed_or_missing() {
    let other = "portcullis::Answer on_post_turn() { return portcullis::proceed(); }\n";
    contains_all(
        &error(Language::Cpp, "hook.cpp", &format!("{CPP}{other}")),
        &[
            "src/hook.cpp has the function `on_post_turn`",
            "points = [\"pre-turn\", \"post-turn\"]",
            "src has no function `portcullis::Answer on_pre_turn()`; write it",
        ],
    );
}

#[test]
fn zig_names_a_function_of_a_point_that_is_not_listed() {
    let served = "pub fn onPreTurn() !pc.Answer {\n    return pc.proceed;\n}\n";
    let other = "pub fn onPreToolCall() !pc.Answer {\n    return pc.proceed;\n}\n";
    contains_all(
        &error(Language::Zig, "hook.zig", &format!("{ZIG}{served}{other}")),
        &[
            "src/hook.zig has the function `onPreToolCall`",
            "points = [\"pre-turn\", \"pre-tool-call\"]",
        ],
    );
    let private = other.replace("pub ", "");
    build(
        Language::Zig,
        "hook.zig",
        &format!("{ZIG}{served}{private}"),
    )
    .expect("a component");
}
