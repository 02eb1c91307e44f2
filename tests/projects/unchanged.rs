//! A built project is built again when an input of its component has changed.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use portcullis_project::languages::native;
use portcullis_project::{Language, Options, Progress, Project};

use super::from_nothing::{make, options, point};

const HOOK: &str = r#"import { defineHook, reject } from "portcullis";
import { shout } from "loud";
import { around } from "../../around";
import { a } from "../../libs/words";
import { made } from "../build/made";
import { word } from "./word";
import type { Shape } from "./shape";

const shape: Shape = { word };

export default defineHook({
  id: "my-hook",
  description: "Says a word.",
  preTurn: () => reject("word", shout(shape.word) + around + a + made),
});
"#;

fn write(file: &Path, text: &str) {
    fs::create_dir_all(file.parent().expect("a directory")).expect("a directory");
    fs::write(file, text).expect("a file");
}

/// Builds the project if that is necessary. Returns whether it was, and the error.
fn build(project: &Project) -> (bool, Option<String>) {
    let mut built = false;
    let options = Options {
        keeps: true,
        ..options()
    };
    let result = project.build_with(&options, &mut |progress| {
        built |= matches!(progress, Progress::Step(_));
    });
    (built, result.err().map(|error| error.to_string()))
}

/// Checks that a change of this file, or its creation, has the project built again.
fn is_noticed(project: &Project, file: &Path) {
    assert!(project.is_built(), "before: {}", file.display());
    let before = fs::read_to_string(file).ok();
    let text = before.clone().unwrap_or_default();
    let dir = file.parent().expect("a directory");
    let is_new = !dir.exists();
    write(file, &(text + "\n"));
    assert!(!project.is_built(), "{}", file.display());
    assert!(project.is_outdated(), "{}", file.display());
    match before {
        Some(text) => fs::write(file, text).expect("the file"),
        None if is_new => fs::remove_dir_all(dir).expect("the directory"),
        None => fs::remove_file(file).expect("the file"),
    }
}

/// Returns whether C and C++ are compiled by tools that builds install. The inputs of this
/// machine's own compiler are not all known.
pub(super) fn installs_compiler() -> bool {
    let compiler = native::Compiler::find(&options(), &mut |_| {});
    compiler.is_ok_and(|compiler| {
        let command = compiler.command();
        Path::new(command.get_program()).starts_with(options().tools)
    })
}

/// Returns whether Zig is compiled by a tool that builds install. The inputs of this machine's own
/// Zig, if it has the SDK's version, are not all known.
pub(super) fn installs_zig() -> bool {
    let package = Language::Zig.packages().first().expect("a package");
    let (_, version) = package.split_once("==").expect("its version");
    let (minor, _) = version.rsplit_once('.').expect("its parts");
    let found = Command::new("zig")
        .arg("version")
        .stdin(Stdio::null())
        .output();
    !found.is_ok_and(|ran| ran.stdout.starts_with(format!("{minor}.").as_bytes()))
}

/// Creates a project in a directory of its own, within the directory of the files around it.
fn project_within(place: &Path, language: Language) -> Project {
    make(&place.join("project"), language, vec![point("pre-turn")])
}

