//! `portcullis:hooks/shared-state` if hooks' state is kept in a store: its functions wait.

use std::sync::Arc;

use wasmtime::StoreContextMut;

use super::state::State;
use crate::contract;
use crate::contract::bindings::portcullis::hooks::shared_state::{Host, StateError};
use crate::contract::linked::component::Linker;
use crate::model::failure::Failure;
use crate::model::state::{StateFault, StateStoreError, StateWriter};
use crate::sandbox::store::HookStore;

type Bytes = Option<Vec<u8>>;
type Returned<T> = wasmtime::Result<(Result<T, StateError>,)>;

/// Replaces the functions that do not wait with these.
pub(super) fn add_to_linker(linker: &mut Linker<HookStore>) -> wasmtime::Result<()> {
    let name = format!("portcullis:hooks/shared-state@{}", contract::VERSION);
    let mut interface = linker.instance(&name)?;
    interface.func_wrap_async("get", |mut store, (space, key): (String, String)| {
        Box::new(async move {
            let state = state(&mut store);
            let Some((writer, space)) = in_store(state, &space) else {
                return Ok((Host::get(state, space, key)?,));
            };
            let got = state.transaction.get_stored(&writer, &space, &key).await;
            returned(got.map(Ok))
        })
    })?;
    interface.func_wrap_async(
        "set",
        |mut store, (space, key, value): (String, String, Vec<u8>)| {
            Box::new(async move {
                let state = state(&mut store);
                let Some((writer, space)) = in_store(state, &space) else {
                    return Ok((Host::set(state, space, key, value)?,));
                };
                let transaction = &mut state.transaction;
                returned(transaction.set_stored(&writer, &space, key, value).await)
            })
        },
    )?;
    interface.func_wrap_async("delete", |mut store, (space, key): (String, String)| {
        Box::new(async move {
            let state = state(&mut store);
            let Some((_, space)) = in_store(state, &space) else {
                return Ok((Host::delete(state, space, key)?,));
            };
            returned(Ok(state.transaction.delete_stored(&space, key)))
        })
    })?;
    interface.func_wrap_async("keys", |mut store, (space,): (String,)| {
        Box::new(async move {
            let state = state(&mut store);
            let Some((writer, space)) = in_store(state, &space) else {
                return Ok((Host::keys(state, space)?,));
            };
            let keys = state.transaction.keys_stored(&writer, &space).await;
            returned(keys.map(Ok))
        })
    })?;
    interface.func_wrap_async(
        "increment",
        |mut store, (space, key, delta): (String, String, i64)| {
            Box::new(async move {
                let state = state(&mut store);
                let Some((writer, space)) = in_store(state, &space) else {
                    return Ok((Host::increment(state, space, key, delta)?,));
                };
                let transaction = &mut state.transaction;
                let sum = transaction.increment_stored(&writer, &space, key, delta);
                returned(sum.await)
            })
        },
    )?;
    interface.func_wrap_async(
        "swap",
        |mut store, (space, key, expected, new): (String, String, Bytes, Bytes)| {
            Box::new(async move {
                let state = state(&mut store);
                let Some((writer, space)) = in_store(state, &space) else {
                    return Ok((Host::swap(state, space, key, expected, new)?,));
                };
                let transaction = &mut state.transaction;
                let swapped = transaction.swap_stored(&writer, &space, key, expected, new);
                returned(swapped.await)
            })
        },
    )?;
    Ok(())
}

fn state<'a>(store: &'a mut StoreContextMut<'_, HookStore>) -> &'a mut State {
    &mut store.data_mut().called().capabilities.state
}

/// Returns a namespace of the store, with its writer. `None` if hooks' state is in memory, or if
/// the hook was not granted the namespace: then the function that does not wait returns the result.
fn in_store(state: &mut State, space: &str) -> Option<(Arc<StateWriter>, Arc<str>)> {
    Some((state.writer()?, state.granted(space).ok()?))
}

/// Converts a result. A failed store ends the call.
fn returned<T>(done: Result<Result<T, StateFault>, StateStoreError>) -> Returned<T> {
    match done {
        Ok(done) => Ok((done.map_err(StateError::from),)),
        Err(error) => Err(Failure::StateStore(error).into()),
    }
}
