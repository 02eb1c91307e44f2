//! The distributions as a picture.

use std::fmt::Write as _;

use portcullis_store::{HookStats, RunStats, Spread};

use super::spark::{Scale, parts};
use super::table::micros;
use crate::terminal::{Printable, units};

const WIDTH: f64 = 900.0;
const LEFT: f64 = 190.0;
const RIGHT: f64 = 250.0;
const ROW: f64 = 34.0;
/// The space above the rows of a panel, for its title and its scale.
const HEAD: f64 = 56.0;
/// The number of parts that a distribution is drawn with.
const PARTS: usize = 96;

/// Colours that are distinct on light and on dark pages.
const STYLE: &str = "text{font:12px system-ui,sans-serif;fill:#57606a}.title{font-size:14px;font-weight:600}\
.name{text-anchor:end}.tick{text-anchor:middle;font-size:11px}.grid{stroke:#8c959f;stroke-opacity:.3}\
.area{fill:#1f6feb;fill-opacity:.45}.p50{stroke:#1f6feb;stroke-width:2}.p95{stroke:#bf8700;stroke-width:2}\
.p99{stroke:#cf222e;stroke-width:2}\
@media(prefers-color-scheme:dark){text{fill:#adb5bd}}";

type Pick = fn(&RunStats) -> Option<&Spread>;

/// Returns a panel each for latency, fuel and memory, with a row for every hook.
pub(super) fn plot(hooks: &[HookStats]) -> String {
    let panels: [(Panel, Pick); 3] = [
        (Panel::new("Latency", 10, micros), |stats| {
            stats.latency_us.as_ref()
        }),
        (Panel::new("Fuel", 10, units::short), |stats| {
            stats.fuel.as_ref()
        }),
        (Panel::new("Memory", 4, units::bytes), |stats| {
            stats.memory.as_ref()
        }),
    ];
    let (mut body, mut top) = (String::new(), 8.0);
    for (panel, pick) in panels {
        let rows = hooks.iter();
        let rows = rows.filter_map(|hook| Some((hook.hook.as_str(), pick(&hook.total)?)));
        let rows: Vec<(&str, &Spread)> = rows.collect();
        if !rows.is_empty() {
            top = panel.draw(&mut body, top, &rows);
        }
    }
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {top}\" role=\"img\">\n<title>What calls of hooks took \
         and used, on logarithmic scales</title>\n<style>{STYLE}</style>\n{body}</svg>\n"
    )
}

/// A quantity.
struct Panel {
    title: &'static str,
    /// The factor between one tick of its scale and the next.
    base: u64,
    shown: fn(u64) -> Printable,
}

impl Panel {
    fn new(title: &'static str, base: u64, shown: fn(u64) -> Printable) -> Self {
        Self { title, base, shown }
    }

    /// Draws a panel from this height on. Returns its lower edge.
    fn draw(&self, svg: &mut String, top: f64, rows: &[(&str, &Spread)]) -> f64 {
        let Self { title, base, shown } = *self;
        let scale = Scale::of(rows.iter().map(|(_, spread)| *spread));
        let first = top + HEAD;
        let bottom = first + ROW * rows.len() as f64;
        let _ = write!(
            svg,
            "<text class=\"title\" x=\"8\" y=\"{:.1}\">{title}</text>",
            top + 16.0
        );
        for (index, name) in ["p50", "p95", "p99"].iter().enumerate() {
            let left = LEFT + 60.0 * index as f64;
            let _ = write!(
                svg,
                "<line class=\"{name}\" x1=\"{left}\" x2=\"{left}\" y1=\"{:.1}\" y2=\"{:.1}\"/><text x=\"{:.1}\" y=\"{:.1}\">{name}</text>",
                top + 5.0,
                top + 17.0,
                left + 5.0,
                top + 16.0
            );
        }
        for tick in (0..).map_while(|power| base.checked_pow(power)) {
            let at = scale.at(tick);
            if at > 0.0 && at < 1.0 {
                let x = x(at);
                let _ = write!(
                    svg,
                    "<line class=\"grid\" x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{first:.1}\" y2=\"{bottom:.1}\"/>\
                 <text class=\"tick\" x=\"{x:.1}\" y=\"{:.1}\">{}</text>",
                    first - 8.0,
                    shown(tick).as_str()
                );
            }
        }
        for (index, (hook, spread)) in rows.iter().enumerate() {
            row(svg, first + ROW * index as f64, hook, spread, &scale, shown);
        }
        bottom + 16.0
    }
}

fn row(
    svg: &mut String,
    top: f64,
    hook: &str,
    spread: &Spread,
    scale: &Scale,
    shown: fn(u64) -> Printable,
) {
    let (base, height) = (top + ROW - 5.0, ROW - 9.0);
    let parts = parts::<PARTS>(spread, scale);
    let most = parts.iter().copied().max().unwrap_or_default().max(1);
    let mut path = format!("M{LEFT:.1} {base:.1}");
    for (part, count) in parts.iter().enumerate() {
        let y = base - height * (*count as f64 / most as f64);
        let (from, to) = (
            x(part as f64 / PARTS as f64),
            x((part + 1) as f64 / PARTS as f64),
        );
        let _ = write!(path, "L{from:.1} {y:.1}L{to:.1} {y:.1}");
    }
    let _ = write!(path, "L{:.1} {base:.1}Z", x(1.0));
    let _ = write!(
        svg,
        "<text class=\"name\" x=\"{:.1}\" y=\"{:.1}\">{}</text><path class=\"area\" d=\"{path}\"/>",
        LEFT - 10.0,
        base - 6.0,
        escaped(hook)
    );
    for (class, value) in [
        ("p50", spread.p50),
        ("p95", spread.p95),
        ("p99", spread.p99),
    ] {
        let x = x(scale.at(value));
        let _ = write!(
            svg,
            "<line class=\"{class}\" x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{:.1}\" y2=\"{base:.1}\"/>",
            base - height
        );
    }
    let percentiles = [spread.p50, spread.p95, spread.p99].map(|value| shown(value).to_string());
    let _ = write!(
        svg,
        "<text x=\"{:.1}\" y=\"{:.1}\">{}</text>",
        WIDTH - RIGHT + 14.0,
        base - 6.0,
        escaped(&percentiles.join(" · "))
    );
}

/// Returns the x coordinate of a position on the scale.
fn x(at: f64) -> f64 {
    LEFT + at * (WIDTH - LEFT - RIGHT)
}

fn escaped(text: &str) -> String {
    let text = text
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;");
    // XML forbids most control characters.
    text.replace(|c: char| c.is_control(), "\u{fffd}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_hook_has_a_row_and_its_name_is_text() {
        let spread = Spread {
            p50: 10,
            p95: 900,
            p99: 1_000,
            max: 1_000,
            buckets: vec![(1, 1), (10, 50), (1_000, 2)],
        };
        let mut stats = RunStats::default();
        stats.latency_us = Some(spread);
        let hook = |hook: &str| HookStats {
            hook: hook.to_owned(),
            total: stats.clone(),
            ..HookStats::default()
        };
        let svg = plot(&[hook("one"), hook("<script>&\u{7}")]);
        assert_eq!(svg.matches("class=\"area\"").count(), 2);
        assert!(
            svg.contains("&lt;script&gt;&amp;\u{fffd}") && !svg.contains("<script>"),
            "{svg}"
        );
        assert!(
            !svg.contains(">Fuel<") && svg.contains("10 µs · 900 µs · 1.0 ms"),
            "{svg}"
        );
    }
}
