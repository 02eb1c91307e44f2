//! The layout of values in memory, by the component model's canonical ABI.

use std::fmt::Write;

use wit_parser::{Int, SizeAlign, Type, TypeDefKind, TypeId, Variant};

use super::names::exported;
use super::types::{all, fields, go, name, pointer};
use super::{HEAD, kind};
use crate::contract::Contract;

/// Sizes and offsets in memory.
pub(super) struct Layout(SizeAlign);

impl Layout {
    pub(super) fn new(contract: &Contract<'_>) -> Self {
        let mut sizes = SizeAlign::default();
        sizes
            .fill(contract.resolve)
            .unwrap_or_else(|cause| panic!("the contract's types have sizes: {cause:#}"));
        Self(sizes)
    }

    pub(super) fn size(&self, ty: Type) -> usize {
        self.0.size(&ty).size_wasm32()
    }

    fn payload(&self, variant: &Variant) -> usize {
        let cases = variant.cases.iter().map(|case| case.ty.as_ref());
        self.0.payload_offset(variant.tag(), cases).size_wasm32()
    }

    pub(super) fn offsets(&self, types: &[Type]) -> Vec<usize> {
        let offsets = self.0.field_offsets(types.iter()).into_iter();
        offsets.map(|(offset, _)| offset.size_wasm32()).collect()
    }

    /// Returns the offset of an option's value: after one byte, aligned.
    pub(super) fn some(&self, ty: Type) -> usize {
        self.0.align(&ty).align_wasm32()
    }

    /// Returns the offset of a result's value or error.
    pub(super) fn result(&self, ok: Option<Type>, err: Option<Type>) -> usize {
        let cases = [ok.as_ref(), err.as_ref()];
        self.0.payload_offset(Int::U8, cases).size_wasm32()
    }
}

/// Returns the functions that read and write the contract's types.
pub(super) fn types(contract: &Contract<'_>) -> String {
    let mut out =
        format!("{HEAD}\npackage wire\n\nimport (\n\t\"unsafe\"\n\n\t\"portcullis/contract\"\n)\n");
    let writer = Writer {
        contract,
        layout: &Layout::new(contract),
        from: "",
    };
    for id in all(contract) {
        writer.definition(id, &mut out);
    }
    out
}

/// Writes expressions that read and write values.
pub(super) struct Writer<'a> {
    pub(super) contract: &'a Contract<'a>,
    pub(super) layout: &'a Layout,
    /// The prefix of the names of package `wire`.
    pub(super) from: &'static str,
}

