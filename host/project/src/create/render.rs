//! Rendering a project's templates.

use std::path::PathBuf;

use heck::{
    ToLowerCamelCase as _, ToShoutySnakeCase as _, ToSnakeCase as _, ToUpperCamelCase as _,
};
use include_dir::{Dir, include_dir};
use minijinja::syntax::SyntaxConfig;
use minijinja::value::Serde;
use minijinja::{Environment, UndefinedBehavior, Value};
use serde::Serialize;

use super::{CreateError, NewProject};
use crate::Contract;
use crate::contract::PointShape;
use crate::languages::embedded;

static COMMON: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/templates/common");

/// The end of a template's name, which the file does not have.
const TEMPLATE: &str = ".jinja";

/// The data for templates.
#[derive(Debug, Serialize)]
struct Context<'a> {
    name: &'a str,
    language: &'a str,
    /// The version of the contract.
    contract: String,
    /// Where the SDKs are.
    sdk: String,
    /// Whether that is in the project.
    vendored: bool,
    points: Vec<&'a PointShape>,
}

/// The files that everyone gets and those of the language, rendered.
pub(super) fn files(project: &NewProject) -> Result<Vec<(PathBuf, Vec<u8>)>, CreateError> {
    let known = Contract::embedded().points();
    let shapes: Vec<&PointShape> = project
        .points
        .iter()
        .filter_map(|point| known.iter().find(|known| known.name == point.name()))
        .collect();
    let sdk = project.sdk_dir();
    let context = Value::from(Serde(Context {
        name: project.name.as_str(),
        language: project.language.name(),
        contract: Contract::embedded().version(),
        sdk: sdk.to_string_lossy().replace('\\', "/"),
        vendored: project.sdk == super::Sdk::Vendored,
        points: shapes,
    }));
    let fault = |file: &str, cause| CreateError::Template {
        file: file.to_owned(),
        cause: Box::new(cause),
    };
    let environment = environment().map_err(|cause| fault("syntax", cause))?;
    let mut files = Vec::new();
    for dir in [&COMMON, project.language.toolchain().templates()] {
        for (path, bytes) in embedded(dir) {
            let text = String::from_utf8_lossy(bytes);
            let name = path.to_string_lossy().replace('\\', "/");
            let rendered = environment
                .render_named_str(&name, &text, &context)
                .map_err(|cause| fault(&name, cause))?;
            let name = name.strip_suffix(TEMPLATE).unwrap_or(&name);
            files.push((PathBuf::from(name), rendered.into_bytes()));
        }
    }
    Ok(files)
}

/// Filters for the naming styles of languages: `pre_turn`, `preTurn`, `PreTurn`, `PRE_TURN`.
fn environment() -> Result<Environment<'static>, minijinja::Error> {
    let mut syntax = SyntaxConfig::builder();
    syntax
        .trim_blocks(true)
        .lstrip_blocks(true)
        .keep_trailing_newline(true);
    let mut environment = Environment::new();
    environment.set_syntax(syntax.build()?);
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.add_filter("snake", |name: String| name.to_snake_case());
    environment.add_filter("camel", |name: String| name.to_lower_camel_case());
    environment.add_filter("pascal", |name: String| name.to_upper_camel_case());
    environment.add_filter("shouty", |name: String| name.to_shouty_snake_case());
    Ok(environment)
}
