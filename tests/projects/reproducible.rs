//! Two builds of the same project give the same component, byte for byte: in other directories, at
//! another time, and with tools that draw other random numbers.

use std::fs;

use portcullis_project::{Language, NewProject, Project, Sdk};
use portcullis_tests::root;

use super::from_nothing::{built, options, point};
use super::unchanged::{installs_compiler, installs_zig};

/// Asks for the time and for random numbers while the module is loaded, and has objects whose order
/// in memory could differ.
const JAVASCRIPT: &str = r#"import { defineHook, reject } from "portcullis";

const loaded = { at: Date.now(), with: Math.random(), kept: new Map([["a", Symbol("a")], ["b", Symbol("b")]]) };

export default defineHook({
  id: "my-hook",
  description: "Keeps what it found when it was loaded.",
  preTurn: () => reject("loaded", `${loaded.at} ${loaded.with} ${loaded.kept.size} ${Math.random()} ${new Date()}`),
});
"#;

/// Does the same; sets of texts are ordered by hashes, and objects by addresses.
const PYTHON: &str = r#"import _random
import multiprocessing
import os
import random
import secrets
import tempfile
import time
import uuid
from datetime import datetime
from pathlib import Path

from portcullis import hook, reject

loaded = [time.time(), datetime.now(), random.random(), next(tempfile._RandomNameSequence())]
drawn = [kind().random() for kind in (random.Random, _random.Random) for _ in range(3)]
assert len(set(drawn)) == 6, drawn
for draw in (lambda: os.urandom(8), uuid.uuid4, secrets.token_hex, lambda: secrets.randbelow(5)):
    try:
        draw()
    except RuntimeError as error:
        assert "use them in a handler" in str(error), error
    else:
        assert False, "a secret of the build"
words = {"one", "two", "three", *map(str, range(100)), object()}
files = [Path(__file__).stat(), sorted(Path(__file__).parent.iterdir())]


@hook(id="my-hook", description="Keeps what it found when it was loaded.")
class MyHook:
    def pre_turn(self, context, call):
        return reject("loaded", f"{loaded} {drawn} {words} {files}")
"#;

/// The panics of the hook and of its callee name their place.
const RUST: &str = r#"use portcullis_sdk::prelude::*;

struct MyHook;

#[hook(id = "my-hook", description = "Panics.")]
impl MyHook {
    fn pre_turn(call: &pre_turn::Call) -> HookResult<pre_turn::Verdict> {
        let words: Vec<String> = serde_json::from_str(&content::text()).expect("words");
        assert!(words.len() > 2, "{} at {}", words[0], file!());
        Ok(call.proceed())
    }
}
"#;

/// Assertions contain the name of the file.
const C: &str = r#"#include <assert.h>
#include <stdlib.h>
#include "portcullis.h"

PORTCULLIS_HOOK(.id = "my-hook", .description = "Asserts.");

bool on_pre_turn(void) {
    pc_string_t text = pc_content();
    assert(text.len > 2);
    pc_info(__FILE__);
    return PC_CONTINUE;
}
"#;

/// Failed checks of the library and of the language have messages.
const CPP: &str = r#"#include <cassert>
#include <string>
#include "portcullis.hpp"

PORTCULLIS_HOOK(.id = "my-hook", .description = "Asserts.");

portcullis::Answer on_pre_turn() {
    std::string text(portcullis::content());
    assert(text.size() > 2);
    portcullis::log::info(text.substr(1) + __FILE__);
    return portcullis::proceed();
}
"#;

const ZIG: &str = r#"const std = @import("std");
const pc = @import("portcullis");

pub const hook: pc.Hook = .{ .id = "my-hook", .description = "Panics." };

pub fn onPreTurn() !pc.Answer {
    const text = pc.content();
    std.log.info("{c} {s}", .{ text[2], @src().file });
    return pc.proceed;
}
"#;

/// Panics contain the names of files.
const GO: &str = r#"package main

import (
	"fmt"
	"maps"
	"portcullis"
	"portcullis/content"
	"portcullis/preturn"
	"slices"
)