#[test]
fn typescript_is_checked_and_bundled_when_something_has_changed() {
    let place = tempfile::tempdir().expect("a directory");
    let place = fs::canonicalize(place.path()).expect("its path");
    let dir = place.join("project");
    let project = make(&dir, Language::TypeScript, vec![point("pre-turn")]);
    write(&dir.join("src/hook.ts"), HOOK);
    write(&dir.join("src/word.ts"), "export const word = \"word\";\n");
    let shape = dir.join("src/shape.ts");
    write(&shape, "export interface Shape { word: string }\n");
    write(&place.join("around.ts"), "export const around = \"!\";\n");
    write(
        &place.join("libs/words/index.ts"),
        "export { a } from \"./src/a\";\n",
    );
    write(
        &place.join("libs/words/src/a.ts"),
        "export const a = \"a\";\n",
    );
    write(
        &dir.join("build/made.d.ts"),
        "export declare const made: string;\n",
    );
    write(&dir.join("build/made.js"), "export const made = \"\";\n");
    let package = dir.join("node_modules/loud");
    write(
        &package.join("package.json"),
        "{ \"name\": \"loud\", \"main\": \"loud.js\" }\n",
    );
    let loud = "export const shout = (word) => word.toUpperCase();\n";
    write(&package.join("loud.js"), loud);
    let typed = "export declare function shout(word: string): string;\n";
    write(&package.join("loud.d.ts"), typed);

    assert_eq!(build(&project), (true, None));
    assert_eq!(build(&project), (false, None));
    let is_noticed = |file: &Path| is_noticed(&project, file);
    for file in [
        "src/hook.ts",
        "src/word.ts",
        "src/shape.ts",
        "src/new.ts",
        "lib/new.d.ts",
        "tsconfig.json",
        "package.json",
        "package-lock.json",
        "portcullis.toml",
        "sdk/javascript/src/log.ts",
        "sdk/javascript/tools/build.mjs",
        "wit/types.wit",
        "../around.ts",
        "../package.json",
        "../jsconfig.json",
        "../libs/words.ts",
        "../libs/words/tsconfig.json",
        "../libs/words/package.json",
        "../libs/words/src/a.tsx",
        "../libs/node_modules/other.js",
        "../node_modules/loud.js",
        "build/made.ts",
        "node_modules/.package-lock.json",
        "node_modules/loud/package.json",
        "node_modules/loud/loud.js",
        "node_modules/loud/loud.d.ts",
        "node_modules/loud/loud.ts",
    ] {
        is_noticed(&dir.join(file));
    }
    // Files that a build does not read do not matter.
    for file in [
        "README.md",
        "hooks.toml",
        "tests/pre-turn-continues.toml",
        ".gitignore",
    ] {
        fs::write(dir.join(file), "").expect("the file");
        assert!(project.is_built(), "{file}");
    }

    // Another settings file may extend any other.
    let [settings, extended] =
        ["words/tsconfig.json", "base.json"].map(|name| place.join("libs").join(name));
    write(&extended, "{}\n");
    write(&settings, "{ \"extends\": \"../base.json\" }\n");
    assert_eq!(build(&project), (true, None));
    assert!(!project.is_built(), "what the settings extend");
    fs::remove_file(&settings).expect("the file");
    // tsc reports which files its own settings extend.
    let own = dir.join("tsconfig.json");
    let text = fs::read_to_string(&own).expect("the settings");
    let extends = text.replacen('{', "{ \"extends\": \"../libs/base.json\",", 1);
    write(&own, &extends);
    assert_eq!(build(&project), (true, None));
    assert_eq!(build(&project), (false, None));
    is_noticed(&extended);

    // Only the types change, and they are checked.
    let before = fs::read(project.component()).expect("the component");
    write(&shape, "export interface Shape { word: number }\n");
    let (built, error) = build(&project);
    let error = error.expect("an error");
    assert!(built && error.contains("src/hook.ts(9,"), "{error}");
    let after = fs::read(project.component()).expect("the component");
    assert!(before == after, "the component is as it was");
}

const CPP: &str = r#"#include <string>
#include "deep/word.hpp"
#include "../../around/around.hpp"
#include <vendored.hpp>
#if __has_include("maybe.hpp")
#include "maybe.hpp"
#endif
#include "portcullis.hpp"

PORTCULLIS_HOOK(.id = "my-hook", .description = "Says a word.");

portcullis::Answer on_pre_turn() {
    return portcullis::pre_turn::reject("word", std::string(WORD) + AROUND + VENDORED);
}
"#;

