//! Packages for PyPI: a wheel for each system with the command in it, and the SDK's, which depends
//! on it.

use std::fs;
use std::path::Path;

use super::{Built, PROGRAMS};
use crate::packages::{python, run, stage, tools};
use crate::{Error, Result};

/// The start of a project's dependency list.
const NEEDS: &str = "dependencies = [";

/// Packs the built commands, and the SDK, which depends on the command where there is one.
pub(super) fn pack(root: &Path, built: &[Built], to: &Path) -> Result<()> {
    let sources = root.join("host/cli/packages/python");
    let module = Path::new("portcullis_command");
    for built in built {
        let staged = root.join("target/packing/command");
        stage::empty(&staged)?;
        stage::copy(&sources, &staged)?;
        stage::copy(&root.join("LICENSE"), &staged.join("LICENSE"))?;
        for program in PROGRAMS {
            stage::copy(&built.dir.join(program), &staged.join(module).join(program))?;
        }
        python(root, &staged, to, &["--wheel"])?;
        tag(root, built, to)?;
    }
    let staged = stage::python(root)?;
    let file = staged.join("pyproject.toml");
    let text = fs::read_to_string(&file).map_err(|e| Error::file("read", &file, &e))?;
    let needs: String = built
        .iter()
        .map(|built| {
            let version = env!("CARGO_PKG_VERSION");
            format!(
                "\n  \"portcullis-hooks=={version} ; {}\",",
                built.target.marker
            )
        })
        .collect();
    let text = with(&text, &needs)
        .ok_or_else(|| Error::new(format!("{} has no `{NEEDS}`", file.display())))?;
    fs::write(&file, text).map_err(|e| Error::file("write", &file, &e))?;
    python(root, &staged, to, &[])
}

/// Returns the project with this dependency added, or `None` if it has no dependency list. It is
/// edited as text, which keeps the comments.
fn with(project: &str, needs: &str) -> Option<String> {
    let (before, after) = project.split_once(NEEDS)?;
    Some(format!("{before}{NEEDS}{needs}\n  {after}"))
}

/// Names the systems of a wheel that was built for any system.
fn tag(root: &Path, built: &Built, to: &Path) -> Result<()> {
    let name = format!(
        "portcullis_hooks-{}-py3-none-any.whl",
        env!("CARGO_PKG_VERSION")
    );
    let mut tags = tools(root)?;
    tags.args([
        "-m",
        "wheel",
        "tags",
        "--remove",
        "--platform-tag",
        built.target.wheel,
    ]);
    run(tags.arg(to.join(name)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_project_without_a_list_of_what_it_needs_is_refused() {
        let needs = "\n  \"b==1\",";
        let project = "[project]\n# The tools.\ndependencies = [\"a==1\"]\n";
        assert_eq!(
            with(project, needs).as_deref(),
            Some("[project]\n# The tools.\ndependencies = [\n  \"b==1\",\n  \"a==1\"]\n")
        );
        assert_eq!(with("[project]\ndependencies=[]\n", needs), None);
    }
}
