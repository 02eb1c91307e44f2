//! An MCP server that would exhaust a client that compiles its schemas or keeps all its messages.

use std::io::{BufRead as _, Write as _};

use serde_json::{Value, json};

/// Each definition refers to the next one.
pub const CHAIN: &str = "chain";
/// Each definition refers to the next one twice.
pub const DOUBLING: &str = "doubling";

/// The list of its tools has no last page.
pub const PAGES: &str = "pages";
/// No page has a tool, and there is always another page.
pub const EMPTY_PAGES: &str = "empty pages";
/// Each page has one tool with a long description.
pub const LONG_PAGES: &str = "long pages";
/// Its answer to a call with the argument `long` is a line of 20 MiB.
pub const LONG_LINE: &str = "long line";

/// Serves until the input ends.
pub fn serve(kind: &str) {
    let schema = match kind {
        CHAIN => definitions(5_000, |next| json!({ "$ref": next })),
        DOUBLING => definitions(
            24,
            |next| json!({ "anyOf": [{ "$ref": next }, { "$ref": next }] }),
        ),
        _ => json!({ "type": "object" }),
    };
    for line in std::io::stdin().lock().lines() {
        let request: Value = serde_json::from_str(&line.unwrap()).unwrap();
        let Some(id) = request.get("id") else {
            continue;
        };
        let result = match request["method"].as_str() {
            Some("initialize") => json!({
                "protocolVersion": request["params"]["protocolVersion"],
                "capabilities": { "tools": {} },
                "serverInfo": { "name": "hostile", "version": "1" },
            }),
            Some("tools/list") => page(kind, &request["params"]["cursor"], &schema),
            Some("tools/call") => {
                let long = !request["params"]["arguments"]["long"].is_null();
                let text = "x".repeat(if long { 20 << 20 } else { 1 });
                json!({ "content": [{ "type": "text", "text": text }] })
            }
            _ => json!({}),
        };
        let reply = json!({ "jsonrpc": "2.0", "id": id, "result": result });
        let mut out = std::io::stdout().lock();
        writeln!(out, "{reply}").unwrap();
        out.flush().unwrap();
    }
}

/// Returns the page of tools at a cursor.
fn page(kind: &str, cursor: &Value, schema: &Value) -> Value {
    let at: usize = cursor.as_str().map_or(0, |at| at.parse().unwrap());
    let description = match kind {
        LONG_PAGES => "x".repeat(5 << 20),
        _ => "A tool.".to_owned(),
    };
    let name = match kind {
        PAGES | LONG_PAGES => format!("t{at}"),
        _ => "t".to_owned(),
    };
    let tool = json!({ "name": name, "description": description, "inputSchema": schema });
    let next = (at + 1).to_string();
    match kind {
        PAGES | LONG_PAGES => json!({ "tools": [tool], "nextCursor": next }),
        EMPTY_PAGES => json!({ "tools": [], "nextCursor": next }),
        _ => json!({ "tools": [tool] }),
    }
}

/// Returns `count` definitions, each made from a reference to the next one.
fn definitions(count: usize, of: impl Fn(String) -> Value) -> Value {
    let mut all: serde_json::Map<String, Value> = (0..count)
        .map(|at| (format!("d{at}"), of(format!("#/$defs/d{}", at + 1))))
        .collect();
    all.insert(format!("d{count}"), json!({ "type": "object" }));
    json!({ "type": "object", "$ref": "#/$defs/d0", "$defs": all })
}
