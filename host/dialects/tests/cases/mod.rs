//! The recorded samples, and the hooks of their cases.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, ensure};
use portcullis::contract::HookError;
use portcullis::json::{JsonPoint, from_json};
use portcullis::points::{PointId, PointVisitor};
use portcullis::prompt::KINDS;
use portcullis::{Hooks, NativeHook};
use portcullis_bridge::{Bridge, BridgeOptions};
use portcullis_dialects::Dialect;
use serde::Deserialize;
use serde_json::Value;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sample {
    pub event: Value,
    pub cases: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    #[serde(default)]
    pub says: BTreeMap<String, Value>,
    /// An earlier event of the session.
    #[serde(default)]
    pub after: Option<Value>,
    /// Keys of the event that differ in this case.
    #[serde(default)]
    pub with: serde_json::Map<String, Value>,
    pub answer: Value,
}

impl Sample {
    /// Reads the sample of an event.
    pub fn read(dialect: Dialect, event: &str) -> anyhow::Result<Self> {
        let path = samples(dialect).join(event).with_extension("json");
        let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        serde_json::from_str(&text).with_context(|| path.display().to_string())
    }

    /// Returns the events of a case. The last is the sample's.
    pub fn events(&self, case: &Case) -> Vec<Value> {
        let mut event = self.event.clone();
        for (key, value) in &case.with {
            event[key] = value.clone();
        }
        case.after.iter().cloned().chain([event]).collect()
    }
}

/// Returns the directory of a dialect's samples.
pub fn samples(dialect: Dialect) -> PathBuf {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../dialects/tests/samples");
    dir.join(dialect.name())
}

/// A hook with these outcomes at its points.
struct Says<'a>(&'a BTreeMap<String, Value>, NativeHook);

impl PointVisitor for Says<'_> {
    type Output = anyhow::Result<NativeHook>;

    fn visit<P: JsonPoint>(self) -> Self::Output {
        let Some(said) = self.0.get(P::ID.name()) else {
            return Ok(self.1);
        };
        if let Some(failure) = said.get("fail").and_then(Value::as_str) {
            let failure = failure.to_owned();
            return Ok(self
                .1
                .on::<P>(move |_| Err(HookError::Failed(failure.clone()).into())));
        }
        let outcome: P::Outcome = from_json(said.clone()).context(P::ID.name())?;
        Ok(self.1.on::<P>(move |_| Ok(outcome.clone())))
    }
}

/// Creates a bridge with a hook that has these outcomes at its points.
pub fn bridge(says: &BTreeMap<String, Value>) -> anyhow::Result<Bridge> {
    for point in says.keys() {
        ensure!(
            PointId::from_name(point).is_some(),
            "there is no point `{point}`"
        );
    }
    let mut hook = NativeHook::new("hook").contributes(KINDS);
    for point in PointId::ALL {
        hook = point.visit(Says(says, hook))?;
    }
    let hooks = Hooks::none().with([hook])?;
    Ok(Bridge::new(hooks, BridgeOptions::default())?)
}
