//! The reasons why an HTTP request has no response: a table of the error codes of `wasi:http` for
//! each SDK. The comment on each code in the contract gives its kind for hooks and its words:
//! `KIND: WORDS`.

use std::fmt::Write;

use wit_parser::{Resolve, TypeDefKind};

use super::go::HEAD as GO_HEAD;
use super::names::{pascal, snake};
use super::python::HEAD as PYTHON_HEAD;
use super::typescript_types::HEAD;
use xtask::{Error, Result};

/// The kinds of an error for a hook: the request is wrong, the host refused it, it took too long,
/// or any other reason.
const KINDS: &[&str] = &["invalid", "refused", "timed-out", "failed"];

/// An error code.
struct Code<'a> {
    /// The name in WIT, in lower case.
    name: String,
    kind: &'a str,
    words: &'a str,
    /// Whether it may carry a text from the host.
    is_said: bool,
    carries: bool,
}

/// The codes, in the contract's order.
pub(super) struct Codes<'a>(Vec<Code<'a>>);

impl<'a> Codes<'a> {
    pub(super) fn new(resolve: &'a Resolve) -> Result<Self> {
        let mut types = resolve.types.iter().map(|(_, def)| def);
        let found = types.find_map(|def| match &def.kind {
            TypeDefKind::Variant(variant) if def.name.as_deref() == Some("error-code") => {
                Some(&variant.cases)
            }
            _ => None,
        });
        let cases = found.ok_or_else(|| Error::new("wit/ has no error codes of HTTP"))?;
        let codes = cases.iter().map(|case| {
            let docs = case.docs.contents.as_deref().unwrap_or_default();
            let (kind, words) = docs
                .trim()
                .split_once(": ")
                .filter(|(kind, _)| KINDS.contains(kind))
                .ok_or_else(|| {
                    Error::new(format!(
                        "the error code `{}` has no comment `KIND: WORDS`, where KIND is one of {}",
                        case.name,
                        KINDS.join(", ")
                    ))
                })?;
            Ok(Code {
                name: case.name.to_lowercase(),
                kind,
                words,
                is_said: case.ty.is_some_and(|ty| is_text(resolve, ty)),
                carries: case.ty.is_some(),
            })
        });
        Ok(Self(codes.collect::<Result<_>>()?))
    }

    pub(super) fn rust(&self) -> String {
        let mut out = format!(
            "{HEAD}\n\
             //! The errors of requests without a response.\n\n\
             use wasip2::http::types::ErrorCode;\n\n\
             use super::Error;\n\n\
             /// Returns the constructor of an error, its words, in which `{{}}` is the request, and the host's additional text.\n\
             #[rustfmt::skip]\n\
             pub(super) fn of(code: &ErrorCode) -> (fn(String) -> Error, &'static str, Option<&str>) {{\n    match code {{\n"
        );
        for Code {
            name,
            kind,
            words,
            is_said,
            carries,
        } in &self.0
        {
            let (pattern, said) = match (is_said, carries) {
                (true, _) => ("(said)", "said.as_deref()"),
                (false, true) => ("(_)", "None"),
                (false, false) => ("", "None"),
            };
            let (case, kind) = (pascal(name), pascal(kind));
            let _ = writeln!(
                out,
                "        ErrorCode::{case}{pattern} => (Error::{kind}, {words:?}, {said}),"
            );
        }
        out + "    }\n}\n"
    }

    pub(super) fn c(&self) -> String {
        let mut out = format!(
            "{HEAD}\n\
             /* The errors of requests without a response: the kind, and the words, in which `{{}}` is the request. */\n\
             static const struct {{\n    pc_http_error error;\n    const char *words;\n}} failures[] = {{\n"
        );
        for Code {
            name, kind, words, ..
        } in &self.0
        {
            let (case, kind) = (snake(name).to_uppercase(), snake(kind).to_uppercase());
            let _ = writeln!(
                out,
                "    [PC_HTTP_TYPES_ERROR_CODE_{case}] = {{PC_HTTP_{kind}, {words:?}}},"
            );
        }
        out += "};\n\n/* Returns the host's text in addition to these words, if any. */\n\
                static const hook_option_string_t *said(const pc_http_types_error_code_t *code) {\n    switch (code->tag) {\n";
        for Code { name, .. } in self.0.iter().filter(|code| code.is_said) {
            let name = snake(name);
            let case = name.to_uppercase();
            let _ = writeln!(
                out,
                "    case PC_HTTP_TYPES_ERROR_CODE_{case}: return &code->val.{name};"
            );
        }
        out + "    default: return NULL;\n    }\n}\n"
    }

    pub(super) fn go(&self) -> String {
        let mut out = format!(
            "{GO_HEAD}\npackage http\n\n\
             // failures has the error of a request without a response for each error code of wasi:http: its kind, and its words,\n\
             // in which {{}} is the request.\n\
             var failures = [...]struct {{\n\tkind  Kind\n\twords string\n}}{{\n"
        );
        for Code { kind, words, .. } in &self.0 {
            let _ = writeln!(out, "\t{{{}, {words:?}}},", pascal(kind));
        }
        let said = self.0.iter().enumerate().filter(|(_, code)| code.is_said);
        let said: Vec<_> = said.map(|(code, _)| code.to_string()).collect();
        let _ = write!(
            out,
            "}}\n\n// hasText reports whether a code may come with a text from the host.\n\
             func hasText(code uint8) bool {{\n\tswitch code {{\n\tcase {}:\n\t\treturn true\n\t}}\n\treturn false\n}}\n",
            said.join(", ")
        );
        out
    }

    pub(super) fn typescript(&self) -> String {
        let mut out = format!(
            "{HEAD}\n\
             /** The words for each error code of `wasi:http`, by its name in lower case. In them `{{}}` is the request. */\n\
             export const FAILURES: Record<string, string> = {{\n"
        );
        for Code { name, words, .. } in &self.0 {
            let _ = writeln!(out, "  {name:?}: {words:?},");
        }
        out + "};\n"
    }

    pub(super) fn python(&self) -> String {
        let mut out = format!(
            "{PYTHON_HEAD}\
             \"\"\"The errors of requests without a response.\"\"\"\n\n\
             #: For each error code of `wasi:http`, by the name of its class: its kind, and its words, in which `{{}}` is the\n\
             #: request.\n\
             FAILURES = {{\n"
        );
        for Code {
            name, kind, words, ..
        } in &self.0
        {
            let _ = writeln!(out, "    {:?}: ({kind:?}, {words:?}),", pascal(name));
        }
        out + "}\n"
    }
}

/// Returns whether the type is an optional text.
fn is_text(resolve: &Resolve, ty: wit_parser::Type) -> bool {
    use wit_parser::Type;
    matches!(ty, Type::Id(id) if matches!(resolve.types[id].kind, TypeDefKind::Option(Type::String)))
}
