//! The adapter's core module, as WebAssembly text.

use std::ops::Range;

use anyhow::{Context as _, ensure};
use wit_parser::abi::{AbiVariant, FlatTypes, WasmType};
use wit_parser::{Function, Int, PackageId, Resolve, SizeAlign, Type, TypeDefKind, TypeId};

use super::adapter::{exported, imported};
use super::contract::{function, interface};
use super::params::{ONCE, Param};
use super::{ANSWER, BEGIN, Flat, HANDLE, SESSION};

/// The alignment of what the module keeps at fixed places.
const ALIGN: usize = 16;

/// The outcome that is told without being asked for.
const GO_ON: &str = "continue";

/// The adapter's core module.
pub(super) fn text(
    flat: &Flat<'_>,
    resolve: &Resolve,
    package: PackageId,
    points: &[&str],
) -> anyhow::Result<String> {
    let (_, contract) = flat.contract.resolve();
    let mut sizes = SizeAlign::default();
    sizes.fill(resolve)?;
    let points = points
        .iter()
        .map(|point| {
            let whole = interface(resolve, contract, point)?;
            let params = flat
                .points
                .get(*point)
                .context("a point without parameters")?;
            let flat = interface(resolve, package, point)?;
            Ok(Point {
                name: point,
                params,
                exported: exported(resolve, contract, point)?,
                whole: function(resolve, whole, HANDLE)?,
                flat: function(resolve, flat, HANDLE)?,
                answer: function(resolve, flat, ANSWER)?,
            })
        })
        .collect::<anyhow::Result<Vec<_>>>()?;
    let largest = |sizes: &mut dyn Iterator<Item = usize>| {
        sizes.max().unwrap_or_default().next_multiple_of(ALIGN)
    };
    // What is kept of the session, the outcome, the parameters that are passed in memory, and then what the
    // host and the hook allocate.
    let result = ALIGN + ONCE.len() * KEPT;
    let params = result + largest(&mut points.iter().map(|point| point.result_size(&sizes)));
    let heap = params + largest(&mut points.iter().map(|point| point.params_size(&sizes)));

    let mut imports = String::new();
    let mut functions = String::new();
    for (index, point) in points.iter().enumerate() {
        let places = Places { result, params };
        imports.push_str(&point.imports(resolve, index)?);
        functions.push_str(&point.exports(resolve, &sizes, index, &places)?);
    }
    let session = imported(SESSION);
    let strings = " i32".repeat(2 * ONCE.len());
    let session_kept = session_kept();
    Ok(format!(
        r#"(module $adapter
  (import "{session}" "{BEGIN}" (func $begin (param{strings})))
{imports}
  (memory (export "memory") 1 32768)
  (global $heap i32 (i32.const {heap}))
  (global $free (mut i32) (i32.const {heap}))
  (global $over (mut i32) (i32.const 0))
{session_kept}
{functions}
{REALLOC})"#
    ))
}

/// Takes memory from the end of what is in use. All of it is free again when the next call begins, which is told
/// by what is allocated for its parameters: a function that is called after each call would cost one more.
const REALLOC: &str = r#"
  (func (export "cabi_realloc")
    (param $old i32) (param $was i32) (param $align i32) (param $size i32) (result i32)
    (local $at i32) (local $end i32) (local $has i32)
    (if (global.get $over)
      (then
        (global.set $over (i32.const 0))
        (global.set $free (global.get $heap))))
    (local.set $at
      (i32.and
        (i32.add (global.get $free) (i32.sub (local.get $align) (i32.const 1)))
        (i32.sub (i32.const 0) (local.get $align))))
    (local.set $end (i32.add (local.get $at) (local.get $size)))
    (if (i32.or
          (i32.lt_u (local.get $at) (global.get $free))
          (i32.lt_u (local.get $end) (local.get $at)))
      (then unreachable))
    (local.set $has (i32.shl (memory.size) (i32.const 16)))
    (if (i32.gt_u (local.get $end) (local.get $has))
      (then
        (if (i32.eq
              (memory.grow
                (i32.add
                  (i32.shr_u
                    (i32.sub (i32.sub (local.get $end) (local.get $has)) (i32.const 1))
                    (i32.const 16))
                  (i32.const 1)))
              (i32.const -1))
          (then unreachable))))
    (memory.copy (local.get $at) (local.get $old)
      (select (local.get $was) (local.get $size)
        (i32.lt_u (local.get $was) (local.get $size))))
    (global.set $free (local.get $end))
    (local.get $at))"#;

/// The most bytes of a string of the session that are kept; a longer one is told again for every call.
const KEPT: usize = 256;

