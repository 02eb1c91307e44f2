//! A time on the command line.

use chrono::{DateTime, NaiveDate, Utc};

/// Parses a time. Returns it in milliseconds since the Unix epoch.
///
/// # Errors
///
/// The text is not a time.
pub(crate) fn parse(text: &str) -> Result<u64, String> {
    let ms = ago(text).or_else(|| date(text));
    let ms = ms.and_then(|ms| u64::try_from(ms).ok());
    ms.ok_or_else(|| {
        "give how long ago, such as `30m`, `2h` or `7d`, or a time such as `2026-01-31` or `2026-01-31T18:30:00Z`"
            .to_owned()
    })
}

fn ago(text: &str) -> Option<i64> {
    let unit = text.chars().last()?;
    let seconds = match unit {
        's' => 1,
        'm' => 60,
        'h' => 3_600,
        'd' => 86_400,
        _ => return None,
    };
    let number: u32 = text.strip_suffix(unit)?.parse().ok()?;
    let ms = i64::from(number).checked_mul(seconds * 1_000)?;
    Some(Utc::now().timestamp_millis().saturating_sub(ms))
}

fn date(text: &str) -> Option<i64> {
    if let Ok(time) = DateTime::parse_from_rfc3339(text) {
        return Some(time.timestamp_millis());
    }
    let day: NaiveDate = text.parse().ok()?;
    Some(day.and_hms_opt(0, 0, 0)?.and_utc().timestamp_millis())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_dates_or_how_long_ago() {
        assert_eq!(parse("2023-11-14T22:13:20Z"), Ok(1_700_000_000_000));
        assert_eq!(parse("2023-11-14T23:13:20+01:00"), Ok(1_700_000_000_000));
        assert_eq!(parse("2023-11-14"), Ok(1_699_920_000_000));
        let (day, hour) = (parse("1d").unwrap(), parse("1h").unwrap());
        assert!(
            (82_000_000..83_000_000).contains(&(hour - day)),
            "{day} {hour}"
        );
        for wrong in ["", "2", "h", "yesterday", "-1h", "2023-02-30", "1é"] {
            assert!(parse(wrong).unwrap_err().contains("`2h`"), "{wrong}");
        }
    }
}
