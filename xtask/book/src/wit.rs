//! The contract in `wit/`, and its form in the book.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::Context as _;
use wit_parser::{Function, Interface, Resolve, Type, TypeDef, TypeDefKind, TypeId, TypeOwner};

use crate::text::cell;

/// The contract.
#[derive(Debug)]
pub(crate) struct Contract {
    resolve: Resolve,
}

/// A field of a record or a case of a variant.
#[derive(Debug)]
pub(crate) struct Member<'a> {
    pub(crate) name: &'a str,
    pub(crate) holds: Option<Type>,
    pub(crate) docs: String,
}

impl Contract {
    pub(crate) fn read(root: &Path) -> anyhow::Result<Self> {
        let mut resolve = Resolve::default();
        resolve.push_dir(root.join("wit"))?;
        Ok(Self { resolve })
    }

    /// Returns an interface of the package itself.
    pub(crate) fn interface(&self, name: &str) -> anyhow::Result<&Interface> {
        let named = |(_, interface): &(_, &Interface)| {
            let package = interface.package.map(|id| &self.resolve.packages[id].name);
            interface.name.as_deref() == Some(name)
                && package.is_some_and(|package| package.namespace == "portcullis")
        };
        let mut interfaces = self.resolve.interfaces.iter();
        let found = interfaces.find(named).map(|(_, interface)| interface);
        found.with_context(|| format!("wit/ has no interface `{name}`"))
    }

    fn definition(&self, id: TypeId) -> &TypeDef {
        &self.resolve.types[id]
    }

    /// Returns a type's name, in the interface that defines it.
    pub(crate) fn named(&self, id: TypeId) -> Option<&str> {
        let definition = self.definition(id);
        match definition.kind {
            TypeDefKind::Type(Type::Id(of)) => self.named(of),
            _ => definition.name.as_deref(),
        }
    }

