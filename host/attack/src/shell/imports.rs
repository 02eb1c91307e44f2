//! The imports of a hostile hook: functions of the contract, and other imports by short names.

use super::contract::{self, Function};

/// The wiring of every import that has a short name, in its three places.
const TEXT: &str = include_str!("imports.wat");

/// The wiring of imports.
#[derive(Default)]
pub(super) struct Imported {
    /// In the component: the imports and their lowered functions.
    pub(super) component: String,
    /// In the core instance `host`.
    pub(super) core: String,
    /// In the core module.
    pub(super) main: String,
}

impl Imported {
    /// Returns the wiring of the imports of a hook that serves `point`: `interface/function` is a
    /// function of the contract, anything else a short name.
    pub(super) fn of<'a>(
        names: impl Iterator<Item = &'a str>,
        point: &str,
    ) -> Result<Self, String> {
        let mut functions: Vec<Function> = Vec::new();
        let mut others = Self::default();
        for name in names {
            let unknown = || format!("there is no import `{name}`");
            if name.contains('/') {
                let function = Function::of(name).ok_or_else(unknown)?;
                let known = functions
                    .iter()
                    .any(|f| f.interface == function.interface && f.name == function.name);
                if !known {
                    functions.push(function);
                }
            } else {
                others.push(Self::named(name).ok_or_else(unknown)?);
            }
        }
        let mut imported = contract::imported(&functions, point);
        imported.push(others);
        Ok(imported)
    }

    fn push(&mut self, other: Self) {
        self.component += &other.component;
        self.core += &other.core;
        self.main += &other.main;
    }

    /// Returns the wiring of an import with a short name.
    fn named(name: &str) -> Option<Self> {
        let block = blocks().find(|block| title(block) == name)?;
        let (_, rest) = block.split_once('\n')?;
        let (component, rest) = rest.split_once(";; core\n")?;
        let (core, main) = rest.split_once(";; main\n")?;
        let line = |text: &str| format!("{}\n", text.trim_end());
        Some(Self {
            component: line(component),
            core: line(core),
            main: line(main),
        })
    }
}

fn blocks() -> impl Iterator<Item = &'static str> {
    TEXT.split("\n\n")
}

fn title(block: &str) -> &str {
    let first = block.lines().next().unwrap_or_default();
    first.trim_start_matches(";; ")
}

/// Everything that can be imported.
#[cfg(test)]
pub(super) fn names() -> Vec<String> {
    let functions = contract::all().map(|f| format!("{}/{}", f.interface, f.name));
    blocks()
        .map(|block| title(block).to_owned())
        .chain(functions)
        .collect()
}
