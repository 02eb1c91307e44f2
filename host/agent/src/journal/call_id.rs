//! The id of a tool call, in a record.

use arrayvec::ArrayString;

/// The longest id kept in the record itself, in bytes. Provider ids have about thirty.
const SHORT: usize = 38;

/// The id of a tool call. A short one needs no allocation, which the journal's thread would have to free: that makes the
/// caller's next allocation slower.
#[derive(Debug, Clone)]
pub(super) enum CallId {
    Short(ArrayString<SHORT>),
    Long(Box<str>),
}

impl CallId {
    pub(super) fn new(id: &str) -> Self {
        match ArrayString::from(id) {
            Ok(id) => Self::Short(id),
            Err(_) => Self::Long(id.into()),
        }
    }

    pub(super) fn as_str(&self) -> &str {
        match self {
            Self::Short(id) => id,
            Self::Long(id) => id,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_kept_whole() {
        for id in ["", "call-1", &"ä".repeat(SHORT / 2), &"a".repeat(SHORT + 1)] {
            assert_eq!(CallId::new(id).as_str(), id);
        }
    }

    #[test]
    fn the_longest_short_id_needs_no_allocation() {
        let id = "a".repeat(SHORT);
        assert!(matches!(CallId::new(&id), CallId::Short(_)));
        assert!(matches!(CallId::new(&(id + "a")), CallId::Long(_)));
    }
}
