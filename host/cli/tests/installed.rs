//! The command as it is released, installed into environments that have nothing else.
//!
//! What is packed here is the command of the tests; `cargo xtask dist` packs the optimised one.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::{LazyLock, OnceLock};

use tempfile::TempDir;
use xtask::dist::{Built, Target, pack};

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
            // Most of it is for debuggers.
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
        pack(&xtask::root(), &[built], dir.path()).unwrap_or_else(|e| panic!("{e}"));
        Packed { dir, target }
    })
}

impl Packed {
    /// The file whose name begins and ends like this.
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

/// Plays the demonstration with an installed command. Its hooks act.
fn plays_the_demo(command: &Path) {
    static HOOKS: LazyLock<PathBuf> = LazyLock::new(|| {
        xtask::guests::build_demo(&xtask::root()).unwrap_or_else(|e| panic!("{e}"))
    });
    let cache = concat!(env!("CARGO_TARGET_TMPDIR"), "/compiled");
    let mut demo = Command::new(command);
    demo.args(["demo", "--json", "--cache-dir", cache, "--hooks"]);
    let played = run(demo.arg(&*HOOKS));
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
        .arg(packed.file("portcullis-0", ".whl"))
        .arg(packed.file("portcullis_command-", ".whl"));
    run(&mut install);
    plays_the_demo(&dir.path().join("bin/portcullis"));
}

#[test]
fn from_the_archive() {
    let packed = packed();
    let dir = tempfile::tempdir().expect("a directory");
    let mut sums = Command::new("sha256sum");
    let sums = sums.args(["--check", "--quiet", "SHA256SUMS"]);
    run(sums.current_dir(packed.dir.path()));
    let archive = packed.file("portcullis-0", &format!("{}.tar.gz", packed.target.name));
    run(Command::new("tar")
        .arg("-xzf")
        .arg(&archive)
        .arg("-C")
        .arg(dir.path()));
    let name = archive.file_name().expect("a name").to_string_lossy();
    let name = name.strip_suffix(".tar.gz").expect("its end");
    plays_the_demo(&dir.path().join(name).join("portcullis"));
}
