//! The aims, and how far this run is from them.

use std::path::Path;
use std::time::Duration;

/// Prints the table.
pub fn print(results: &Path, memory: Option<usize>, kill: &[Duration]) {
    let nanos = |id: &str| median(results, id);
    println!("\n{:<52} {:>14}   aim", "what", "this run");
    for id in [
        "straight",
        "chain",
        "native",
        "lua",
        "process",
        "unserved",
        "unserved run",
    ] {
        row(
            &format!("one small call: {id}"),
            nanos(&format!("call/{id}")),
            "ns",
            "",
        );
    }
    let call = |id: &str| nanos(&format!("call/{id}"));
    ratio(
        "chain / straight",
        call("chain"),
        call("straight"),
        "<= 1.25",
    );
    ratio("chain / lua", call("chain"), call("lua"), "<= 2");
    ratio("process / chain", call("process"), call("chain"), ">= 1500");
    ratio("chain / native", call("chain"), call("native"), "");
    row("unserved point", call("unserved"), "ns", "< 10 ns");
    let newest = |count: u32| nanos(&format!("newest message/{count}"));
    for count in [10, 1_000, 10_000] {
        row(
            &format!("newest of {count} messages"),
            newest(count),
            "ns",
            "",
        );
    }
    ratio(
        "newest of 10,000 / of 10",
        newest(10_000),
        newest(10),
        "<= 1.1",
    );
    let millis = |id: &str| nanos(&format!("load 50/{id}")).map(|ns| ns / 1e6);
    row("load 50 hooks, cold", millis("cold"), "ms", "");
    row(
        "load 50 hooks, from the cache",
        millis("cached"),
        "ms",
        "< 50 ms",
    );
    let kilobytes = memory.map(|bytes| bytes as f64 / 1e3);
    row("a warm instance", kilobytes, "kB", "<= 80 kB");
    for (name, per_cent) in [("p50", 50), ("p99", 99)] {
        let at = kill.get(kill.len() * per_cent / 100);
        let millis = at.map(|past| past.as_secs_f64() * 1e3);
        row(
            &format!("a loop ends past its deadline, {name}"),
            millis,
            "ms",
            "<= 2 ticks of 1 ms",
        );
    }
}

fn row(what: &str, value: Option<f64>, unit: &str, aim: &str) {
    match value {
        Some(value) => println!("{what:<52} {value:>11.1} {unit:<2}   {aim}"),
        None => println!("{what:<52} {:>14}   {aim}", "not run"),
    }
}

fn ratio(what: &str, this: Option<f64>, that: Option<f64>, aim: &str) {
    let value = this.zip(that).map(|(this, that)| this / that);
    match value {
        Some(value) => println!("{what:<52} {value:>12.2} x   {aim}"),
        None => println!("{what:<52} {:>14}   {aim}", "not run"),
    }
}

/// A benchmark's median in nanoseconds, from criterion's own record of it.
fn median(results: &Path, id: &str) -> Option<f64> {
    let (group, name) = id.split_once('/')?;
    let file = results.join(group).join(name).join("new/estimates.json");
    let estimates: serde_json::Value = serde_json::from_slice(&std::fs::read(file).ok()?).ok()?;
    estimates.get("median")?.get("point_estimate")?.as_f64()
}
