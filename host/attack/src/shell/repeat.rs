//! Repetition in the text of an attack, so that thousands of functions take three lines.

/// The beginning of a repeated part: `;;! repeat 500`. In the part, `{n}` is the number of the
/// repetition.
const BEGIN: &str = ";;! repeat ";
/// The end of a repeated part.
const END: &str = ";;! end";

/// Returns the text with its repetitions expanded.
pub(crate) fn unrolled(text: &str) -> Result<String, String> {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, begun)) = rest.split_once(BEGIN) {
        out.push_str(before);
        let (times, begun) = begun.split_once('\n').unwrap_or((begun, ""));
        let (part, after) = begun
            .split_once(END)
            .ok_or_else(|| format!("`{BEGIN}{times}` has no end"))?;
        let times: u32 = times
            .trim()
            .parse()
            .map_err(|e| format!("`{BEGIN}{times}`: {e}"))?;
        for n in 0..times {
            out.push_str(&part.replace("{n}", &n.to_string()));
        }
        rest = after;
    }
    out.push_str(rest);
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_written_out() {
        let text = "a\n;;! repeat 2\nb{n}\n;;! end\nc";
        assert_eq!(unrolled(text).as_deref(), Ok("a\nb0\nb1\n\nc"));
        assert!(unrolled(";;! repeat 2\n").is_err());
        assert!(unrolled(";;! repeat two\n;;! end").is_err());
    }
}
