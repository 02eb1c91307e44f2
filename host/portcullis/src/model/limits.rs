//! The resource limits of a hook.

mod turn;

use std::time::Duration;

use serde::Serialize;
use serde::ser::{SerializeMap as _, Serializer};

pub use turn::TurnLimits;

/// The longest time that may be set, in milliseconds: a day.
pub(crate) const LONGEST_MS: i64 = 24 * 60 * 60 * 1000;
/// The most bytes that may be set: the size of a 32-bit memory.
pub(crate) const MOST_BYTES: i64 = 4 << 30;
/// The greatest count that may be set for items in a 32-bit memory.
pub(crate) const MOST_COUNT: i64 = MOST_BYTES;
/// The most bytes of headers that may be set: each handle holds them in the host's memory.
pub(crate) const MOST_HEADER_BYTES: i64 = 1 << 20;
/// The most calls that may be set.
pub(crate) const MOST_CALLS: i64 = 1_000_000;
/// The greatest value that may be set for any other limit.
pub(crate) const MOST: i64 = i64::MAX;

/// The default of fuel, the only limit that can be absent.
pub(crate) const DEFAULT_FUEL: u64 = 50_000_000;

/// The one list of limits, except for fuel, which can be absent. Everything that iterates over all
/// limits is generated from it: the types, `hooks.toml` with its schema, reports and pages.
///
/// A row contains the description, the reason for the default, the key in `hooks.toml`, the field
/// with its type, the default and the greatest value that may be set, both in the key's unit.
macro_rules! for_each_limit {
    ($macro:ident) => {
        $macro! {
            "Milliseconds of computing per call." ""
            "deadline-ms" deadline: Duration = 100, LONGEST_MS;
            "Milliseconds per call, waiting included." ""
            "wall-ms" wall: Duration = 1_000, LONGEST_MS;
            "Bytes over all memories of an instance, with what the host holds for its handles: 1 MiB for an open file or directory, and for any stream of a hook that has directories; 128 KiB and twice `http-header-bytes` for a part of a request; 1 KiB for a pollable." ""
            "memory-bytes" memory_bytes: usize = 64 << 20, MOST_BYTES;
            "Calls of imports per call."
            "Those of the start count where the instance is started for the call. The default is ten times what it takes to read 10,000 messages one by one, and a tenth of what the fuel would pay for."
            "host-calls" host_calls: u64 = 100_000, MOST;
            "Elements over all tables of an instance."
            "Language runtimes keep tens of thousands of functions in theirs."
            "table-elements" table_elements: usize = 100_000, MOST_COUNT;
            "Core instances, and as many memories and tables."
            "Componentized language runtimes need about ten."
            "instances" instances: usize = 64, MOST_COUNT;
            "Live resource handles." ""
            "handles" handles: usize = 1_000, MOST_COUNT;
            "Bytes from the hook to the host at once, as an answer or in one call of an import." ""
            "output-bytes" output_bytes: usize = 4 << 20, MOST_BYTES;
            "Bytes of log per call; more is cut off and marked." ""
            "log-bytes" log_bytes: usize = 16 << 10, MOST_BYTES;
            "Lines of log per call; more are dropped, which is logged once."
            "Empty lines would otherwise fill a screen twelve times before they fill `log_bytes`."
            "log-lines" log_lines: usize = 256, MOST_COUNT;
            "Bytes of events per call; more are dropped, which is logged once." ""
            "event-bytes" event_bytes: usize = 64 << 10, MOST_BYTES;
            "Contributions per call; a bundle of tools counts as its tools." ""
            "contributions" contributions: usize = 256, MOST_COUNT;
            "Bytes of keys and values in a namespace of state, and in the keys of the agent's state that the hook may change." ""
            "state-bytes" state_bytes: usize = 1 << 20, MOST_BYTES;
            "Keys in a namespace of state, and of the agent's state that the hook may change." ""
            "state-keys" state_keys: usize = 1_000, MOST_COUNT;
            "Bytes of a prompt for the agent's model, with its instructions; more is an error to the hook."
            "About 16,000 tokens."
            "model-prompt-bytes" model_prompt_bytes: usize = 64 << 10, MOST_BYTES;
            "Requests per call, refused ones included."
            "A hook asks a server or two, and follows a redirect. All limits of requests hold within `wall`."
            "http-requests" http_requests: u64 = 16, MOST_CALLS;
            "Requests at once; one more is an error to the hook." ""
            "http-concurrent" http_concurrent: usize = 4, MOST_CALLS;
            "Bytes sent per call, headers included."
            "TLS does not count."
            "http-request-bytes" http_request_bytes: u64 = 1 << 20, MOST_BYTES;
            "Bytes received per call, headers included."
            "The default is that of `output_bytes`, in the other direction."
            "http-response-bytes" http_response_bytes: u64 = 4 << 20, MOST_BYTES;
            "Bytes of headers of a request or a response; more is an error to the hook."
            "The path counts. The default is what servers accept."
            "http-header-bytes" http_header_bytes: usize = 16 << 10, MOST_HEADER_BYTES;
            "Milliseconds to connect, including DNS and TLS; more is an error to the hook, as with the next three." ""
            "http-connect-ms" http_connect: Duration = 2_000, LONGEST_MS;
            "Milliseconds from the connection until the response begins." ""
            "http-first-byte-ms" http_first_byte: Duration = 5_000, LONGEST_MS;
            "Milliseconds between two chunks of a response." ""
            "http-between-bytes-ms" http_between_bytes: Duration = 2_000, LONGEST_MS;
            "Milliseconds of a request in all." ""
            "http-total-ms" http_total: Duration = 10_000, LONGEST_MS;
        }
    };
}
pub(crate) use for_each_limit;

