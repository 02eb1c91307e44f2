//! An adapter and a hook's flat component, put together.

use anyhow::Context as _;
use wac_graph::types::Package;
use wac_graph::{CompositionGraph, EncodeOptions};

use super::{Flat, SESSION, adapter};

/// What every hook exports beside its points, flat or not.
const DESCRIBE: &str = "describe";

/// The hook.
pub(super) fn hook(flat: &Flat<'_>, component: Vec<u8>) -> anyhow::Result<Vec<u8>> {
    let (resolve, contract) = flat.contract.resolve();
    let mut graph = CompositionGraph::new();
    let made = Package::from_bytes("portcullis:made", None, component, graph.types_mut())?;
    let made = graph.register_package(made)?;
    let made = graph.instantiate(made);
    let describe = adapter::exported(resolve, contract, DESCRIBE)?;
    let describes = graph
        .alias_instance_export(made, &describe)
        .context("it describes no hook")?;
    graph.export(describes, describe)?;
    let points: Vec<&str> = flat.points.keys().map(String::as_str).collect();
    let adapter = adapter::component(flat, &points).context("it cannot be adapted")?;
    let adapter = Package::from_bytes("portcullis:adapter", None, adapter, graph.types_mut())?;
    let adapter = graph.register_package(adapter)?;
    let adapter = graph.instantiate(adapter);
    let imports = points.iter().copied().chain([SESSION]);
    for name in imports {
        let exported = adapter::exported(resolve, contract, name)?;
        let handler = graph
            .alias_instance_export(made, &exported)
            .with_context(|| format!("it does not export `{exported}`"))?;
        graph
            .set_instantiation_argument(adapter, &adapter::imported(name), handler)
            .with_context(|| format!("`{exported}` was not made against the flat contract"))?;
    }
    for point in points {
        let exported = adapter::exported(resolve, contract, point)?;
        let handler = graph.alias_instance_export(adapter, &exported)?;
        graph.export(handler, exported)?;
    }
    Ok(graph.encode(EncodeOptions::default())?)
}
