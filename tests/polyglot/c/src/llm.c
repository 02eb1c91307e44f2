/* The points around a model call. */

#include <string.h>

#include "deed.h"

#define PARTS(type) PC_LIST(type, pc_text_part(deed_take(&deed)))

static pre_llm_call_transform_t edit(deed_t *deed) {
    pc_message_edit_t insert = deed_insert(deed_take(deed));
    return (pre_llm_call_transform_t){.messages = PC_LIST(exports_pre_llm_call_list_message_edit_t, insert)};
}

static pre_llm_call_answer_t response(pc_string_t text) {
    return (pre_llm_call_answer_t){
        .content = PC_LIST(exports_pre_llm_call_list_content_part_t, pc_text_part(text)),
        .stop = {.tag = PC_STOP_REASON_END_TURN},
    };
}

pre_llm_call_result on_pre_llm_call(const pc_context_t *context, const pre_llm_call_input *input) {
    (void)context, (void)input;
    deed_t deed = deed_at("pre-llm-call", NULL);
    switch (deed.kind) {
    case REJECT: return pre_llm_call_refuse(REFUSAL);
    case TRANSFORM: return pre_llm_call_transform(edit(&deed));
    case REPLACE: return pre_llm_call_replace(edit(&deed));
    case ANSWER: return pre_llm_call_answer(response(deed_take(&deed)));
    case FAIL: return pre_llm_call_fail(deed.rest);
    default: deed_done(&deed); return pre_llm_call_continue();
    }
}

llm_delta_result on_llm_delta(const pc_context_t *context, const llm_delta_input *input) {
    (void)context, (void)input;
    deed_t deed = deed_at("llm-delta", pc_content);
    switch (deed.kind) {
    case REJECT: return llm_delta_refuse(REFUSAL);
    case TRANSFORM: return llm_delta_transform(deed_take(&deed));
    case STOP: return llm_delta_stop(pc_stop(deed.rest, STOPPING));
    case FAIL: return llm_delta_fail(deed.rest);
    default: deed_done(&deed); return llm_delta_continue();
    }
}

post_llm_call_result on_post_llm_call(const pc_context_t *context, const post_llm_call_input *input) {
    (void)context, (void)input;
    deed_t deed = deed_at("post-llm-call", pc_content);
    switch (deed.kind) {
    case REJECT: return post_llm_call_refuse(REFUSAL);
    case TRANSFORM: return post_llm_call_transform(PARTS(post_llm_call_transform_t));
    case REPLACE: return post_llm_call_replace(PARTS(post_llm_call_replace_t));
    case FAIL: return post_llm_call_fail(deed.rest);
    default: deed_done(&deed); return post_llm_call_continue();
    }
}

static llm_error_replace_t decision(const char *said, const hook_list_string_t *providers) {
    llm_error_replace_t decision = {.tag = EXPORTS_LLM_ERROR_RETRY_DECISION_SWITCH_PROVIDER};
    if (strcmp(said, "give-up") == 0) {
        decision.tag = EXPORTS_LLM_ERROR_RETRY_DECISION_GIVE_UP;
    } else if (strcmp(said, "retry") == 0) {
        decision.tag = EXPORTS_LLM_ERROR_RETRY_DECISION_RETRY;
        decision.val.retry = 1;
    } else if (providers->len) {
        pc_string_t last = providers->ptr[providers->len - 1];
        decision.val.switch_provider.provider = pc_copy_n(last.ptr, last.len);
    }
    return decision;
}

llm_error_result on_llm_error(const pc_context_t *context, const llm_error_input *input) {
    (void)context;
    deed_t deed = deed_at("llm-error", NULL);
    deed_done(&deed);
    switch (deed.kind) {
    case REPLACE: return llm_error_replace(decision(deed.rest, &input->providers));
    case FAIL: return llm_error_fail(deed.rest);
    default: return llm_error_continue();
    }
}
