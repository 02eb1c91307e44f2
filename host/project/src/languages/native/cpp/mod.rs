//! C++, with the header `portcullis.hpp`.

mod points;

use include_dir::{Dir, include_dir};

use super::compiler::Dialect;
use super::unit::Unit;
use super::{Native, Served};
use crate::Manifest;
use crate::build::BuildError;
use crate::manifest::NativeSettings;

static TEMPLATES: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/templates/cpp");

static SDK: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/../../guest-sdk/cpp");

/// The language.
pub(in crate::languages) struct Cpp;

impl Native for Cpp {
    fn templates(&self) -> &'static Dir<'static> {
        &TEMPLATES
    }

    fn sdk(&self) -> Option<(&'static str, &'static Dir<'static>)> {
        Some(("cpp", &SDK))
    }

    fn settings<'a>(&self, manifest: &'a Manifest) -> &'a NativeSettings {
        &manifest.cpp
    }

    fn headers(&self, points: &[Served]) -> Vec<(&'static str, String)> {
        vec![
            ("points.hpp", points::header(points)),
            ("points.cpp", points::source(points)),
        ]
    }

    fn linked_as(&self) -> Dialect {
        Dialect::Cpp
    }

    fn compile(&self, unit: &mut Unit<'_, '_>) -> Result<(), BuildError> {
        let sources = unit.sources(&["cpp", "cc", "c"], "file that ends in `.cpp`")?;
        let generated = unit.build.join("points.cpp");
        unit.objects(sources.into_iter().chain([generated]))?;
        unit.check_symbols()
    }
}
