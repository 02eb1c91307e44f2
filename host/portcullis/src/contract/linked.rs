//! What generated bindings take for the crate `wasmtime`: the same, but for a linker whose functions can be watched.
//!
//! All functions of the contract are defined through [`component::Linker`]. So a watcher is shown every call
//! of an import, and a new import needs nothing for that.

pub(crate) use wasmtime::*;

use std::time::{Duration, Instant};

use serde::Serialize;
use serde_json::Value;

use crate::contract::json::Excerpt;

/// Is shown the calls of imports.
pub(crate) trait Watcher {
    /// Bytes without secrets; `None` if there are none in them.
    fn redact(&self, bytes: &[u8]) -> Option<Vec<u8>>;

    /// An import was called, and has returned.
    fn show(&self, call: Called<'_>);
}

/// A call of an import, with excerpts of its values.
pub(crate) struct Called<'a> {
    /// The interface, with its version.
    pub(crate) interface: &'a str,
    pub(crate) function: &'a str,
    pub(crate) arguments: Value,
    /// What it returned; or the error that ends the call of the hook.
    pub(crate) returned: std::result::Result<Value, String>,
    pub(crate) began: Instant,
    pub(crate) took: Duration,
    /// The fuel that was left when it was called, if fuel is counted.
    pub(crate) fuel: Option<u64>,
}

/// A call of an import that has not returned yet.
struct Begun {
    arguments: Value,
    began: Instant,
    fuel: Option<u64>,
}

impl Begun {
    fn new<T: 'static>(
        store: &StoreContextMut<'_, T>,
        arguments: &impl Serialize,
        watcher: &dyn Watcher,
    ) -> Self {
        Self {
            arguments: Excerpt::new(&|bytes| watcher.redact(bytes)).value(arguments),
            began: Instant::now(),
            fuel: store.get_fuel().ok(),
        }
    }

    fn end<R: Serialize>(
        self,
        name: &component::Name,
        returned: &Result<R>,
        watcher: &dyn Watcher,
    ) {
        let took = self.began.elapsed();
        let redact = |bytes: &[u8]| watcher.redact(bytes);
        let excerpt = Excerpt::new(&redact);
        watcher.show(Called {
            interface: &name.interface,
            function: &name.function,
            arguments: self.arguments,
            returned: match returned {
                Ok(value) => Ok(first(excerpt.value(value))),
                Err(error) => Err(excerpt.text(&format!("{error:#}"))),
            },
            began: self.began,
            took,
            fuel: self.fuel,
        });
    }
}

/// What a function returns is a list of at most one value.
fn first(returned: Value) -> Value {
    match returned {
        Value::Array(mut values) if values.len() == 1 => values.remove(0),
        other => other,
    }
}

pub(crate) mod component {
    //! The module of that name, with the other linker.

    use std::ops::{Deref, DerefMut};
    use std::sync::Arc;

    pub(crate) use wasmtime::component::*;
    use wasmtime::{Engine, Result, StoreContextMut};

    use serde::Serialize;

    use super::{Begun, Watcher};

    /// Who watches a store's calls, if anybody does.
    pub(crate) type WatcherOf<T> = fn(&T) -> Option<Arc<dyn Watcher + Send + Sync>>;

    /// A function of an interface.
    pub(super) struct Name {
        pub(super) interface: Arc<str>,
        pub(super) function: String,
    }

    /// A linker whose functions can be watched. What is linked through the inner linker cannot.
    pub(crate) struct Linker<T: 'static> {
        inner: wasmtime::component::Linker<T>,
        watcher: WatcherOf<T>,
    }

    impl<T: 'static> Linker<T> {
        pub(crate) fn new(engine: &Engine, watcher: WatcherOf<T>) -> Self {
            Self {
                inner: wasmtime::component::Linker::new(engine),
                watcher,
            }
        }

        pub(crate) fn instance(&mut self, name: &str) -> Result<LinkerInstance<'_, T>> {
            Ok(LinkerInstance {
                inner: self.inner.instance(name)?,
                watcher: self.watcher,
                interface: name.into(),
            })
        }
    }

    impl<T: 'static> Deref for Linker<T> {
        type Target = wasmtime::component::Linker<T>;

        fn deref(&self) -> &Self::Target {
            &self.inner
        }
    }

    impl<T: 'static> DerefMut for Linker<T> {
        fn deref_mut(&mut self) -> &mut Self::Target {
            &mut self.inner
        }
    }

    /// An interface of it.
    pub(crate) struct LinkerInstance<'a, T: 'static> {
        inner: wasmtime::component::LinkerInstance<'a, T>,
        watcher: WatcherOf<T>,
        interface: Arc<str>,
    }

    impl<T: 'static> LinkerInstance<'_, T> {
        fn name(&self, function: &str) -> Name {
            Name {
                interface: self.interface.clone(),
                function: function.to_owned(),
            }
        }

        pub(crate) fn func_wrap<F, P, R>(&mut self, name: &str, function: F) -> Result<()>
        where
            F: Fn(StoreContextMut<'_, T>, P) -> Result<R> + Send + Sync + 'static,
            P: ComponentNamedList + Lift + Serialize + 'static,
            R: ComponentNamedList + Lower + Serialize + 'static,
        {
            let (watcher, full) = (self.watcher, self.name(name));
            self.inner
                .func_wrap(name, move |store: StoreContextMut<'_, T>, arguments: P| {
                    let Some(watcher) = watcher(store.data()) else {
                        return function(store, arguments);
                    };
                    let begun = Begun::new(&store, &arguments, &*watcher);
                    let returned = function(store, arguments);
                    begun.end(&full, &returned, &*watcher);
                    returned
                })
        }

        pub(crate) fn func_wrap_async<P, R, F>(&mut self, name: &str, function: F) -> Result<()>
        where
            F: Fn(StoreContextMut<'_, T>, P) -> Box<dyn Future<Output = Result<R>> + Send + '_>
                + Send
                + Sync
                + 'static,
            P: ComponentNamedList + Lift + Serialize + 'static,
            R: ComponentNamedList + Lower + Serialize + 'static,
        {
            let (watcher, full) = (self.watcher, Arc::new(self.name(name)));
            self.inner
                .func_wrap_async(name, move |store: StoreContextMut<'_, T>, arguments: P| {
                    let Some(watcher) = watcher(store.data()) else {
                        return function(store, arguments);
                    };
                    let begun = Begun::new(&store, &arguments, &*watcher);
                    let (full, returning) =
                        (full.clone(), Box::into_pin(function(store, arguments)));
                    Box::new(async move {
                        let returned = returning.await;
                        begun.end(&full, &returned, &*watcher);
                        returned
                    })
                })
        }
    }
}
