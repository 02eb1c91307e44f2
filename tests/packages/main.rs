//! Hooks in new projects that have the packed SDKs, and no copy of this repository's.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, OnceLock};

use portcullis::contract::{ContentPart, Context};
use portcullis::points::{PreTurn, pre_turn};
use portcullis::settings::Settings;
use portcullis::{Call, Decision, Hooks, LoadOptions, SessionOptions, Views};
use tempfile::TempDir;
use xtask::packages::pack;

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// A file that is packed.
fn packed(name: &str) -> PathBuf {
    static DIR: OnceLock<PathBuf> = OnceLock::new();
    DIR.get_or_init(|| pack(&xtask::root()).unwrap_or_else(|e| panic!("{e}")))
        .join(name)
}

fn project(source: &str, text: &str) -> TempDir {
    let dir = tempfile::tempdir().expect("a directory");
    let source = dir.path().join(source);
    fs::create_dir_all(source.parent().expect("a directory")).expect("it is made");
    fs::write(source, text).expect("the source");
    dir
}

fn run(dir: &Path, program: &Path, arguments: &[&str]) {
    let mut command = Command::new(program);
    command.args(arguments).current_dir(dir);
    // Those of the cargo that runs this test are not the project's.
    command.env_remove("CARGO_ENCODED_RUSTFLAGS");
    let ran = command
        .output()
        .unwrap_or_else(|e| panic!("{program:?}: {e}"));
    let [out, err] = [&ran.stdout, &ran.stderr].map(|said| String::from_utf8_lossy(said));
    assert!(
        ran.status.success(),
        "{program:?} {arguments:?}\n{out}{err}"
    );
}

/// The component, loaded, refuses `a secret` and nothing else.
fn refuses_secrets(component: &Path) {
    let hooks = tempfile::tempdir().expect("a directory");
    fs::copy(component, hooks.path().join("no-secrets.wasm")).expect("the component");
    let settings =
        Settings::parse(Path::new("hooks.toml"), "[hooks.no-secrets]").expect("settings");
    let loaded = Hooks::load_with(hooks.path(), &settings, &LoadOptions::default());
    let loaded = loaded.unwrap_or_else(|e| panic!("{e}"));
    let session = loaded.session(SessionOptions::new("s"));
    let runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = { runtime }.enable_time().build().expect("a runtime");
    for (text, refused) in [("a secret", true), ("hello", false)] {
        let said = vec![ContentPart::Text(text.into())];
        let context = Context {
            session_id: "s".into(),
            agent: "a".into(),
            turn: 1,
            step: 0,
        };
        let views = Views {
            content: Arc::new(said.clone()),
            ..Views::default()
        };
        let mut call = Call::<PreTurn>::new(context, pre_turn::facts(&said), views);
        let decision = runtime.block_on(session.run(&mut call)).decision;
        let rejected = matches!(decision, Decision::Rejected { .. });
        assert!(rejected == refused, "{text}: {decision:?}");
    }
}

/// A crate, unpacked.
fn unpacked(file: &Path, to: &Path) -> PathBuf {
    run(
        to,
        Path::new("tar"),
        &["-xzf", file.to_str().expect("text")],
    );
    to.join(file.file_stem().expect("a name"))
}

/// The files of a directory, by their paths in it.
fn files(dir: &Path, within: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(dir.join(within)).expect("a directory");
    let mut all = Vec::new();
    for entry in entries {
        let path = within.join(entry.expect("an entry").file_name());
        match dir.join(&path).is_dir() {
            true => all.extend(files(dir, &path)),
            false => all.push(path),
        }
    }
    all.sort();
    all
}

/// To compile it takes minutes; what a packed crate can lack is files, and dependencies from registries.
#[test]
fn the_library_has_the_contract_and_no_dependency_on_a_path() {
    let dir = tempfile::tempdir().expect("a directory");
    for name in ["portcullis-source-lines", "portcullis"] {
        let of = unpacked(&packed(&format!("{name}-{VERSION}.crate")), dir.path());
        let manifest = fs::read_to_string(of.join("Cargo.toml")).expect("the manifest");
        let manifest: toml::Table = manifest.parse().expect("TOML");
        let dependencies = manifest["dependencies"].as_table().expect("dependencies");
        for (dependency, of) in dependencies {
            assert!(of.get("path").is_none(), "{name} needs {dependency} = {of}");
            assert!(of.get("version").is_some(), "{name}: {dependency} = {of}");
        }
        if name == "portcullis" {
            let here = files(&xtask::root().join("wit"), Path::new(""));
            assert_eq!(files(&of.join("wit"), Path::new("")), here);
        }
    }
}

