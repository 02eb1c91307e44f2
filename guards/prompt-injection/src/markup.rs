//! Signs in markup: markers of a conversation, and orders in hidden text.

/// Markers of the parts of a conversation in models' own formats.
const MARKS: &[&str] = &[
    "<|im_start|>",
    "<|im_end|>",
    "<|system|>",
    "<|user|>",
    "<|assistant|>",
    "<|endoftext|>",
    "<|start_header_id|>",
    "<|eot_id|>",
    "[inst]",
    "[/inst]",
    "<<sys>>",
    "<start_of_turn>",
    "<system>",
    "</system>",
    "<system-reminder>",
    "<system_prompt>",
    "<function_calls>",
    "<tool_call>",
    "<assistant>",
    "begin_system",
    "[system]",
    "{{system}}",
];

/// The beginnings of lines that imitate a part of the conversation.
const LINES: &[&str] = &[
    "system:",
    "### system",
    "### instruction",
    "## new instructions",
    "assistant:",
    "system prompt:",
    "human:",
    "[system",
    "### assistant",
    "system message:",
];

/// Returns whether the text has markers of a conversation. A line such as `system: …` counts only with a word of an order.
pub fn pretends(text: &str) -> bool {
    let text = text.to_lowercase();
    let has_line = text.lines().any(|line| {
        let line = line.trim_start_matches(['>', '-', '*', '#', ' ', '\t']);
        let start = LINES
            .iter()
            .find(|start| line.starts_with(start.trim_start_matches(['#', ' '])));
        start.is_some_and(|start| {
            let rest = line
                .get(start.trim_start_matches(['#', ' ']).len()..)
                .unwrap_or_default();
            [
                "you",
                "ignore",
                "disregard",
                "override",
                "must",
                "new",
                "instructions",
                "obey",
                "sure",
                "reveal",
                "send",
                "run",
                "execute",
                "the user",
            ]
            .iter()
            .any(|word| rest.contains(word))
        })
    });
    has_line || MARKS.iter().any(|mark| text.contains(mark))
}

/// Words of orders in hidden text.
const ORDERS: &[&str] = &[
    "ignore",
    "instruction",
    "assistant",
    "you must",
    "send",
    "reveal",
    "do not tell",
    "system prompt",
    "the ai",
    "llm",
    "agent",
    "execute",
    "run ",
];

/// Returns whether the text has orders that a person does not see: in comments or in elements that are not shown.
pub fn hides(text: &str) -> bool {
    let text = text.to_lowercase();
    let gives_orders = |part: &str| ORDERS.iter().filter(|word| part.contains(**word)).count() >= 2;
    let comments = text
        .split("<!--")
        .skip(1)
        .filter_map(|rest| rest.split("-->").next());
    let styles = [
        "display:none",
        "display: none",
        "font-size:0",
        "font-size: 0",
        "visibility:hidden",
        "visibility: hidden",
        "color:white",
        "color: white",
        "color:#fff",
        "opacity:0",
        "opacity: 0",
        "aria-hidden",
    ];
    let unseen = styles
        .iter()
        .flat_map(|style| text.split(style).skip(1))
        .filter_map(|rest| rest.split("</").next());
    comments.chain(unseen).any(gives_orders)
}
