//! The ways to run the guard, a module for each.

mod cedar;
mod extism;
mod lua;
mod native;
mod portcullis;
mod process;
mod quickjs;
mod rego;
mod rhai;
mod straight;

use std::path::Path;

use portcullis_project::Language;

use crate::built::Built;
use crate::contestant::{Contestant, Entry};

/// Returns all contestants, ready to be called, in the order of the table.
pub fn all(built: &Built, cache: &Path) -> anyhow::Result<Vec<(Entry, Box<dyn Contestant>)>> {
    let rust = built.hook(Language::Rust)?;
    let mut all: Vec<(Entry, Box<dyn Contestant>)> = vec![
        (native::ENTRY, Box::new(native::Native::new())),
        (portcullis::NATIVE, Box::new(portcullis::Hook::native()?)),
        (straight::ENTRY, Box::new(straight::RawWasmtime::new(rust)?)),
    ];
    for (entry, language) in portcullis::LANGUAGES {
        let hook = portcullis::Hook::component(built.hook(language)?, cache)?;
        all.push((entry, Box::new(hook)));
    }
    let others: [(Entry, Box<dyn Contestant>); 11] = [
        (lua::STRINGS, Box::new(lua::Strings::new()?)),
        (lua::FACTS, Box::new(lua::Facts::new()?)),
        (rhai::ENTRY, Box::new(rhai::Rhai::new()?)),
        (quickjs::ENTRY, Box::new(quickjs::QuickJs::new()?)),
        (rego::ENTRY, Box::new(rego::Rego::new()?)),
        (cedar::ENTRY, Box::new(cedar::Cedar::new()?)),
        (extism::TEXT, Box::new(extism::Text::new(&built.plugin)?)),
        (extism::JSON, Box::new(extism::Json::new(&built.plugin)?)),
        (
            process::NATIVE,
            Box::new(process::Process::native(&built.process)),
        ),
        (process::SHELL, Box::new(process::Process::shell())),
        (process::PYTHON, Box::new(process::Process::python()?)),
    ];
    all.extend(others);
    Ok(all)
}
