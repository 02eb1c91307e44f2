//! Python objects as JSON, and JSON as Python objects.
//!
//! The contract's names have `-` in JSON and `_` in Python. Only keys are renamed: every object of the
//! contract's JSON form is a record or a case of a variant, except objects whose keys are the agent's own.

use portcullis_bridge::has_own_keys;
use pyo3::exceptions::{PyRecursionError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};
use serde_json::{Map, Number, Value};

/// The maximum depth of values.
const DEEPEST: usize = 128;

/// Converts a Python object to JSON, with the contract's names.
///
/// # Errors
///
/// JSON has no form for the object.
pub(crate) fn to_json(object: &Bound<'_, PyAny>) -> PyResult<Value> {
    read(object, true, 0)
}

fn read(object: &Bound<'_, PyAny>, rename: bool, depth: usize) -> PyResult<Value> {
    if depth > DEEPEST {
        return Err(PyRecursionError::new_err(format!(
            "a value is more than {DEEPEST} levels deep"
        )));
    }
    if let Ok(text) = object.cast::<PyString>() {
        return Ok(Value::String(text.to_str()?.to_owned()));
    }
    if let Ok(dict) = object.cast::<PyDict>() {
        return read_dict(dict, rename, depth);
    }
    if let Ok(list) = object.cast::<PyList>() {
        let items = list.iter().map(|item| read(&item, rename, depth + 1));
        return items.collect::<PyResult<_>>().map(Value::Array);
    }
    if let Ok(tuple) = object.cast::<PyTuple>() {
        let items = tuple.iter().map(|item| read(&item, rename, depth + 1));
        return items.collect::<PyResult<_>>().map(Value::Array);
    }
    if object.is_none() {
        return Ok(Value::Null);
    }
    if let Ok(truth) = object.cast::<PyBool>() {
        return Ok(Value::Bool(truth.is_true()));
    }
    if object.is_instance_of::<PyInt>() {
        if let Ok(number) = object.extract::<i64>() {
            return Ok(number.into());
        }
        let number = object.extract::<u64>();
        let too_large = |_| PyValueError::new_err(format!("the number {object} has over 64 bits"));
        return number.map(Value::from).map_err(too_large);
    }
    if let Ok(float) = object.cast::<PyFloat>() {
        let number = Number::from_f64(float.value());
        let not_finite = || PyValueError::new_err(format!("JSON has no number {object}"));
        return number.map(Value::Number).ok_or_else(not_finite);
    }
    Err(PyTypeError::new_err(format!(
        "JSON has no form for a value of the type `{}`",
        object.get_type().name()?
    )))
}

fn read_dict(dict: &Bound<'_, PyDict>, rename: bool, depth: usize) -> PyResult<Value> {
    let mut map = Map::with_capacity(dict.len());
    for (key, value) in dict {
        let key = key
            .cast::<PyString>()
            .map_err(|_| PyTypeError::new_err(format!("the key {key} is not a `str`")))?;
        let key = key.to_str()?;
        let key = match rename && key.contains('_') {
            true => key.replace('_', "-"),
            false => key.to_owned(),
        };
        let rename = rename && !has_own_keys(&key);
        map.insert(key, read(&value, rename, depth + 1)?);
    }
    Ok(Value::Object(map))
}

/// Converts JSON to a Python object, with Python's names.
pub(crate) fn to_python<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    write(py, value, true)
}

fn write<'py>(py: Python<'py>, value: &Value, rename: bool) -> PyResult<Bound<'py, PyAny>> {
    Ok(match value {
        Value::Null => py.None().into_bound(py),
        Value::Bool(truth) => PyBool::new(py, *truth).to_owned().into_any(),
        Value::Number(number) => match (number.as_i64(), number.as_u64()) {
            (Some(number), _) => number.into_pyobject(py)?.into_any(),
            (None, Some(number)) => number.into_pyobject(py)?.into_any(),
            (None, None) => {
                let number = number.as_f64().unwrap_or(f64::NAN);
                PyFloat::new(py, number).into_any()
            }
        },
        Value::String(text) => PyString::new(py, text).into_any(),
        Value::Array(items) => {
            let list = PyList::empty(py);
            for item in items {
                list.append(write(py, item, rename)?)?;
            }
            list.into_any()
        }
        Value::Object(map) => {
            let dict = PyDict::new(py);
            for (key, value) in map {
                let value = write(py, value, rename && !has_own_keys(key))?;
                match rename {
                    true => dict.set_item(key.replace('-', "_"), value)?,
                    false => dict.set_item(key, value)?,
                }
            }
            dict.into_any()
        }
    })
}
