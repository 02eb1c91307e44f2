//! Reads the values of scripts.

use wasmtime::component::Val;
use wast::component::WastVal;
use wast::{WastArg, WastRet};

/// Returns an argument.
pub(super) fn argument(argument: &WastArg<'_>) -> Result<Val, String> {
    match argument {
        WastArg::Component(value) => of(value),
        other => Err(format!("no argument of a component: {other:?}")),
    }
}

/// Returns an expected result.
pub(super) fn result(result: &WastRet<'_>) -> Result<Val, String> {
    match result {
        WastRet::Component(value) => of(value),
        other => Err(format!("no result of a component: {other:?}")),
    }
}

fn of(value: &WastVal<'_>) -> Result<Val, String> {
    let all = |values: &[WastVal<'_>]| values.iter().map(of).collect::<Result<Vec<_>, _>>();
    let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    Ok(match value {
        WastVal::Bool(value) => Val::Bool(*value),
        WastVal::U8(value) => Val::U8(*value),
        WastVal::S8(value) => Val::S8(*value),
        WastVal::U16(value) => Val::U16(*value),
        WastVal::S16(value) => Val::S16(*value),
        WastVal::U32(value) => Val::U32(*value),
        WastVal::S32(value) => Val::S32(*value),
        WastVal::U64(value) => Val::U64(*value),
        WastVal::S64(value) => Val::S64(*value),
        WastVal::F32(value) => Val::Float32(f32::from_bits(value.bits)),
        WastVal::F64(value) => Val::Float64(f64::from_bits(value.bits)),
        WastVal::Char(value) => Val::Char(*value),
        WastVal::String(value) => Val::String((*value).to_owned()),
        WastVal::List(values) => Val::List(all(values)?),
        WastVal::Tuple(values) => Val::Tuple(all(values)?),
        WastVal::Record(fields) => {
            let fields = fields
                .iter()
                .map(|(name, value)| Ok(((*name).to_owned(), of(value)?)));
            Val::Record(fields.collect::<Result<_, String>>()?)
        }
        WastVal::Variant(name, value) => {
            Val::Variant((*name).to_owned(), payload(value.as_deref())?)
        }
        WastVal::Enum(name) => Val::Enum((*name).to_owned()),
        WastVal::Option(value) => Val::Option(payload(value.as_deref())?),
        WastVal::Result(Ok(value)) => Val::Result(Ok(payload(value.as_deref())?)),
        WastVal::Result(Err(value)) => Val::Result(Err(payload(value.as_deref())?)),
        WastVal::Flags(flags) => Val::Flags(names(flags)),
        WastVal::Map(_) => return Err("maps are not part of the engine".to_owned()),
    })
}

fn payload(value: Option<&WastVal<'_>>) -> Result<Option<Box<Val>>, String> {
    value.map(|value| of(value).map(Box::new)).transpose()
}
