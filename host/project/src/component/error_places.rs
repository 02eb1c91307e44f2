//! The places where Zig's errors were returned.
//!
//! Where an error is returned, Zig calls a function that notes the return address, and WebAssembly
//! has no return addresses. Each such call is replaced by a call of its own function, which notes
//! the place: the number of the file and the line.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

use anyhow::Context as _;
use wasm_encoder::{CodeSection, Function, FunctionSection, Instruction, Module, RawSection};
use wasmparser::{FuncType, KnownCustom, Name, Operator, Parser, Payload, TypeRef, ValType};

use super::lines::Lines;

/// Zig's function, as the module names it.
const RETURNED: &str = "lang.returnError";

/// A source of the author whose functions would have the same names as Zig's function.
const NAMESAKE: &str = "src/lang.zig";

/// The SDK's function, which has the place as its second parameter. The name of its Zig module precedes this.
const NOTED: &str = ".pc_error_returned";

/// The bits of a place that are the line.
const LINE_BITS: u32 = 20;

/// A call of Zig's function: the position of the function's number in the module, and the place.
struct Call {
    function: Range<usize>,
    place: u32,
}

/// The facts read from the module.
#[derive(Default)]
struct Contents {
    imported: u32,
    /// All types.
    signatures: Vec<FuncType>,
    /// The types of its own functions.
    types: Vec<u32>,
    bodies: Vec<Range<usize>>,
    /// The functions that have the name of Zig's.
    returned: Vec<u32>,
    /// The functions that have the name of the SDK's.
    noted: Vec<u32>,
}

/// Returns the module with the places of these sources, counted from 1. `None` if nothing is noted
/// in it, or if it is not clear which functions are Zig's and the SDK's.
pub(super) fn noted(
    module: &[u8],
    lines: &Lines<'_>,
    sources: &[String],
) -> anyhow::Result<Option<Vec<u8>>> {
    if sources.iter().any(|source| source == NAMESAKE) {
        return Ok(None);
    }
    let contents = Contents::of(module)?;
    let ([returned], [noted]) = (contents.returned.as_slice(), contents.noted.as_slice()) else {
        return Ok(None);
    };
    let (returned, noted) = (*returned, *noted);
    // The first parameter of both is a pointer to the noted places.
    let (Some(ty), Some(_)) = (
        contents.type_with(returned, &[ValType::I32]),
        contents.type_with(noted, &[ValType::I32; 2]),
    ) else {
        return Ok(None);
    };
    let mut calls = Vec::new();
    for body in &contents.bodies {
        for (function, offset) in calls_of(module, body, returned)? {
            let place = lines.author(offset)?.and_then(|(file, line)| {
                let file = sources.iter().position(|source| *source == file)?;
                let file = u32::try_from(file + 1).ok()?;
                let fits = line >> LINE_BITS == 0 && file >> (u32::BITS - LINE_BITS) == 0;
                fits.then_some((file << LINE_BITS) | line)
            });
            calls.extend(place.map(|place| Call { function, place }));
        }
    }
    contents.with(module, &calls, ty, noted).map(Some)
}

impl Contents {
    fn of(module: &[u8]) -> anyhow::Result<Self> {
        let mut contents = Self::default();
        for payload in Parser::new(0).parse_all(module) {
            match payload? {
                Payload::ImportSection(imports) => {
                    for import in imports.into_imports() {
                        contents.imported += u32::from(matches!(import?.ty, TypeRef::Func(_)));
                    }
                }
                Payload::TypeSection(types) => {
                    let types = types.into_iter_err_on_gc_types();
                    contents.signatures = types.collect::<Result<_, _>>()?;
                }
                Payload::FunctionSection(functions) => {
                    contents.types = functions.into_iter().collect::<Result<_, _>>()?;
                }
                Payload::CodeSectionEntry(body) => contents.bodies.push(body.range()),
                Payload::CustomSection(section) => {
                    if let KnownCustom::Name(names) = section.as_known() {
                        for names in names {
                            let Name::Function(functions) = names? else {
                                continue;
                            };
                            for function in functions {
                                let function = function?;
                                match function.name {
                                    RETURNED => contents.returned.push(function.index),
                                    name if name.ends_with(NOTED) => {
                                        contents.noted.push(function.index);
                                    }
                                    _ => {}
                                }
                            }
                        }
                    }
                }
                _ => {}
            }
        }
        Ok(contents)
    }

    /// Returns the number of the type of one of its own functions, if that has these parameters and
    /// no result.
    fn type_with(&self, function: u32, parameters: &[ValType]) -> Option<u32> {
        let own = usize::try_from(function.checked_sub(self.imported)?).ok()?;
        let ty = *self.types.get(own)?;
        let signature = self.signatures.get(usize::try_from(ty).ok()?)?;
        let fits = signature.params() == parameters && signature.results().is_empty();
        fits.then_some(ty)
    }

