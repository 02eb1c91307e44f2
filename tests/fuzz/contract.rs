//! The contract, read from `wit/`.

use anyhow::Context as _;
use portcullis::points::PointId;
use portcullis_tests::root;
use wit_parser::{Resolve, SizeAlign, Type, WorldId, WorldItem};

/// What `wit/` says.
pub struct Contract {
    pub resolve: Resolve,
    /// The world that exports every point.
    pub world: WorldId,
    pub sizes: SizeAlign,
    /// What each point's function gives back, in the order of [`PointId::ALL`].
    results: Vec<Type>,
    /// What `describe` gives back.
    pub descriptor: Type,
}

impl Contract {
    /// Reads it.
    pub fn read() -> anyhow::Result<Self> {
        let mut resolve = Resolve::default();
        let (package, _) = resolve.push_dir(root().join("wit"))?;
        let world = resolve.select_world(&[package], Some("everything"))?;
        let mut sizes = SizeAlign::default();
        sizes.fill(&resolve)?;
        let result = |interface: &str, function: &str| {
            let exports = resolve.worlds[world].exports.values();
            let mut interfaces = exports.filter_map(|item| match item {
                WorldItem::Interface { id, .. } => Some(&resolve.interfaces[*id]),
                _ => None,
            });
            interfaces
                .find(|found| found.name.as_deref() == Some(interface))
                .and_then(|found| found.functions.get(function)?.result)
                .with_context(|| format!("`{interface}` has no `{function}` that gives anything"))
        };
        let results = PointId::ALL
            .iter()
            .map(|point| result(point.name(), "handle"))
            .collect::<anyhow::Result<_>>()?;
        let descriptor = result("describe", "describe")?;
        Ok(Self {
            resolve,
            world,
            sizes,
            results,
            descriptor,
        })
    }

    /// What a point's function gives back: `result<outcome, hook-error>`.
    pub fn result(&self, point: PointId) -> Type {
        self.results[point as usize]
    }

    /// What a hook answers at a point.
    pub fn outcome(&self, point: PointId) -> Type {
        match self.result(point) {
            Type::Id(id) => match &self.resolve.types[id].kind {
                wit_parser::TypeDefKind::Result(result) => result.ok.expect("an outcome"),
                kind => unreachable!("{point} gives back a {}", kind.as_str()),
            },
            ty => unreachable!("{point} gives back {ty:?}"),
        }
    }

    /// Its name.
    pub fn case_name(&self, ty: &Type, case: usize) -> String {
        let Type::Id(id) = ty else {
            return String::new();
        };
        match &self.resolve.types[*id].kind {
            wit_parser::TypeDefKind::Type(ty) => self.case_name(ty, case),
            kind => crate::value::case_of(kind, case).0,
        }
    }
}
