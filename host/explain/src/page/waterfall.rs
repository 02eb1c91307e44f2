//! An event's time, as a bar.

use maud::{Markup, html};

/// The time that the bars of a turn share.
#[derive(Clone, Copy)]
pub(super) struct Scale {
    from_us: u64,
    took_us: u64,
}

/// The width of the drawing, in its own units.
const WIDTH: f64 = 1_000.0;
/// The least width of a bar, so that it is seen.
const LEAST: f64 = 4.0;

impl Scale {
    pub(super) fn new(from_us: u64, took_us: u64) -> Self {
        Self {
            from_us,
            took_us: took_us.max(1),
        }
    }

    /// Returns a bar, coloured by its kind.
    pub(super) fn bar(self, kind: &str, at_us: u64, took_us: u64) -> Markup {
        let part = |us: u64| us as f64 / self.took_us as f64 * WIDTH;
        let width = part(took_us).clamp(LEAST, WIDTH);
        let x = part(at_us.saturating_sub(self.from_us)).clamp(0.0, WIDTH - width);
        // Attributes, since the page's policy allows no style beside its own.
        html! {
            svg.bar viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true" {
                rect.(kind) x=(format!("{x:.1}")) y="1" width=(format!("{width:.1}")) height="8" {}
            }
        }
    }
}