    /// Returns the module, with a function for each place after the others.
    fn with(&self, module: &[u8], calls: &[Call], ty: u32, noted: u32) -> anyhow::Result<Vec<u8>> {
        let mut next = self.imported + u32::try_from(self.bodies.len())?;
        let mut places = BTreeMap::new();
        for call in calls {
            places.entry(call.place).or_insert_with(|| {
                next += 1;
                next - 1
            });
        }
        let mut changed = Cow::Borrowed(module);
        for call in calls {
            let number = places.get(&call.place).context("it has a function")?;
            let to = changed.to_mut().get_mut(call.function.clone());
            padded(*number, to.context("a call ends after the module")?)?;
        }
        let mut by_number: Vec<(u32, u32)> = places
            .iter()
            .map(|(place, number)| (*number, *place))
            .collect();
        by_number.sort_unstable();

        let part = |range: Range<usize>| {
            changed
                .get(range)
                .context("a section ends after the module")
        };
        let mut out = Module::new();
        for payload in Parser::new(0).parse_all(module) {
            let payload = payload?;
            match &payload {
                Payload::FunctionSection(_) => {
                    let mut functions = FunctionSection::new();
                    for ty in self.types.iter().chain(by_number.iter().map(|_| &ty)) {
                        functions.function(*ty);
                    }
                    out.section(&functions);
                }
                Payload::CodeSectionStart { .. } => {
                    let mut code = CodeSection::new();
                    for body in &self.bodies {
                        code.raw(part(body.clone())?);
                    }
                    for (_, place) in &by_number {
                        let mut function = Function::new([]);
                        function
                            .instruction(&Instruction::LocalGet(0))
                            .instruction(&Instruction::I32Const(place.cast_signed()))
                            .instruction(&Instruction::Call(noted))
                            .instruction(&Instruction::End);
                        code.function(&function);
                    }
                    out.section(&code);
                }
                other => {
                    if let Some((id, range)) = other.as_section() {
                        let data = part(range)?;
                        out.section(&RawSection { id, data });
                    }
                }
            }
        }
        Ok(out.finish())
    }
}

/// Returns the calls of a function in a body: the position of the function's number in the module,
/// and the position of the call.
fn calls_of(
    module: &[u8],
    body: &Range<usize>,
    function: u32,
) -> anyhow::Result<Vec<(Range<usize>, usize)>> {
    let bytes = module
        .get(body.clone())
        .context("a function ends after the module")?;
    let reader = wasmparser::BinaryReader::new(bytes, body.start);
    let operators = wasmparser::FunctionBody::new(reader).get_operators_reader()?;
    let operators = operators
        .into_iter_with_offsets()
        .collect::<Result<Vec<_>, _>>()?;
    let calls = operators.windows(2).filter_map(|pair| match pair {
        [(Operator::Call { function_index }, at), (_, end)] if *function_index == function => {
            Some((at + 1..*end, *at))
        }
        _ => None,
    });
    Ok(calls.collect())
}

/// Overwrites a number with another, in the same number of bytes.
fn padded(number: u32, to: &mut [u8]) -> anyhow::Result<()> {
    let mut left = number;
    let last = to.len().saturating_sub(1);
    for (at, byte) in to.iter_mut().enumerate() {
        let more = if at < last { 0x80 } else { 0 };
        *byte = u8::try_from(left & 0x7f)? | more;
        left >>= 7;
    }
    anyhow::ensure!(
        left == 0,
        "a call has no room for the number of its function"
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn only_the_functions_of_zig_and_of_the_sdk_are_taken_for_them() {
        let is_noted = |functions: &str, source: &str| {
            let module = wat::parse_str(format!("(module {functions})")).expect("a module");
            let lines = Lines::of(&module, Path::new(".")).expect("no lines");
            let noted = noted(&module, &lines, &[source.to_owned()]);
            noted.expect("the module is read").is_some()
        };
        let returned = r#"(func (@name "lang.returnError") (param i32))"#;
        let sdk_s = r#"(func (@name "portcullis.pc_error_returned") (param i32 i32))"#;
        let both = format!("{returned}{sdk_s}");
        assert!(is_noted(&both, "src/hook.zig"));
        assert!(!is_noted(&both, "src/lang.zig"));
        assert!(!is_noted(returned, "src/hook.zig"));
        assert!(!is_noted(&format!("{both}{returned}"), "src/hook.zig"));
        assert!(!is_noted(&format!("{both}{sdk_s}"), "src/hook.zig"));
        let other = both.replace("(param i32))", "(param i32) (result i32) i32.const 0)");
        assert!(!is_noted(&other, "src/hook.zig"));
    }

    #[test]
    fn a_number_takes_as_many_bytes_as_the_one_before() {
        let mut number = [0x81, 0x80, 0x80, 0x80, 0];
        padded(300, &mut number).expect("it fits");
        assert_eq!(number, [0xac, 0x82, 0x80, 0x80, 0]);
        assert!(padded(300, &mut number[..1]).is_err());
    }
}
