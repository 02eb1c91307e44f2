//! A file of a package, formatted as gofmt does.

use super::HEAD;

/// Returns a file of a package.
pub(super) fn with_imports(
    package: &str,
    constraint: &str,
    groups: &[&[&str]],
    body: &str,
) -> String {
    let groups: Vec<String> = groups
        .iter()
        .filter(|group| !group.is_empty())
        .map(|group| group.iter().map(|path| format!("\t\"{path}\"\n")).collect())
        .collect();
    let imports = match groups.is_empty() {
        true => String::new(),
        false => format!("\nimport (\n{})\n", groups.join("\n")),
    };
    format!(
        "{HEAD}\n{constraint}package {package}\n{imports}{}",
        indented(body)
    )
}

/// Indents the statements in blocks.
fn indented(body: &str) -> String {
    let mut depth = 0_usize;
    let mut out = String::new();
    for line in body.lines() {
        let line = line.trim_start_matches('\t');
        let is_comment = line.starts_with("//");
        let is_label = line.starts_with("case ") || line == "default:";
        if !is_comment && line.starts_with(['}', ')']) {
            depth = depth.saturating_sub(1);
        }
        let tabs = depth - usize::from(is_label && depth > 0);
        out.push_str(&"\t".repeat(if line.is_empty() { 0 } else { tabs }));
        out.push_str(line);
        out.push('\n');
        if !is_comment && line.ends_with(['{', '(']) {
            depth += 1;
        }
    }
    out
}
