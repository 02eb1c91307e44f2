/* The points around a model call. */

#include <string.h>

#include "action.h"

#define PARTS PC_ITEMS(pc_content_part_t, pc_text_part(action.text))
#define EDIT ((pre_llm_call_answer_llm_call_edit_t){.messages = {PC_ITEMS(pc_message_edit_t, APPENDED(action.text))}})

bool on_pre_llm_call(void) {
    action_t action = action_at("pre-llm-call", NULL);
    switch (action.kind) {
    case REJECT: return pre_llm_call_reject(REFUSAL);
    case TRANSFORM: return pre_llm_call_transform(EDIT);
    case REPLACE: return pre_llm_call_replace(EDIT);
    case ANSWER:
        return pre_llm_call_answer((pre_llm_call_answer_llm_response_t){
            .content = {PARTS},
            .stop = {.tag = PC_STOP_REASON_END_TURN},
        });
    case FAIL: return pc_fail(action.rest);
    default: return PC_CONTINUE;
    }
}

bool on_llm_delta(void) {
    action_t action = action_at("llm-delta", pc_content);
    switch (action.kind) {
    case REJECT: return llm_delta_reject(REFUSAL);
    case TRANSFORM: return llm_delta_transform(action.text);
    case STOP: return llm_delta_stop(pc_stop_other(action.rest), STOPPING);
    case FAIL: return pc_fail(action.rest);
    default: return PC_CONTINUE;
    }
}

bool on_post_llm_call(void) {
    action_t action = action_at("post-llm-call", pc_content);
    switch (action.kind) {
    case REJECT: return post_llm_call_reject(REFUSAL);
    case TRANSFORM: return post_llm_call_transform(PARTS);
    case REPLACE: return post_llm_call_replace(PARTS);
    case FAIL: return pc_fail(action.rest);
    default: return PC_CONTINUE;
    }
}

static bool decide(const char *said) {
    if (strcmp(said, "give-up") == 0) return llm_error_give_up();
    if (strcmp(said, "retry") == 0) return llm_error_retry(1);
    pc_strings_t providers = llm_error_providers();
    return llm_error_switch_provider(providers.len ? providers.ptr[providers.len - 1] : PC_TEXT(""));
}

bool on_llm_error(void) {
    action_t action = action_at("llm-error", NULL);
    switch (action.kind) {
    case REPLACE: return decide(action.rest);
    case FAIL: return pc_fail(action.rest);
    default: return PC_CONTINUE;
    }
}