var words = map[string]int{"one": 1, "two": 2, "three": 3}

func init() {
	portcullis.Describe(portcullis.Hook{ID: "my-hook", Description: "Panics."})
	preturn.Handle(preTurn)
}

func preTurn(call preturn.Call) error {
	if content.Text() == "" {
		panic(fmt.Sprint(slices.Sorted(maps.Keys(words))))
	}
	return nil
}

func main() {}
"#;

/// The directory of a project that shares nothing with others. In Rust, the other one is built
/// where all of them are.
const ALONE: &str = "short";

fn built_twice(language: Language, file: &str, source: &str) {
    built_twice_with(&Sdk::Vendored, language, file, source);
}

fn built_twice_with(sdk: &Sdk, language: Language, file: &str, source: &str) {
    let builds = [ALONE, "another/and/longer"].map(|below| {
        let place = tempfile::tempdir().expect("a directory");
        let dir = place.path().join(below);
        fs::create_dir_all(&dir).expect("a directory");
        let points = vec![point("pre-turn")];
        let new = NewProject::new("my-hook", language, points, sdk.clone()).expect("a project");
        new.write(&dir).expect("its files");
        let project = Project::find(&dir).expect("the project");
        fs::write(dir.join(file), source).expect("the source");
        if language == Language::Rust {
            let manifest = dir.join("Cargo.toml");
            let text = fs::read_to_string(&manifest).expect("the manifest");
            let text = text.replace("[dependencies]", "[dependencies]\nserde_json = \"1\"");
            fs::write(&manifest, text).expect("the manifest");
        }
        let bytes = match below {
            ALONE => {
                let component = project.build_with(&options(), &mut |_| {});
                let component = component.unwrap_or_else(|error| panic!("{language}: {error}"));
                fs::read(component).expect("the component")
            }
            _ => built(&project),
        };
        // The tools of Rust and Go track changes themselves.
        let tells = match language {
            Language::Rust | Language::Go => false,
            Language::C | Language::Cpp => installs_compiler(),
            Language::Zig => installs_zig(),
            _ => true,
        };
        assert_eq!(project.is_built(), tells, "{language}");
        // The runtimes of other languages contain paths of their own builds.
        let of_rust = ["/.cargo/registry", "/rust-projects"];
        let of_rust = of_rust.into_iter().filter(|_| language == Language::Rust);
        for path in place.path().to_str().into_iter().chain(of_rust) {
            let mut parts = bytes.windows(path.len());
            let has = parts.any(|part| part == path.as_bytes());
            assert!(!has, "{language}: the component has {path} in it");
        }
        bytes
    });
    let [one, other] = &builds;
    let differ = one.iter().zip(other).filter(|(a, b)| a != b).count();
    assert_eq!((one.len(), differ), (other.len(), 0), "{language}");
}

#[test]
fn in_rust() {
    built_twice(Language::Rust, "src/lib.rs", RUST);
}

#[test]
fn in_c() {
    built_twice(Language::C, "src/hook.c", C);
}

#[test]
fn in_cpp() {
    built_twice(Language::Cpp, "src/hook.cpp", CPP);
}

#[test]
fn in_zig() {
    built_twice(Language::Zig, "src/hook.zig", ZIG);
}

#[test]
fn in_go() {
    built_twice(Language::Go, "hook.go", GO);
}

#[test]
fn in_javascript() {
    built_twice(Language::JavaScript, "src/hook.js", JAVASCRIPT);
}

/// The SDK is further away from one directory than from the other.
#[test]
fn in_javascript_with_the_sdk_of_a_checkout() {
    let checkout = Sdk::Checkout(root());
    built_twice_with(&checkout, Language::JavaScript, "src/hook.js", JAVASCRIPT);
}

#[test]
fn in_typescript() {
    built_twice(Language::TypeScript, "src/hook.ts", JAVASCRIPT);
}

#[test]
fn in_python() {
    built_twice(Language::Python, "src/hook.py", PYTHON);
}
