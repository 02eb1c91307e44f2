//! Stored inputs: `corpus/<target>/<name>`.

use std::fs;
use std::hash::{DefaultHasher, Hasher as _};
use std::io;
use std::path::PathBuf;

use portcullis_tests::root;

/// Reads the inputs of a target, by name.
pub fn read(target: &str) -> io::Result<Vec<(String, Vec<u8>)>> {
    let mut inputs = Vec::new();
    for entry in fs::read_dir(dir(target))? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        inputs.push((name, fs::read(entry.path())?));
    }
    inputs.sort();
    Ok(inputs)
}

/// Stores an input. Returns its path.
pub fn keep(target: &str, sort: &str, input: &[u8]) -> io::Result<PathBuf> {
    let mut hasher = DefaultHasher::new();
    hasher.write(input);
    let path = dir(target).join(format!("{sort}-{:016x}", hasher.finish()));
    fs::create_dir_all(dir(target))?;
    fs::write(&path, input)?;
    Ok(path)
}

fn dir(target: &str) -> PathBuf {
    root()
        .join("tests")
        .join("fuzz")
        .join("corpus")
        .join(target)
}
