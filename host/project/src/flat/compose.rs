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
    let exports = &graph.types()[made.ty()].exports;
    let mut points = Vec::new();
    for point in flat.points.keys() {
        let name = adapter::exported(resolve, contract, point)?;
        if exports.contains_key(&name) {
            points.push((point.as_str(), name));
        }
    }
    let made = graph.register_package(made)?;
    let made = graph.instantiate(made);
    let describe = adapter::exported(resolve, contract, DESCRIBE)?;
    let describes = graph
        .alias_instance_export(made, &describe)
        .context("it describes no hook")?;
    graph.export(describes, describe)?;
    if !points.is_empty() {
        let names: Vec<&str> = points.iter().map(|(point, _)| *point).collect();
        let adapter = adapter::component(flat, &names).context("it cannot be adapted")?;
        let adapter = Package::from_bytes("portcullis:adapter", None, adapter, graph.types_mut())?;
        let adapter = graph.register_package(adapter)?;
        let adapter = graph.instantiate(adapter);
        let session = adapter::exported(resolve, contract, SESSION)?;
        let told = graph.alias_instance_export(made, &session)?;
        graph.set_instantiation_argument(adapter, &adapter::imported(SESSION), told)?;
        for (point, name) in points {
            let handler = graph.alias_instance_export(made, &name)?;
            graph
                .set_instantiation_argument(adapter, &adapter::imported(point), handler)
                .with_context(|| format!("`{name}` was not made against the flat contract"))?;
            let handler = graph.alias_instance_export(adapter, &name)?;
            graph.export(handler, name)?;
        }
    }
    Ok(graph.encode(EncodeOptions::default())?)
}
