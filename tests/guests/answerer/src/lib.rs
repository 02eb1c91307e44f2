//! A hook whose code gives one answer at each point: the one with the index `ANSWER` in the contract, counted
//! from 0. Its imports show that a component has exactly the answers that its code gives.

use portcullis_sdk::prelude::*;

/// The index, known when the hook is compiled; without it the hook never answers.
const ANSWER: u8 = match option_env!("ANSWER") {
    Some(place) => place.as_bytes()[0] - b'0',
    None => u8::MAX,
};

fn edit() -> pre_llm_call::LlmCallEdit {
    pre_llm_call::LlmCallEdit::default()
}

fn response() -> pre_llm_call::LlmResponse {
    pre_llm_call::LlmResponse {
        content: Vec::new(),
        stop: StopReason::EndTurn,
        usage: Usage::default(),
    }
}

/// The hook.
pub struct Answerer;

/// A point, and its answers in the contract's order.
macro_rules! answers {
    ($($point:ident($call:ident): $($place:literal $answer:expr),*;)*) => {
        #[hook(id = "answerer", description = "Gives one answer at each point.", kind = "test")]
        impl Answerer {
            $(fn $point($call: &$point::Call) -> HookResult<$point::Verdict> {
                Ok(match ANSWER {
                    $($place => $answer,)*
                    _ => $call.proceed(),
                })
            })*
        }
    };
}

/// A contribution, and then the verdict.
macro_rules! add {
    ($call:ident.$add:ident($($value:expr),*)) => {{
        $call.$add($($value),*);
        $call.proceed()
    }};
}

answers! {
    session_start(call): 0 call.reject("a", "b");
    pre_turn(call): 0 call.transform_text("a"), 1 call.reject("a", "b"), 2 call.replace_text("a"),
        3 call.answer_text("a");
    post_turn(call): 0 call.transform([]), 1 call.reject_with("a", "b", "{}"), 2 call.replace([]),
        3 add!(call.add_note("a", "{}")), 4 add!(call.add_job("a", "{}"));
    turn_error(call): 0 call.replace_text("a");
    prompt_policy(call): 0 add!(call.add_policy("a", "{}")), 1 add!(call.add_note("a", "{}")),
        2 add!(call.add_job("a", "{}"));
    prompt_context(call): 0 add!(call.add_context("a", "b", None)), 1 add!(call.add_note("a", "{}")),
        2 add!(call.add_job("a", "{}"));
    prompt_recall(call): 0 add!(call.add_context("a", "b", Some("{}"))),
        1 add!(call.add_note("a", "{}")), 2 add!(call.add_job("a", "{}"));
    prompt_tools(call): 0 add!(call.add_tools(ToolBundle::default())),
        1 add!(call.add_note("a", "{}")), 2 add!(call.add_job("a", "{}"));
    prompt_compile(call): 0 call.transform(prompt_compile::PromptEdit::default()),
        1 add!(call.add_section(PromptSection::default())), 2 add!(call.add_note("a", "{}")),
        3 add!(call.add_job("a", "{}"));
    pre_step(call): 0 call.transform([]), 1 call.reject("a", "b"), 2 call.stop("a", "b");
    post_step(call): 0 call.stop(StopKind::TokenLimit, "b");
    pre_llm_call(call): 0 call.transform(edit()), 1 call.reject("a", "b"), 2 call.replace(edit()),
        3 call.answer(response());
    llm_delta(call): 0 call.transform("a"), 1 call.reject("a", "b"), 2 call.stop("a", "b");
    post_llm_call(call): 0 call.transform([]), 1 call.reject("a", "b"), 2 call.replace([]);
    llm_error(call): 0 call.retry(1), 1 call.switch_provider("a", None), 2 call.give_up();
    pre_tool_call(call): 0 call.transform("{}"), 1 call.reject("a", "b"), 2 call.replace("{}"),
        3 call.answer_text("a"), 4 call.ask("a");
    tool_update(call): 0 call.reject("a", "b");
    post_tool_call(call): 0 call.transform_text("a"), 1 call.reject("a", "b"),
        2 call.replace("a", true);
    pre_subagent(call): 0 call.transform("a"), 1 call.reject("a", "b"), 2 call.replace("a"),
        3 call.answer("a", true);
    post_subagent(call): 0 call.transform("a");
    pre_compaction(call): 0 call.transform([0], None), 1 call.reject("a", "b");
    turn_stopping(call): 0 call.keep_going("a");
}
