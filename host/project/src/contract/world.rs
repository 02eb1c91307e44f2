//! The world of one hook.

use std::fmt::{self, Display, Formatter};

use super::Contract;
use crate::{Point, nearest};

/// The world with every import there is.
const CAPABILITIES: &str = "capabilities";

/// The imports of an SDK's HTTP client.
const HTTP: [&str; 2] = ["wasi:http/outgoing-handler@0.2.0", "wasi:http/types@0.2.0"];

/// The WIT world of a hook: its exports, and the imports that it may have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct World {
    name: String,
    points: Vec<Point>,
    /// Whether it exports a schema of its configuration.
    configured: bool,
    /// Whether it may import `wasi:http`.
    http: bool,
    imports: Imports,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Imports {
    All,
    These(Vec<String>),
}

/// The import does not exist.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no import `{name}`{hint}")]
pub struct UnknownImport {
    name: String,
    hint: String,
}

impl World {
    /// Returns the world of a hook that serves these points and may import anything.
    pub fn new(name: &str, points: &[Point]) -> Self {
        Self {
            name: name.to_owned(),
            points: points.to_vec(),
            configured: false,
            http: false,
            imports: Imports::All,
        }
    }

    /// Sets whether the hook exports a schema of its configuration.
    pub fn configured(mut self, configured: bool) -> Self {
        self.configured = configured;
        self
    }

    /// Adds the WASI imports of an SDK's HTTP client.
    pub(crate) fn with_http(mut self) -> Self {
        self.http = true;
        self
    }

    /// Keeps these imports and no others, each named as the contract's interface, such as
    /// `content`, or as the short name of one of WASI's, `logging` or `config`.
    ///
    /// # Errors
    ///
    /// An import does not exist.
    pub fn with_imports(mut self, imports: &[String]) -> Result<Self, UnknownImport> {
        let known = known_imports();
        let find = |name: &String| {
            let found = known.iter().find(|(short, _)| short == name);
            found.map(|(_, path)| path.clone()).ok_or_else(|| {
                let names: Vec<&str> = known.iter().map(|(short, _)| short.as_str()).collect();
                let all = format!("there are {}", names.join(", "));
                UnknownImport {
                    name: name.clone(),
                    hint: nearest::hint(name, names, all),
                }
            })
        };
        self.imports = Imports::These(imports.iter().map(find).collect::<Result<_, _>>()?);
        Ok(self)
    }

    /// Returns its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the same world in a separate package, which needs the contract's.
    pub fn in_its_own_package(&self, contract: &Contract) -> String {
        let version = contract.version();
        let mut text = "package portcullis:hook;\n\n".to_owned();
        for line in self.to_string().lines() {
            let line = match line.trim_end_matches(';').split_once("e ") {
                Some(("    includ", world)) => {
                    format!("    include portcullis:hooks/{world}@{version};")
                }
                _ => match line.trim_end_matches(';').strip_prefix("    import ") {
                    Some(own) if !own.contains(':') => {
                        format!("    import portcullis:hooks/{own}@{version};")
                    }
                    _ => line.to_owned(),
                },
            };
            text.push_str(&line);
            text.push('\n');
        }
        text
    }
}

impl Display for World {
    /// Writes the world alone, for the contract's package.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "world {} {{", self.name)?;
        writeln!(f, "    include hook;")?;
        if self.configured {
            writeln!(f, "    include configured;")?;
        }
        for point in &self.points {
            writeln!(f, "    include on-{point};")?;
        }
        match &self.imports {
            Imports::All => writeln!(f, "    include {CAPABILITIES};")?,
            Imports::These(imports) => {
                for import in imports {
                    writeln!(f, "    import {import};")?;
                }
            }
        }
        for interface in HTTP.iter().filter(|_| self.http) {
            writeln!(f, "    import {interface};")?;
        }
        writeln!(f, "}}")
    }
}

/// Returns the names of all imports, each with the path that a world uses for it.
pub(crate) fn known_imports() -> Vec<(String, String)> {
    let (resolve, package) = Contract::embedded().resolve();
    let own = resolve.packages.get(package).map(|package| &package.name);
    let worlds = resolve.packages.get(package).map(|package| &package.worlds);
    let world = worlds.and_then(|worlds| worlds.get(CAPABILITIES));
    let Some(world) = world.and_then(|world| resolve.worlds.get(*world)) else {
        return Vec::new();
    };
    let interfaces = world.imports.iter().filter_map(|(key, _)| match key {
        wit_parser::WorldKey::Interface(id) => resolve.interfaces.get(*id),
        wit_parser::WorldKey::Name(_) => None,
    });
    interfaces
        .filter(|interface| !interface.functions.is_empty())
        .filter_map(|interface| {
            let name = interface.name.clone()?;
            let package = &resolve.packages.get(interface.package?)?.name;
            if Some(package) == own {
                return Some((name.clone(), name));
            }
            // `wasi:config/store` is called `config`.
            let version = package.version.as_ref();
            let version = version.map_or_else(String::new, |version| format!("@{version}"));
            let path = format!("{}:{}/{name}{version}", package.namespace, package.name);
            Some((package.name.to_string(), path))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::World;
    use crate::Point;

    fn points() -> Vec<Point> {
        vec!["pre-turn".parse().unwrap()]
    }

    #[test]
    fn a_world_names_what_it_exports_and_imports() {
        let imports = ["content", "config"].map(str::to_owned);
        let world = World::new("my-hook", &points())
            .with_imports(&imports)
            .unwrap();
        assert_eq!(
            world.to_string(),
            "world my-hook {\n    include hook;\n    include on-pre-turn;\n    import content;\n    \
             import wasi:config/store@0.2.0-rc.1;\n}\n"
        );
    }

    #[test]
    fn an_unknown_import_is_told_the_nearest() {
        let error = World::new("my-hook", &points())
            .with_imports(&["conversations".to_owned()])
            .unwrap_err();
        assert!(error.to_string().contains("`conversation`"), "{error}");
    }
}
