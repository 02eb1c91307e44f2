//! Times in TOML.

use std::time::Duration;

use toml_edit::{Datetime, Offset};

/// The clock's time if the case sets none: the beginning of 2026.
pub(super) const DEFAULT: Duration = Duration::from_secs(1_767_225_600);

/// Returns the time since 1970; `None` for an earlier time, or one without a date or an offset.
pub(super) fn since_1970(at: &Datetime) -> Option<Duration> {
    let (date, time) = (at.date?, at.time?);
    let minutes = match at.offset? {
        Offset::Z => 0,
        Offset::Custom { minutes } => i64::from(minutes),
    };
    let days = days(date.year.into(), date.month.into(), date.day.into());
    let hours = days * 24 + i64::from(time.hour);
    let seconds = (hours * 60 + i64::from(time.minute) - minutes) * 60
        + i64::from(time.second.unwrap_or_default());
    let nanos = time.nanosecond.unwrap_or_default();
    Some(Duration::new(u64::try_from(seconds).ok()?, nanos))
}

/// Returns the days from 1970 to a date. Years begin in March in this calculation, so that a leap
/// day is the last day of its year.
fn days(year: i64, month: i64, day: i64) -> i64 {
    let (year, month) = match month {
        1 | 2 => (year - 1, month + 9),
        _ => (year, month - 3),
    };
    let leap = year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    let in_year = (153 * month + 2) / 5 + day - 1;
    year * 365 + leap + in_year - 719_468
}

/// Returns the date of a number of days since 1970: year, month, day.
pub(super) fn date(since: u64) -> (u64, u64, u64) {
    // Counted from March, as in `days`, in periods of 400 years.
    let days = since + 719_468;
    let (period, of_period) = (days / 146_097, days % 146_097);
    let year = (of_period - of_period / 1_460 + of_period / 36_524 - of_period / 146_096) / 365;
    let of_year = of_period - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let (year, month) = match month {
        0..=9 => (year, month + 3),
        _ => (year + 1, month - 9),
    };
    (period * 400 + year, month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_the_days_that_they_came_from() {
        for since in (0..60_000).step_by(13) {
            let (year, month, day) = date(since);
            let [year, month, day] = [year, month, day].map(u64::cast_signed);
            assert_eq!(super::days(year, month, day), since.cast_signed());
        }
        assert_eq!(date(11_016), (2000, 2, 29));
    }

    #[test]
    fn moments() {
        for (text, seconds) in [
            ("1970-01-01T00:00:00Z", Some(0)),
            ("2000-02-29T12:00:00Z", Some(951_825_600)),
            ("2026-01-01T00:00:00Z", Some(DEFAULT.as_secs())),
            ("2026-01-01T01:00:00+01:00", Some(DEFAULT.as_secs())),
            ("1969-12-31T23:59:59Z", None),
            ("2026-01-01", None),
        ] {
            let at: Datetime = text.parse().unwrap();
            assert_eq!(since_1970(&at).map(|at| at.as_secs()), seconds, "{text}");
        }
    }
}
