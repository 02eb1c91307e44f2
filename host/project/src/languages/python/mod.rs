//! Python: CPython, which `componentize-py` puts into the component.

mod environment;

use std::path::{Path, PathBuf};
use std::process::Command;

use include_dir::{Dir, include_dir};

use super::{SdkPackage, Toolchain, embedded};
use crate::build::{BuildContext, BuildError, Work, files_below};
use crate::{Material, Part, Point, Project};

static TEMPLATES: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/templates/python");
static SDK: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/../../guest-sdk/python");

/// The packages that make the component, that unpack a part of it to change it, and the time zones
/// of a hook that imports `zoneinfo`.
const PACKAGES: &[&str] = &[
    "componentize-py==0.25.1",
    "zstandard==0.25.0",
    "tzdata==2026.6",
];

/// The variable with the points that the manifest names: the SDK's tool compares them with the hook's before it makes
/// the component.
const POINTS: &str = "PORTCULLIS_POINTS";

/// The module of the hook.
const ENTRY: &str = "src/hook.py";

/// The language.
pub(super) struct Python;

impl Toolchain for Python {
    fn templates(&self) -> &'static Dir<'static> {
        &TEMPLATES
    }

    fn sdk(&self) -> Vec<(PathBuf, Vec<u8>)> {
        let files = embedded(&SDK).into_iter();
        let is_source = |path: &Path| {
            let mut parts = path.components();
            !path.starts_with("tests") && !parts.any(|part| part.as_os_str() == "__pycache__")
        };
        files
            .filter(|(path, _)| is_source(path))
            .map(|(path, bytes)| (PathBuf::from("python").join(path), bytes.to_owned()))
            .collect()
    }

    fn package(&self) -> Option<SdkPackage> {
        Some(environment::SDK)
    }

    fn prepare(&self, project: &Project, cx: &mut BuildContext<'_>) -> Result<(), BuildError> {
        match project.has_package() {
            true => environment::ensure(project, cx),
            false => Ok(()),
        }
    }

    fn packages(&self) -> &'static [&'static str] {
        PACKAGES
    }

    fn materials(&self, project: &Project, component: &[u8]) -> Vec<Material> {
        let packages: Vec<(String, String)> = match project.has_package() {
            true => environment::versions(project),
            false => {
                let packages = PACKAGES
                    .iter()
                    .filter_map(|package| package.split_once("=="));
                let owned = |(name, version): (&str, &str)| (name.to_owned(), version.to_owned());
                packages.map(owned).collect()
            }
        };
        let mut materials: Vec<Material> = packages
            .iter()
            .filter_map(|(name, version)| {
                let part = match name.as_str() {
                    "componentize-py" => Part::Contained,
                    "zstandard" => Part::Tool,
                    "tzdata" => Part::Optional,
                    name if name == environment::SDK.name => Part::Contained,
                    // Nothing else of the environment gets into a component.
                    _ => return None,
                };
                Some(Material::new(name, Some(version), part).from("pypi"))
            })
            .collect();
        let version = interpreter(component);
        materials.push(Material::new(
            "cpython",
            version.as_deref(),
            Part::Contained,
        ));
        materials
    }

    fn reads(&self, project: &Project) -> Option<Vec<PathBuf>> {
        let source = project.dir().join(ENTRY).parent()?.to_owned();
        let (dirs, mut files) = match project.has_package() {
            true => (vec![source], environment::reads(project)?),
            false => {
                let sdk = project.sdk_dir().join("python");
                (vec![source, sdk, project.wit_dir()], Vec::new())
            }
        };
        for dir in dirs {
            files.extend(files_below(&dir, &|dir| !dir.ends_with("__pycache__"))?);
        }
        Some(files)
    }

    fn build(&self, work: &mut Work<'_>) -> Result<Vec<u8>, BuildError> {
        let project = work.project();
        if !project.dir().join(ENTRY).is_file() {
            return Err(BuildError::NoSource {
                dir: project.dir().to_owned(),
                what: "src/hook.py, the module of the hook's class",
            });
        }
        let mut tool = match project.has_package() {
            true => Command::new(environment::program(project)?),
            false => {
                let mut python = Command::new(work.python(PACKAGES)?);
                python.arg(project.sdk_dir().join("python/tools/main.py"));
                python
            }
        };
        work.step("componentize-py makes the component; this takes some seconds");
        let points: Vec<&str> = project.points().iter().map(Point::name).collect();
        tool.env(POINTS, points.join(","))
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .current_dir(project.dir());
        super::with_tool(work, tool, ENTRY)
    }
}

/// Returns the version of the Python in a component, from the text `3.14.0 (main, …` in it.
fn interpreter(component: &[u8]) -> Option<String> {
    const AFTER: &[u8] = b" (main, ";
    let is_version = |byte: &u8| byte.is_ascii_digit() || *byte == b'.';
    let ends = component.windows(AFTER.len()).enumerate();
    let ends = ends.filter_map(|(at, bytes)| (bytes == AFTER).then_some(at));
    ends.filter_map(|end| component.get(..end))
        .find_map(|before| {
            let length = before
                .iter()
                .rev()
                .take_while(|byte| is_version(byte))
                .count();
            let version = before.get(before.len() - length..)?;
            let text = String::from_utf8_lossy(version).into_owned();
            (text.split('.').count() == 3).then_some(text)
        })
}

#[cfg(test)]
mod tests {
    use super::interpreter;

    #[test]
    fn the_version_of_the_interpreter_is_read() {
        let component = b"x (main, 1\0\x003.14.0 (main, Sep 11 2026, 23:47:35) [Clang]";
        assert_eq!(interpreter(component).as_deref(), Some("3.14.0"));
        assert_eq!(interpreter(b"none"), None);
    }
}
