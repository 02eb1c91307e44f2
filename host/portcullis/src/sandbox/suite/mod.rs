//! The tests of the component model's own repository, run by the engine within the limits of the
//! sandbox.
//!
//! The package `wasm-tools` contains them as files.

mod files;
mod script;
mod value;

use script::Script;

/// The directories of files, each with the number of directives that must be right, and the number
/// about components that need features that the engine lacks.
const DIRECTORIES: [(&str, usize, usize); 5] = [
    ("binary", 113, 18),
    ("linking", 260, 12),
    ("resources", 36, 0),
    ("validation", 425, 36),
    ("values", 144, 81),
];

/// The components that must be refused and are not: two of their names differ only in the position
/// of a word boundary, such as `foo-bar` and `foobar`. The rule is newer than this version of
/// wasmtime.
const TAKEN: [&str; 5] = [
    "validation/kebab.wast:149: it is valid",
    "validation/kebab.wast:154: it is valid",
    "validation/kebab.wast:159: it is valid",
    "validation/kebab.wast:164: it is valid",
    "validation/kebab.wast:169: it is valid",
];

#[test]
fn the_suite_of_the_component_model_passes() {
    let mut wrong = Vec::new();
    let mut counted = Vec::new();
    for (directory, ..) in DIRECTORIES {
        let (mut right, mut not_supported) = (0, 0);
        for file in files::of(directory) {
            let text = std::fs::read_to_string(&file).unwrap();
            let ran = Script::run(&text);
            right += ran.right;
            not_supported += ran.not_supported;
            let name = file.file_name().unwrap().to_string_lossy();
            let faults = ran.wrong.into_iter();
            wrong.extend(faults.map(|fault| format!("{directory}/{name}:{fault}")));
        }
        counted.push((directory, right, not_supported));
    }
    assert_eq!(wrong, TAKEN);
    assert_eq!(counted, DIRECTORIES);
}
