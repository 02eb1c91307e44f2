//! Lists of names that the operator writes, where `*` stands for any text.

/// Returns whether one of the patterns matches the name. `*` stands for any text, anywhere.
pub fn any(patterns: &[String], name: &str) -> bool {
    patterns.iter().any(|pattern| fits(pattern, name))
}

/// Returns whether the pattern matches the name.
pub fn fits(pattern: &str, name: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(mut rest) = parts.next().and_then(|start| name.strip_prefix(start)) else {
        return false;
    };
    let mut parts = parts.peekable();
    if parts.peek().is_none() {
        return rest.is_empty();
    }
    while let Some(part) = parts.next() {
        if parts.peek().is_none() {
            return rest.ends_with(part);
        }
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::fits;

    #[test]
    fn a_star_is_any_text() {
        for (pattern, name, expected) in [
            ("bash", "bash", true),
            ("bash", "bash2", false),
            ("*shell*", "run_shell_command", true),
            ("mcp__*__merge_*", "mcp__github__merge_pull_request", true),
            ("*_file", "write_file", true),
            ("*_file", "write_files", false),
            ("*", "", true),
            ("a*a", "a", false),
        ] {
            assert_eq!(fits(pattern, name), expected, "{pattern} {name}");
        }
    }
}
