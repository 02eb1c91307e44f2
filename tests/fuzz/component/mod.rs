//! Files in the hooks directory: changed copies of real components, generated ones, and bytes that
//! are no component.

mod mutant;
mod smith;

use anyhow::Context as _;
use arbitrary::Unstructured;
use portcullis::hooks::{CacheChoice, HooksError, LoadFault};
use portcullis::points::PointId;
use portcullis::verdict::{Cause, RunStatus};
use portcullis::{Hooks, LoadOptions, Session, SessionOptions};
use portcullis_tests::{AtPoint, HooksDir, Sample, at, component, grown_at_most};

use crate::contract::Contract;
use crate::guest::{self, Descriptor};
use crate::memory::Memory;
use crate::target::{Behaviour, Fault, Target};
use crate::value;

/// The components that are changed.
const REAL: &[&str] = &["tiny", "flaky", "canned-answer", "sleeper"];
/// The file's name.
const FILE: &str = "input.wasm";
/// The maximum growth of the process for one component of some hundred kilobytes: it is compiled,
/// and its code may use its memory.
const GROWTH: u64 = 384 << 20;
/// The limits of the components that load.
const SETTINGS: &str = "[engine]\ntick-ms = 5\n[quarantine]\nfailures = 1000000\n\
    [defaults.limits]\nfuel = 2000000\ndeadline-ms = 200\nwall-ms = 400\n";

struct Components {
    contract: Contract,
    real: Vec<Vec<u8>>,
    runtime: tokio::runtime::Runtime,
}

pub fn target() -> anyhow::Result<Box<dyn Target>> {
    let contract = Contract::read()?;
    let mut real = Vec::new();
    for name in REAL {
        real.push(std::fs::read(component(name)).with_context(|| format!("the hook `{name}`"))?);
    }
    let descriptor = Descriptor::right(&contract, 100);
    real.push(guest::component(&contract, &descriptor)?);
    Ok(Box::new(Components {
        contract,
        real,
        runtime: tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?,
    }))
}

impl Target for Components {
    fn run(&mut self, input: &[u8]) -> Result<Behaviour, Fault> {
        let mut u = Unstructured::new(input);
        let (kind, bytes) = self.bytes(&mut u).map_err(|e| e.to_string())?;
        let (loaded, grown) = grown_at_most(|| self.load(&bytes));
        if grown.is_some_and(|grown| grown > GROWTH) {
            return Err(format!("the process grew by {} bytes", grown.unwrap_or(0)));
        }
        Ok(format!("{kind}: {}", loaded?))
    }
}

impl Components {
    /// Returns the file.
    fn bytes(&self, u: &mut Unstructured<'_>) -> arbitrary::Result<(&'static str, Vec<u8>)> {
        Ok(match u.int_in_range(0..=9)? {
            0 => ("bytes", u.bytes(u.len())?.to_vec()),
            1..=4 => {
                let real = u.choose(&self.real)?;
                ("mutant", mutant::of(real, &self.real, u)?)
            }
            5 => ("core module", smith::module(u)?),
            6 => ("generated", smith::component(u)?),
            7 => ("generated hook", smith::hook(&self.contract, u)?),
            _ => ("descriptor", self.described(u)?),
        })
    }

    /// Returns a hook with any descriptor.
    fn described(&self, u: &mut Unstructured<'_>) -> arbitrary::Result<Vec<u8>> {
        let descriptor = value::any(&self.contract.resolve, &self.contract.descriptor, u)?;
        let mut memory = match u.arbitrary()? {
            true => Memory::spoiling(&self.contract, u),
            false => Memory::sound(&self.contract),
        };
        let at = memory.write(&self.contract.descriptor, &descriptor)?;
        let (bytes, _) = memory.done();
        let described = guest::component(&self.contract, &Descriptor { bytes, at });
        Ok(described.expect("a component, whatever it holds"))
    }

    /// Loads the file and makes its calls, each of which must end in a verdict. If it does not
    /// load, the error must name the file and the cause.
    fn load(&self, bytes: &[u8]) -> Result<Behaviour, Fault> {
        let dir = HooksDir::new().with_file(FILE, bytes).settings(SETTINGS);
        let options = LoadOptions {
            cache: CacheChoice::None,
            ..LoadOptions::default()
        };
        match Hooks::load(dir.path(), &options) {
            Ok(hooks) => self.calls(&hooks.session(SessionOptions::new("test"))),
            Err(HooksError::Load(errors)) => {
                let mut said = Vec::new();
                for error in &errors.0 {
                    let text = error.to_string();
                    if !error.file.ends_with(FILE) || text.len() < FILE.len() + 10 {
                        return Err(format!("an error that names nothing: {text}"));
                    }
                    // The operator chooses the characters of a file name.
                    if text.chars().any(|c| c.is_control() && c != '\n') {
                        return Err(format!("an error with control characters: {text:?}"));
                    }
                    said.push(format!("{:?} {}", error.stage, shape(&error.fault)));
                }
                said.dedup();
                Ok(said.join(", "))
            }
            Err(error) => Err(format!("the file cannot be the cause of that: {error}")),
        }
    }

    fn calls(&self, session: &Session) -> Result<Behaviour, Fault> {
        let mut said = Vec::new();
        for point in PointId::ALL {
            let runtime = &self.runtime;
            if let Some(status) = at(*point, Run { session, runtime })? {
                said.push(status);
            }
        }
        said.sort();
        said.dedup();
        Ok(format!("loaded, {}", said.join(" ")))
    }
}

/// Returns the fault's kind and its first words.
fn shape(fault: &LoadFault) -> String {
    let text = format!("{fault:?}");
    let words = text
        .split(|c: char| !c.is_ascii_alphabetic())
        .filter(|word| !word.is_empty());
    words.take(5).collect::<Vec<_>>().join(" ")
}

struct Run<'a> {
    session: &'a Session,
    runtime: &'a tokio::runtime::Runtime,
}

impl AtPoint for Run<'_> {
    type Output = Result<Option<&'static str>, Fault>;

    fn at<P: Sample>(self) -> Self::Output {
        if !self.session.serves::<P>() {
            return Ok(None);
        }
        let mut call = P::sample();
        let verdict = self.runtime.block_on(self.session.run(&mut call));
        match verdict.runs.as_slice() {
            [run] => match &run.status {
                RunStatus::Completed { .. } | RunStatus::NotApplied { .. } => Ok(Some("answered")),
                RunStatus::Failed { cause, message, .. } if *cause == Cause::Host => Err(format!(
                    "{}: it is no fault of the host's: {message}",
                    P::ID
                )),
                RunStatus::Failed { cause, .. } => Ok(Some(cause.code())),
                RunStatus::Skipped | RunStatus::Backgrounded => Ok(Some("not waited for")),
            },
            runs => Err(format!("{}: {} runs of one hook", P::ID, runs.len())),
        }
    }
}
