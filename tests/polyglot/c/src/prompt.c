/* The points at which the prompt is compiled, and at which the conversation is compacted. */

#include "action.h"
#include "contribution.h"

static pc_prompt_section_t section(const contribution_t *of) {
    return (pc_prompt_section_t){.id = of->name, .text = of->text};
}

static pc_bundled_tool_t tool(const contribution_t *of) {
    return (pc_bundled_tool_t){
        .spec = {
            .name = of->name,
            .description = PC_TEXT("A tool of the probe's."),
            .schema = PC_TEXT("{\"type\":\"object\"}"),
        },
        .route = {.tag = PC_TOOL_ROUTE_HOOK},
    };
}

#define BUNDLE(tool) ((pc_tool_bundle_t){.name = PC_TEXT("probe-tools"), .tools = {PC_ITEMS(pc_bundled_tool_t, tool)}})

#define POLICIES(point) \
    else if (pc_equals(next.kind, "policy")) added = point##_add_policy(next.name, next.text);
#define ITEMS(point) \
    else if (pc_equals(next.kind, "context")) added = point##_add_context(next.name, next.text);
#define BUNDLES(point) \
    else if (pc_equals(next.kind, "tool")) added = point##_add_tools(BUNDLE(tool(&next)));
#define SECTIONS(point) \
    else if (pc_equals(next.kind, "section")) added = point##_add_section(section(&next));

CONTRIBUTIONS(prompt_policy, POLICIES)
CONTRIBUTIONS(prompt_context, ITEMS)
CONTRIBUTIONS(prompt_recall, ITEMS)
CONTRIBUTIONS(prompt_tools, BUNDLES)
CONTRIBUTIONS(prompt_compile, SECTIONS)

#define CONTRIBUTES(point, name)                                                   \
    bool on_##point(void) {                                                        \
        action_t action = action_at(name, NULL);                                   \
        if (action.kind == CONTRIBUTE) return point##_contributions(action.rest);  \
        return action.kind == FAIL ? pc_fail(action.rest) : PC_CONTINUE;           \
    }

CONTRIBUTES(prompt_policy, "prompt-policy")
CONTRIBUTES(prompt_context, "prompt-context")
CONTRIBUTES(prompt_recall, "prompt-recall")
CONTRIBUTES(prompt_tools, "prompt-tools")

bool on_prompt_compile(void) {
    action_t action = action_at("prompt-compile", NULL);
    switch (action.kind) {
    case TRANSFORM:
        return prompt_compile_transform((prompt_compile_answer_prompt_edit_t){.system = PC_SOME(action.text)});
    case CONTRIBUTE: return prompt_compile_contributions(action.rest);
    case FAIL: return pc_fail(action.rest);
    default: return PC_CONTINUE;
    }
}

/* Keeps the named messages: all, or one that does not exist. */
static bool hint(pc_string_t said) {
    bool all = pc_equals(said, "all");
    uint32_t messages = pre_compaction_messages(), len = all ? messages : 1;
    uint32_t *keep = pc_alloc(len * sizeof *keep);
    for (uint32_t i = 0; i < len; i++) keep[i] = all ? i : messages;
    return pre_compaction_transform_with(keep, len, said);
}

bool on_pre_compaction(void) {
    action_t action = action_at("pre-compaction", NULL);
    switch (action.kind) {
    case REJECT: return pre_compaction_reject(REFUSAL);
    case TRANSFORM: return hint(action.text);
    case FAIL: return pc_fail(action.rest);
    default: return PC_CONTINUE;
    }
}
