//! The values of variables in words.

use brush_parser::word::{Parameter, ParameterExpr};

use crate::reader::Reader;
use crate::words::Making;

impl Reader {
    /// Adds the value of a variable.
    pub(crate) fn parameter(
        &mut self,
        parameter: &ParameterExpr,
        is_quoted: bool,
        making: &mut Making,
    ) {
        let (name, otherwise) = match parameter {
            ParameterExpr::Parameter {
                parameter: Parameter::Named(name),
                indirect: false,
            } => (name, None),
            ParameterExpr::UseDefaultValues {
                parameter: Parameter::Named(name),
                indirect: false,
                default_value,
                ..
            } => (name, default_value.as_deref()),
            ParameterExpr::AssignDefaultValues {
                parameter: Parameter::Named(name),
                indirect: false,
                default_value,
                ..
            } => {
                if self.state.get(name).is_none() {
                    self.state.set(name, None);
                }
                (name, default_value.as_deref())
            }
            ParameterExpr::Parameter {
                parameter: Parameter::Special(_) | Parameter::Positional(_),
                ..
            } => {
                return making.unknown("$@");
            }
            _ => return making.unknown("$?"),
        };
        let value = match (self.state.get(name), name.as_str(), otherwise) {
            (Some(Some(value)), ..) => value.to_owned(),
            (None, "HOME", _) => "~".to_owned(),
            (None, "PWD", _) => ".".to_owned(),
            (None, "IFS", _) => " ".to_owned(),
            (_, _, Some(otherwise)) => return making.unknown(otherwise),
            (_, _, None) => return making.unknown(&format!("${name}")),
        };
        match is_quoted {
            true => making.push(&value),
            false => self.split(&value, making),
        }
    }

    /// Adds a text that the shell splits into words.
    pub(crate) fn split(&self, text: &str, making: &mut Making) {
        match self.state.get("IFS") {
            None => making.split(text),
            // The shell does not split at blanks then.
            Some(_) => making.unknown(text),
        }
    }
}
