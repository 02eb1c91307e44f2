//! The figures of the last measurement.

use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter};
use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::{Error, Result};

/// The precision, recall and cost of a guard.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Figures {
    /// The size of the component in bytes.
    pub bytes: u64,
    /// The case that takes the most fuel in `portcullis test`. The cost is measured with it.
    pub case: String,
    /// The median fuel of a warm call.
    pub fuel: u64,
    /// The median time of a warm call, in microseconds.
    pub micros: u64,
    /// The half that the guard was developed with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dev: Option<Half>,
    /// The half that no guard was changed to fit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub held_out: Option<Half>,
}

/// The results of a guard on half of its labelled lines.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Half {
    /// The number of lines that must be caught, and are.
    pub caught: u32,
    /// The number of lines that must be caught, and are not.
    pub missed: u32,
    /// The number of lines that must not be caught, and are.
    pub false_alarms: u32,
    /// The number of lines that must not be caught, and are not.
    pub passed: u32,
}

impl Half {
    /// Returns the share of the caught lines that must be caught.
    pub fn precision(&self) -> f64 {
        share(self.caught, self.caught + self.false_alarms)
    }

    /// Returns the share of the lines that must be caught and are.
    pub fn recall(&self) -> f64 {
        share(self.caught, self.caught + self.missed)
    }

    /// Returns the number of lines.
    pub fn lines(&self) -> u32 {
        self.caught + self.missed + self.false_alarms + self.passed
    }
}

fn share(part: u32, whole: u32) -> f64 {
    f64::from(part) / f64::from(whole.max(1))
}

fn path(root: &Path) -> PathBuf {
    root.join("guards/figures.json")
}

/// Reads the recorded figures, by guard.
///
/// # Errors
///
/// The file cannot be read.
pub fn read(root: &Path) -> Result<BTreeMap<String, Figures>> {
    let path = path(root);
    let text = fs::read_to_string(&path).map_err(|cause| Error::file("read", &path, &cause))?;
    serde_json::from_str(&text).map_err(|cause| Error::new(format!("{}: {cause}", path.display())))
}

/// Reads the recorded figures. The map is empty if nothing was recorded yet.
pub(super) fn recorded(root: &Path) -> Result<BTreeMap<String, Figures>> {
    match path(root).exists() {
        true => read(root),
        false => Ok(BTreeMap::new()),
    }
}

/// Records figures.
pub(super) fn write(root: &Path, figures: &BTreeMap<String, Figures>) -> Result<()> {
    let path = path(root);
    let text =
        serde_json::to_string_pretty(figures).map_err(|cause| Error::new(cause.to_string()))?;
    fs::write(&path, format!("{text}\n")).map_err(|cause| Error::file("write", &path, &cause))
}

impl Display for Figures {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for half in [self.dev, self.held_out] {
            let shares = half.map_or_else(
                || "-".to_owned(),
                |half| {
                    format!(
                        "{:.1} %, {:.1} %",
                        half.precision() * 100.0,
                        half.recall() * 100.0
                    )
                },
            );
            write!(f, "{shares:>20}")?;
        }
        write!(
            f,
            "{:>12}{:>8}{:>8}",
            self.fuel,
            self.micros,
            self.bytes.div_ceil(1000)
        )
    }
}
