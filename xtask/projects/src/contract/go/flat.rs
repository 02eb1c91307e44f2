//! Arguments of imported functions: numbers, by the component model's canonical ABI.

use std::fmt::Write;

use wit_parser::{Type, TypeDefKind};

use super::kind;
use super::names::exported;
use super::types::{fields, pointer};
use super::wire::Writer;

/// The maximum number of parameters. A function with more is given the address of all its
/// arguments.
pub(super) const MOST: usize = 16;

/// The statements that convert arguments to numbers.
#[derive(Default)]
pub(super) struct Flat {
    pub(super) statements: String,
    names: usize,
}

/// Returns the Go types of a value's numbers.
pub(super) fn types(writer: &Writer<'_>, ty: Type) -> Vec<&'static str> {
    match (ty, kind(writer.contract, ty)) {
        (Type::String, _) => vec!["uint32"; 2],
        (Type::U64 | Type::S64, _) => vec!["uint64"],
        (Type::F64, _) => vec!["float64"],
        (Type::F32, _) => vec!["float32"],
        (Type::Id(_), Some(TypeDefKind::List(_))) => vec!["uint32"; 2],
        (Type::Id(_), Some(TypeDefKind::Option(of))) => {
            [vec!["uint32"], types(writer, *of)].concat()
        }
        (Type::Id(_), Some(TypeDefKind::Record(record))) => record
            .fields
            .iter()
            .flat_map(|field| types(writer, field.ty))
            .collect(),
        (Type::Id(_), Some(TypeDefKind::Tuple(tuple))) => tuple
            .types
            .iter()
            .flat_map(|ty| types(writer, *ty))
            .collect(),
        (Type::Id(_), Some(TypeDefKind::Variant(variant))) => {
            let mut joined: Vec<&str> = Vec::new();
            for case in &variant.cases {
                let own = case.ty.map_or_else(Vec::new, |ty| types(writer, ty));
                for (at, ty) in own.into_iter().enumerate() {
                    match joined.get(at) {
                        None => joined.push(ty),
                        Some(there) => assert_eq!(*there, ty, "cases have numbers of one type"),
                    }
                }
            }
            [vec!["uint32"], joined].concat()
        }
        _ => vec!["uint32"],
    }
}

impl Flat {
    fn fresh(&mut self) -> String {
        self.names += 1;
        format!("n{}", self.names)
    }

    /// Returns the expressions of a value's numbers.
    pub(super) fn lower(&mut self, writer: &Writer<'_>, ty: Type, value: &str) -> Vec<String> {
        match (ty, kind(writer.contract, ty)) {
            (Type::Bool, _) => vec![format!("wire.FromBool({value})")],
            (Type::String, _) => self.pair(&format!("a.String({value})")),
            (Type::U64 | Type::S64, _) => vec![format!("uint64({value})")],
            (Type::F64 | Type::F32, _) => vec![value.to_owned()],
            (Type::Id(_), Some(TypeDefKind::List(Type::U8))) => {
                self.pair(&format!("a.Bytes({value})"))
            }
            (Type::Id(_), Some(TypeDefKind::List(of))) => {
                let (size, lower) = (writer.layout.size(*of), writer.lower(*of));
                self.pair(&format!("wire.List(a, {value}, {size}, {lower})"))
            }
            (Type::Id(_), Some(TypeDefKind::Option(of))) => {
                let names = self.declare(&types(writer, ty));
                let _ = writeln!(
                    self.statements,
                    "\tif {value} != nil {{\n\t{} = 1",
                    names[0]
                );
                let inner = format!("{}{value}", pointer(writer.contract, *of));
                let inner = match inner.starts_with('*') && is_record(writer, *of) {
                    true => value.to_owned(),
                    false => inner,
                };
                let numbers = self.lower(writer, *of, &inner);
                self.assign(&names[1..], &numbers);
                self.statements.push_str("\t}\n");
                names
            }
            (Type::Id(_), Some(TypeDefKind::Record(record))) => record
                .fields
                .iter()
                .flat_map(|field| {
                    self.lower(
                        writer,
                        field.ty,
                        &format!("{value}.{}", exported(&field.name)),
                    )
                })
                .collect(),
            (Type::Id(_), Some(TypeDefKind::Variant(variant))) => {
                let name = super::types::go(writer.contract, ty, "contract.");
                let names = self.declare(&types(writer, ty));
                let _ = writeln!(self.statements, "\tswitch v := {value}.(type) {{");
                for (number, case) in variant.cases.iter().enumerate() {
                    let _ = writeln!(
                        self.statements,
                        "\tcase {name}{}:\n\t{} = {number}",
                        exported(&case.name),
                        names[0]
                    );
                    assert!(
                        fields(writer.contract, case).is_none(),
                        "a parameter's case holds one value"
                    );
                    if let Some(ty) = case.ty {
                        let inner =
                            format!("{}(v)", super::types::go(writer.contract, ty, "contract."));
                        let numbers = self.lower(writer, ty, &inner);
                        self.assign(&names[1..], &numbers);
                    }
                }
                let _ = writeln!(
                    self.statements,
                    "\tdefault:\n\twire.Missing(\"{}\")\n\t}}",
                    name.trim_start_matches("contract.")
                );
                names
            }
            (Type::Id(_), Some(TypeDefKind::Tuple(_))) => panic!("no parameter is a tuple"),
            _ => vec![format!("uint32({value})")],
        }
    }

    fn pair(&mut self, value: &str) -> Vec<String> {
        let names = vec![self.fresh(), self.fresh()];
        let _ = writeln!(self.statements, "\t{} := {value}", names.join(", "));
        names
    }

    fn declare(&mut self, types: &[&str]) -> Vec<String> {
        types
            .iter()
            .map(|ty| {
                let name = self.fresh();
                let _ = writeln!(self.statements, "\tvar {name} {ty}");
                name
            })
            .collect()
    }

    fn assign(&mut self, names: &[String], numbers: &[String]) {
        if let Some(names) = names.get(..numbers.len())
            && !numbers.is_empty()
        {
            let _ = writeln!(
                self.statements,
                "\t{} = {}",
                names.join(", "),
                numbers.join(", ")
            );
        }
    }
}

/// Returns whether the type's fields are read through a pointer.
fn is_record(writer: &Writer<'_>, ty: Type) -> bool {
    matches!(kind(writer.contract, ty), Some(TypeDefKind::Record(_)))
}
