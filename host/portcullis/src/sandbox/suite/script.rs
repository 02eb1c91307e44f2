//! Runs a script: a list of components and of their expected results.

use std::collections::HashMap;
use std::sync::Arc;

use wasmtime::component::{Component, Instance, Linker, Val};
use wasmtime::{Engine, Store};
use wast::lexer::Lexer;
use wast::parser::{self, ParseBuffer};
use wast::{QuoteWat, Wast, WastDirective, WastExecute, WastInvoke, Wat};

use super::value;
use crate::model::limits::Limits;
use crate::model::purpose::Purpose;
use crate::sandbox::engine::config;
use crate::sandbox::mappings::Mappings;
use crate::sandbox::memory_budget::MemoryBudget;
use crate::sandbox::store::Growth;

/// The engine's errors for components that need a feature that it lacks. Hooks have no use for
/// these features, or wasmtime has them off by default.
const NOT_SUPPORTED: [&str; 6] = [
    "requires the component model async feature",
    "require the component model async feature",
    "requires the component model threading feature",
    "require the component model fixed-length lists feature",
    "require the component model map feature",
    "the `cm-implements` feature is not active",
];

/// The result of a script.
#[derive(Default)]
pub(super) struct Ran {
    /// The number of directives that were right.
    pub(super) right: usize,
    /// The number of directives about components that need features that the engine lacks.
    pub(super) not_supported: usize,
    /// The lines that went wrong, with the reason.
    pub(super) wrong: Vec<String>,
}

/// The reason why a directive is not right.
enum Fault {
    Wrong(String),
    NotSupported,
}

impl From<String> for Fault {
    fn from(fault: String) -> Self {
        let is_known = NOT_SUPPORTED.iter().any(|known| fault.contains(known))
            || fault.contains("exceptions proposal not enabled");
        match is_known {
            true => Self::NotSupported,
            false => Self::Wrong(fault),
        }
    }
}

/// A component by its name.
enum Defined {
    Component(Component),
    NotSupported,
}

/// The subject of the next directives.
enum Current {
    None,
    Instance(Box<(Store<Growth>, Instance)>),
    NotSupported,
}

/// A running script.
pub(super) struct Script {
    engine: Engine,
    limits: Limits,
    linker: Linker<Growth>,
    current: Current,
    defined: HashMap<String, Defined>,
}

impl Script {
    pub(super) fn run(text: &str) -> Ran {
        let mut lexer = Lexer::new(text);
        lexer.allow_confusing_unicode(true);
        let buffer = ParseBuffer::new_with_lexer(lexer).unwrap();
        let wast: Wast<'_> = parser::parse(&buffer).unwrap();
        let engine = Engine::new(&config(true)).unwrap();
        let mut script = Self {
            linker: Linker::new(&engine),
            engine,
            limits: Limits::default(),
            current: Current::None,
            defined: HashMap::new(),
        };
        let mut ran = Ran::default();
        for directive in wast.directives {
            let (line, _) = directive.span().linecol_in(text);
            match script.directive(directive) {
                Ok(()) => ran.right += 1,
                Err(Fault::NotSupported) => ran.not_supported += 1,
                Err(Fault::Wrong(fault)) => ran.wrong.push(format!("{}: {fault}", line + 1)),
            }
        }
        ran
    }

    fn directive(&mut self, directive: WastDirective<'_>) -> Result<(), Fault> {
        match directive {
            WastDirective::Module(mut wat) => {
                // Until the next component is defined.
                self.current = Current::NotSupported;
                let component = self.define(&mut wat)?;
                self.begin(&component)
            }
            WastDirective::ModuleDefinition(mut wat) => self.define(&mut wat).map(drop),
            WastDirective::ModuleInstance { module, .. } => {
                let name = module.map_or("", |id| id.name());
                match self.defined.get(name) {
                    Some(Defined::Component(component)) => self.begin(&component.clone()),
                    Some(Defined::NotSupported) => {
                        self.current = Current::NotSupported;
                        Err(Fault::NotSupported)
                    }
                    None => Err(Fault::Wrong(format!("no component `{name}`"))),
                }
            }
            WastDirective::AssertMalformed { mut module, .. }
            | WastDirective::AssertInvalid { mut module, .. } => {
                refused(self.define(&mut module), "it is valid")
            }
            WastDirective::AssertUnlinkable { module, .. } => {
                let component = self.define(&mut QuoteWat::Wat(module))?;
                refused(self.instantiate(&component), "it is linked")
            }
            WastDirective::Invoke(invoke) => self.invoke(&invoke).map(drop),
            WastDirective::AssertTrap { exec, .. } => {
                refused(self.execute(exec), "it does not trap")
            }
            WastDirective::AssertReturn { exec, results, .. } => {
                let results = results.iter().map(value::result);
                let results: Vec<Val> = results.collect::<Result<_, _>>()?;
                let got = self.execute(exec)?;
                match got == results {
                    true => Ok(()),
                    false => Err(Fault::Wrong(format!("{got:?} instead of {results:?}"))),
                }
            }
            other => Err(Fault::Wrong(format!("unknown to this runner: {other:?}"))),
        }
    }

