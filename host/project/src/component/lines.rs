//! Which lines of the author's sources the functions of a module were compiled from: a small table of them in the
//! component, in the place of the debugging information. The host reads it when it shows a trap.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use addr2line::Context;
use addr2line::gimli::{Dwarf, EndianSlice, LittleEndian, SectionId};
use portcullis_source_lines::{Function, Row};
use wasmparser::{Parser, Payload, TypeRef};

type Slice<'a> = EndianSlice<'a, LittleEndian>;

/// The section with the lines of those functions that have some of a source below `src` in the project; nothing if none
/// has.
pub(super) fn section(module: &[u8], project: &Path) -> anyhow::Result<Vec<u8>> {
    let functions = functions(module, &Sources::of(project))?;
    Ok(portcullis_source_lines::section(&functions)?)
}

fn functions(module: &[u8], sources: &Sources) -> anyhow::Result<Vec<Function>> {
    let mut debug: BTreeMap<&str, &[u8]> = BTreeMap::new();
    // Addresses count from the begin of the code section.
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
    let context = Context::from_dwarf(Dwarf::load(section)?)?;
    let mut functions = Vec::new();
    for (body, index) in bodies.iter().zip(imported..) {
        let address = |offset: usize| u64::try_from(offset - code);
        let (begin, end) = (address(body.start)?, address(body.end)?);
        let rows = rows(&context, sources, begin, end)?;
        if rows.iter().any(|row| row.line > 0) {
            functions.push(Function { index, rows });
        }
    }
    Ok(functions)
}

/// Where a function is of which line of the author's.
fn rows(
    context: &Context<Slice<'_>>,
    sources: &Sources,
    begin: u64,
    end: u64,
) -> anyhow::Result<Vec<Row>> {
    let mut rows: Vec<Row> = Vec::new();
    for (address, _, _) in context.find_location_range(begin, end)? {
        let offset = u32::try_from(address.saturating_sub(begin))?;
        let (file, line) = author(context, sources, address)?.unwrap_or_default();
        let is_new = |last: &Row| (last.line, &last.file) != (line, &file);
        if rows.last().is_none_or(is_new) {
            rows.push(Row { offset, file, line });
        }
    }
    Ok(rows)
}

/// The line of the author's at an address: where it is inlined code of others, that which called it.
fn author(
    context: &Context<Slice<'_>>,
    sources: &Sources,
    address: u64,
) -> anyhow::Result<Option<(String, u32)>> {
    let mut frames = context.find_frames(address).skip_all_loads()?;
    while let Some(frame) = frames.next()? {
        let Some(location) = frame.location else {
            continue;
        };
        let file = location.file.and_then(|file| sources.name(file));
        if let (Some(file), Some(line)) = (file, location.line) {
            return Ok(Some((file, line)));
        }
    }
    Ok(None)
}

/// The author's sources.
struct Sources {
    /// The names that the project's directory has.
    dirs: Vec<PathBuf>,
}

impl Sources {
    fn of(project: &Path) -> Self {
        let whole = project.canonicalize().ok();
        Self {
            dirs: whole.into_iter().chain([project.to_owned()]).collect(),
        }
    }

    /// The name of a file in the project if it is one of the author's. What the compiler of C has mapped to `./` counts
    /// from the project, whatever is before that.
    fn name(&self, file: &str) -> Option<String> {
        let mapped = file
            .rsplit_once("/./")
            .map(|(_, inner)| inner)
            .or_else(|| file.strip_prefix("./"));
        let file = Path::new(mapped.unwrap_or(file));
        let inner = self.dirs.iter().find_map(|dir| file.strip_prefix(dir).ok());
        let inner = inner.unwrap_or(file);
        let is_own = inner.starts_with("src");
        is_own.then(|| inner.to_string_lossy().replace('\\', "/"))
    }
}
