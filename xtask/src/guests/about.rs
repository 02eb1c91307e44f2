//! The facts that a component states about itself: the table `[about]` of its project, as
//! `portcullis build` writes it.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use serde::Deserialize;

use crate::{Error, Result};

/// The table `[about]`. `portcullis-project` checks it. This crate avoids dependencies that take
/// time to build.
#[derive(Debug, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct About {
    license: Option<String>,
    homepage: Option<String>,
    source: Option<String>,
}

#[derive(Default, Deserialize)]
struct Manifest {
    #[serde(default)]
    about: About,
}

/// The id of a custom section.
const CUSTOM: u8 = 0;

impl About {
    /// Reads the table of the project in this directory. The result is empty if the directory has
    /// no project.
    pub(super) fn of_project(dir: &Path) -> Result<Self> {
        let file = dir.join("portcullis.toml");
        let text = match fs::read_to_string(&file) {
            Ok(text) => text,
            Err(cause) if cause.kind() == ErrorKind::NotFound => return Ok(Self::default()),
            Err(cause) => return Err(Error::file("read", &file, &cause)),
        };
        let manifest = toml::from_str::<Manifest>(&text)
            .map_err(|cause| Error::new(format!("{}: {cause}", file.display())))?;
        Ok(manifest.about)
    }

    /// Adds the table to a component, as custom sections.
    pub(super) fn put_into(&self, component: &mut Vec<u8>) {
        for (name, text) in [
            ("licenses", &self.license),
            ("homepage", &self.homepage),
            ("source", &self.source),
        ] {
            if let Some(text) = text {
                let mut section = Vec::new();
                number(name.len(), &mut section);
                section.extend_from_slice(name.as_bytes());
                section.extend_from_slice(text.as_bytes());
                component.push(CUSTOM);
                number(section.len(), component);
                component.append(&mut section);
            }
        }
    }
}

/// Writes a number as LEB128: seven bits in a byte, the lowest first.
fn number(mut number: usize, into: &mut Vec<u8>) {
    loop {
        let [low, ..] = (number & 0x7f).to_le_bytes();
        number >>= 7;
        if number == 0 {
            return into.push(low);
        }
        into.push(low | 0x80);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_text_is_a_section() {
        let about = About {
            license: Some("MIT".into()),
            source: Some("x".repeat(200)),
            ..About::default()
        };
        let mut component = b"\0asm".to_vec();
        about.put_into(&mut component);
        let first = b"\0asm\x00\x0c\x08licensesMIT";
        assert_eq!(component.get(..18), Some(&first[..]));
        assert_eq!(component.get(18..22), Some(&b"\x00\xcf\x01\x06"[..]));
        assert_eq!(component.len(), 18 + 1 + 2 + 207);
    }

    #[test]
    fn a_directory_that_is_no_project_says_nothing() {
        let dir = tempfile::tempdir().expect("a directory");
        let about = About::of_project(dir.path()).expect("nothing");
        assert_eq!(about, About::default());
    }
}
