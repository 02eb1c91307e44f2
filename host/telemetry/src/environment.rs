//! OpenTelemetry's standard environment variables. They override the table `[telemetry]`.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

use portcullis::settings::TelemetryTable;
use portcullis::text::sanitize_for_terminal;

/// The range of milliseconds that a variable may set: at most a day.
pub(crate) const MILLISECONDS: RangeInclusive<u64> = 1..=24 * 60 * 60 * 1_000;

/// The variables with the address of a collector. Each of them turns telemetry on.
const ENDPOINTS: [&str; 4] = [
    "OTEL_EXPORTER_OTLP_ENDPOINT",
    "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
    "OTEL_EXPORTER_OTLP_METRICS_ENDPOINT",
    "OTEL_EXPORTER_OTLP_LOGS_ENDPOINT",
];

/// Returns a variable that is set and not empty.
pub(crate) fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|text| !text.is_empty())
}

/// Returns the number in a variable. A number above the range becomes the largest in the range. An unset variable gives
/// the default. So does any other text or a smaller number, and a warning is logged.
pub(crate) fn number<T>(name: &str, default: T, limits: RangeInclusive<T>) -> T
where
    T: Copy + Display + FromStr + PartialOrd,
{
    let Some(text) = variable(name) else {
        return default;
    };
    let least = *limits.start();
    within(&text, limits).unwrap_or_else(|| {
        tracing::warn!("{}", not_a_number(name, &text, least, default));
        default
    })
}

/// Returns the number in a text, and `None` if the text is not a number or the number is too small.
fn within<T: Copy + FromStr + PartialOrd>(text: &str, limits: RangeInclusive<T>) -> Option<T> {
    let (least, most) = limits.into_inner();
    let text = text.trim();
    match text.parse::<T>() {
        Ok(number) if number > most => Some(most),
        Ok(number) => (number >= least).then_some(number),
        // The number has more digits than its type can hold.
        Err(_) => {
            let is_digits = text.bytes().all(|byte| byte.is_ascii_digit());
            (is_digits && !text.is_empty()).then_some(most)
        }
    }
}

fn not_a_number(name: &str, text: &str, least: impl Display, default: impl Display) -> String {
    let text = sanitize_for_terminal(text);
    format!(
        "{name} is `{text}`, which is not a number of at least {least}; the default, {default}, is used"
    )
}

/// Returns whether a variable has the address of a collector.
fn names_endpoint() -> bool {
    ENDPOINTS.iter().any(|name| variable(name).is_some())
}

/// Returns the table of a file, or a default table if the environment turns telemetry on. Returns `None` if telemetry
/// is off.
pub(crate) fn effective(table: Option<&TelemetryTable>) -> Option<TelemetryTable> {
    let is_disabled =
        variable("OTEL_SDK_DISABLED").is_some_and(|text| text.eq_ignore_ascii_case("true"));
    let table = match table {
        Some(table) => table.clone(),
        None if names_endpoint() => TelemetryTable::default(),
        None => return None,
    };
    (!is_disabled && (sends(&table) || table.prometheus.is_some())).then_some(table)
}

/// Returns whether there is a collector to send signals to.
pub(crate) fn sends(table: &TelemetryTable) -> bool {
    table.endpoint.is_some() || names_endpoint()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_within_its_limits_or_none() {
        for (text, number) in [
            ("7", Some(7)),
            (" 7 ", Some(7)),
            ("4096", Some(1_024)),
            ("18446744073709551615", Some(1_024)),
            ("99999999999999999999999", Some(1_024)),
            ("0", None),
            ("-1", None),
            ("10s", None),
            ("many", None),
            (" ", None),
        ] {
            assert_eq!(within(text, 1..=1_024_usize), number, "{text}");
        }
        for (text, share) in [
            ("0", Some(0.0)),
            ("0.5", Some(0.5)),
            ("2", Some(1.0)),
            ("nan", None),
            ("-1", None),
        ] {
            assert_eq!(within(text, 0.0..=1.0), share, "{text}");
        }
    }

    #[test]
    fn what_is_no_number_is_reported_with_the_default() {
        assert_eq!(
            not_a_number("OTEL_EXPORTER_OTLP_TIMEOUT", "10s", 1, 10_000),
            "OTEL_EXPORTER_OTLP_TIMEOUT is `10s`, which is not a number of at least 1; the default, 10000, is used"
        );
    }
}
