//! A text in which `*` matches any text.

/// A text in which `*` matches any text, including the empty one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pattern(pub String);

impl Pattern {
    /// Returns whether a text matches.
    pub fn fits(&self, text: &str) -> bool {
        let mut parts = self.0.split('*');
        let Some(mut rest) = parts.next().and_then(|first| text.strip_prefix(first)) else {
            return false;
        };
        let mut parts: Vec<&str> = parts.collect();
        let Some(last) = parts.pop() else {
            return rest.is_empty();
        };
        for part in parts {
            // The first match leaves the most text for the parts after it.
            match rest.find(part).and_then(|at| rest.get(at + part.len()..)) {
                Some(after) => rest = after,
                None => return false,
            }
        }
        rest.ends_with(last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_is_any_text() {
        for (pattern, fits, fits_not) in [
            ("a", "a", "ab"),
            ("a*", "a", "ba"),
            ("*b", "aab", "ba"),
            ("a*b*c", "abbc", "acb"),
            ("a*a", "aba", "a"),
            ("https://x/?q=*", "https://x/?q=1&r=2", "https://x/?r=2"),
        ] {
            let pattern = Pattern(pattern.to_owned());
            assert!(pattern.fits(fits), "{pattern:?} {fits}");
            assert!(!pattern.fits(fits_not), "{pattern:?} {fits_not}");
        }
    }
}
