//! The id of a tool call, in a record.

/// The longest id that lies in the record itself. Those of providers have about thirty bytes.
const SHORT: usize = 38;

/// The id of a tool call. A short one lies in the record, since the journal's thread would free what the caller allocated,
/// which makes the next allocation slower, too.
#[derive(Debug, Clone)]
pub(super) enum CallId {
    Short { length: u8, bytes: [u8; SHORT] },
    Long(Box<str>),
}

impl CallId {
    pub(super) fn new(id: &str) -> Self {
        let mut bytes = [0; SHORT];
        match (u8::try_from(id.len()), bytes.get_mut(..id.len())) {
            (Ok(length), Some(kept)) => {
                kept.copy_from_slice(id.as_bytes());
                Self::Short { length, bytes }
            }
            _ => Self::Long(id.into()),
        }
    }

    pub(super) fn as_str(&self) -> &str {
        match self {
            Self::Short { length, bytes } => {
                let kept = bytes.get(..usize::from(*length)).unwrap_or_default();
                std::str::from_utf8(kept).unwrap_or_default()
            }
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
        assert!(matches!(
            CallId::new(&"a".repeat(SHORT)),
            CallId::Short { .. }
        ));
    }
}
