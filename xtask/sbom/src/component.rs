//! A package as a component of the bill of materials.

use anyhow::Context as _;
use cyclonedx_bom::external_models::normalized_string::NormalizedString;
use cyclonedx_bom::external_models::spdx::SpdxExpression;
use cyclonedx_bom::external_models::uri::Purl;
use cyclonedx_bom::models::component::{Classification, Component};
use cyclonedx_bom::models::hash::{Hash, HashAlgorithm, HashValue, Hashes};
use cyclonedx_bom::models::license::{LicenseChoice, Licenses};
use serde_json::Value;

use crate::lock::Lock;

/// Returns the component of a package of `cargo metadata`.
pub fn of(
    package: &Value,
    classification: Classification,
    lock: &Lock,
) -> anyhow::Result<Component> {
    let (name, version) = (text(&package["name"])?, text(&package["version"])?);
    let mut component = Component::new(
        classification,
        name,
        version,
        Some(reference(&package["id"])?),
    );
    component.purl = Some(Purl::new("cargo", name, version)?);
    component.description = package["description"].as_str().map(NormalizedString::new);
    if let Some(licence) = package["license"].as_str() {
        let expression = SpdxExpression::parse_lax(licence.to_owned())?;
        component.licenses = Some(Licenses(vec![LicenseChoice::Expression(expression)]));
    }
    component.hashes = lock.checksum(name, version).map(|checksum| {
        Hashes(vec![Hash {
            alg: HashAlgorithm::SHA_256,
            content: HashValue(checksum.to_owned()),
        }])
    });
    Ok(component)
}

/// Returns the reference of a package: the end of its id, since the rest of a local id is a
/// directory.
pub fn reference(id: &Value) -> anyhow::Result<String> {
    let id = text(id)?;
    Ok(match id.rsplit_once('#') {
        Some((path, end)) if !end.contains('@') => {
            let name = path.rsplit('/').next().unwrap_or(path);
            format!("{name}@{end}")
        }
        Some((_, end)) => end.to_owned(),
        None => id.to_owned(),
    })
}

fn text(value: &Value) -> anyhow::Result<&str> {
    value.as_str().context("cargo metadata has another form")
}