impl Writer<'_> {
    fn go(&self, ty: Type) -> String {
        go(self.contract, ty, "contract.")
    }

    /// Returns the function that reads a value of this type at an address.
    pub(super) fn lift(&self, ty: Type) -> String {
        let Self { from, layout, .. } = self;
        match (ty, kind(self.contract, ty)) {
            (Type::Id(_), Some(TypeDefKind::List(Type::U8))) => format!("{from}Bytes"),
            (Type::Id(_), Some(TypeDefKind::List(of))) => {
                format!("{from}ListOf({}, {})", layout.size(*of), self.lift(*of))
            }
            (Type::Id(_), Some(TypeDefKind::Option(of))) => {
                let function = if pointer(self.contract, *of).is_empty() {
                    "Nilable"
                } else {
                    "OptionOf"
                };
                format!("{from}{function}({}, {})", layout.some(*of), self.lift(*of))
            }
            (Type::Id(_), Some(TypeDefKind::Tuple(tuple))) => {
                let size = tuple.types.first().map_or(0, |ty| layout.size(*ty));
                let lift = tuple
                    .types
                    .first()
                    .map_or_else(String::new, |ty| self.lift(*ty));
                assert_eq!(tuple.types.len(), 2, "tuples of a type are pairs");
                format!("{from}PairOf({size}, {lift})")
            }
            (Type::Id(_), _) => format!("{from}Lift{}", self.named(ty)),
            (plain, _) => format!("{from}{}", plain_name(plain)),
        }
    }

    /// Returns the function that writes a value of this type to an address.
    pub(super) fn lower(&self, ty: Type) -> String {
        let Self { from, layout, .. } = self;
        match (ty, kind(self.contract, ty)) {
            (Type::Id(_), Some(TypeDefKind::List(Type::U8))) => format!("{from}PutBytes"),
            (Type::Id(_), Some(TypeDefKind::List(of))) => {
                format!("{from}PutListOf({}, {})", layout.size(*of), self.lower(*of))
            }
            (Type::Id(_), Some(TypeDefKind::Option(of))) => {
                let function = match kind(self.contract, *of) {
                    Some(TypeDefKind::Variant(_)) => "PutNilable",
                    Some(TypeDefKind::List(_)) => "PutNilableList",
                    _ => "PutOptionOf",
                };
                format!(
                    "{from}{function}({}, {})",
                    layout.some(*of),
                    self.lower(*of)
                )
            }
            (Type::Id(_), Some(TypeDefKind::Tuple(tuple))) => {
                let size = tuple.types.first().map_or(0, |ty| layout.size(*ty));
                let lower = tuple
                    .types
                    .first()
                    .map_or_else(String::new, |ty| self.lower(*ty));
                format!("{from}PutPairOf({size}, {lower})")
            }
            (Type::Id(_), _) => format!("{from}Lower{}", self.named(ty)),
            (plain, _) => format!("{from}Put{}", plain_name(plain)),
        }
    }

    fn named(&self, ty: Type) -> String {
        match ty {
            Type::Id(mut id) => {
                while let TypeDefKind::Type(Type::Id(of)) = self.contract.resolve.types[id].kind {
                    id = of;
                }
                name(self.contract, id)
            }
            _ => String::new(),
        }
    }

    fn definition(&self, id: TypeId, out: &mut String) {
        let def = &self.contract.resolve.types[id];
        let name = name(self.contract, id);
        match &def.kind {
            TypeDefKind::Record(record) => {
                let types: Vec<Type> = record.fields.iter().map(|field| field.ty).collect();
                let fields: Vec<_> = record
                    .fields
                    .iter()
                    .zip(self.layout.offsets(&types))
                    .map(|(field, offset)| (exported(&field.name), field.ty, offset))
                    .collect();
                let _ = writeln!(
                    out,
                    "\n// Lift{name} reads one.\nfunc Lift{name}(p unsafe.Pointer) (v contract.{name}) {{"
                );
                for (field, ty, offset) in &fields {
                    let _ = writeln!(
                        out,
                        "\tv.{field} = {}(unsafe.Add(p, {offset}))",
                        self.lift(*ty)
                    );
                }
                let _ = writeln!(
                    out,
                    "\treturn v\n}}\n\n// Lower{name} writes one.\nfunc Lower{name}(a *Args, p unsafe.Pointer, v contract.{name}) {{"
                );
                for (field, ty, offset) in &fields {
                    let _ = writeln!(
                        out,
                        "\t{}(a, unsafe.Add(p, {offset}), v.{field})",
                        self.lower(*ty)
                    );
                }
                out.push_str("}\n");
            }
            TypeDefKind::Enum(_) => {
                let _ = writeln!(
                    out,
                    "\n// Lift{name} reads one.\nfunc Lift{name}(p unsafe.Pointer) contract.{name} {{\n\
                     \treturn contract.{name}(U8(p))\n}}\n\n\
                     // Lower{name} writes one.\nfunc Lower{name}(a *Args, p unsafe.Pointer, v contract.{name}) {{\n\
                     \tPutU8(a, p, uint8(v))\n}}"
                );
            }
            TypeDefKind::Variant(variant) => self.variant(&name, variant, out),
            _ => {}
        }
    }

    fn variant(&self, name: &str, variant: &Variant, out: &mut String) {
        let payload = self.layout.payload(variant);
        let _ = writeln!(
            out,
            "\n// Lift{name} reads one.\nfunc Lift{name}(p unsafe.Pointer) contract.{name} {{\n\tswitch U8(p) {{"
        );
        for (number, case) in variant.cases.iter().enumerate() {
            let of = format!("contract.{name}{}", exported(&case.name));
            let value = match (case.ty, fields(self.contract, case)) {
                (None, _) => format!("{of}{{}}"),
                (Some(_), Some(fields)) => {
                    let types: Vec<Type> = fields.iter().map(|(_, ty)| *ty).collect();
                    let fields = fields.iter().zip(self.layout.offsets(&types));
                    let fields: Vec<_> = fields
                        .map(|((field, ty), at)| {
                            format!(
                                "{field}: {}(unsafe.Add(p, {}))",
                                self.lift(*ty),
                                payload + at
                            )
                        })
                        .collect();
                    format!("{of}{{{}}}", fields.join(", "))
                }
                (Some(ty), None) => format!("{of}({}(unsafe.Add(p, {payload})))", self.lift(ty)),
            };
            let _ = writeln!(out, "\tcase {number}:\n\t\treturn {value}");
        }
        let _ = writeln!(
            out,
            "\t}}\n\tpanic(\"the host gave an unknown {name}\")\n}}\n\n\
             // Lower{name} writes one.\nfunc Lower{name}(a *Args, p unsafe.Pointer, v contract.{name}) {{\n\
             \tswitch v := v.(type) {{"
        );
        for (number, case) in variant.cases.iter().enumerate() {
            let _ = writeln!(
                out,
                "\tcase contract.{name}{}:\n\t\tPutU8(a, p, {number})",
                exported(&case.name)
            );
            match (case.ty, fields(self.contract, case)) {
                (None, _) => {}
                (Some(_), Some(fields)) => {
                    let types: Vec<Type> = fields.iter().map(|(_, ty)| *ty).collect();
                    for ((field, ty), at) in fields.iter().zip(self.layout.offsets(&types)) {
                        let lower = self.lower(*ty);
                        let _ = writeln!(
                            out,
                            "\t\t{lower}(a, unsafe.Add(p, {}), v.{field})",
                            payload + at
                        );
                    }
                }
                (Some(ty), None) => {
                    let lower = self.lower(ty);
                    let _ = writeln!(
                        out,
                        "\t\t{lower}(a, unsafe.Add(p, {payload}), {}(v))",
                        self.conversion(ty)
                    );
                }
            }
        }
        let _ = writeln!(out, "\tdefault:\n\t\tMissing(\"{name}\")\n\t}}\n}}");
    }

    fn conversion(&self, ty: Type) -> String {
        let ty = self.go(ty);
        match ty.starts_with('[') || ty.starts_with('*') {
            true => format!("({ty})"),
            false => ty,
        }
    }
}

fn plain_name(ty: Type) -> &'static str {
    match ty {
        Type::Bool => "Bool",
        Type::U8 => "U8",
        Type::U16 => "U16",
        Type::U32 => "U32",
        Type::U64 => "U64",
        Type::S8 => "S8",
        Type::S16 => "S16",
        Type::S32 => "S32",
        Type::S64 => "S64",
        Type::F32 => "F32",
        Type::F64 => "F64",
        Type::Char => "Char",
        Type::String => "String",
        Type::ErrorContext | Type::Id(_) => "",
    }
}
