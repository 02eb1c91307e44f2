//! Patterns of sources and of those who sign, in which `*` stands for any characters.

/// Returns whether the pattern matches a source. Before the path, no `*` matches `/`: a pattern for
/// one server matches no other.
pub(crate) fn fits_source(pattern: &str, source: &str) -> bool {
    let Some((pattern_host, pattern_path)) = parts(pattern) else {
        return fits(pattern, source);
    };
    // `oci://*` matches any rest.
    let pattern_path = match pattern_path {
        None if pattern_host.ends_with('*') => Some("*"),
        path => path,
    };
    match (parts(source), pattern_path) {
        (Some((host, Some(path))), Some(pattern_path)) => {
            fits(pattern_host, host) && fits(pattern_path, path)
        }
        (Some((host, None)), None) => fits(pattern_host, host),
        _ => false,
    }
}

/// Returns the scheme with the host, and the path after it.
fn parts(address: &str) -> Option<(&str, Option<&str>)> {
    let host = address.find("://")? + "://".len();
    match address.get(host..)?.find('/') {
        Some(end) => {
            let (host, path) = address.split_at_checked(host + end)?;
            Some((host, Some(path)))
        }
        None => Some((address, None)),
    }
}

/// Returns whether the pattern matches a certificate's subject. No `*` matches `@`: the part after
/// it is the branch or the tag of a workflow, which people other than the workflow's authors can
/// name.
pub(crate) fn fits_subject(pattern: &str, subject: &str) -> bool {
    let (mut patterns, mut parts) = (pattern.split('@'), subject.split('@'));
    loop {
        match (patterns.next(), parts.next()) {
            (None, None) => return true,
            (Some(pattern), Some(part)) if fits(pattern, part) => {}
            _ => return false,
        }
    }
}

fn fits(pattern: &str, text: &str) -> bool {
    let Some((head, rest)) = pattern.split_once('*') else {
        return pattern == text;
    };
    let Some(text) = text.strip_prefix(head) else {
        return false;
    };
    let Some((middle, last)) = rest.rsplit_once('*') else {
        return text.ends_with(rest);
    };
    let Some(mut text) = text.strip_suffix(last) else {
        return false;
    };
    // A part between two stars may match anywhere: the first match leaves the most text for the
    // parts after it.
    middle.split('*').all(|part| match text.find(part) {
        Some(at) => {
            text = text.get(at + part.len()..).unwrap_or_default();
            true
        }
        None => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_stands_for_any_characters() {
        for (pattern, text, does) in [
            ("a", "a", true),
            ("a", "ab", false),
            ("a*", "ab", true),
            ("*b", "ab", true),
            ("a*a", "a", false),
            ("a*b*c", "a-b-c", true),
            ("a*b*c", "a-c", false),
            ("a*b*b*c", "a-b-c", false),
            ("*", "", true),
        ] {
            assert_eq!(fits(pattern, text), does, "{pattern} {text}");
        }
    }

    #[test]
    fn a_pattern_of_one_server_fits_no_other() {
        for (pattern, source, does) in [
            ("oci://ghcr.io/acme/*", "oci://ghcr.io/acme/a:1", true),
            ("oci://ghcr.io/acme/*", "oci://ghcr.io/acme-evil/a:1", false),
            (
                "https://*.acme.example/*",
                "https://a.acme.example/x/a.wasm",
                true,
            ),
            (
                "https://*.acme.example/*",
                "https://evil.example/x.acme.example/a.wasm",
                false,
            ),
            ("oci://*", "oci://ghcr.io/acme/a:1", true),
            ("oci://ghcr.io", "oci://ghcr.io/acme/a:1", false),
            ("*", "oci://ghcr.io/acme/a:1", true),
            ("*", "/hooks/a.wasm", true),
            ("/hooks/*", "/hooks/a.wasm", true),
            ("oci://ghcr.io/*", "/hooks/a.wasm", false),
        ] {
            assert_eq!(fits_source(pattern, source), does, "{pattern} {source}");
        }
    }

    #[test]
    fn a_branch_is_no_workflow() {
        let flow = "https://github.com/acme/hooks/.github/workflows/";
        let pattern = format!("{flow}*release.yml@refs/tags/*");
        for (subject, does) in [
            (format!("{flow}release.yml@refs/tags/v1"), true),
            (
                format!("{flow}evil.yml@refs/heads/x/release.yml@refs/tags/v1"),
                false,
            ),
            (format!("{flow}release.yml@refs/heads/main"), false),
        ] {
            assert_eq!(fits_subject(&pattern, &subject), does, "{subject}");
        }
        assert!(fits_subject("*@example.com", "me@example.com"));
        assert!(!fits_subject("*", "me@example.com"));
    }
}
