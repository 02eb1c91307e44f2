/* The points of a turn and of its steps. */

#include "action.h"
#include "contribution.h"

#define PARTS PC_ITEMS(pc_content_part_t, pc_text_part(action.text))

#define NOTHING_OWN(point)
CONTRIBUTIONS(post_turn, NOTHING_OWN)

bool on_pre_turn(void) {
    action_t action = action_at("pre-turn", pc_content);
    switch (action.kind) {
    case REJECT: return pre_turn_reject(REFUSAL);
    case TRANSFORM: return pre_turn_transform(PARTS);
    case REPLACE: return pre_turn_replace(PARTS);
    case ANSWER: return pre_turn_answer(PARTS);
    case FAIL: return pc_fail(action.rest);
    default: return PC_CONTINUE;
    }
}

bool on_post_turn(void) {
    action_t action = action_at("post-turn", pc_content);
    switch (action.kind) {
    case REJECT: return post_turn_reject(REFUSAL);
    case TRANSFORM: return post_turn_transform(PARTS);
    case REPLACE: return post_turn_replace(PARTS);
    case CONTRIBUTE: return post_turn_contributions(action.rest);
    case FAIL: return pc_fail(action.rest);
    default: return PC_CONTINUE;
    }
}

bool on_turn_error(void) {
    action_t action = action_at("turn-error", NULL);
    switch (action.kind) {
    case REPLACE: return turn_error_replace(PARTS);
    case FAIL: return pc_fail(action.rest);
    default: return PC_CONTINUE;
    }
}

bool on_turn_stopping(void) {
    action_t action = action_at("turn-stopping", NULL);
    switch (action.kind) {
    case KEEP_GOING: return turn_stopping_keep_going(action.text);
    case FAIL: return pc_fail(action.rest);
    default: return PC_CONTINUE;
    }
}

bool on_pre_step(void) {
    action_t action = action_at("pre-step", NULL);
    switch (action.kind) {
    case REJECT: return pre_step_reject(REFUSAL);
    case TRANSFORM: return pre_step_transform(PC_ITEMS(pc_message_edit_t, APPENDED(action.text)));
    case STOP: return pre_step_stop(pc_stop_other(action.rest), STOPPING);
    case FAIL: return pc_fail(action.rest);
    default: return PC_CONTINUE;
    }
}

bool on_post_step(void) {
    action_t action = action_at("post-step", NULL);
    switch (action.kind) {
    case STOP: return post_step_stop(pc_stop_other(action.rest), STOPPING);
    case FAIL: return pc_fail(action.rest);
    default: return PC_CONTINUE;
    }
}
