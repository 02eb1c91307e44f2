//! The manifests of the probes in `tests/polyglot`, which serve every point.

use std::fmt::Write as _;

use super::{Contract, PACKAGE, Written};

/// The languages of the probes, besides Rust.
const LANGUAGES: [&str; 6] = ["c", "cpp", "go", "javascript", "python", "zig"];

pub(super) fn files(contract: &Contract<'_>) -> impl Iterator<Item = Written> {
    let mut points = String::new();
    for point in &contract.points {
        let _ = writeln!(points, "    \"{}\",", point.name);
    }
    let own = contract.resolve.packages.iter();
    let version = own
        .filter(|(_, package)| package.name.namespace == PACKAGE)
        .find_map(|(_, package)| package.name.version.clone());
    let version = version.map_or_else(String::new, |version| version.to_string());
    LANGUAGES.into_iter().map(move |language| {
        let manifest = format!(
            "# The probe of tests/guests/probe in another language. Written by `cargo xtask contract`.\n\
             name = \"probe\"\nlanguage = \"{language}\"\npoints = [\n{points}]\n\
             contract = \"{version}\"\nsdk = \"../../../guest-sdk\"\n"
        );
        (format!("tests/polyglot/{language}/portcullis.toml").into(), manifest)
    })
}
