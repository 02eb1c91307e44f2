//! Fixes to paths in Go's library. Without them, relative paths begin in the first granted directory, `inner`
//! means `ner` in the directory `in`, and a path outside the granted directories fails with a bad file descriptor.

use std::path::{Path, PathBuf};

use serde_json::json;

use super::Compiler;
use crate::build::BuildError;
use crate::error::{read, write};

/// The source in Go's library that finds the directory of a path.
const SOURCE: &str = "src/syscall/fs_wasip1.go";

/// The changes in the file.
const CHANGES: &[(&str, &str)] = &[
    (
        "name: string(dirNameBuf[:prestat.dir.prNameLen]),",
        r#"name: joinPath("/", string(dirNameBuf[:prestat.dir.prNameLen])),"#,
    ),
    (
        "} else if len(preopens) > 0 {\n\t\tcwd = preopens[0].name",
        "} else {\n\t\tcwd = \"/\"",
    ),
    (
        "stringslite.HasPrefix(path, p.name) {",
        r#"stringslite.HasPrefix(path, p.name) && (p.name == "/" || path[len(p.name):] == "" || isAbs(path[len(p.name):])) {"#,
    ),
];

/// The expression with which functions that take a path return an error.
const RETURNED: &str = "errnoErr(errno)";

/// Appended to the source: a path outside of all directories fails like one that does not exist.
const PLACED: &str = "
func placed(errno Errno) Errno {
	if errno == EBADF {
		return ENOENT
	}
	return errno
}
";

/// Writes the changed source into `build`, and returns the file that `go build -overlay` reads. `None` if Go's source
/// is not the expected one.
pub(super) fn overlay(compiler: &Compiler, build: &Path) -> Result<Option<PathBuf>, BuildError> {
    let Some(root) = compiler.root() else {
        return Ok(None);
    };
    let source = root.join(SOURCE);
    let Some(changed) = changed(&String::from_utf8_lossy(&read(&source)?)) else {
        return Ok(None);
    };
    let place = build.join("files_wasip1.go");
    write(&place, changed.as_bytes())?;
    let overlay = build.join("overlay.json");
    let list = json!({ "Replace": { source.to_string_lossy(): place.to_string_lossy() } });
    write(&overlay, list.to_string().as_bytes())?;
    Ok(Some(overlay))
}

fn changed(source: &str) -> Option<String> {
    let mut changed = source.to_owned();
    for (from, to) in CHANGES {
        changed.contains(from).then_some(())?;
        changed = changed.replace(from, to);
    }
    let functions = changed.split_inclusive("\n}\n").map(|function| {
        let takes_a_path = function.contains("preparePath(") || function.contains("func openat(");
        if takes_a_path {
            function.replace(RETURNED, "errnoErr(placed(errno))")
        } else {
            function.to_owned()
        }
    });
    Some(functions.chain([PLACED.to_owned()]).collect())
}
