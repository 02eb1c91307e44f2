//! What a hostile hook can import, by short names.

/// The wiring of every import, in the three places where it stands.
const TEXT: &str = include_str!("imports.wat");

/// How an import is wired.
pub(super) struct Wiring {
    /// In the component: the import and its lowered functions.
    pub(super) component: String,
    /// In the core instance `host`.
    pub(super) core: String,
    /// In the core module.
    pub(super) main: String,
}

impl Wiring {
    /// The wiring of an import.
    pub(super) fn of(name: &str) -> Option<Self> {
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

/// The short names.
#[cfg(test)]
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    blocks().map(title)
}
