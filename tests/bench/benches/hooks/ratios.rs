//! The targets, and this run's distance from them.

use std::path::Path;
use std::time::Duration;

use crate::crowd::Crowd;
use crate::kill::Late;

/// The measurements of a run.
pub struct Run<'a> {
    /// The directory of criterion's records.
    pub results: &'a Path,
    /// The ways to make one small call, which took turns.
    pub calls: &'a [(&'static str, f64)],
    /// The conversations, which took turns.
    pub newest: &'a [(&'static str, f64)],
    /// The calls for which instances are made, which took turns with a call by a warm one.
    pub fresh: &'a [(&'static str, f64)],
    /// The cold load time of fifty hooks.
    pub cold: Duration,
    /// The bytes of a warm instance.
    pub memory: Option<u64>,
    /// The measurements of ten thousand sessions.
    pub crowd: Crowd,
    /// The times that loops ran past their deadline, by the machine's other load.
    pub kill: [(&'static str, Late); 2],
}

/// Prints the table.
pub fn print(run: &Run<'_>) {
    let of = |times: &[(&'static str, f64)], name: &str| {
        let found = times.iter().find(|(this, _)| *this == name);
        found.map(|(_, nanos)| *nanos)
    };
    let call = |name: &str| of(run.calls, name);
    let newest = |name: &str| of(run.newest, name);
    let alone = |id: &str| median(run.results, id);

    println!("\n{:<64} {:>14}   aim", "what", "this run");
    for name in ["straight", "chain", "native", "lua"] {
        row(&format!("one small call: {name}"), call(name), "ns", "");
    }
    let process = alone("call/process");
    row("one small call: process", process, "ns", "");
    ratio(
        "chain / straight",
        call("chain"),
        call("straight"),
        "<= 1.25",
    );
    ratio("chain / lua", call("chain"), call("lua"), "<= 2");
    ratio("chain / native", call("chain"), call("native"), "");
    ratio("process / chain", process, call("chain"), ">= 1500");
    row("unserved point", alone("call/unserved"), "ns", "< 10 ns");
    for count in ["10", "1000", "10000"] {
        row(
            &format!("newest of {count} messages"),
            newest(count),
            "ns",
            "",
        );
    }
    ratio(
        "newest of 10,000 / of 10",
        newest("10000"),
        newest("10"),
        "<= 1.1",
    );
    for (name, aim) in [
        ("new session", "<= 15 us"),
        ("for one call", "<= 15 us"),
        ("warm", ""),
    ] {
        let micros = of(run.fresh, name).map(|nanos| nanos / 1e3);
        row(&format!("a call, instance: {name}"), micros, "us", aim);
    }
    row(
        "load 50 hooks, cold",
        Some(run.cold.as_secs_f64() * 1e3),
        "ms",
        "",
    );
    let cached = alone("load 50/cached").map(|nanos| nanos / 1e6);
    row("load 50 hooks, from the cache", cached, "ms", "< 50 ms");
    let kilobytes = |bytes: Option<u64>| bytes.map(|bytes| bytes as f64 / 1e3);
    row("a warm instance", kilobytes(run.memory), "kB", "<= 80 kB");
    let crowd = &run.crowd;
    row(
        "one of 10,000 sessions, idle",
        kilobytes(crowd.idle),
        "kB",
        "",
    );
    row(
        "one of 1,000 active ones, 10 hooks",
        kilobytes(crowd.active),
        "kB",
        "",
    );
    row("runs a second of their hooks", Some(crowd.runs), "/s", "");
    for (beside, late) in &run.kill {
        for (name, per_cent) in [("p50", 50), ("p99", 99)] {
            let what = format!("a loop ends past its deadline{beside}, {name}");
            row(
                &what,
                millis(&late.hook, per_cent),
                "ms",
                "<= 2 ticks of 1 ms",
            );
            row(
                "  of which the machine's",
                millis(&late.machine, per_cent),
                "ms",
                "",
            );
        }
    }
}

fn millis(times: &[Duration], per_cent: usize) -> Option<f64> {
    let at = times.get(times.len() * per_cent / 100);
    at.map(|past| past.as_secs_f64() * 1e3)
}

fn row(what: &str, value: Option<f64>, unit: &str, aim: &str) {
    match value {
        Some(value) => println!("{what:<64} {value:>11.1} {unit:<2}   {aim}"),
        None => println!("{what:<64} {:>14}   {aim}", "not run"),
    }
}

fn ratio(what: &str, this: Option<f64>, that: Option<f64>, aim: &str) {
    let value = this.zip(that).map(|(this, that)| this / that);
    match value {
        Some(value) => println!("{what:<64} {value:>12.2} x   {aim}"),
        None => println!("{what:<64} {:>14}   {aim}", "not run"),
    }
}

/// Returns a benchmark's median in nanoseconds, from criterion's own record.
fn median(results: &Path, id: &str) -> Option<f64> {
    let (group, name) = id.split_once('/')?;
    let file = results.join(group).join(name).join("new/estimates.json");
    let estimates: serde_json::Value = serde_json::from_slice(&std::fs::read(file).ok()?).ok()?;
    estimates.get("median")?.get("point_estimate")?.as_f64()
}
