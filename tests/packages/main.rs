//! Hooks in new projects that have the packed SDKs, and no copy of this repository's SDK: as `portcullis new --sdk
//! FILE` makes them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, OnceLock};

use portcullis::contract::{ContentPart, Context};
use portcullis::points::{PreTurn, pre_turn};
use portcullis::settings::Settings;
use portcullis::{Call, Decision, Hooks, LoadOptions, SessionOptions, Views};
use portcullis_project::{Language, NewProject, Options, Project, Sdk};
use portcullis_tests::cache;
use portcullis_workbench::{Sample, SampleOptions, Suite};
use xtask::packages::pack;
use xtask_projects::rust;

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Returns a packed file.
fn packed(name: &str) -> PathBuf {
    static DIR: OnceLock<PathBuf> = OnceLock::new();
    DIR.get_or_init(|| pack(&xtask::root()).unwrap_or_else(|e| panic!("{e}")))
        .join(name)
}

/// Checks that a new project with this SDK, with its hook replaced, builds, and that its component
/// refuses secrets.
fn works(language: Language, sdk: PathBuf, source: &str, text: &str) {
    let dir = tempfile::tempdir().expect("a directory");
    let points = vec!["pre-turn".parse().expect("a point")];
    let new = NewProject::new("no-secrets", language, points, Sdk::named(sdk));
    let new = new.unwrap_or_else(|e| panic!("{e}"));
    let files = new.write(dir.path()).expect("its files");
    let copied = |file: &PathBuf| file.starts_with("sdk") || file.starts_with("wit");
    assert!(!files.iter().any(copied), "{files:?}");
    let project = Project::find(dir.path()).expect("the project");
    if language == Language::Rust {
        rust::share_target_dir(project.dir()).expect("cargo's configuration");
    }
    let options = Options {
        tools: xtask::root().join("target/toolchains"),
        keeps: true,
        ..Options::default()
    };
    let build = || {
        let built = project.build_with(&options, &mut |_| {});
        built.unwrap_or_else(|e| panic!("{language}: {e}"))
    };
    // The unchanged project passes its case.
    let sample = Sample::open(
        &build(),
        &SampleOptions {
            settings: Some(dir.path().to_owned()),
            cache: cache(),
            ..SampleOptions::default()
        },
    );
    let suite = Suite::new(&project.cases_dir());
    let report = suite.run(&sample.expect("the component"));
    let report = report.expect("the cases");
    assert!(report.cases.len() == 1 && report.passed(), "{report:?}");
    if language != Language::Rust {
        assert!(project.is_built(), "{language}");
    }
    fs::write(dir.path().join(source), text).expect("the source");
    assert!(!project.is_built(), "{language}");
    refuses_secrets(&build());
}

fn run(dir: &Path, program: &Path, arguments: &[&str]) {
    let mut command = Command::new(program);
    command.args(arguments).current_dir(dir);
    // The flags of the cargo that runs this test are not the project's.
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

/// Checks that the component loads, and refuses `a secret` and nothing else.
fn refuses_secrets(component: &Path) {
    let hooks = tempfile::tempdir().expect("a directory");
    fs::copy(component, hooks.path().join("no-secrets.wasm")).expect("the component");
    let settings =
        Settings::parse(Path::new("hooks.toml"), "[hooks.no-secrets]").expect("settings");
    let options = LoadOptions {
        cache: cache(),
        ..LoadOptions::default()
    };
    let loaded = Hooks::load_with(hooks.path(), &settings, &options);
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

/// Unpacks a crate. Returns its directory.
fn unpacked(file: &Path, to: &Path) -> PathBuf {
    run(
        to,
        Path::new("tar"),
        &["-xzf", file.to_str().expect("text")],
    );
    to.join(file.file_stem().expect("a name"))
}

/// Returns the files of a directory, by their paths in it.
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

/// The library is not compiled, which takes minutes: a packed crate can only lack files, or dependencies
/// in registries.
#[test]
fn the_library_has_the_contract_and_no_dependency_on_a_path() {
    let dir = tempfile::tempdir().expect("a directory");
    for name in ["portcullis-schema", "portcullis-source-lines", "portcullis"] {
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
    let dir = tempfile::tempdir().expect("a directory");
    // As from the registry, which does not have them yet.
    let [_, sdk] = ["portcullis-sdk-macros", "portcullis-sdk"]
        .map(|name| unpacked(&packed(&format!("{name}-{VERSION}.crate")), dir.path()));
    works(
        Language::Rust,
        sdk,
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
}

const IN_JAVASCRIPT: &str = r#"
import { content, defineHook, proceed, reject } from "portcullis";

export default defineHook({
  id: "no-secrets",
  description: "Refuses secrets.",
  preTurn: () => (content.text().includes("secret") ? reject("secret", "No secrets.") : proceed()),
});
"#;

#[test]
fn javascript() {
    let sdk = packed(&format!("portcullis-{VERSION}.tgz"));
    works(Language::JavaScript, sdk, "src/hook.js", IN_JAVASCRIPT);
}

#[test]
fn typescript() {
    let sdk = packed(&format!("portcullis-{VERSION}.tgz"));
    works(Language::TypeScript, sdk, "src/hook.ts", IN_JAVASCRIPT);
}

#[test]
fn python() {
    works(
        Language::Python,
        packed(&format!("portcullis_hook_sdk-{VERSION}-py3-none-any.whl")),
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
}