    /// Compiles a component, and keeps it under its name.
    fn define(&mut self, wat: &mut QuoteWat<'_>) -> Result<Component, Fault> {
        let bytes = wat.encode().map_err(|e| e.to_string())?;
        let component = Component::from_binary(&self.engine, &bytes);
        let component = component.map_err(|e| Fault::from(format!("{e:#}")));
        let defined = match &component {
            Ok(component) => Some(Defined::Component(component.clone())),
            Err(Fault::NotSupported) => Some(Defined::NotSupported),
            Err(Fault::Wrong(_)) => None,
        };
        if let (Some(name), Some(defined)) = (wat.name(), defined) {
            self.defined.insert(name.name().to_owned(), defined);
        }
        component
    }

    fn begin(&mut self, component: &Component) -> Result<(), Fault> {
        self.current = Current::None;
        self.current = Current::Instance(Box::new(self.instantiate(component)?));
        Ok(())
    }

    /// Returns an instance with the limits of a hook.
    fn instantiate(&self, component: &Component) -> Result<(Store<Growth>, Instance), String> {
        let budget = Arc::new(MemoryBudget::new(1 << 30, Arc::default()));
        let growth = Growth::new(
            &self.limits,
            &budget,
            &Mappings::new(u64::MAX, Arc::default()),
            Purpose::Deciding,
        );
        let mut store = Store::new(&self.engine, growth);
        store.limiter(|growth| growth);
        store.set_hostcall_fuel(self.limits.output_bytes);
        store.set_max_component_handles(self.limits.handles);
        // Nothing advances the epoch here.
        store.set_epoch_deadline(1);
        let fuel = self.limits.fuel.unwrap_or(u64::MAX);
        store.set_fuel(fuel).map_err(|e| e.to_string())?;
        let instance = self.linker.instantiate(&mut store, component);
        instance
            .map(|instance| (store, instance))
            .map_err(|e| format!("{e:#}"))
    }

    fn execute(&mut self, exec: WastExecute<'_>) -> Result<Vec<Val>, Fault> {
        match exec {
            WastExecute::Invoke(invoke) => self.invoke(&invoke),
            WastExecute::Wat(wat @ Wat::Component(_)) => {
                let component = self.define(&mut QuoteWat::Wat(wat))?;
                Ok(self.instantiate(&component).map(|_| Vec::new())?)
            }
            other => Err(Fault::Wrong(format!("unknown to this runner: {other:?}"))),
        }
    }

    fn invoke(&mut self, invoke: &WastInvoke<'_>) -> Result<Vec<Val>, Fault> {
        let arguments = invoke.args.iter().map(value::argument);
        let arguments: Vec<Val> = arguments.collect::<Result<_, _>>()?;
        let fuel = self.limits.fuel.unwrap_or(u64::MAX);
        let (store, instance) = match &mut self.current {
            Current::Instance(current) => (&mut current.0, current.1),
            Current::NotSupported => return Err(Fault::NotSupported),
            Current::None => return Err(Fault::Wrong("there is no instance".to_owned())),
        };
        store.set_fuel(fuel).map_err(|e| e.to_string())?;
        let function = instance.get_func(&mut *store, invoke.name);
        let function = function.ok_or_else(|| format!("no function `{}`", invoke.name))?;
        let results = function.ty(&*store).results().len();
        let mut results = vec![Val::Bool(false); results];
        let called = function.call(store, &arguments, &mut results);
        Ok(called.map(|()| results).map_err(|e| format!("{e:#}"))?)
    }
}

/// Checks that a result is an error.
fn refused<T, E: Into<Fault>>(result: Result<T, E>, otherwise: &str) -> Result<(), Fault> {
    match result.map_err(Into::into) {
        Err(Fault::Wrong(_)) => Ok(()),
        Err(Fault::NotSupported) => Err(Fault::NotSupported),
        Ok(_) => Err(Fault::Wrong(otherwise.to_owned())),
    }
}
