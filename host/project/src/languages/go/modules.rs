//! The modules that a project is built of, as its `go.mod` lists them, including indirect ones.

use std::fs;
use std::path::Path;

use crate::{Material, Part};

/// The module of the SDK.
const SDK: &str = "portcullis";

/// The text before the release in a compiled module.
const COMPILER: &[u8] = b"Go cmd/compile";

/// Returns the modules that the project in `dir` requires, without the SDK's.
pub(super) fn of(dir: &Path) -> Vec<Material> {
    let text = fs::read_to_string(dir.join("go.mod")).unwrap_or_default();
    let required = required(&text).into_iter();
    let modules = required.filter(|(name, _)| *name != SDK);
    modules
        .map(|(name, version)| Material::new(name, Some(version), Part::Contained).from("golang"))
        .collect()
}

/// Returns the release of Go, such as `1.27.3`, that built a component.
pub(super) fn release(component: &[u8]) -> Option<String> {
    let at = component
        .windows(COMPILER.len())
        .position(|bytes| bytes == COMPILER)?;
    // The release's length is before it.
    let rest = component.get(at + COMPILER.len() + 1..)?;
    let text = rest.strip_prefix(b"go")?.iter();
    let version: String = text
        .take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'.')
        .map(|byte| char::from(*byte))
        .collect();
    (!version.is_empty()).then_some(version)
}

fn required(text: &str) -> Vec<(&str, &str)> {
    let mut required = Vec::new();
    let mut in_block = false;
    for line in text.lines() {
        let line = line.split("//").next().unwrap_or(line).trim();
        let named = match (line.strip_prefix("require"), in_block) {
            (Some(rest), _) if rest.trim_start().starts_with('(') => {
                in_block = true;
                continue;
            }
            (Some(rest), _) => rest,
            (None, true) if line.starts_with(')') => {
                in_block = false;
                continue;
            }
            (None, true) => line,
            (None, false) => continue,
        };
        required.extend(named.trim().split_once(' '));
    }
    required
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requirements_stand_alone_and_in_blocks() {
        let text = "module a\n\nrequire portcullis v0.0.0\nrequire (\n\texample.com/a v1.2.3\n\t\
                    example.com/b/v2 v2.0.0 // indirect\n)\n\nreplace portcullis => ./sdk/go\n";
        let found = required(text);
        assert_eq!(
            found,
            [
                ("portcullis", "v0.0.0"),
                ("example.com/a", "v1.2.3"),
                ("example.com/b/v2", "v2.0.0")
            ]
        );
    }

    #[test]
    fn the_release_is_read() {
        let component = b"..processed-by\x01\x0eGo cmd/compile\x08go1.27.3\0";
        assert_eq!(release(component).as_deref(), Some("1.27.3"));
        assert_eq!(release(b"none"), None);
    }
}
