//! Changes to `wasmtime-wasi-http`: the longest text it keeps for a guest, and the error that a
//! body ended with.

use wasmtime::component::{Linker, Resource};
use wasmtime_wasi_http::p2::bindings::http::types::{
    ErrorCode, HostOutgoingRequest as _, IoError, Method,
};
use wasmtime_wasi_http::p2::types::HostOutgoingRequest;
use wasmtime_wasi_http::{Error, WasiHttpView as _};

use crate::sandbox::store::HookStore;

/// The version that `wasmtime-wasi-http` implements.
const TYPES: &str = "wasi:http/types@0.2.12";

/// The longest method name: none in use is longer.
const LONGEST_METHOD: usize = 32;
/// The longest authority: a name of 253 bytes and a port.
const LONGEST_AUTHORITY: usize = 260;

type Request = Resource<HostOutgoingRequest>;
type Set = wasmtime::Result<(Result<(), ()>,)>;

/// Replaces the linked functions with these.
pub(super) fn add_to_linker(linker: &mut Linker<HookStore>) -> wasmtime::Result<()> {
    linker.allow_shadowing(true);
    let mut types = linker.instance(TYPES)?;
    types.func_wrap(
        "[method]outgoing-request.set-method",
        |mut store, (request, method): (Request, Method)| -> Set {
            let long = matches!(&method, Method::Other(name) if name.len() > LONGEST_METHOD);
            match long {
                true => Ok((Err(()),)),
                false => Ok((store.data_mut().http().set_method(request, method)?,)),
            }
        },
    )?;
    types.func_wrap(
        "[method]outgoing-request.set-authority",
        |mut store, (request, authority): (Request, Option<String>)| -> Set {
            let long = |name: &String| name.len() > LONGEST_AUTHORITY;
            match authority.as_ref().is_some_and(long) {
                true => Ok((Err(()),)),
                false => Ok((store.data_mut().http().set_authority(request, authority)?,)),
            }
        },
    )?;
    types.func_wrap(
        "http-error-code",
        |mut store, (error,): (Resource<IoError>,)| -> wasmtime::Result<(Option<ErrorCode>,)> {
            let view = store.data_mut().http();
            let error = view.table.get(&error)?;
            Ok((error.downcast_ref().map(code),))
        },
    )?;
    linker.allow_shadowing(false);
    Ok(())
}

/// Returns the error code for the end of a response body.
fn code(error: &Error) -> ErrorCode {
    match error {
        Error::HttpResponseTimeout => ErrorCode::HttpResponseTimeout,
        Error::ConnectionReadTimeout => ErrorCode::ConnectionReadTimeout,
        Error::HttpResponseIncomplete => ErrorCode::HttpResponseIncomplete,
        Error::HttpRequestBodySize(most) => ErrorCode::HttpRequestBodySize(*most),
        Error::HttpResponseBodySize(most) => ErrorCode::HttpResponseBodySize(*most),
        _ => ErrorCode::HttpProtocolError,
    }
}
