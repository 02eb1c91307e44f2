//! The store: the shared namespace `memory`.
//!
//! A memory is at `USER/ID`. Its sequence number comes from the counter at `USER/#`.

use portcullis_sdk::HookResult;
use portcullis_sdk::shared::{self, Namespace};
use portcullis_sdk::state::Error;
use portcullis_sdk::{session, state};

use crate::Memory;

const MEMORY: Namespace<'_> = shared::namespace("memory");

/// The result of keeping a memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kept {
    /// It is new, or differs from the stored one.
    Stored,
    /// The same memory is stored already.
    Unchanged,
    /// There is no room for it.
    NoRoom,
}

/// Returns the memories of the session's user, newest first.
///
/// # Errors
///
/// The namespace is not granted, or has a value that is not a memory.
pub fn all() -> HookResult<Vec<Memory>> {
    let prefix = prefix(session::user().as_deref());
    let counter = counter(&prefix);
    let mut memories: Vec<Memory> = Vec::new();
    for key in MEMORY.keys()? {
        if key.starts_with(&prefix) && key != counter {
            memories.extend(MEMORY.get::<Memory>(&key)?);
        }
    }
    memories.sort_by(|a, b| b.seq.cmp(&a.seq).then(a.id.cmp(&b.id)));
    Ok(memories)
}

/// Keeps a memory of the session's user. It is stored once the hook's call has succeeded.
///
/// # Errors
///
/// The namespace is not granted, or has a value that is not a memory.
pub fn keep(memory: Memory) -> HookResult<Kept> {
    let prefix = prefix(session::user().as_deref());
    let key = format!("{prefix}{}", memory.id);
    let known = MEMORY.get::<Memory>(&key)?;
    if known.is_some_and(|known| known.says_the_same(&memory)) {
        return Ok(Kept::Unchanged);
    }
    let kept = MEMORY
        .increment(&counter(&prefix), 1)
        .and_then(|seq| MEMORY.set(&key, &Memory { seq, ..memory }));
    match kept {
        Ok(()) => Ok(Kept::Stored),
        Err(Error::Full(_)) => Ok(Kept::NoRoom),
        Err(error) => Err(state::Error::into(error)),
    }
}

fn counter(prefix: &str) -> String {
    format!("{prefix}#")
}

/// Returns the prefix of a user's keys. The escaped name cannot match another user's keys.
fn prefix(user: Option<&str>) -> String {
    let user = user.unwrap_or_default();
    format!("{}/", user.replace('%', "%25").replace('/', "%2F"))
}

#[cfg(test)]
mod tests {
    use super::prefix;

    #[test]
    fn users_are_kept_apart() {
        let names = [None, Some("a"), Some("a/b"), Some("a%2Fb"), Some("%")];
        for one in names {
            for other in names {
                let (one_key, other_key) = (prefix(one), prefix(other));
                assert_eq!(
                    one == other,
                    one_key.starts_with(&other_key),
                    "{one:?} {other:?}"
                );
            }
        }
    }
}
