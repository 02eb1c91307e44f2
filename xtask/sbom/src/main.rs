//! Writes the workspace's bill of materials as CycloneDX JSON: every package of `Cargo.lock`, with
//! its licence, the digest of its file in the registry, and its dependencies.
//!
//! The arguments are the workspace's directory and the file to write.

mod component;
mod lock;

use std::fs::File;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context as _, bail};
use cyclonedx_bom::models::component::{Classification, Components};
use cyclonedx_bom::models::dependency::{Dependencies, Dependency};
use cyclonedx_bom::models::metadata::Metadata;
use cyclonedx_bom::prelude::{Bom, SpecVersion, Validate as _};
use serde_json::Value;

use lock::Lock;

/// The released package.
const RELEASED: &str = "portcullis-cli";

fn main() -> anyhow::Result<()> {
    let mut arguments = std::env::args_os().skip(1).map(PathBuf::from);
    let (Some(root), Some(file)) = (arguments.next(), arguments.next()) else {
        bail!("usage: portcullis-sbom WORKSPACE FILE");
    };
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let metadata = Command::new(cargo)
        .args([
            "metadata",
            "--locked",
            "--all-features",
            "--format-version",
            "1",
        ])
        .current_dir(&root)
        .output()
        .context("cargo cannot be started")?;
    if !metadata.status.success() {
        bail!("{}", String::from_utf8_lossy(&metadata.stderr));
    }
    let metadata: Value = serde_json::from_slice(&metadata.stdout)?;
    let bom = bom(&metadata, &Lock::read(&root)?)?;
    let checked = bom.validate_version(SpecVersion::V1_5);
    if !checked.passed() {
        bail!("the bill of materials is not valid: {checked:?}");
    }
    let output =
        File::create(&file).with_context(|| format!("{} cannot be written", file.display()))?;
    bom.output_as_json_v1_5(&mut std::io::BufWriter::new(output))?;
    Ok(())
}

fn bom(metadata: &Value, lock: &Lock) -> anyhow::Result<Bom> {
    let mut components = Vec::new();
    let mut released = None;
    for package in list(&metadata["packages"])? {
        let is_released = package["name"] == RELEASED;
        let classification = match is_released {
            true => Classification::Application,
            false => Classification::Library,
        };
        let component = component::of(package, classification, lock)?;
        match is_released {
            true => released = Some(component),
            false => components.push(component),
        }
    }
    let dependencies = list(&metadata["resolve"]["nodes"])?.iter().map(|node| {
        let dependencies = list(&node["dependencies"])?.iter();
        Ok(Dependency {
            dependency_ref: component::reference(&node["id"])?,
            dependencies: dependencies
                .map(component::reference)
                .collect::<anyhow::Result<_>>()?,
        })
    });
    Ok(Bom {
        metadata: Some(Metadata {
            component: Some(released.with_context(|| format!("there is no package {RELEASED}"))?),
            ..Metadata::default()
        }),
        components: Some(Components(components)),
        dependencies: Some(Dependencies(dependencies.collect::<anyhow::Result<_>>()?)),
        ..Bom::default()
    })
}

fn list(value: &Value) -> anyhow::Result<&Vec<Value>> {
    value.as_array().context("cargo metadata has another form")
}