/// Tells what stays as it is, if it is not what was told before.
fn session_kept() -> String {
    let mut globals = String::new();
    let (mut params, mut passed) = <(String, String)>::default();
    let (mut same, mut keep) = <(String, String)>::default();
    for index in 0..ONCE.len() {
        let at = ALIGN + index * KEPT;
        globals += &format!("\n  (global $kept-{index} (mut i32) (i32.const -1))");
        params += &format!(" (param $at-{index} i32) (param $len-{index} i32)");
        passed += &format!(" (local.get $at-{index}) (local.get $len-{index})");
        same += &format!(
            "
    (if (i32.eqz (call $same
          (local.get $at-{index}) (local.get $len-{index})
          (i32.const {at}) (global.get $kept-{index})))
      (then (br $told)))"
        );
        keep += &format!(
            "
    (global.set $kept-{index} (i32.const -1))
    (if (i32.le_u (local.get $len-{index}) (i32.const {KEPT}))
      (then
        (memory.copy (i32.const {at}) (local.get $at-{index}) (local.get $len-{index}))
        (global.set $kept-{index} (local.get $len-{index}))))"
        );
    }
    format!(
        r#"{globals}
  (func $enter{params}
    (block $told{same}
      (return))
    (call $begin{passed}){keep})
  (func $same (param $at i32) (param $len i32) (param $kept i32) (param $kept-len i32) (result i32)
    (if (i32.ne (local.get $len) (local.get $kept-len))
      (then (return (i32.const 0))))
    (loop $next
      (if (i32.ge_u (local.get $len) (i32.const 8))
        (then
          (if (i64.ne (i64.load align=1 (local.get $at)) (i64.load align=1 (local.get $kept)))
            (then (return (i32.const 0))))
          (local.set $at (i32.add (local.get $at) (i32.const 8)))
          (local.set $kept (i32.add (local.get $kept) (i32.const 8)))
          (local.set $len (i32.sub (local.get $len) (i32.const 8)))
          (br $next))))
    (loop $next
      (if (local.get $len)
        (then
          (local.set $len (i32.sub (local.get $len) (i32.const 1)))
          (if (i32.ne
                (i32.load8_u (i32.add (local.get $at) (local.get $len)))
                (i32.load8_u (i32.add (local.get $kept) (local.get $len))))
            (then (return (i32.const 0))))
          (br $next))))
    (i32.const 1))"#
    )
}

/// Where the module keeps what is as large for every call.
struct Places {
    result: usize,
    params: usize,
}

/// A point: its function in the contract, and those of the flat contract.
struct Point<'a> {
    name: &'a str,
    params: &'a [Param],
    exported: String,
    whole: &'a Function,
    flat: &'a Function,
    answer: &'a Function,
}

impl Point<'_> {
    fn result_size(&self, sizes: &SizeAlign) -> usize {
        let size = |ty| sizes.size(&ty).size_wasm32();
        self.whole.result.map_or(0, size)
    }

    fn params_size(&self, sizes: &SizeAlign) -> usize {
        let params = self.flat.params.iter().map(|param| &param.ty);
        sizes.params(params).size.size_wasm32()
    }

    fn imports(&self, resolve: &Resolve, index: usize) -> anyhow::Result<String> {
        let from = imported(self.name);
        let handle = resolve.wasm_signature(AbiVariant::GuestImport, self.flat);
        let answer = resolve.wasm_signature(AbiVariant::GuestImport, self.answer);
        ensure!(
            answer.retptr,
            "`{from}`: an outcome that is passed in a register"
        );
        let params = types(&handle.params);
        Ok(format!(
            r#"
  (import "{from}" "{HANDLE}" (func $handle-{index} (param{params}) (result i32)))
  (import "{from}" "{ANSWER}" (func $answer-{index} (param i32)))"#
        ))
    }

    fn exports(
        &self,
        resolve: &Resolve,
        sizes: &SizeAlign,
        index: usize,
        places: &Places,
    ) -> anyhow::Result<String> {
        let whole = resolve.wasm_signature(AbiVariant::GuestExport, self.whole);
        let flat = resolve.wasm_signature(AbiVariant::GuestImport, self.flat);
        let exported = &self.exported;
        ensure!(
            whole.retptr && whole.indirect_params == flat.indirect_params,
            "`{exported}`: its fields are passed in another way than its records"
        );
        let (before, arguments) = match whole.indirect_params {
            true => self.in_memory(resolve, sizes, places)?,
            false => self.in_registers(resolve, &whole.params, &flat.params)?,
        };
        let going_on = going_on(resolve, sizes, self.whole.result)?;
        let going_on: String = going_on
            .iter()
            .map(|(at, byte)| {
                let at = places.result + at;
                format!("\n        (i32.store8 (i32.const {at}) (i32.const {byte}))")
            })
            .collect();
        let params = types(&whole.params);
        let result = places.result;
        Ok(format!(
            r#"
  (func (export "{exported}#{HANDLE}") (param{params}) (result i32){before}
    (if (call $handle-{index}{arguments})
      (then
        (call $answer-{index} (i32.const {result})))
      (else{going_on}))
    (global.set $over (i32.const 1))
    (i32.const {result}))"#
        ))
    }

    /// What is done before a call whose parameters are passed in memory, and the arguments then.
    fn in_memory(
        &self,
        resolve: &Resolve,
        sizes: &SizeAlign,
        places: &Places,
    ) -> anyhow::Result<(String, String)> {
        let to = places.params;
        let copies = self.fields(resolve, sizes)?.into_iter().map(|field| {
            let Field { from, at, size } = field;
            let at = to + at;
            format!(
                "
    (memory.copy (i32.const {at}) (i32.add (local.get 0) (i32.const {from})) (i32.const {size}))"
            )
        });
        Ok((copies.collect(), format!(" (i32.const {to})")))
    }

    /// The same where they are passed in registers: those of the records that are read.
    fn in_registers(
        &self,
        resolve: &Resolve,
        whole: &[WasmType],
        flat: &[WasmType],
    ) -> anyhow::Result<(String, String)> {
        let locals = |range: Range<usize>| -> String {
            range.map(|index| format!(" (local.get {index})")).collect()
        };
        let (mut before, mut arguments) = <(String, String)>::default();
        let mut passed = Vec::new();
        let mut at = 0;
        for (index, (param, whole_param)) in self.params.iter().zip(&self.whole.params).enumerate()
        {
            let mut storage = [WasmType::I32; Resolve::MAX_FLAT_PARAMS];
            let mut types = FlatTypes::new(&mut storage);
            resolve.push_flat(&whole_param.ty, &mut types);
            let end = at + types.to_vec().len();
            if param.is_passed() {
                if index == 0 {
                    // Each of the strings is a pointer and a length.
                    let rest = at + 2 * ONCE.len();
                    before = format!("\n    (call $enter{})", locals(at..rest));
                    at = rest;
                }
                arguments += &locals(at..end);
                passed.extend_from_slice(whole.get(at..end).unwrap_or_default());
            }
            at = end;
        }
        let exported = &self.exported;
        ensure!(
            passed == flat,
            "`{exported}`: its fields are passed as {flat:?} and not as {passed:?}"
        );
        Ok((before, arguments))
    }

    /// The fields of the records, as they are passed in memory.
    fn fields(&self, resolve: &Resolve, sizes: &SizeAlign) -> anyhow::Result<Vec<Field>> {
        let mut from = Vec::new();
        let params = self.whole.params.iter().map(|param| &param.ty);
        for (at, ty) in sizes.field_offsets(params) {
            leaves(resolve, sizes, at.size_wasm32(), *ty, &mut from);
        }
        let params = self.flat.params.iter().map(|param| &param.ty);
        let to = sizes.field_offsets(params);
        ensure!(from.len() == to.len(), "a field is missing");
        let fields = from.into_iter().zip(to).map(|(from, (at, ty))| Field {
            from,
            at: at.size_wasm32(),
            size: sizes.size(ty).size_wasm32(),
        });
        Ok(fields.collect())
    }
}

