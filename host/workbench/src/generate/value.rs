//! A deserializer without input: it generates a value of the type.

use std::cell::Cell;

use serde::de::value::{Error, StrDeserializer};
use serde::de::{
    DeserializeOwned, DeserializeSeed, Deserializer, EnumAccess, Error as _, IntoDeserializer as _,
    MapAccess, SeqAccess, VariantAccess, Visitor,
};

use super::{Number, Shape};

/// Fields that hold the text of a JSON document.
const JSON: [&str; 3] = ["arguments", "data", "rules"];
/// Fields that hold an absolute path.
const PATHS: [&str; 2] = ["path", "working_dir"];
/// The field that holds the text of a JSON schema.
const SCHEMA: &str = "schema";

/// Generates a value of this shape. Returns it with the number of cases of its largest variant.
pub(super) fn value<T: DeserializeOwned>(shape: Shape) -> Result<(T, usize), Error> {
    let counts = Counts::default();
    let value = T::deserialize(Maker {
        shape,
        field: "value",
        counts: &counts,
    })?;
    Ok((value, counts.most_cases.get()))
}

#[derive(Default)]
struct Counts {
    variants: Cell<usize>,
    most_cases: Cell<usize>,
}

#[derive(Clone, Copy)]
struct Maker<'a> {
    shape: Shape,
    field: &'static str,
    counts: &'a Counts,
}

macro_rules! numbers {
    ($($method:ident, $visit:ident, $type:ty;)*) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            visitor.$visit(match self.shape.number {
                Number::Zero => 0,
                Number::One => 1,
                Number::Most => <$type>::MAX,
            })
        })*
    };
}

impl<'de> Deserializer<'de> for Maker<'_> {
    type Error = Error;

    numbers! {
        deserialize_i8, visit_i8, i8;
        deserialize_i16, visit_i16, i16;
        deserialize_i32, visit_i32, i32;
        deserialize_i64, visit_i64, i64;
        deserialize_u8, visit_u8, u8;
        deserialize_u16, visit_u16, u16;
        deserialize_u32, visit_u32, u32;
        deserialize_u64, visit_u64, u64;
    }

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Error> {
        Err(Error::custom("a type that does not describe itself"))
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_bool(self.shape.number == Number::Most)
    }

    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_f64(visitor)
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_f64(match self.shape.number {
            Number::Zero => 0.0,
            Number::One => 1.0,
            Number::Most => f64::MAX,
        })
    }

    fn deserialize_char<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_char('\u{10ffff}')
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_string(visitor)
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_string(if JSON.contains(&self.field) {
            self.shape.json(self.field)
        } else if self.field == SCHEMA {
            r#"{"type":"object"}"#.to_owned()
        } else if PATHS.contains(&self.field) {
            format!("/work/{}", self.shape.in_record(""))
        } else {
            self.shape.in_record(&self.field.replace('_', "-"))
        })
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.shape.some {
            true => visitor.visit_some(self),
            false => visitor.visit_none(),
        }
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_unit()
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_unit()
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let left = self.shape.items;
        visitor.visit_seq(Items { maker: self, left })
    }

    fn deserialize_tuple<V: Visitor<'de>>(
        self,
        left: usize,
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_seq(Items { maker: self, left })
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        len: usize,
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.deserialize_tuple(len, visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_map(Fields {
            maker: self,
            left: [].iter(),
            field: "",
        })
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_map(Fields {
            maker: self,
            left: fields.iter(),
            field: "",
        })
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        cases: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        let Counts {
            variants,
            most_cases,
        } = self.counts;
        most_cases.set(most_cases.get().max(cases.len()));
        let at = self.shape.case + variants.replace(variants.get() + 1);
        let case = cases.get(at % cases.len().max(1)).copied();
        let case = case.ok_or_else(|| Error::custom("a variant without cases"))?;
        visitor.visit_enum(Case { maker: self, case })
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_string(visitor)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_unit()
    }
}

struct Items<'a> {
    maker: Maker<'a>,
    left: usize,
}

impl<'de> SeqAccess<'de> for Items<'_> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Error> {
        let Some(left) = self.left.checked_sub(1) else {
            return Ok(None);
        };
        self.left = left;
        seed.deserialize(self.maker).map(Some)
    }
}

struct Fields<'a> {
    maker: Maker<'a>,
    left: std::slice::Iter<'static, &'static str>,
    field: &'static str,
}

impl<'de> MapAccess<'de> for Fields<'_> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Error> {
        let Some(field) = self.left.next() else {
            return Ok(None);
        };
        self.field = field;
        let key: StrDeserializer<'_, Error> = field.into_deserializer();
        seed.deserialize(key).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Error> {
        seed.deserialize(Maker {
            field: self.field,
            ..self.maker
        })
    }
}

struct Case<'a> {
    maker: Maker<'a>,
    case: &'static str,
}

impl<'de, 'a> EnumAccess<'de> for Case<'a> {
    type Error = Error;
    type Variant = Maker<'a>;

    fn variant_seed<V: DeserializeSeed<'de>>(
        self,
        seed: V,
    ) -> Result<(V::Value, Maker<'a>), Error> {
        let name: StrDeserializer<'_, Error> = self.case.into_deserializer();
        Ok((seed.deserialize(name)?, self.maker))
    }
}

impl<'de> VariantAccess<'de> for Maker<'_> {
    type Error = Error;

    fn unit_variant(self) -> Result<(), Error> {
        Ok(())
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Error> {
        seed.deserialize(self)
    }

    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_tuple(len, visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.deserialize_struct("", fields, visitor)
    }
}
