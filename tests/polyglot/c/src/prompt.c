/* The points at which the prompt is put together, and at which the conversation is made shorter. */

#include <stdlib.h>

#include "deed.h"
#include "gift.h"

#define POLICIES(POINT) GIFT(POINT, POLICY, policy, "policy")
#define ITEMS(POINT) GIFT(POINT, CONTEXT, context, "context")
#define BUNDLES(POINT) GIFT(POINT, TOOLS, tools, "tool")
#define SECTIONS(POINT) GIFT(POINT, SECTION, section, "section")

GIFTS(prompt_policy, PROMPT_POLICY, POLICIES)
GIFTS(prompt_context, PROMPT_CONTEXT, ITEMS)
GIFTS(prompt_recall, PROMPT_RECALL, ITEMS)
GIFTS(prompt_tools, PROMPT_TOOLS, BUNDLES)
GIFTS(prompt_compile, PROMPT_COMPILE, SECTIONS)

#define CONTRIBUTES(point, name)                                                          \
    point##_result on_##point(const pc_context_t *context, const point##_input *input) {  \
        (void)context, (void)input;                                                       \
        deed_t deed = deed_at(name, NULL);                                                \
        deed_done(&deed);                                                                 \
        if (deed.kind == CONTRIBUTE) return point##_gifts(deed.rest);                     \
        return deed.kind == FAIL ? point##_fail(deed.rest) : point##_continue();          \
    }

CONTRIBUTES(prompt_policy, "prompt-policy")
CONTRIBUTES(prompt_context, "prompt-context")
CONTRIBUTES(prompt_recall, "prompt-recall")
CONTRIBUTES(prompt_tools, "prompt-tools")

prompt_compile_result on_prompt_compile(const pc_context_t *context, const prompt_compile_input *input) {
    (void)context, (void)input;
    deed_t deed = deed_at("prompt-compile", NULL);
    prompt_compile_transform_t edit = {.system = {.is_some = true}};
    switch (deed.kind) {
    case TRANSFORM:
        edit.system.val = deed_take(&deed);
        return prompt_compile_transform(edit);
    case CONTRIBUTE: deed_done(&deed); return prompt_compile_gifts(deed.rest);
    case FAIL: return prompt_compile_fail(deed.rest);
    default: deed_done(&deed); return prompt_compile_continue();
    }
}

/* What is said is to be kept: all messages, or one that is not there. */
static pre_compaction_transform_t hint(deed_t *deed, uint32_t messages) {
    bool all = pc_equals(deed->text, "all");
    pre_compaction_transform_t hint = {.instructions = {.is_some = true, .val = deed_take(deed)}};
    hint.keep.len = all ? messages : 1;
    if (!hint.keep.len) return hint;
    hint.keep.ptr = calloc(hint.keep.len, sizeof *hint.keep.ptr);
    if (!hint.keep.ptr) abort();
    for (uint32_t i = 0; i < hint.keep.len; i++) hint.keep.ptr[i] = all ? i : messages;
    return hint;
}

pre_compaction_result on_pre_compaction(const pc_context_t *context, const pre_compaction_input *input) {
    (void)context;
    deed_t deed = deed_at("pre-compaction", NULL);
    switch (deed.kind) {
    case REJECT: return pre_compaction_refuse(REFUSAL);
    case TRANSFORM: return pre_compaction_transform(hint(&deed, input->messages));
    case FAIL: return pre_compaction_fail(deed.rest);
    default: deed_done(&deed); return pre_compaction_continue();
    }
}
