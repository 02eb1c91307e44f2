/* The points around a tool call and a sub-agent. */

#include "action.h"

static pc_string_t output(void) {
    pc_string_t text;
    return pc_tool_output(&text) ? text : PC_TEXT("");
}

bool on_pre_tool_call(void) {
    action_t action = action_at("pre-tool-call", NULL);
    switch (action.kind) {
    case REJECT: return pre_tool_call_reject(REFUSAL);
    case TRANSFORM: return pre_tool_call_transform(action.text);
    case REPLACE: return pre_tool_call_replace(action.text);
    case ANSWER: return pre_tool_call_answer(action.text, false);
    case ASK: return pre_tool_call_ask("May it?");
    case FAIL: return pc_fail(action.rest);
    default: return PC_CONTINUE;
    }
}

bool on_post_tool_call(void) {
    action_t action = action_at("post-tool-call", output);
    switch (action.kind) {
    case REJECT: return post_tool_call_reject(REFUSAL);
    case TRANSFORM: return post_tool_call_transform(action.text, post_tool_call_is_error());
    case REPLACE: return post_tool_call_replace(action.text, post_tool_call_is_error());
    case FAIL: return pc_fail(action.rest);
    default: return PC_CONTINUE;
    }
}

bool on_pre_subagent(void) {
    action_t action = action_at("pre-subagent", pc_content);
    switch (action.kind) {
    case REJECT: return pre_subagent_reject(REFUSAL);
    case TRANSFORM: return pre_subagent_transform(action.text);
    case REPLACE: return pre_subagent_replace(action.text);
    case ANSWER: return pre_subagent_answer(action.text, false);
    case FAIL: return pc_fail(action.rest);
    default: return PC_CONTINUE;
    }
}

bool on_post_subagent(void) {
    action_t action = action_at("post-subagent", pc_content);
    switch (action.kind) {
    case TRANSFORM: return post_subagent_transform(action.text);
    case FAIL: return pc_fail(action.rest);
    default: return PC_CONTINUE;
    }
}
