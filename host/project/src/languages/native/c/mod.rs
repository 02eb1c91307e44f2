//! C, with the header `portcullis.h`.

mod points;

use include_dir::{Dir, include_dir};

use super::unit::Unit;
use super::{Native, Served};
use crate::Manifest;
use crate::build::BuildError;
use crate::manifest::NativeSettings;

static TEMPLATES: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/templates/c");

/// The language.
pub(in crate::languages) struct C;

impl Native for C {
    fn templates(&self) -> &'static Dir<'static> {
        &TEMPLATES
    }

    fn sdk(&self) -> Option<(&'static str, &'static Dir<'static>)> {
        None
    }

    fn settings<'a>(&self, manifest: &'a Manifest) -> &'a NativeSettings {
        &manifest.c
    }

    fn headers(&self, points: &[Served]) -> Vec<(&'static str, String)> {
        vec![
            ("points.h", points::header(points)),
            ("points.c", points::source(points)),
        ]
    }

    fn compile(&self, unit: &mut Unit<'_, '_>) -> Result<(), BuildError> {
        let sources = unit.sources(&["c"], "file that ends in `.c`")?;
        let generated = unit.build.join("points.c");
        unit.objects(sources.into_iter().chain([generated]))?;
        unit.check_symbols()
    }
}