    /// Returns the types that an interface defines itself.
    pub(crate) fn own<'a>(
        &'a self,
        interface: &'a Interface,
    ) -> impl Iterator<Item = (&'a str, &'a TypeDef)> {
        let types = interface.types.iter();
        types
            .map(|(name, id)| (name.as_str(), self.definition(*id)))
            .filter(|(_, definition)| !matches!(definition.kind, TypeDefKind::Type(_)))
    }

    /// Returns a record's fields, or a variant's or an enum's cases.
    pub(crate) fn members<'a>(&'a self, definition: &'a TypeDef) -> Vec<Member<'a>> {
        match &definition.kind {
            TypeDefKind::Record(record) => {
                let fields = record.fields.iter();
                fields
                    .map(|field| member(&field.name, Some(field.ty), &field.docs))
                    .collect()
            }
            TypeDefKind::Variant(variant) => {
                let cases = variant.cases.iter();
                cases
                    .map(|case| member(&case.name, case.ty, &case.docs))
                    .collect()
            }
            TypeDefKind::Enum(names) => {
                let cases = names.cases.iter();
                cases
                    .map(|case| member(&case.name, None, &case.docs))
                    .collect()
            }
            _ => Vec::new(),
        }
    }

    /// Returns a type as WIT writes it.
    pub(crate) fn written(&self, ty: &Type) -> String {
        let Type::Id(id) = ty else {
            return primitive(ty).to_owned();
        };
        if let Some(name) = self.named(*id) {
            return name.to_owned();
        }
        let definition = self.definition(*id);
        let some = |ty: &Option<Type>| ty.as_ref().map_or("_".into(), |ty| self.written(ty));
        match &definition.kind {
            TypeDefKind::List(of) => format!("list<{}>", self.written(of)),
            TypeDefKind::Option(of) => format!("option<{}>", self.written(of)),
            TypeDefKind::Tuple(tuple) => {
                let types: Vec<_> = tuple.types.iter().map(|ty| self.written(ty)).collect();
                format!("tuple<{}>", types.join(", "))
            }
            TypeDefKind::Result(result) => match (&result.ok, &result.err) {
                (None, None) => "result".into(),
                (ok, None) => format!("result<{}>", some(ok)),
                (ok, err) => format!("result<{}, {}>", some(ok), some(err)),
            },
            TypeDefKind::Type(of) => self.written(of),
            other => other.as_str().to_owned(),
        }
    }

    /// Returns a type with a link to its description in the book. `types` is the page of the shared
    /// types, relative to the page that contains the link. Types of the interface itself are on the
    /// same page.
    pub(crate) fn linked(&self, ty: &Type, types: &str) -> String {
        let written = self.written(ty);
        match self.target(ty) {
            Some((name, true)) => format!("[`{written}`]({types}#{name})"),
            Some((name, false)) => format!("[`{written}`](#{name})"),
            None => format!("`{written}`"),
        }
    }

    /// Returns the first named type within a type, and whether it is a shared type.
    fn target(&self, ty: &Type) -> Option<(&str, bool)> {
        let Type::Id(id) = ty else { return None };
        let definition = self.definition(*id);
        match (&definition.name, &definition.kind) {
            (Some(_), TypeDefKind::Type(of)) => self.target(of),
            (Some(name), _) => {
                let TypeOwner::Interface(owner) = definition.owner else {
                    return None;
                };
                let owner = self.resolve.interfaces[owner].name.as_deref();
                Some((name, owner == Some("types")))
            }
            (None, TypeDefKind::List(of) | TypeDefKind::Option(of)) => self.target(of),
            (None, TypeDefKind::Tuple(tuple)) => tuple.types.iter().find_map(|ty| self.target(ty)),
            (None, TypeDefKind::Result(result)) => {
                let mut sides = [result.ok, result.err].into_iter().flatten();
                sides.find_map(|ty| self.target(&ty))
            }
            _ => None,
        }
    }

    /// Returns all types of an interface, each under a heading.
    pub(crate) fn types(&self, interface: &str, types: &str) -> anyhow::Result<String> {
        let interface = self.interface(interface)?;
        let mut text = String::new();
        for (name, definition) in self.own(interface) {
            let described = self.described(definition, types);
            let _ = write!(text, "### {name}\n\n{described}\n");
        }
        Ok(text)
    }

    /// Returns a type's description and its members.
    pub(crate) fn described(&self, definition: &TypeDef, types: &str) -> String {
        let docs = docs(&definition.docs);
        let (what, holds) = match definition.kind {
            TypeDefKind::Record(_) => ("field", "type"),
            _ => ("case", "carries"),
        };
        let members = self.members(definition);
        let carries = members.iter().any(|member| member.holds.is_some());
        let mut text = format!("{docs}\n\n");
        text += &match carries {
            true => format!("| {what} | {holds} | |\n| --- | --- | --- |\n"),
            false => format!("| {what} | |\n| --- | --- |\n"),
        };
        for member in members {
            let holds = member.holds.map(|ty| self.linked(&ty, types));
            let _ = match carries {
                true => writeln!(
                    text,
                    "| `{}` | {} | {} |",
                    member.name,
                    holds.unwrap_or_default(),
                    member.docs
                ),
                false => writeln!(text, "| `{}` | {} |", member.name, member.docs),
            };
        }
        text
    }

    /// Returns a function as WIT writes it.
    pub(crate) fn signature(&self, function: &Function) -> String {
        let params: Vec<String> = function
            .params
            .iter()
            .map(|param| format!("{}: {}", param.name, self.written(&param.ty)))
            .collect();
        let result = function.result.as_ref();
        let result = result.map_or(String::new(), |ty| format!(" -> {}", self.written(ty)));
        format!("{}: func({}){result}", function.name, params.join(", "))
    }
}

fn member<'a>(name: &'a str, holds: Option<Type>, of: &wit_parser::Docs) -> Member<'a> {
    Member {
        name,
        holds,
        docs: cell(&docs(of)),
    }
}

/// Returns a doc comment, or an empty text.
pub(crate) fn docs(docs: &wit_parser::Docs) -> String {
    docs.contents.clone().unwrap_or_default().trim().to_owned()
}

const fn primitive(ty: &Type) -> &'static str {
    match ty {
        Type::Bool => "bool",
        Type::U8 => "u8",
        Type::U16 => "u16",
        Type::U32 => "u32",
        Type::U64 => "u64",
        Type::S8 => "s8",
        Type::S16 => "s16",
        Type::S32 => "s32",
        Type::S64 => "s64",
        Type::F32 => "f32",
        Type::F64 => "f64",
        Type::Char => "char",
        Type::String => "string",
        Type::ErrorContext => "error-context",
        Type::Id(_) => "type",
    }
}
