//! Rendering a project's templates.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use heck::{
    ToLowerCamelCase as _, ToShoutySnakeCase as _, ToSnakeCase as _, ToUpperCamelCase as _,
};
use include_dir::{Dir, include_dir};
use minijinja::syntax::SyntaxConfig;
use minijinja::value::Serde;
use minijinja::{Environment, UndefinedBehavior, Value};
use serde::Serialize;
use url::Url;

use super::{CreateError, NewProject, Sdk};
use crate::Contract;
use crate::contract::PointShape;
use crate::languages::{SdkPackage, embedded};
use crate::project::CASES;

static COMMON: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/templates/common");

/// The case of a point.
const CASE: &str = include_str!("../../templates/case.toml.jinja");

/// The end of a template's name, which the file does not have.
const TEMPLATE: &str = ".jinja";

/// The data for templates.
#[derive(Debug, Serialize)]
struct Context<'a> {
    name: &'a str,
    language: &'a str,
    /// The version of the contract.
    contract: String,
    /// The directory of the SDKs; empty if the SDK is a package.
    sdk: String,
    package: Option<Package<'a>>,
    /// The versions of the packages that build it, by their names.
    tools: BTreeMap<&'static str, &'static str>,
    /// Whether that is in the project.
    vendored: bool,
    points: Vec<&'a PointShape>,
}

/// The SDK as a package.
#[derive(Debug, Serialize)]
struct Package<'a> {
    name: &'a str,
    version: &'a str,
    /// The packed SDK, instead of that of the registry.
    file: Option<String>,
    /// The packed SDK as a URL.
    url: Option<String>,
}

/// Returns the files that everyone gets, those of the language, and a case for each point,
/// rendered.
pub(super) fn files(project: &NewProject) -> Result<Vec<(PathBuf, Vec<u8>)>, CreateError> {
    let known = Contract::embedded().points();
    let shapes: Vec<&PointShape> = project
        .points
        .iter()
        .filter_map(|point| known.iter().find(|known| known.name == point.name()))
        .collect();
    let points: Vec<&str> = shapes.iter().map(|shape| shape.name.as_str()).collect();
    let sdk = project.sdk_dir().unwrap_or_default();
    let context = Value::from(Serde(Context {
        name: project.name.as_str(),
        language: project.language.name(),
        contract: Contract::embedded().version(),
        sdk: slashed(&sdk),
        package: package(project),
        tools: project
            .language
            .packages()
            .iter()
            .filter_map(|of| version(of))
            .collect(),
        vendored: project.sdk == Sdk::Vendored,
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
    for point in points {
        let name = format!("{CASES}/{point}-continues.toml");
        let rendered = environment
            .render_named_str(&name, CASE, minijinja::context! { point })
            .map_err(|cause| fault(&name, cause))?;
        files.push((PathBuf::from(name), rendered.into_bytes()));
    }
    Ok(files)
}

/// Returns the SDK of a project that has it as a package.
fn package(project: &NewProject) -> Option<Package<'static>> {
    let file = match &project.sdk {
        Sdk::Package => None,
        Sdk::Packed(path) => Some(path),
        Sdk::Vendored | Sdk::Checkout(_) => return None,
    };
    Some(Package {
        name: project.language.toolchain().package()?.name,
        version: SdkPackage::VERSION,
        file: file.map(|path| slashed(path)),
        url: file
            .and_then(|path| Url::from_file_path(path).ok())
            .map(Into::into),
    })
}

fn slashed(path: &Path) -> String {
    path.to_string_lossy().replace('\\', "/")
}

/// Returns the name and the version of a package that is written like `name==1.0` or `name@1.0`.
fn version(package: &'static str) -> Option<(&'static str, &'static str)> {
    package
        .split_once("==")
        .or_else(|| package.rsplit_once('@'))
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