/// A field: where it is in its record, where as a parameter, and how large it is.
struct Field {
    from: usize,
    at: usize,
    size: usize,
}

/// Where in a type, which is at an address, the fields are that are passed by themselves.
fn leaves(resolve: &Resolve, sizes: &SizeAlign, at: usize, ty: Type, found: &mut Vec<usize>) {
    match kind(resolve, ty) {
        Some(TypeDefKind::Record(record)) => {
            let fields = record.fields.iter().map(|field| &field.ty);
            for (offset, ty) in sizes.field_offsets(fields) {
                leaves(resolve, sizes, at + offset.size_wasm32(), *ty, found);
            }
        }
        _ => found.push(at),
    }
}

/// What `ok(continue)` is in memory: the bytes that say so, and where.
fn going_on(
    resolve: &Resolve,
    sizes: &SizeAlign,
    result: Option<Type>,
) -> anyhow::Result<[(usize, usize); 2]> {
    let result = result.and_then(|ty| kind(resolve, ty));
    let Some(TypeDefKind::Result(result)) = result else {
        anyhow::bail!("the outcome is no result");
    };
    let payloads = [result.ok.as_ref(), result.err.as_ref()];
    let at = sizes.payload_offset(Int::U8, payloads).size_wasm32();
    let outcome = result.ok.and_then(|ty| kind(resolve, ty));
    let case = match outcome {
        Some(TypeDefKind::Variant(variant)) if variant.tag() == Int::U8 => {
            variant.cases.iter().position(|case| case.name == GO_ON)
        }
        Some(TypeDefKind::Enum(cases)) if cases.tag() == Int::U8 => {
            cases.cases.iter().position(|case| case.name == GO_ON)
        }
        _ => None,
    };
    let case = case.with_context(|| format!("there is no outcome `{GO_ON}`"))?;
    Ok([(0, 0), (at, case)])
}

fn kind(resolve: &Resolve, ty: Type) -> Option<&TypeDefKind> {
    fn of(resolve: &Resolve, id: TypeId) -> Option<&TypeDefKind> {
        match &resolve.types.get(id)?.kind {
            TypeDefKind::Type(Type::Id(id)) => of(resolve, *id),
            kind => Some(kind),
        }
    }
    match ty {
        Type::Id(id) => of(resolve, id),
        _ => None,
    }
}

fn types(types: &[WasmType]) -> String {
    let names = types.iter().map(|ty| match ty {
        WasmType::I32 | WasmType::Pointer | WasmType::Length => " i32",
        WasmType::I64 | WasmType::PointerOrI64 => " i64",
        WasmType::F32 => " f32",
        WasmType::F64 => " f64",
    });
    names.collect()
}
