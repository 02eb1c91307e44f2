//! The module that generated bindings use in place of the crate `wasmtime`. Only the linker
//! differs: its functions can be watched.
//!
//! All functions of the contract are defined through [`component::Linker`]. So a watcher sees every
//! call of an import, and a new import needs no code for that.

pub(crate) use wasmtime::*;

use std::io;
use std::time::{Duration, Instant};

use serde::Serialize;
use serde_json::Value;

use crate::contract::json::Excerpt;

/// A watcher of calls of imports.
pub(crate) trait Watcher {
    /// Returns bytes without secrets; `None` if they contain none.
    fn redact(&self, bytes: &[u8]) -> Option<Vec<u8>>;

    /// Reports a call of an import that has returned.
    fn show(&self, call: Called<'_>);
}

/// A tape that records calls of imports whose results come from outside, or plays the recorded
/// results.
pub(crate) trait Tape {
    /// Returns whether an interface's functions are answered from a recording.
    fn is_played(&self, interface: &str) -> bool;

    /// Returns the recorded result of a function for these arguments; `None` if there is none.
    fn returned(&self, interface: &str, function: &str, arguments: &Value) -> Option<Value>;

    /// Returns how many bytes of arguments and results, as JSON, may still be kept.
    fn room(&self) -> usize;

    /// Notes that arguments or a result exceeded the room.
    fn overflow(&self);

    /// Keeps the result of a function; `None` if the function has ended the hook call. The number
    /// is the size of arguments and result as JSON, in bytes.
    fn keep(
        &self,
        interface: &str,
        function: &str,
        arguments: Value,
        returned: Option<Value>,
        bytes: usize,
    );
}

/// The source of an interface's results in a replay of a recorded call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Replay {
    /// The functions return the recorded results, and do not run.
    Played,
    /// The functions run on a real store. The workbench fills it with the values that the recorded
    /// call read (`host/workbench/src/replay/state.rs`).
    Kept,
}

/// Defines [`TapedInterface`]: a row for each interface whose calls are recorded, with its kind of
/// replay.
macro_rules! taped {
    ($($interface:ident, $name:literal, $replay:ident;)*) => {
        /// An interface whose calls are recorded, because its results come from outside of the
        /// hook.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum TapedInterface {
            $(
                #[doc = concat!("`", $name, "`")]
                $interface,
            )*
        }

        impl TapedInterface {
            /// Returns the interface of this name, with or without a version; `None` if its calls
            /// are not recorded.
            pub fn of(interface: &str) -> Option<Self> {
                match bare(interface) {
                    $($name => Some(Self::$interface),)*
                    _ => None,
                }
            }

            pub(crate) const fn replay(self) -> Replay {
                match self {
                    $(Self::$interface => Replay::$replay,)*
                }
            }
        }
    };
}
taped! {
    State, "portcullis:hooks/state", Kept;
    SharedState, "portcullis:hooks/shared-state", Kept;
    Model, "portcullis:hooks/model", Played;
}

/// Returns an interface without its version.
pub(crate) fn bare(interface: &str) -> &str {
    interface.split('@').next().unwrap_or_default()
}

/// A call of an import, with excerpts of its values.
pub(crate) struct Called<'a> {
    /// The interface, with its version.
    pub(crate) interface: &'a str,
    pub(crate) function: &'a str,
    pub(crate) arguments: Value,
    /// The result; or the error that ends the hook call.
    pub(crate) returned: std::result::Result<Value, String>,
    pub(crate) began: Instant,
    pub(crate) took: Duration,
    /// The fuel left at the start of the call, if fuel is counted.
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

/// Returns the result of a function, which is a list of at most one value.
fn first(returned: Value) -> Value {
    match returned {
        Value::Array(mut values) if values.len() == 1 => values.remove(0),
        other => other,
    }
}

/// Returns the size of a value as JSON, in bytes. `None` if it is more than `most`, or if the value
/// has no JSON form; every type of the contract has one.
fn json_bytes(value: &impl Serialize, most: usize) -> Option<usize> {
    let mut room = Room(most);
    serde_json::to_writer(&mut room, value).ok()?;
    Some(most - room.0)
}

/// A writer that counts bytes, and fails once they exceed the room.
struct Room(usize);

