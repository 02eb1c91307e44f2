//! The package for Node.js.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::Context as _;
use portcullis_tests::root;

use crate::environment::{complete, directory, run as done, tell, works};

/// The directories of the package that the tests are copied from.
const SOURCES: [&str; 2] = ["tests", "examples"];

/// Returns the missing tool, if there is one.
pub fn missing() -> Option<&'static str> {
    let code = "process.exit(Number(process.versions.node.split('.')[0]) < 20 ? 1 : 0)";
    let node = works(Command::new("node").args(["-e", code]));
    let npm = works(Command::new("npm").arg("--version"));
    (!node || !npm).then_some("Node.js 20 with `npm`")
}

/// Builds the addon, installs the package, checks the types of the examples and runs the tests.
pub fn run() -> anyhow::Result<()> {
    let package = fs::canonicalize(root().join("host/node"))?;
    let manifest: serde_json::Value =
        serde_json::from_slice(&fs::read(package.join("package.json"))?)?;
    let versions = manifest["devDependencies"].as_object();
    let versions = versions.context("the package has no `devDependencies`")?;
    let versions = versions
        .iter()
        .map(|(name, version)| format!("{name}@{}", version.as_str().unwrap_or_default()));
    let versions: Vec<String> = versions.collect();
    let key = versions.join("\n");
    let (dir, is_new) = directory("node", &key)?;
    if is_new {
        fs::write(
            dir.join("package.json"),
            r#"{"private": true, "type": "module"}"#,
        )?;
        done(npm(&dir).args(["install", "--save-exact"]).args(&versions))?;
        complete(&dir, &key)?;
    }
    // Built beside the environment's `node_modules`, so that nothing is written among the sources.
    let copy = dir.join("package");
    if copy.exists() {
        fs::remove_dir_all(&copy)?;
    }
    fs::create_dir(&copy)?;
    for file in ["package.json", "tsconfig.json", "build.mjs"] {
        fs::copy(package.join(file), copy.join(file))?;
    }
    copied(&package.join("lib"), &copy.join("lib"))?;
    let mut build = Command::new("node");
    done(build.args(["build.mjs", "dev"]).current_dir(&copy))?;
    let mut pack = npm(&copy);
    done(pack.args(["pack", "--pack-destination"]).arg(&dir))?;
    let version = manifest["version"]
        .as_str()
        .context("the package has no version")?;
    let packed = format!("./portcullis-host-{version}.tgz");
    done(npm(&dir).args(["install", "--no-save", &packed]))?;
    test(&package, &dir)
}

fn test(package: &Path, dir: &Path) -> anyhow::Result<()> {
    for source in SOURCES {
        let to = dir.join(source);
        if to.exists() {
            fs::remove_dir_all(&to)?;
        }
        copied(&package.join(source), &to)?;
    }
    let mut compile = Command::new("node");
    compile.arg("node_modules/typescript/bin/tsc");
    compile.args(["--target", "es2022", "--module", "nodenext", "--strict"]);
    compile.args(["--skipLibCheck", "--types", "node"]);
    compile.args([
        "examples/start.ts",
        "examples/ai.ts",
        "examples/openai-agents.ts",
    ]);
    done(compile.current_dir(dir))?;
    // One test leaves a sleeping hook.
    let mut test = Command::new("node");
    done(tell(
        test.args(["--test", "--test-force-exit", "tests/"])
            .current_dir(dir),
    )?)
}

/// Copies the files of a directory.
fn copied(from: &Path, to: &Path) -> anyhow::Result<()> {
    fs::create_dir(to)?;
    for file in fs::read_dir(from)? {
        let file = file?;
        fs::copy(file.path(), to.join(file.file_name()))?;
    }
    Ok(())
}

fn npm(dir: &Path) -> Command {
    let mut npm = Command::new("npm");
    npm.current_dir(dir);
    npm.args(["--no-audit", "--no-fund", "--loglevel", "error"]);
    npm
}
