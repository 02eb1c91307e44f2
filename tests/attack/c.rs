//! Attacks that are hooks in C, where nothing is checked.
//!
//! Each file of the directory `c` is the core module of one attack. The compiler is one on this
//! machine, or one that is installed.

use std::fs;
use std::path::Path;

use libtest_mimic::Trial;
use portcullis_attack::Attack;
use portcullis_tests::root;
use xtask_projects::c::Compiler;

/// Returns the tests.
pub fn trials() -> Vec<Trial> {
    let compiler = match Compiler::find(&root()) {
        Ok(compiler) => compiler,
        Err(cause) => panic!("the hooks in C cannot be built: {cause}"),
    };
    let out = root().join("target/c-hooks");
    fs::create_dir_all(&out).expect("a directory");
    let dir = root().join("tests/attack/c");
    let mut sources: Vec<_> = fs::read_dir(dir)
        .expect("the sources")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "c"))
        .collect();
    sources.sort();
    sources
        .iter()
        .map(|source| super::trial(attack(&compiler, source, &out)))
        .collect()
}

fn attack(compiler: &Compiler, source: &Path, out: &Path) -> Attack {
    let name = source.file_stem().and_then(|name| name.to_str());
    let name = name.expect("a name");
    let module = out.join(name).with_extension("wasm");
    if let Err(cause) = compiler.compile(source, &module) {
        panic!("`{name}.c` does not build: {cause}");
    }
    let text = fs::read_to_string(source).expect("a source");
    let header: String = text
        .lines()
        .map_while(|line| line.strip_prefix("//"))
        .map(|line| format!(";;{line}\n"))
        .collect();
    let module = fs::read(module).expect("a module");
    Attack::of_core_module(&format!("c/{name}"), &header, &module).expect("a header")
}