impl io::Write for Room {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let left = self.0.checked_sub(bytes.len());
        self.0 = left.ok_or(io::ErrorKind::WriteZero)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

pub(crate) mod component {
    //! The module `wasmtime::component`, with a linker whose functions can be watched.

    use std::ops::{Deref, DerefMut};
    use std::sync::Arc;

    pub(crate) use wasmtime::component::*;
    use wasmtime::{Engine, Result, StoreContextMut};

    use serde::Serialize;
    use serde::de::DeserializeOwned;
    use serde_json::Value;

    use super::{Begun, Tape, TapedInterface, Watcher, json_bytes};

    /// Returns the watcher of a store's calls, if there is one.
    pub(crate) type WatcherOf<T> = fn(&T) -> Option<Arc<dyn Watcher + Send + Sync>>;

    /// Returns the tape of a store's calls, if there is one.
    pub(crate) type TapeOf<T> = fn(&T) -> Option<Arc<dyn Tape + Send + Sync>>;

    /// A function of an interface.
    pub(super) struct Name {
        pub(super) interface: Arc<str>,
        pub(super) function: String,
    }

    /// A linker whose functions can be watched. Functions linked through the inner linker cannot.
    pub(crate) struct Linker<T: 'static> {
        inner: wasmtime::component::Linker<T>,
        watcher: WatcherOf<T>,
        tape: TapeOf<T>,
    }

    impl<T: 'static> Linker<T> {
        pub(crate) fn new(engine: &Engine, watcher: WatcherOf<T>, tape: TapeOf<T>) -> Self {
            Self {
                inner: wasmtime::component::Linker::new(engine),
                watcher,
                tape,
            }
        }

