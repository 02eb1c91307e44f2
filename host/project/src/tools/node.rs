//! Programs that are packages for Node.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::{find, place::installed};
use crate::build::{BuildContext, BuildError};

impl BuildContext<'_> {
    /// Returns the `node_modules` that has these packages, each written like `@scope/name@1.2.3`.
    pub(crate) fn node(&mut self, packages: &[&str]) -> Result<PathBuf, BuildError> {
        let dir = installed(self, "node", packages, |cx, dir| {
            let what = packages.join(" ");
            let mut install = npm(&what)?;
            install
                .arg("--prefix")
                .arg(dir)
                .args(packages)
                .current_dir(dir);
            cx.install(&what, install)
        })?;
        Ok(dir.join("node_modules"))
    }

    /// Installs the packages of a directory's `package.json` beside it.
    pub(crate) fn node_project(&mut self, dir: &Path) -> Result<(), BuildError> {
        let what = "what package.json names";
        let mut install = npm(what)?;
        install.current_dir(dir);
        self.install(what, install)
    }
}

/// Returns the command that runs npm.
fn npm(what: &str) -> Result<Command, BuildError> {
    let npm = find("npm").ok_or_else(|| BuildError::Missing {
        tool: "npm, with Node 20 or newer".to_owned(),
        why: format!("it installs and runs {what}"),
        fixes: vec![
            "Debian, Ubuntu: sudo apt-get install nodejs npm".to_owned(),
            "elsewhere: install Node with your system's package manager, so that `npm` starts"
                .to_owned(),
        ],
    })?;
    let mut install = Command::new(npm);
    install.args(["install", "--no-audit", "--no-fund", "--loglevel=error"]);
    Ok(install)
}
