//! Messages that do not concern hooks, or that hooks do not change, are passed on byte for byte.
//! Only line breaks become spaces.

use portcullis::NativeHook;
use portcullis::points::{
    PostToolCall, PreToolCall, PromptTools, ToolUpdate, post_tool_call, pre_tool_call,
    prompt_tools, tool_update,
};
use proptest::prelude::*;
use serde_json::Value;

use super::peers::Peers;

/// A hook that sees everything and changes nothing.
pub fn watches_all() -> NativeHook {
    NativeHook::new("watch")
        .on::<PreToolCall>(|_| Ok(pre_tool_call::Outcome::Continue))
        .on::<PostToolCall>(|_| Ok(post_tool_call::Outcome::Continue))
        .on::<ToolUpdate>(|_| Ok(tool_update::Outcome::Continue))
        .on::<PromptTools>(|_| Ok(prompt_tools::Outcome::Continue))
}

/// Returns any JSON in any layout.
fn any_json() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("null".to_owned()),
        any::<bool>().prop_map(|it| it.to_string()),
        Just("1.50e+3".to_owned()),
        Just("123456789012345678901234567890".to_owned()),
        Just(r#""\u00e9\/\ud83d\ude00""#.to_owned()),
        any::<String>().prop_map(|text| Value::from(text).to_string()),
    ];
    leaf.prop_recursive(3, 16, 4, |inner| {
        let pad = "[ \t\r]{0,2}";
        prop_oneof![
            (prop::collection::vec(inner.clone(), 0..4), pad)
                .prop_map(|(items, pad)| format!("[{pad}{}]", items.join(&format!("{pad},")))),
            (prop::collection::vec(("[a-zé]{0,5}", inner), 0..4), pad).prop_map(|(fields, pad)| {
                // No name occurs twice.
                let fields: Vec<String> = fields
                    .iter()
                    .enumerate()
                    .map(|(place, (key, value))| format!("{pad}\"{key}{place}\"{pad}:{value}"))
                    .collect();
                format!("{{{}}}", fields.join(","))
            }),
        ]
    })
}

/// A message of the client without its id, and the server's answer, if it is a request.
#[derive(Debug, Clone)]
struct Exchange {
    before: String,
    after: String,
    answer: Option<String>,
}

fn any_exchange() -> impl Strategy<Value = Exchange> {
    let request = prop_oneof![
        Just("ping".to_owned()),
        Just("resources/read".to_owned()),
        Just("tools/unknown".to_owned()),
        "[a-zé/_]{0,12}".prop_map(|method| format!("x{method}")),
    ];
    let notification = prop_oneof![
        Just("notifications/progress".to_owned()),
        "[a-zé/_]{0,12}".prop_map(|method| format!("notifications/x{method}")),
    ];
    let answer = prop_oneof![
        any_json().prop_map(|json| format!("\"result\":{json}")),
        any_json().prop_map(|json| format!("\"error\":{json}")),
    ];
    (
        any_json(),
        (request, notification),
        any_json(),
        "[ \t\r]{0,2}",
        prop::option::of(answer),
    )
        .prop_map(|(params, (request, notification), other, pad, answer)| {
            let method = match &answer {
                Some(_) => request,
                None => notification,
            };
            Exchange {
                before: format!("{pad}{{{pad}\"jsonrpc\":\"2.0\",\"é\":{other},"),
                after: format!("\"params\":{params}{pad},\"method\":\"{method}\",\"z\":1}}{pad}"),
                answer,
            }
        })
}

/// Returns a line as the other peer reads it.
fn passed_on(line: &str) -> String {
    line.replace('\r', " ")
}

fn id(number: usize) -> String {
    match number % 3 {
        0 => number.to_string(),
        1 => format!("\"\\u0041{number}\""),
        _ => format!("-{number}.5"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]
    #[test]
    fn arbitrary_messages(
        exchanges in prop::collection::vec(any_exchange(), 1..8),
        asked in prop::collection::vec(any_exchange(), 0..4),
        batched in any::<bool>(),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let mut peers = Peers::new([watches_all()]);
            let mut sent = Vec::new();
            let mut answers = Vec::new();
            for (number, exchange) in exchanges.iter().enumerate() {
                let Exchange { before, after, answer } = exchange;
                let id = answer.as_ref().map(|_| format!("\"id\" :{},", id(number)));
                let id = id.unwrap_or_default();
                sent.push(format!("{before}{id}{after}"));
                if let Some(answer) = answer {
                    answers.push(format!("{{ {id} \"y\":[],{answer}}}"));
                }
            }
            if batched {
                sent = vec![format!("[{}]", sent.join(" ,\t"))];
                answers = answers.is_empty().then(Vec::new).unwrap_or(vec![format!(" [{}]", answers.join(","))]);
            }
            for line in &sent {
                peers.client.send(line).await;
                prop_assert_eq!(peers.server.line().await.unwrap(), passed_on(line));
            }
            for line in &answers {
                peers.server.send(line).await;
                prop_assert_eq!(peers.client.line().await.unwrap(), passed_on(line));
            }
            // The server also sends requests, and the client answers.
            for (number, Exchange { before, after, answer }) in asked.iter().enumerate() {
                let id = format!("\"id\":{},", id(number));
                let line = format!("{before}{id}{after}");
                peers.server.send(&line).await;
                prop_assert_eq!(peers.client.line().await.unwrap(), passed_on(&line));
                if let Some(answer) = answer {
                    let line = format!("{{{id}{answer}}}");
                    peers.client.send(&line).await;
                    prop_assert_eq!(peers.server.line().await.unwrap(), passed_on(&line));
                }
            }
            Ok(())
        })?;
    }

    #[test]
    fn calls_that_hooks_let_pass(arguments in prop::collection::vec(("[a-z]{1,4}", any_json()), 0..3), other in any_json(), data in any_json()) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let mut peers = Peers::new([watches_all()]);
            let arguments = arguments.iter().enumerate();
            let arguments: Vec<String> = arguments.map(|(place, (key, value))| format!("\"{key}{place}\" : {value}")).collect();
            let call = format!(
                "{{\"method\":\"tools/call\", \"params\" :{{\"x\":{other}, \"name\":\"t\",\"arguments\": {{{}}},\"_meta\":{{\"progressToken\":1}}}},\"id\":7}}",
                arguments.join(",")
            );
            peers.client.send(&call).await;
            // The proxy lists the tools first.
            let list = peers.server.json().await;
            prop_assert_eq!(&list["method"], "tools/list");
            let id = &list["id"];
            peers.server.send(format!("{{\"id\":{id},\"result\":{{\"tools\":[{{\"name\":\"t\",\"inputSchema\":{{}}}}]}}}}")).await;
            prop_assert_eq!(peers.server.line().await.unwrap(), passed_on(&call));
            let lines = [
                "{\"method\":\"notifications/progress\",\"params\":{ \"progressToken\":1,\"progress\":1.0,\"z\":[]}}".to_owned(),
                format!("{{\"id\" : 7, \"result\":{{\"content\":[{{\"type\":\"new\",\"data\":{data}}}, {{\"type\":\"text\",\"text\":\"\\u0041\",\"x\":{other}}}],\"structuredContent\":{{\"d\":{data}}},\"_meta\":{other}}}}}"),
            ];
            for line in &lines {
                peers.server.send(line).await;
                prop_assert_eq!(peers.client.line().await.unwrap(), passed_on(line));
            }
            Ok(())
        })?;
    }
}
