//! The values of statements, for both databases.

use std::borrow::Cow;

use portcullis::verdict::Digest;

/// A parameter of a statement. `None` also has a type, because PostgreSQL needs it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Value<'a> {
    Integer(Option<i64>),
    Text(Option<Cow<'a, str>>),
    /// A digest, which is converted to text when it is bound.
    Digest(Option<Digest>),
}

impl Value<'_> {
    /// Returns the same value without borrowed data.
    pub(crate) fn into_owned(self) -> Value<'static> {
        match self {
            Self::Integer(number) => Value::Integer(number),
            Self::Text(text) => Value::Text(text.map(|text| Cow::Owned(text.into_owned()))),
            Self::Digest(digest) => Value::Digest(digest),
        }
    }
}

impl From<i64> for Value<'_> {
    fn from(number: i64) -> Self {
        Self::Integer(Some(number))
    }
}

impl From<u32> for Value<'_> {
    fn from(number: u32) -> Self {
        i64::from(number).into()
    }
}

impl From<bool> for Value<'_> {
    fn from(is: bool) -> Self {
        i64::from(is).into()
    }
}

impl From<Option<i64>> for Value<'_> {
    fn from(number: Option<i64>) -> Self {
        Self::Integer(number)
    }
}

impl<'a> From<&'a str> for Value<'a> {
    fn from(text: &'a str) -> Self {
        Self::Text(Some(text.into()))
    }
}

impl From<String> for Value<'_> {
    fn from(text: String) -> Self {
        Self::Text(Some(text.into()))
    }
}

impl<'a> From<Cow<'a, str>> for Value<'a> {
    fn from(text: Cow<'a, str>) -> Self {
        Self::Text(Some(text))
    }
}

impl<'a> From<Option<&'a str>> for Value<'a> {
    fn from(text: Option<&'a str>) -> Self {
        Self::Text(text.map(Cow::Borrowed))
    }
}

impl From<Option<String>> for Value<'_> {
    fn from(text: Option<String>) -> Self {
        Self::Text(text.map(Cow::Owned))
    }
}

impl<'a> From<Option<Cow<'a, str>>> for Value<'a> {
    fn from(text: Option<Cow<'a, str>>) -> Self {
        Self::Text(text)
    }
}

/// Returns a text that both databases accept: PostgreSQL refuses the character NUL.
pub(crate) fn without_nul<'a>(text: impl Into<Cow<'a, str>>) -> Cow<'a, str> {
    let text = text.into();
    match text.contains('\0') {
        true => text.replace('\0', "\u{fffd}").into(),
        false => text,
    }
}
