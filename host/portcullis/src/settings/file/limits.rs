//! `[defaults.limits]` and `[hooks.ID.limits]`.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::model::limits::{
    Amount as _, DEFAULT_FUEL, LONGEST_MS, LimitOverrides, Limits as Values, MOST, MOST_BYTES,
    MOST_CALLS, MOST_COUNT, MOST_HEADER_BYTES, for_each_limit,
};
use crate::settings::check::Check;

#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "a number of units, or false to count none")]
pub(in crate::settings) enum Fuel {
    Units(#[schemars(range(min = 1, max = MOST))] i64),
    Counted(#[schemars(extend("const" = false))] bool),
}

macro_rules! define_file {
    ($($description:literal $why:literal $key:literal $field:ident: $type:ty = $default:expr, $most:expr;)*) => {
        /// Limits are read as signed numbers, to distinguish a negative number from a wrong type.
        #[derive(Debug, Default, Deserialize, JsonSchema)]
        #[serde(default)]
        pub(in crate::settings) struct Limits {
            /// Units per call, about one for each instruction; `false` sets no limit.
            #[schemars(extend("default" = DEFAULT_FUEL))]
            fuel: Option<Fuel>,
            $(
                #[doc = $description]
                #[serde(rename = $key)]
                #[schemars(range(min = 1, max = $most), extend("default" = Values::default().$field.number()))]
                $field: Option<i64>,
            )*
        }

        impl Limits {
            /// Returns the checked limits.
            pub(in crate::settings) fn checked(
                &self,
                check: &mut Check<'_>,
                at: &[&str],
            ) -> LimitOverrides {
                LimitOverrides {
                    fuel: fuel(self.fuel, check, at),
                    $($field: check.amount(self.$field, at, $key, $most),)*
                }
            }
        }
    };
}
for_each_limit!(define_file);

fn fuel(fuel: Option<Fuel>, check: &mut Check<'_>, at: &[&str]) -> Option<Option<u64>> {
    match fuel? {
        Fuel::Counted(false) => Some(None),
        Fuel::Counted(true) => {
            check.wrong(at, "fuel", "is a number of units, or false to count none");
            None
        }
        Fuel::Units(n) => check.amount(Some(n), at, "fuel", MOST).map(Some),
    }
}
