//! Replies for JavaScript, written as JSON in one pass.

use std::io::{self, Write};

use napi::Result;
use portcullis_bridge::has_own_keys;
use serde::Serialize;
use serde_json::Serializer;
use serde_json::ser::Formatter;

use crate::error::failed;
use crate::keys::camel;

/// Returns a reply as JSON, with JavaScript's names.
pub(crate) fn written(reply: &impl Serialize) -> Result<String> {
    let mut json = Vec::with_capacity(512);
    let mut serializer = Serializer::with_formatter(&mut json, Camel::default());
    let serialized = reply.serialize(&mut serializer);
    serialized.map_err(|error| failed("PortcullisError", &error))?;
    String::from_utf8(json).map_err(|error| failed("PortcullisError", &error))
}

/// A formatter of compact JSON that renames the contract's keys.
#[derive(Default)]
struct Camel {
    /// Whether a key that is renamed is being written.
    in_key: bool,
    /// The number of open objects.
    depth: usize,
    /// The depth of the object with keys of the agent's own, if one is open.
    own: Option<usize>,
}

impl Formatter for Camel {
    fn begin_object<W: ?Sized + Write>(&mut self, json: &mut W) -> io::Result<()> {
        self.depth += 1;
        json.write_all(b"{")
    }

    fn end_object<W: ?Sized + Write>(&mut self, json: &mut W) -> io::Result<()> {
        self.depth -= 1;
        json.write_all(b"}")
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, json: &mut W, first: bool) -> io::Result<()> {
        self.in_key = self.own.is_none();
        match first {
            true => Ok(()),
            false => json.write_all(b","),
        }
    }

    fn end_object_key<W: ?Sized + Write>(&mut self, _: &mut W) -> io::Result<()> {
        self.in_key = false;
        Ok(())
    }

    fn end_object_value<W: ?Sized + Write>(&mut self, _: &mut W) -> io::Result<()> {
        self.own = self.own.filter(|own| *own != self.depth);
        Ok(())
    }

    fn write_string_fragment<W: ?Sized + Write>(
        &mut self,
        json: &mut W,
        text: &str,
    ) -> io::Result<()> {
        if !self.in_key {
            return json.write_all(text.as_bytes());
        }
        if has_own_keys(text) {
            self.own = Some(self.depth);
        }
        for (first, rest) in camel(text) {
            if let Some(first) = first {
                write!(json, "{first}")?;
            }
            json.write_all(rest.as_bytes())?;
        }
        Ok(())
    }
}
