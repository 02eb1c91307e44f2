//! The component between the host and a hook's flat component: it imports flat points and exports the
//! contract's.

use std::fmt::Write as _;

use anyhow::Context as _;
use wit_component::{ComponentEncoder, StringEncoding, embed_component_metadata};
use wit_parser::{PackageId, Resolve};

use super::{Flat, SESSION, module};

/// The package of the flat points, as the adapter imports them.
const PACKAGE: &str = "portcullis:flat";

/// The adapter's world.
const WORLD: &str = "adapter";

/// What the adapter imports a point as.
pub(super) fn imported(point: &str) -> String {
    format!("{PACKAGE}/{point}")
}

/// The adapter for these points.
pub(super) fn component(flat: &Flat<'_>, points: &[&str]) -> anyhow::Result<Vec<u8>> {
    let (resolve, contract) = flat.contract.resolve();
    let mut resolve = resolve.clone();
    let mut text = flat.package(PACKAGE, points)?;
    writeln!(text, "world {WORLD} {{\nimport {SESSION};")?;
    for point in points {
        let exported = exported(&resolve, contract, point)?;
        writeln!(text, "import {point};\nexport {exported};")?;
    }
    text.push_str("}\n");
    let package = resolve.push_source("flat.wit", &text)?;
    let world = resolve.select_world(&[package], Some(WORLD))?;
    let text = module::text(flat, &resolve, package, points)?;
    let mut module = wat::parse_str(&text)?;
    embed_component_metadata(&mut module, &resolve, world, StringEncoding::UTF8, false)?;
    ComponentEncoder::default()
        .module(&module)?
        .validate(true)
        .encode()
}

/// The name of the contract's interface, as components export it.
pub(super) fn exported(
    resolve: &Resolve,
    package: PackageId,
    name: &str,
) -> anyhow::Result<String> {
    let package = resolve.packages.get(package).context("no such package")?;
    Ok(package.name.interface_id(name))
}
