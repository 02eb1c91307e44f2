//! The C names that wit-bindgen gives to types of the contract, and the form in which a language
//! may show them.

use heck::ToSnakeCase as _;
use wit_parser::{Resolve, Type, TypeDefKind};

/// A value that a function takes or returns.
pub(super) struct Value {
    /// Its type in C.
    pub(super) c: String,
    pub(super) kind: Kind,
}

/// The kind of a value.
pub(super) enum Kind {
    /// Text.
    Text,
    /// A number, a boolean or an enum: it is passed and returned by value.
    Scalar,
    /// A list of the elements with this C name, or of texts.
    List(String),
    /// A record or a variant.
    Record,
}

/// The types of one interface.
pub(super) struct Types<'a> {
    resolve: &'a Resolve,
    /// The interface's name in C.
    interface: String,
}

impl<'a> Types<'a> {
    pub(super) fn new(resolve: &'a Resolve, interface: String) -> Self {
        Self { resolve, interface }
    }

    /// Returns the facts about a value of a type.
    pub(super) fn value(&self, ty: Type) -> Value {
        let kind = match (self.element_type(ty), ty) {
            (Some(element), _) => Kind::List(self.name(element)),
            (None, Type::String) => Kind::Text,
            (None, _) if self.is_scalar(ty) => Kind::Scalar,
            (None, _) => Kind::Record,
        };
        Value {
            c: self.name(ty),
            kind,
        }
    }

    /// Returns a type's name in C.
    fn name(&self, ty: Type) -> String {
        match ty {
            Type::Bool => "bool".to_owned(),
            Type::F32 => "float".to_owned(),
            Type::F64 => "double".to_owned(),
            Type::Char => "uint32_t".to_owned(),
            Type::String => "pc_string_t".to_owned(),
            Type::U8 | Type::U16 | Type::U32 | Type::U64 => {
                format!("uint{}_t", self.plain(ty).trim_start_matches('u'))
            }
            Type::S8 | Type::S16 | Type::S32 | Type::S64 => {
                format!("int{}_t", self.plain(ty).trim_start_matches('s'))
            }
            _ => match (self.kind(ty), self.element_type(ty)) {
                (Some(_), Some(element @ Type::Id(_))) => {
                    format!("{}_list_{}_t", self.interface, self.plain(element))
                }
                (_, Some(element)) => format!("hook_list_{}_t", self.plain(element)),
                _ => format!("{}_{}_t", self.interface, self.plain(ty)),
            },
        }
    }

    /// Returns a type's name as it is part of other names.
    pub(super) fn plain(&self, ty: Type) -> String {
        match ty {
            Type::Bool => "bool".to_owned(),
            Type::U8 => "u8".to_owned(),
            Type::U16 => "u16".to_owned(),
            Type::U32 => "u32".to_owned(),
            Type::U64 => "u64".to_owned(),
            Type::S8 => "s8".to_owned(),
            Type::S16 => "s16".to_owned(),
            Type::S32 => "s32".to_owned(),
            Type::S64 => "s64".to_owned(),
            Type::F32 => "f32".to_owned(),
            Type::F64 => "f64".to_owned(),
            Type::Char => "char".to_owned(),
            Type::String => "string".to_owned(),
            Type::ErrorContext => "error_context".to_owned(),
            Type::Id(id) => self
                .resolve
                .types
                .get(id)
                .and_then(|def| def.name.as_deref())
                .unwrap_or_default()
                .to_snake_case(),
        }
    }

    fn is_scalar(&self, ty: Type) -> bool {
        match ty {
            Type::String => false,
            Type::Id(_) => matches!(self.kind(ty), Some(TypeDefKind::Enum(_))),
            _ => true,
        }
    }

    /// Returns the type in an option.
    pub(super) fn option(&self, ty: Type) -> Option<Type> {
        match self.kind(ty)? {
            TypeDefKind::Option(some) => Some(*some),
            _ => None,
        }
    }

    fn element_type(&self, ty: Type) -> Option<Type> {
        match self.kind(ty)? {
            TypeDefKind::List(element) => Some(*element),
            _ => None,
        }
    }

    /// Returns the kind of a defined type, with its aliases resolved.
    fn kind(&self, ty: Type) -> Option<&'a TypeDefKind> {
        let Type::Id(id) = ty else { return None };
        match &self.resolve.types.get(id)?.kind {
            TypeDefKind::Type(other) => self.kind(*other),
            kind => Some(kind),
        }
    }
}
