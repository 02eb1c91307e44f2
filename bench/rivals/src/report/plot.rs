//! The plot: a bar for each contestant, on a logarithmic scale.

use std::fmt::Write;

use super::{Report, Row, human};

const WIDTH: f64 = 860.0;
const LEFT: f64 = 270.0;
const RIGHT: f64 = 90.0;
const TOP: f64 = 40.0;
const ROW: f64 = 24.0;

/// Colours that are distinguishable on a light page and on a dark one.
const STYLE: &str = "text{font:12px system-ui,sans-serif;fill:#57606a}\
.name{text-anchor:end}.tick{text-anchor:middle;font-size:11px}.grid{stroke:#8c959f;stroke-opacity:.3}\
.ours{fill:#1f6feb}.floor{fill:#8c959f}.other{fill:#d4893b}\
@media(prefers-color-scheme:dark){text{fill:#adb5bd}}";

/// Returns the picture, as SVG.
pub fn svg(report: &Report) -> String {
    let times = report.rows.iter().map(|row| row.allowed.median_ns);
    let (least, most) = times.fold((f64::MAX, 0.0_f64), |(least, most), time| {
        (least.min(time), most.max(time))
    });
    let scale = Scale {
        first: least.log10().floor(),
        last: most.log10().ceil(),
    };
    let bottom = TOP + ROW * report.rows.len() as f64;
    let height = bottom + 12.0;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" role=\"img\">\n\
         <title>The time of one call, on a logarithmic scale</title>\n<style>{STYLE}</style>\n"
    );
    let mut decade = scale.first;
    while decade <= scale.last {
        let x = scale.x(10_f64.powf(decade));
        let label = human(10_f64.powf(decade))
            .replace(".00", "")
            .replace(".0", "");
        let _ = writeln!(
            svg,
            "<line class=\"grid\" x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{:.1}\" y2=\"{bottom:.1}\"/>\
             <text class=\"tick\" x=\"{x:.1}\" y=\"{:.1}\">{label}</text>",
            TOP - 6.0,
            TOP - 14.0
        );
        decade += 1.0;
    }
    for (index, row) in report.rows.iter().enumerate() {
        bar(&mut svg, &scale, row, TOP + ROW * index as f64);
    }
    svg.push_str("</svg>\n");
    svg
}

fn bar(svg: &mut String, scale: &Scale, row: &Row, top: f64) {
    let end = scale.x(row.allowed.median_ns);
    let middle = top + ROW / 2.0 + 4.0;
    let class = match row.key {
        "native-closure" | "wasmtime" => "floor",
        key if key.starts_with("portcullis") => "ours",
        _ => "other",
    };
    let _ = writeln!(
        svg,
        "<text class=\"name\" x=\"{:.1}\" y=\"{middle:.1}\">{}</text>\
         <rect class=\"{class}\" x=\"{LEFT}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" rx=\"2\"/>\
         <text x=\"{:.1}\" y=\"{middle:.1}\">{}</text>",
        LEFT - 8.0,
        escaped(row.name),
        top + 4.0,
        (end - LEFT).max(1.0),
        ROW - 8.0,
        end + 6.0,
        human(row.allowed.median_ns)
    );
}

fn escaped(text: &str) -> String {
    let text = text.replace('`', "");
    text.replace('&', "&amp;").replace('<', "&lt;")
}

/// The scale from powers of ten to positions.
struct Scale {
    first: f64,
    last: f64,
}

impl Scale {
    fn x(&self, nanos: f64) -> f64 {
        let share = (nanos.log10() - self.first) / (self.last - self.first);
        LEFT + share * (WIDTH - LEFT - RIGHT)
    }
}