#[test]
fn rust() {
    let dir = project(
        "src/lib.rs",
        r#"
use portcullis_sdk::prelude::*;

struct NoSecrets;

#[hook(id = "no-secrets", description = "Refuses secrets.")]
impl NoSecrets {
    fn pre_turn(call: &pre_turn::Call) -> HookResult<pre_turn::Verdict> {
        match content::text().contains("secret") {
            true => Ok(call.reject("secret", "No secrets.")),
            false => Ok(call.proceed()),
        }
    }
}
"#,
    );
    let [macros, sdk] = ["portcullis-sdk-macros", "portcullis-sdk"]
        .map(|name| unpacked(&packed(&format!("{name}-{VERSION}.crate")), dir.path()));
    // As from the registry, which does not have them.
    let manifest = format!(
        "[package]\nname = \"no-secrets\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[lib]\ncrate-type = [\"cdylib\"]\n\n\
         [dependencies]\nportcullis-sdk = \"0.1\"\n\n[patch.crates-io]\nportcullis-sdk = {{ path = {sdk:?} }}\n\
         portcullis-sdk-macros = {{ path = {macros:?} }}\n\n[workspace]\n"
    );
    fs::write(dir.path().join("Cargo.toml"), manifest).expect("the manifest");
    let target = xtask::test::rust_projects(&xtask::root());
    let target = target.to_str().expect("text");
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let built = [
        "build",
        "--release",
        "--target",
        "wasm32-wasip2",
        "--target-dir",
        target,
    ];
    run(dir.path(), Path::new(&cargo), &built);
    refuses_secrets(&Path::new(target).join("wasm32-wasip2/release/no_secrets.wasm"));
}

#[test]
fn javascript() {
    let dir = project(
        "src/hook.ts",
        r#"
import { content, defineHook, proceed, reject } from "portcullis";

export default defineHook({
  id: "no-secrets",
  description: "Refuses secrets.",
  preTurn: () => (content.text().includes("secret") ? reject("secret", "No secrets.") : proceed()),
});
"#,
    );
    fs::write(
        dir.path().join("package.json"),
        "{ \"private\": true, \"type\": \"module\" }\n",
    )
    .expect("the manifest");
    let package = packed(&format!("portcullis-{VERSION}.tgz"));
    let package = package.to_str().expect("text");
    run(
        dir.path(),
        Path::new("npm"),
        &["install", "--silent", "--no-audit", package],
    );
    let built = ["portcullis-build", "src/hook.ts", "-o", "hook.wasm"];
    run(dir.path(), Path::new("npx"), &built);
    refuses_secrets(&dir.path().join("hook.wasm"));
}

#[test]
fn python() {
    let dir = project(
        "src/hook.py",
        r#"
from portcullis import content, hook, proceed, reject
from portcullis.contract import Context, PreTurn, PreTurnOutcome


@hook(id="no-secrets", description="Refuses secrets.")
class NoSecrets:
    def pre_turn(self, context: Context, call: PreTurn) -> PreTurnOutcome:
        if "secret" in content.text():
            return reject("secret", "No secrets.")
        return proceed()
"#,
    );
    let environment = dir.path().join("environment");
    run(
        dir.path(),
        Path::new("python3"),
        &["-m", "venv", "environment"],
    );
    let wheel = packed(&format!("portcullis-{VERSION}-py3-none-any.whl"));
    let wheel = wheel.to_str().expect("text");
    let install = ["-m", "pip", "install", "--quiet", wheel];
    run(dir.path(), &environment.join("bin/python"), &install);
    let build = environment.join("bin/portcullis-build");
    run(dir.path(), &build, &["src/hook.py", "-o", "hook.wasm"]);
    refuses_secrets(&dir.path().join("hook.wasm"));
}