#[test]
fn cpp_is_compiled_when_a_file_has_changed_that_is_read_or_comes_first() {
    if !installs_compiler() {
        return;
    }
    let place = tempfile::tempdir().expect("a directory");
    let place = fs::canonicalize(place.path()).expect("its path");
    let dir = place.join("project");
    project_within(&place, Language::Cpp);
    let manifest = dir.join("portcullis.toml");
    let text = fs::read_to_string(&manifest).expect("the manifest");
    write(
        &manifest,
        &format!("{text}\n[cpp]\nflags = [\"-DLIMIT=5\", \"-I../vendor\"]\n"),
    );
    write(&dir.join("src/hook.cpp"), CPP);
    write(&dir.join("src/deep/word.hpp"), "#define WORD \"word\"\n");
    write(&place.join("around/around.hpp"), "#include \"said.hpp\"\n");
    write(&place.join("vendor/said.hpp"), "#define AROUND \"!\"\n");
    write(
        &place.join("vendor/vendored.hpp"),
        "#define VENDORED \"\"\n",
    );
    let project = Project::find(&dir).expect("the project");

    assert_eq!(build(&project), (true, None));
    assert_eq!(build(&project), (false, None));
    for file in [
        "src/hook.cpp",
        "src/deep/word.hpp",
        "src/new.cpp",
        "src/maybe.hpp",
        "src/deep/string",
        "sdk/c/string",
        "sdk/cpp/portcullis.hpp",
        "sdk/c/memory.c",
        "build/string",
        "wit/types.wit",
        "portcullis.toml",
        "../around/around.hpp",
        "../around/said.hpp",
        "../vendor/said.hpp",
        "../vendor/string",
        "../vendor/deep/new.hpp",
    ] {
        is_noticed(&project, &dir.join(file));
    }
    for file in [
        "README.md",
        "hooks.toml",
        "tests/pre-turn-continues.toml",
        "build/points.hpp",
    ] {
        fs::write(dir.join(file), "").expect("the file");
        assert!(project.is_built(), "{file}");
    }

    // The existing component was built from other sources.
    write(&dir.join("src/deep/word.hpp"), "#define WORD 5 +\n");
    let (built, error) = build(&project);
    let error = error.expect("an error");
    assert!(built && error.contains("hook.cpp:13"), "{error}");
    assert!(project.is_outdated());
    assert!(build(&project).1.is_some());
}

#[test]
fn what_a_source_may_ask_for_anywhere_has_it_compiled_each_time() {
    for (source, flags) in [
        ("#if __has_include(\"../maybe.h\")\n#endif\n", ""),
        (
            "#define ASKED \"maybe.h\"\n#if __has_include(ASKED)\n#endif\n",
            "",
        ),
        ("", "\"-include\", \"src/first.h\""),
        // The files that the build writes are there too.
        ("", "\"-I.\""),
        ("", "\"-I..\""),
        ("#include \"../common.h\"\n", ""),
    ] {
        let place = tempfile::tempdir().expect("a directory");
        let place = fs::canonicalize(place.path()).expect("its path");
        let dir = place.join("project");
        project_within(&place, Language::C);
        let hook = dir.join("src/hook.c");
        let text = fs::read_to_string(&hook).expect("the source");
        write(&hook, &format!("{source}{text}"));
        write(&dir.join("src/first.h"), "");
        write(&dir.join("common.h"), "");
        let manifest = dir.join("portcullis.toml");
        let text = fs::read_to_string(&manifest).expect("the manifest");
        write(&manifest, &format!("{text}\n[c]\nflags = [{flags}]\n"));
        let project = Project::find(&dir).expect("the project");
        assert_eq!(build(&project), (true, None), "{source}{flags}");
        assert_eq!(build(&project), (true, None), "{source}{flags}");
        assert!(!project.is_outdated(), "it is not known: {source}{flags}");
    }
}

#[test]
fn zig_is_compiled_when_a_file_of_a_module_has_changed() {
    if !installs_zig() {
        return;
    }
    let place = tempfile::tempdir().expect("a directory");
    let project = project_within(place.path(), Language::Zig);
    write(
        &project.dir().join("src/part.c"),
        "int part(void) { return 1; }\n",
    );
    assert_eq!(build(&project), (true, None));
    assert_eq!(build(&project), (false, None));
    for file in [
        "src/hook.zig",
        "src/new.zig",
        "src/part.c",
        "sdk/zig/portcullis.zig",
        "sdk/c/core.h",
        "wit/types.wit",
    ] {
        is_noticed(&project, &project.dir().join(file));
    }
}