        pub(crate) fn instance(&mut self, name: &str) -> Result<LinkerInstance<'_, T>> {
            Ok(LinkerInstance {
                inner: self.inner.instance(name)?,
                watcher: self.watcher,
                tape: TapedInterface::of(name).is_some().then_some(self.tape),
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

    /// An interface of the linker.
    pub(crate) struct LinkerInstance<'a, T: 'static> {
        inner: wasmtime::component::LinkerInstance<'a, T>,
        watcher: WatcherOf<T>,
        /// The tape, if the interface is recorded on tapes.
        tape: Option<TapeOf<T>>,
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
            R: ComponentNamedList + Lower + Serialize + DeserializeOwned + 'static,
        {
            let (watcher, tape, full) = (self.watcher, self.tape, self.name(name));
            self.inner
                .func_wrap(name, move |store: StoreContextMut<'_, T>, arguments: P| {
                    let watcher = watcher(store.data());
                    let tape = tape.and_then(|tape| tape(store.data()));
                    if watcher.is_none() && tape.is_none() {
                        return function(store, arguments);
                    }
                    watched(watcher, tape, &full, store, arguments, &function)
                })
        }

        pub(crate) fn func_wrap_async<P, R, F>(&mut self, name: &str, function: F) -> Result<()>
        where
            F: Fn(StoreContextMut<'_, T>, P) -> Box<dyn Future<Output = Result<R>> + Send + '_>
                + Send
                + Sync
                + 'static,
            P: ComponentNamedList + Lift + Serialize + 'static,
            R: ComponentNamedList + Lower + Serialize + DeserializeOwned + Send + 'static,
        {
            let (watcher, tape, full) = (self.watcher, self.tape, Arc::new(self.name(name)));
            let taped_name = full.clone();
            let function = outlives(move |store: StoreContextMut<'_, T>, arguments: P| {
                let taped =
                    tape.and_then(|tape| Taped::begin(tape, &taped_name, &store, &arguments));
                let Some(taped) = taped else {
                    return function(store, arguments);
                };
                if let Some(returned) = taped.played::<R>(&taped_name) {
                    return Box::new(std::future::ready(Ok(returned)));
                }
                let (name, returning) = (
                    taped_name.clone(),
                    Box::into_pin(function(store, arguments)),
                );
                Box::new(async move { taped.end(&name, returning.await) })
            });
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

    /// Makes a call that is watched, or recorded on a tape. Not generic over the function, of which
    /// there are hundreds.
    #[cold]
    #[inline(never)]
    fn watched<T, P, R>(
        watcher: Option<Arc<dyn Watcher + Send + Sync>>,
        tape: Option<Arc<dyn Tape + Send + Sync>>,
        name: &Name,
        store: StoreContextMut<'_, T>,
        arguments: P,
        function: &dyn Fn(StoreContextMut<'_, T>, P) -> Result<R>,
    ) -> Result<R>
    where
        T: 'static,
        P: Serialize,
        R: Serialize + DeserializeOwned,
    {
        let begun = watcher
            .as_deref()
            .map(|watcher| Begun::new(&store, &arguments, watcher));
        let taped = tape.and_then(|tape| Taped::new(tape, name, &arguments));
        let returned = match taped {
            None => function(store, arguments),
            Some(taped) => match taped.played::<R>(name) {
                Some(returned) => Ok(returned),
                None => taped.end(name, function(store, arguments)),
            },
        };
        if let (Some(begun), Some(watcher)) = (begun, watcher) {
            begun.end(name, &returned, &*watcher);
        }
        returned
    }

    /// Declares to the compiler that a function's future borrows from its store.
    fn outlives<T: 'static, P, R, F>(function: F) -> F
    where
        F: for<'a> Fn(StoreContextMut<'a, T>, P) -> Box<dyn Future<Output = Result<R>> + Send + 'a>
            + Send
            + Sync
            + 'static,
    {
        function
    }

    /// A call that is recorded on a tape, or played from one.
    struct Taped {
        tape: Arc<dyn Tape + Send + Sync>,
        arguments: Value,
        /// The bytes of the arguments as JSON; `None` if there was no room for them.
        bytes: Option<usize>,
    }

    impl Taped {
        /// Begins a taped call. `None` without a tape.
        fn begin<T: 'static>(
            tape: TapeOf<T>,
            name: &Name,
            store: &StoreContextMut<'_, T>,
            arguments: &impl Serialize,
        ) -> Option<Self> {
            Self::new(tape(store.data())?, name, arguments)
        }

        /// Creates a taped call. `None` if the call is neither played nor kept.
        fn new(
            tape: Arc<dyn Tape + Send + Sync>,
            name: &Name,
            arguments: &impl Serialize,
        ) -> Option<Self> {
            // A list of bytes takes many times its size as a value, so it is measured before it becomes one.
            let bytes = json_bytes(arguments, tape.room());
            if bytes.is_none() {
                tape.overflow();
                if !tape.is_played(&name.interface) {
                    return None;
                }
            }
            let arguments = serde_json::to_value(arguments).ok()?;
            Some(Self {
                tape,
                arguments,
                bytes,
            })
        }

        /// Returns the recorded result, if the interface is played.
        fn played<R: DeserializeOwned>(&self, name: &Name) -> Option<R> {
            if !self.tape.is_played(&name.interface) {
                return None;
            }
            let (interface, function) = (&*name.interface, name.function.as_str());
            let returned = self.tape.returned(interface, function, &self.arguments)?;
            let read: R = serde_json::from_value(returned.clone()).ok()?;
            self.keep(name, self.arguments.clone(), Some(&returned));
            Some(read)
        }

        /// Keeps the result of the call.
        fn end<R: Serialize>(mut self, name: &Name, returned: Result<R>) -> Result<R> {
            let arguments = std::mem::take(&mut self.arguments);
            self.keep(name, arguments, returned.as_ref().ok());
            returned
        }

        fn keep<V: Serialize>(&self, name: &Name, arguments: Value, returned: Option<&V>) {
            let Some(mut bytes) = self.bytes else {
                return;
            };
            let mut value = None;
            if let Some(returned) = returned {
                let room = self.tape.room().saturating_sub(bytes);
                let Some(more) = json_bytes(returned, room) else {
                    self.tape.overflow();
                    return;
                };
                bytes += more;
                value = serde_json::to_value(returned).ok();
            }
            let (interface, function) = (&*name.interface, name.function.as_str());
            self.tape.keep(interface, function, arguments, value, bytes);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::json_bytes;

    #[test]
    fn values_are_measured_up_to_a_limit() {
        let value = ("key", vec![1_u8, 200]);
        let bytes = r#"["key",[1,200]]"#.len();
        assert_eq!(json_bytes(&value, bytes + 1), Some(bytes));
        assert_eq!(json_bytes(&value, bytes), Some(bytes));
        assert_eq!(json_bytes(&value, bytes - 1), None);
        assert_eq!(json_bytes(&value, 0), None);
    }
}
