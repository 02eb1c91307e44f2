//! The command as it is released, installed into environments that have nothing else.
//!
//! The tests pack their own build of the command; `cargo xtask dist` packs the optimised one.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::{LazyLock, OnceLock};

use tempfile::TempDir;
use xtask::dist::{Built, Target, pack};
use xtask::test::not_run;
use xtask_projects::packages::{npm_answers, python};

/// The release artifacts.
struct Packed {
    dir: TempDir,
    target: Target,
}

fn packed() -> &'static Packed {
    static PACKED: OnceLock<Packed> = OnceLock::new();
    PACKED.get_or_init(|| {
        let target = Target::of_this_machine().expect("a system that the command is built for");
        let programs = tempfile::tempdir().expect("a directory");
        for program in [
            env!("CARGO_BIN_EXE_portcullis"),
            env!("CARGO_BIN_EXE_portcullis-client"),
        ] {
            let name = Path::new(program).file_name().expect("a name");
            // Most of the file is debug information.
            run(Command::new("strip")
                .arg(program)
                .arg("-o")
                .arg(programs.path().join(name)));
        }
        let dir = tempfile::tempdir().expect("a directory");
        let built = Built {
            target,
            dir: programs.path().to_owned(),
        };
        hooks();
        pack(&xtask::root(), &[built], dir.path()).unwrap_or_else(|e| panic!("{e}"));
        Packed { dir, target }
    })
}

impl Packed {
    /// Returns the file whose name begins with `begin` and ends with `end`.
    fn file(&self, begin: &str, end: &str) -> PathBuf {
        let entries = fs::read_dir(self.dir.path()).expect("the directory");
        let mut files = entries.map(|entry| entry.expect("an entry").path());
        let found = files.find(|path| {
            let name = path.file_name().expect("a name").to_string_lossy();
            name.starts_with(begin) && name.ends_with(end)
        });
        found.unwrap_or_else(|| panic!("there is no {begin}…{end}"))
    }
}

fn run(command: &mut Command) -> Output {
    let ran = command
        .output()
        .unwrap_or_else(|e| panic!("{command:?}: {e}"));
    let [out, err] = [&ran.stdout, &ran.stderr].map(|said| String::from_utf8_lossy(said));
    assert!(ran.status.success(), "{command:?}\n{out}{err}");
    ran
}

/// Returns the hooks of the demonstration. The guards are built too.
fn hooks() -> &'static Path {
    // Building only some hooks would compile their shared dependencies again, with fewer features.
    static HOOKS: LazyLock<PathBuf> = LazyLock::new(|| {
        xtask::guests::build(&xtask::root()).unwrap_or_else(|e| panic!("{e}"));
        xtask::root().join("target/demo-hooks")
    });
    &HOOKS
}

/// Plays the demonstration with an installed command. Its hooks act.
fn plays_the_demo(command: &Path) {
    let cache = concat!(env!("CARGO_TARGET_TMPDIR"), "/compiled");
    let mut demo = Command::new(command);
    demo.args(["demo", "--json", "--cache-dir", cache, "--hooks"]);
    let played = run(demo.arg(hooks()));
    let runs = String::from_utf8_lossy(&played.stdout);
    for hook in ["path-jail", "human-approval", "memory-extractor"] {
        assert!(runs.contains(&format!("\"hook\":\"{hook}\"")), "{runs}");
    }
    let failed = Command::new(command).arg("no-such-command").status();
    let failed = failed.expect("the command starts");
    assert_eq!(failed.code(), Some(2), "its exit code is the program's");
}

#[test]
fn by_npm() {
    let packed = packed();
    let dir = tempfile::tempdir().expect("a directory");
    fs::write(dir.path().join("package.json"), "{ \"private\": true }").expect("the manifest");
    let mut install = Command::new("npm");
    install
        .args(["install", "--silent", "--no-audit"])
        .arg(packed.file("portcullis-0", ".tgz"))
        .arg(packed.file(&packed.target.npm_package(), ".tgz"))
        .current_dir(dir.path());
    run(&mut install);
    plays_the_demo(&dir.path().join("node_modules/.bin/portcullis"));
}