/// The value of a limit, which `hooks.toml` writes as a number: a time in milliseconds.
pub(crate) trait Amount: Copy {
    fn of(number: u64) -> Self;
    fn number(self) -> u64;
}

impl Amount for Duration {
    fn of(number: u64) -> Self {
        Self::from_millis(number)
    }

    fn number(self) -> u64 {
        u64::try_from(self.as_millis()).unwrap_or(u64::MAX)
    }
}

impl Amount for u64 {
    fn of(number: u64) -> Self {
        number
    }

    fn number(self) -> u64 {
        self
    }
}

impl Amount for usize {
    fn of(number: u64) -> Self {
        Self::try_from(number).unwrap_or(Self::MAX)
    }

    fn number(self) -> u64 {
        self as u64
    }
}

/// A limit, as named in `hooks.toml` and reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct LimitInfo {
    /// The key in `hooks.toml`, which ends with the unit: `-ms` or `-bytes`; others are counts.
    pub key: &'static str,
    /// The limited resource, in one sentence.
    pub description: &'static str,
    /// The value; `None` if there is no limit.
    pub value: Option<u64>,
}

const FUEL: &str = "Units per call, about one for each instruction.";

macro_rules! define_limits {
    ($($description:literal $why:literal $key:literal $field:ident: $type:ty = $default:expr, $most:expr;)*) => {
        /// The limits of one hook call and of its instance. Every limit has a default; the
        /// operator's `hooks.toml` overrides it.
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub struct Limits {
            /// Units of fuel per call, about one for each wasm instruction; `None` disables the
            /// count. Default 50 million, about 5 ms of computing.
            pub fuel: Option<u64>,
            $(
                #[doc = $description]
                #[doc = $why]
                #[doc = concat!("Default `", stringify!($default), "`, in the unit of the key `", $key, "` in `hooks.toml`.")]
                pub $field: $type,
            )*
        }

        impl Default for Limits {
            fn default() -> Self {
                Self {
                    fuel: Some(DEFAULT_FUEL),
                    $($field: <$type as Amount>::of($default),)*
                }
            }
        }

        impl Limits {
            /// Returns all limits, in the order of the reference of `hooks.toml`.
            pub fn all(&self) -> Vec<LimitInfo> {
                vec![
                    LimitInfo {
                        key: "fuel",
                        description: FUEL,
                        value: self.fuel,
                    },
                    $(LimitInfo {
                        key: $key,
                        description: $description,
                        value: Some(self.$field.number()),
                    },)*
                ]
            }
        }

        /// Limits that override others. `None` overrides nothing.
        #[derive(Debug, Clone, Default, PartialEq, Eq)]
        pub struct LimitOverrides {
            /// Fuel; `Some(None)` disables the count.
            pub fuel: Option<Option<u64>>,
            $(
                #[doc = $description]
                pub $field: Option<$type>,
            )*
        }

        impl LimitOverrides {
            /// Returns the given limits with these overrides applied.
            pub(crate) fn over(&self, base: &Limits) -> Limits {
                Limits {
                    fuel: self.fuel.unwrap_or(base.fuel),
                    $($field: self.$field.unwrap_or(base.$field),)*
                }
            }
        }
    };
}
for_each_limit!(define_limits);

/// A map with the keys of `hooks.toml`.
impl Serialize for Limits {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let all = self.all();
        let mut map = serializer.serialize_map(Some(all.len()))?;
        for limit in all {
            map.serialize_entry(limit.key, &limit.value)?;
        }
        map.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::failure::Failure;

    #[test]
    fn a_failure_names_the_key_of_the_limit_that_it_hit() {
        let limits = Limits::default().all();
        let failures = [
            Failure::Fuel(1),
            Failure::Deadline(Duration::ZERO),
            Failure::WallClock(Duration::ZERO),
            Failure::Memory(1),
            Failure::Tables(1),
            Failure::Instances(1),
            Failure::Handles(1),
            Failure::HostMemory(1),
            Failure::HostCalls(1),
            Failure::Contributions { given: 2, most: 1 },
            Failure::HttpRequests(1),
            Failure::HttpRequestBytes(1),
            Failure::HttpResponseBytes(1),
        ];
        for failure in failures {
            let text = failure.to_string();
            let key = text.split('`').nth(1).expect("a key");
            assert!(limits.iter().any(|limit| limit.key == key), "{text}");
        }
    }
}
