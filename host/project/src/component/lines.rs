//! A small table of the author's source lines that the functions of a module were compiled from. It replaces the
//! debugging information in the component. The host reads the table when it shows a trap.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Component, Path, PathBuf};

use addr2line::Context;
use addr2line::gimli::{Dwarf, EndianSlice, LittleEndian, SectionId};
use anyhow::Context as _;
use portcullis_source_lines::{Function, Row};
use wasmparser::{Parser, Payload, TypeRef};

type Slice<'a> = EndianSlice<'a, LittleEndian>;

/// The lines that the debugging information of a module has.
pub(super) struct Lines<'a> {
    context: Context<Slice<'a>>,
    sources: Sources,
    /// The start of the code section, from which addresses count.
    code: usize,
    imported: u32,
    bodies: Vec<Range<usize>>,
}

impl<'a> Lines<'a> {
    pub(super) fn of(module: &'a [u8], project: &Path) -> anyhow::Result<Self> {
        let mut debug: BTreeMap<&str, &[u8]> = BTreeMap::new();
        let (mut code, mut imported, mut bodies) = (0, 0_u32, Vec::new());
        for payload in Parser::new(0).parse_all(module) {
            match payload? {
                Payload::ImportSection(imports) => {
                    for import in imports.into_imports() {
                        imported += u32::from(matches!(import?.ty, TypeRef::Func(_)));
                    }
                }
                Payload::CodeSectionStart { range, .. } => code = range.start,
                Payload::CodeSectionEntry(body) => bodies.push(body.range()),
                Payload::CustomSection(section) => {
                    debug.insert(section.name(), section.data());
                }
                _ => {}
            }
        }
        let section = |id: SectionId| -> Result<Slice<'_>, addr2line::gimli::Error> {
            let data = debug.get(id.name()).copied().unwrap_or_default();
            Ok(EndianSlice::new(data, LittleEndian))
        };
        Ok(Self {
            context: Context::from_dwarf(Dwarf::load(section)?)?,
            sources: Sources::of(project),
            code,
            imported,
            bodies,
        })
    }

    /// Returns the section with the lines of those functions that have some of a source below `src`
    /// in the project; nothing if none has.
    pub(super) fn section(&self) -> anyhow::Result<Vec<u8>> {
        let mut functions = Vec::new();
        for (body, index) in self.bodies.iter().zip(self.imported..) {
            let rows = self.rows(body)?;
            if rows.iter().any(|row| row.line > 0) {
                functions.push(Function { index, rows });
            }
        }
        Ok(portcullis_source_lines::section(&functions)?)
    }

    /// Returns the rows of a function: the offsets at which a line of the author's begins.
    fn rows(&self, body: &Range<usize>) -> anyhow::Result<Vec<Row>> {
        let (begin, end) = (self.address(body.start)?, self.address(body.end)?);
        let mut rows: Vec<Row> = Vec::new();
        for (address, _, _) in self.context.find_location_range(begin, end)? {
            let offset = u32::try_from(address.saturating_sub(begin))?;
            let (file, line) = self.author_at(address)?.unwrap_or_default();
            let is_new = |last: &Row| (last.line, &last.file) != (line, &file);
            if rows.last().is_none_or(is_new) {
                rows.push(Row { offset, file, line });
            }
        }
        Ok(rows)
    }

    /// Returns the author's line that an instruction in the module belongs to. For inlined code of
    /// others, this is the line that called it.
    pub(super) fn author(&self, offset: usize) -> anyhow::Result<Option<(String, u32)>> {
        self.author_at(self.address(offset)?)
    }

    fn author_at(&self, address: u64) -> anyhow::Result<Option<(String, u32)>> {
        let mut frames = self.context.find_frames(address).skip_all_loads()?;
        while let Some(frame) = frames.next()? {
            let Some(location) = frame.location else {
                continue;
            };
            let file = location.file.and_then(|file| self.sources.name(file));
            if let (Some(file), Some(line)) = (file, location.line) {
                return Ok(Some((file, line)));
            }
        }
        Ok(None)
    }

    fn address(&self, offset: usize) -> anyhow::Result<u64> {
        let address = offset.checked_sub(self.code).context("it is not code")?;
        Ok(u64::try_from(address)?)
    }
}

/// The author's sources.
struct Sources {
    /// The paths of the project's directory: the canonical one and the given one.
    dirs: Vec<PathBuf>,
}

impl Sources {
    fn of(project: &Path) -> Self {
        let whole = project.canonicalize().ok();
        Self {
            dirs: whole.into_iter().chain([project.to_owned()]).collect(),
        }
    }

    /// Returns the file's name in the project if it is one of the author's. A path that the C
    /// compiler mapped to `./` is relative to the project, whatever precedes it.
    fn name(&self, file: &str) -> Option<String> {
        let mapped = file
            .rsplit_once("/./")
            .map(|(_, inner)| inner)
            .or_else(|| file.strip_prefix("./"));
        let file = Path::new(mapped.unwrap_or(file));
        let inner = self.dirs.iter().find_map(|dir| file.strip_prefix(dir).ok());
        let inner = inner.unwrap_or(file);
        let name = without_parents(inner);
        let is_own = inner.starts_with("src") && !name.starts_with("sdk");
        is_own.then(|| name.to_string_lossy().replace('\\', "/"))
    }
}

/// Returns the path without `..` after a directory: compilers name a file relative to the file that includes it.
fn without_parents(path: &Path) -> PathBuf {
    let mut whole = PathBuf::new();
    for part in path.components() {
        match (part, whole.file_name()) {
            (Component::ParentDir, Some(_)) => drop(whole.pop()),
            _ => whole.push(part),
        }
    }
    whole
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_has_its_name_from_the_project() {
        let sources = Sources {
            dirs: vec![PathBuf::from("/home/project")],
        };
        for (file, name) in [
            ("/home/project/src/hook.c", Some("src/hook.c")),
            ("/build/./src/hook.c", Some("src/hook.c")),
            ("./src/../shared/words.h", Some("shared/words.h")),
            (
                "src/deep/../../../shared/words.h",
                Some("../shared/words.h"),
            ),
            ("./src/../sdk/c/portcullis.h", None),
            ("/usr/include/src/a.h", None),
            ("/home/project/sdk/c/portcullis.h", None),
        ] {
            assert_eq!(sources.name(file).as_deref(), name, "{file}");
        }
    }
}