#[test]
fn by_pip() {
    let packed = packed();
    let dir = tempfile::tempdir().expect("a directory");
    run(Command::new("python3").args(["-m", "venv"]).arg(dir.path()));
    let mut install = Command::new(dir.path().join("bin/python"));
    install
        .args(["-m", "pip", "install", "--quiet"])
        .arg(packed.file("portcullis_hook_sdk-", ".whl"))
        .arg(packed.file("portcullis_hooks-", ".whl"));
    run(&mut install);
    plays_the_demo(&dir.path().join("bin/portcullis"));
}

/// Checks that an installed command runs and prints its version.
fn tells_its_version(command: &mut Command) {
    let told = String::from_utf8(run(command).stdout).expect("text");
    let version = concat!("portcullis ", env!("CARGO_PKG_VERSION"));
    assert!(told.starts_with(version), "{told}");
}

#[test]
fn by_npx() {
    if !npm_answers() {
        // The cache is empty, so that the test leaves nothing in the user's cache.
        not_run("npx: the registry of npm cannot be reached");
        return;
    }
    let packed = packed();
    let dir = tempfile::tempdir().expect("a directory");
    let mut npx = Command::new("npx");
    npx.arg("--yes");
    for file in ["portcullis-0", &packed.target.npm_package()] {
        npx.arg("--package").arg(packed.file(file, ".tgz"));
    }
    npx.args(["portcullis", "--version"]);
    npx.env("npm_config_cache", dir.path().join("cache"));
    tells_its_version(npx.current_dir(dir.path()));
}

#[test]
fn by_uvx() {
    let uv = python(&["uv==0.13.9"]).unwrap_or_else(|e| panic!("{e}"));
    let Some(uv) = uv else { return };
    let packed = packed();
    let dir = tempfile::tempdir().expect("a directory");
    let uvx = || {
        let mut uvx = Command::new(uv.with_file_name("uvx"));
        uvx.args(["--offline", "--no-config", "--no-python-downloads"]);
        uvx.env("UV_CACHE_DIR", dir.path().join("cache"));
        uvx.current_dir(dir.path());
        uvx
    };
    let wheel = packed.file("portcullis_hooks-", ".whl");
    let mut of_file = uvx();
    of_file.arg("--from").arg(&wheel);
    tells_its_version(of_file.args(["portcullis", "--version"]));
    // The package's name alone is given, as for a package of the registry.
    let mut of_index = uvx();
    of_index.arg("--no-index").arg("--find-links");
    of_index.arg(packed.dir.path());
    tells_its_version(of_index.args(["portcullis-hooks", "--version"]));
}

#[test]
fn from_the_archive() {
    let packed = packed();
    let dir = tempfile::tempdir().expect("a directory");
    let mut sums = Command::new("sha256sum");
    let sums = sums.args(["--check", "--quiet", "SHA256SUMS"]);
    run(sums.current_dir(packed.dir.path()));
    let unpacked = |archive: &Path| {
        let mut tar = Command::new("tar");
        run(tar.arg("-xzf").arg(archive).arg("-C").arg(dir.path()));
        let name = archive.file_name().expect("a name").to_string_lossy();
        dir.path()
            .join(name.strip_suffix(".tar.gz").expect("its end"))
    };
    let programs = format!("{}.tar.gz", packed.target.name);
    let command = unpacked(&packed.file("portcullis-0", &programs)).join("portcullis");
    plays_the_demo(&command);
    let guards = unpacked(&packed.file("portcullis-guards-", ".tar.gz"));
    let added = dir.path().join("hooks");
    let mut add = Command::new(command);
    add.arg("add").arg(guards.join("secrets.wasm"));
    add.arg("--hooks").arg(&added).arg("--yes");
    run(add.env("XDG_CACHE_HOME", dir.path().join("cache")));
    assert!(added.join("secrets.wasm").is_file());
}
