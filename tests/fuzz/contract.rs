//! The contract, read from `wit/`.

use anyhow::Context as _;
use portcullis::points::PointId;
use portcullis_tests::root;
use wit_parser::{Resolve, SizeAlign, Type, TypeDefKind, WorldId};

use crate::value::payloads;

/// The parsed content of `wit/`.
pub struct Contract {
    pub resolve: Resolve,
    /// The world that exports every point.
    pub world: WorldId,
    pub sizes: SizeAlign,
    /// The functions that give an answer, over all points, or report a failure.
    pub answers: Vec<Answer>,
    /// The result type of `describe`.
    pub descriptor: Type,
}

/// A function that a hook calls to answer.
pub struct Answer {
    /// The point that it answers at, or `None` for a failure, which may happen at every point.
    pub point: Option<PointId>,
    /// The interface that contains it, such as `pre-turn-answer`.
    pub interface: String,
    /// The function's name, such as `reject`.
    pub name: String,
    pub parameters: Vec<(String, Type)>,
}

impl Answer {
    /// Returns whether it contributes, and so may be called more than once.
    pub fn adds(&self) -> bool {
        self.name.starts_with("add-")
    }

    /// Returns the name of its outcome.
    pub fn outcome(&self) -> &str {
        match self.point {
            _ if self.adds() => "contribute",
            Some(PointId::LlmError) => "replace",
            _ => &self.name,
        }
    }
}

impl Contract {
    /// Reads the contract.
    pub fn read() -> anyhow::Result<Self> {
        let mut resolve = Resolve::default();
        let (package, _) = resolve.push_dir(root().join("wit"))?;
        let world = resolve.select_world(&[package], Some("everything"))?;
        let mut sizes = SizeAlign::default();
        sizes.fill(&resolve)?;
        let interface = |name: &str| {
            let id = resolve.packages[package].interfaces.get(name)?;
            Some(&resolve.interfaces[*id])
        };
        let mut answers = Vec::new();
        let points = PointId::ALL.iter().map(|point| Some(*point)).chain([None]);
        for point in points {
            let name = point.map_or("failure".into(), |point| format!("{point}-answer"));
            let functions = interface(&name)
                .into_iter()
                .flat_map(|it| it.functions.values());
            answers.extend(functions.map(|function| {
                Answer {
                    point,
                    interface: name.clone(),
                    name: function.name.clone(),
                    parameters: function
                        .params
                        .iter()
                        .map(|param| (param.name.clone(), param.ty))
                        .collect(),
                }
            }));
        }
        let descriptor = interface("describe")
            .and_then(|describe| describe.functions.get("describe")?.result)
            .context("`describe` has no `describe` that gives anything")?;
        Ok(Self {
            resolve,
            world,
            sizes,
            answers,
            descriptor,
        })
    }

    /// Returns the answers of a point, each with its index among all answers.
    pub fn at(&self, point: PointId) -> impl Iterator<Item = (usize, &Answer)> {
        let all = self.answers.iter().enumerate();
        all.filter(move |(_, answer)| answer.point == Some(point))
    }

    /// Returns the full name of an interface.
    pub fn full_name(&self, interface: &str) -> String {
        let package = self.resolve.worlds[self.world].package;
        let package = package.expect("the world is in a package");
        self.resolve.packages[package].name.interface_id(interface)
    }
}

/// Returns the number of core values that a value of a type is passed as.
pub fn flat_count(resolve: &Resolve, ty: &Type) -> usize {
    let Type::Id(id) = ty else {
        return if *ty == Type::String { 2 } else { 1 };
    };
    let count = |ty: &Type| flat_count(resolve, ty);
    match &resolve.types[*id].kind {
        TypeDefKind::Type(ty) => count(ty),
        TypeDefKind::List(_) => 2,
        TypeDefKind::Record(record) => record.fields.iter().map(|field| count(&field.ty)).sum(),
        TypeDefKind::Tuple(tuple) => tuple.types.iter().map(count).sum(),
        kind => {
            let payloads = payloads(kind);
            1 + payloads.iter().flatten().map(count).max().unwrap_or(0)
        }
    }
}
