/* The points around a tool call and a sub-agent. */

#include "deed.h"

static pc_string_t output(void) {
    pc_string_t text = {0};
    return pc_tool_data_output(&text) ? text : pc_copy("");
}

pre_tool_call_result on_pre_tool_call(const pc_context_t *context, const pre_tool_call_input *input) {
    (void)context, (void)input;
    deed_t deed = deed_at("pre-tool-call", NULL);
    switch (deed.kind) {
    case REJECT: return pre_tool_call_refuse(REFUSAL);
    case TRANSFORM: return pre_tool_call_transform(deed_take(&deed));
    case REPLACE: return pre_tool_call_replace(deed_take(&deed));
    case ANSWER: return pre_tool_call_answer((pre_tool_call_answer_t){.content = deed_take(&deed)});
    case ASK: return pre_tool_call_ask(pc_ask("May it?"));
    case FAIL: return pre_tool_call_fail(deed.rest);
    default: deed_done(&deed); return pre_tool_call_continue();
    }
}

post_tool_call_result on_post_tool_call(const pc_context_t *context, const post_tool_call_input *input) {
    (void)context;
    deed_t deed = deed_at("post-tool-call", output);
    post_tool_call_transform_t output = {.content = deed_take(&deed), .is_error = input->is_error};
    switch (deed.kind) {
    case REJECT: pc_free(&output.content); return post_tool_call_refuse(REFUSAL);
    case TRANSFORM: return post_tool_call_transform(output);
    case REPLACE: return post_tool_call_replace(output);
    case FAIL: pc_free(&output.content); return post_tool_call_fail(deed.rest);
    default: pc_free(&output.content); return post_tool_call_continue();
    }
}

pre_subagent_result on_pre_subagent(const pc_context_t *context, const pre_subagent_input *input) {
    (void)context, (void)input;
    deed_t deed = deed_at("pre-subagent", pc_content);
    switch (deed.kind) {
    case REJECT: return pre_subagent_refuse(REFUSAL);
    case TRANSFORM: return pre_subagent_transform(deed_take(&deed));
    case REPLACE: return pre_subagent_replace(deed_take(&deed));
    case ANSWER: return pre_subagent_answer((pre_subagent_answer_t){.content = deed_take(&deed)});
    case FAIL: return pre_subagent_fail(deed.rest);
    default: deed_done(&deed); return pre_subagent_continue();
    }
}

post_subagent_result on_post_subagent(const pc_context_t *context, const post_subagent_input *input) {
    (void)context, (void)input;
    deed_t deed = deed_at("post-subagent", pc_content);
    switch (deed.kind) {
    case TRANSFORM: return post_subagent_transform(deed_take(&deed));
    case FAIL: return post_subagent_fail(deed.rest);
    default: deed_done(&deed); return post_subagent_continue();
    }
}
