//! What a point's parameters are made of.

use anyhow::{Context as _, bail, ensure};
use serde::Serialize;
use wit_parser::{InterfaceId, Resolve, Type, TypeDef, TypeDefKind, TypeId, TypeOwner};

/// What every point is told first and stays as it is while an instance lives, and what it is told as, once.
pub(super) const ONCE: &[(&str, &str)] = &[
    ("context-session-id", "session-id"),
    ("context-agent", "agent"),
];

/// A parameter of a point, or a field of a record in one.
#[derive(Debug, Serialize)]
pub(super) struct Param {
    /// Its name.
    name: String,
    /// How it is passed; a parameter that is not read is not.
    #[serde(flatten)]
    passed: Option<Passed>,
}

impl Param {
    /// One that is not read.
    pub(super) fn unread(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            passed: None,
        }
    }

    /// Whether it is passed.
    pub(super) fn is_passed(&self) -> bool {
        self.passed.is_some()
    }
}

/// How a parameter or a field is passed.
#[derive(Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Passed {
    /// As a parameter of its own: which one, from 0.
    At(usize),
    /// Once, when the instance is first called in the session: as which of what it is then told.
    Once(&'static str),
    /// Field by field.
    Record(Record),
}

/// A record that is passed field by field.
#[derive(Debug, Serialize)]
struct Record {
    /// Its name.
    name: String,
    /// The interface that has it.
    interface: String,
    /// Its fields, in their order.
    fields: Vec<Param>,
}

/// The flat parameters of a point.
pub(super) struct Flattening<'a> {
    /// The contract, to which may be added what they need.
    pub(super) resolve: &'a mut Resolve,
    /// The point's interface.
    pub(super) interface: InterfaceId,
    /// Whether what stays as it is for a whole session is told once.
    pub(super) once: bool,
    /// How many of those have been taken.
    pub(super) told: usize,
    /// Their names and types.
    pub(super) flat: Vec<(String, Type)>,
}

impl Flattening<'_> {
    /// Takes a parameter.
    pub(super) fn take(&mut self, name: &str, ty: Type) -> anyhow::Result<Param> {
        self.field(name, name, ty)
    }

    fn field(&mut self, name: &str, path: &str, ty: Type) -> anyhow::Result<Param> {
        let known = ONCE.iter().find(|(known, _)| self.once && *known == path);
        let passed = match (known, record(self.resolve, ty)) {
            (Some((_, told)), _) => {
                // They come first, so that the adapter knows where they are.
                let next = ONCE.get(self.told).map(|(path, _)| *path);
                ensure!(
                    next == Some(path) && self.flat.is_empty(),
                    "`{path}` is in another place"
                );
                self.told += 1;
                Passed::Once(told)
            }
            (None, Some((id, fields))) => Passed::Record(self.record(path, id, fields)?),
            (None, None) => {
                let ty = usable(self.resolve, self.interface, ty);
                let ty = ty.with_context(|| format!("`{path}`"))?;
                self.flat.push((path.to_owned(), ty));
                Passed::At(self.flat.len() - 1)
            }
        };
        Ok(Param {
            name: name.to_owned(),
            passed: Some(passed),
        })
    }

    fn record(
        &mut self,
        path: &str,
        id: TypeId,
        fields: Vec<(String, Type)>,
    ) -> anyhow::Result<Record> {
        let fields = fields
            .into_iter()
            .map(|(name, ty)| self.field(&name, &format!("{path}-{name}"), ty))
            .collect::<anyhow::Result<_>>()?;
        let (interface, name) = place(self.resolve, id).context("a record without a name")?;
        Ok(Record {
            name,
            interface,
            fields,
        })
    }
}

/// The record that a type is, if it is one, and its fields.
fn record(resolve: &Resolve, ty: Type) -> Option<(TypeId, Vec<(String, Type)>)> {
    let Type::Id(id) = ty else { return None };
    match &resolve.types.get(id)?.kind {
        TypeDefKind::Type(of) => record(resolve, *of),
        TypeDefKind::Record(record) => {
            let fields = record.fields.iter();
            let fields = fields.map(|field| (field.name.clone(), field.ty));
            Some((id, fields.collect()))
        }
        _ => None,
    }
}

/// The names of the interface that has a type, and of the type.
fn place(resolve: &Resolve, id: TypeId) -> Option<(String, String)> {
    let def = resolve.types.get(id)?;
    let TypeOwner::Interface(owner) = def.owner else {
        return None;
    };
    let interface = resolve.interfaces.get(owner)?.name.clone()?;
    Some((interface, def.name.clone()?))
}

/// The type as a function of the interface can name it: one of another interface has to be used first.
fn usable(resolve: &mut Resolve, interface: InterfaceId, ty: Type) -> anyhow::Result<Type> {
    let Type::Id(id) = ty else { return Ok(ty) };
    let def = resolve.types.get(id).context("an unknown type")?;
    let here = TypeOwner::Interface(interface);
    match &def.name {
        Some(_) if def.owner == here => Ok(ty),
        None if nameless(resolve, here, id) => Ok(ty),
        None => bail!("what is made of another interface's types cannot be passed by itself"),
        Some(name) => {
            let used = TypeDef {
                name: Some(name.clone()),
                kind: TypeDefKind::Type(ty),
                owner: here,
                docs: def.docs.clone(),
                stability: def.stability.clone(),
                span: def.span,
                external_id: None,
            };
            let name = name.clone();
            let known = resolve.interfaces.get(interface);
            if let Some(known) = known.and_then(|interface| interface.types.get(&name)) {
                return Ok(Type::Id(*known));
            }
            let used = resolve.types.alloc(used);
            if let Some(interface) = resolve.interfaces.get_mut(interface) {
                interface.types.insert(name, used);
            }
            Ok(Type::Id(used))
        }
    }
}

/// Whether a type without a name is made of such types alone as need none, or are the interface's own.
fn nameless(resolve: &Resolve, here: TypeOwner, id: TypeId) -> bool {
    let is = |ty: &Type| match ty {
        Type::Id(id) => nameless(resolve, here, *id),
        _ => true,
    };
    match resolve.types.get(id).map(|def| (&def.name, &def.kind)) {
        Some((Some(_), _)) => resolve.types.get(id).is_some_and(|def| def.owner == here),
        Some((None, TypeDefKind::Option(ty) | TypeDefKind::List(ty))) => is(ty),
        Some((None, TypeDefKind::Tuple(tuple))) => tuple.types.iter().all(is),
        _ => false,
    }
}
