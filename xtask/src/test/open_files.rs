//! The number of files that the test programs may have open.

/// The required number. Each store in a test program has some 15 files open, and some hundred stores are open at once.
#[cfg(unix)]
const ENOUGH: u64 = 8_192;

/// Raises the limit of open files of this process, which test programs inherit: many systems start shells with 1,024, or
/// with 256. A lower hard limit stays.
#[cfg(unix)]
pub fn raise_limit() {
    use nix::sys::resource::{Resource, getrlimit, setrlimit};

    let Ok((soft, hard)) = getrlimit(Resource::RLIMIT_NOFILE) else {
        return;
    };
    if soft < ENOUGH {
        // Tests that need more files fail and name the cause.
        let _ = setrlimit(Resource::RLIMIT_NOFILE, ENOUGH.min(hard), hard);
    }
}

/// Does nothing: Windows has no such limit.
#[cfg(not(unix))]
pub fn raise_limit() {}
