/* The points of a turn and of its steps. */

#include "deed.h"
#include "gift.h"

#define PARTS(type) PC_LIST(type, pc_text_part(deed_take(&deed)))

#define NOTHING_OWN(POINT)
GIFTS(post_turn, POST_TURN, NOTHING_OWN)

pre_turn_result on_pre_turn(const pc_context_t *context, const pre_turn_input *input) {
    (void)context, (void)input;
    deed_t deed = deed_at("pre-turn", pc_content);
    switch (deed.kind) {
    case REJECT: return pre_turn_refuse(REFUSAL);
    case TRANSFORM: return pre_turn_transform(PARTS(pre_turn_transform_t));
    case REPLACE: return pre_turn_replace(PARTS(pre_turn_replace_t));
    case ANSWER: return pre_turn_answer(PARTS(pre_turn_answer_t));
    case FAIL: return pre_turn_fail(deed.rest);
    default: deed_done(&deed); return pre_turn_continue();
    }
}

post_turn_result on_post_turn(const pc_context_t *context, const post_turn_input *input) {
    (void)context, (void)input;
    deed_t deed = deed_at("post-turn", pc_content);
    switch (deed.kind) {
    case REJECT: return post_turn_refuse(REFUSAL);
    case TRANSFORM: return post_turn_transform(PARTS(post_turn_transform_t));
    case REPLACE: return post_turn_replace(PARTS(post_turn_replace_t));
    case CONTRIBUTE: return post_turn_gifts(deed.rest);
    case FAIL: return post_turn_fail(deed.rest);
    default: deed_done(&deed); return post_turn_continue();
    }
}

turn_error_result on_turn_error(const pc_context_t *context, const turn_error_input *input) {
    (void)context, (void)input;
    deed_t deed = deed_at("turn-error", NULL);
    switch (deed.kind) {
    case REPLACE: return turn_error_replace(PARTS(turn_error_replace_t));
    case FAIL: return turn_error_fail(deed.rest);
    default: deed_done(&deed); return turn_error_continue();
    }
}

turn_stopping_result on_turn_stopping(const pc_context_t *context, const turn_stopping_input *input) {
    (void)context, (void)input;
    deed_t deed = deed_at("turn-stopping", NULL);
    switch (deed.kind) {
    case KEEP_GOING: return turn_stopping_keep_going(deed_take(&deed));
    case FAIL: return turn_stopping_fail(deed.rest);
    default: deed_done(&deed); return turn_stopping_continue();
    }
}

pre_step_result on_pre_step(const pc_context_t *context, const pre_step_input *input) {
    (void)context, (void)input;
    deed_t deed = deed_at("pre-step", NULL);
    switch (deed.kind) {
    case REJECT: return pre_step_refuse(REFUSAL);
    case TRANSFORM: return pre_step_transform(PC_LIST(pre_step_transform_t, deed_insert(deed_take(&deed))));
    case STOP: return pre_step_stop(pc_stop(deed.rest, STOPPING));
    case FAIL: return pre_step_fail(deed.rest);
    default: deed_done(&deed); return pre_step_continue();
    }
}

post_step_result on_post_step(const pc_context_t *context, const post_step_input *input) {
    (void)context, (void)input;
    deed_t deed = deed_at("post-step", NULL);
    switch (deed.kind) {
    case STOP: return post_step_stop(pc_stop(deed.rest, STOPPING));
    case FAIL: return post_step_fail(deed.rest);
    default: deed_done(&deed); return post_step_continue();
    }
}
