/* The probe of tests/guests/probe in C++: it performs the configured actions. */

#include "probe.hpp"

PORTCULLIS_HOOK(.id = "probe", .description = "Does as its configuration says.", .kind = "test");

/* A point at which the hook performs one of these actions, or none. */
#define POINT(point, name, current, ...)            \
    Answer on_##point() {                           \
        Action action = action_at(name, current);   \
        using namespace portcullis::point;          \
        __VA_ARGS__                                 \
        return otherwise(action);                   \
    }
#define ON(kind, ...) \
    if (action.is(kind)) return __VA_ARGS__;
#define REJECTS ON("reject", reject(REFUSAL))
#define STOPS ON("stop", stop(stop_other(action.rest), STOPPING))

/* The contributions of every point, and those that the arguments add. */
#define CONTRIBUTES(...)                                                                \
    if (action.is("contribute")) {                                                      \
        Answer added = proceed();                                                       \
        for (std::string_view said = action.rest; !said.empty();) {                     \
            Gift gift = Gift::next(said);                                               \
            if (gift.kind == "note") added = add_note(gift.name, "true");               \
            else if (gift.kind == "job") added = add_job(gift.name, "{}");              \
            __VA_ARGS__                                                                 \
            else return fail("that cannot be contributed here");                        \
        }                                                                               \
        return added;                                                                   \
    }
#define ALSO(what, ...) else if (gift.kind == what) added = __VA_ARGS__;

POINT(session_end, "session-end", "")
POINT(turn_suspended, "turn-suspended", "")
POINT(turn_resumed, "turn-resumed", "")
POINT(tool_update_sent, "tool-update-sent", "")
POINT(state_changed, "state-changed", "")
POINT(message_added, "message-added", "")
POINT(post_compaction, "post-compaction", "")
POINT(workspace_opened, "workspace-opened", "")
POINT(workspace_closed, "workspace-closed", "")
POINT(workspace_evicted, "workspace-evicted", "")
POINT(workspace_eviction_retried, "workspace-eviction-retried", "")
POINT(workspace_snapshotted, "workspace-snapshotted", "")

POINT(session_start, "session-start", "", REJECTS)
POINT(tool_update, "tool-update", "", REJECTS)

POINT(pre_turn, "pre-turn", content(),
      REJECTS ON("transform", transform(PARTS(action)))
      ON("replace", replace(PARTS(action))) ON("answer", pre_turn::answer(PARTS(action))))
POINT(post_turn, "post-turn", content(),
      REJECTS ON("transform", transform(PARTS(action))) ON("replace", replace(PARTS(action))) CONTRIBUTES())
POINT(turn_error, "turn-error", "", ON("replace", replace(PARTS(action))))
POINT(turn_stopping, "turn-stopping", "", ON("keep-going", keep_going(action.text)))
POINT(pre_step, "pre-step", "",
      pc_content_part_t part = text_part(action.text);
      REJECTS STOPS ON("transform", transform({appended(part)})))
POINT(post_step, "post-step", "", STOPS)

static pre_llm_call_answer_llm_call_edit_t edit(pc_message_edit_t &message) {
    pre_llm_call_answer_llm_call_edit_t edit{};
    edit.messages = {&message, 1};
    return edit;
}

static pre_llm_call_answer_llm_response_t response(pc_content_part_t &part) {
    pre_llm_call_answer_llm_response_t response{};
    response.content = {&part, 1};
    response.stop.tag = PC_STOP_REASON_END_TURN;
    return response;
}

POINT(pre_llm_call, "pre-llm-call", "",
      pc_content_part_t part = text_part(action.text);
      pc_message_edit_t message = appended(part);
      REJECTS ON("transform", transform(edit(message))) ON("replace", replace(edit(message)))
      ON("answer", pre_llm_call::answer(response(part))))
POINT(llm_delta, "llm-delta", content(), REJECTS STOPS ON("transform", transform(action.text)))
POINT(post_llm_call, "post-llm-call", content(),
      REJECTS ON("transform", transform(PARTS(action))) ON("replace", replace(PARTS(action))))
POINT(llm_error, "llm-error", "",
      if (action.is("replace")) {
          if (action.rest == "give-up") return give_up();
          if (action.rest == "retry") return retry(1);
          auto names = providers();
          return switch_provider(names.empty() ? "" : names.back());
      })

POINT(pre_tool_call, "pre-tool-call", "",
      REJECTS ON("transform", transform(action.text)) ON("replace", replace(action.text))
      ON("answer", pre_tool_call::answer(action.text, false)) ON("ask", ask("May it?")))
POINT(post_tool_call, "post-tool-call", tool_output().value_or(""),
      REJECTS ON("transform", transform(action.text, is_error())) ON("replace", replace(action.text, is_error())))
POINT(pre_subagent, "pre-subagent", content(),
      REJECTS ON("transform", transform(action.text)) ON("replace", replace(action.text))
      ON("answer", pre_subagent::answer(action.text, false)))
POINT(post_subagent, "post-subagent", content(), ON("transform", transform(action.text)))

static pc_prompt_section_t section(const Gift &gift) {
    pc_prompt_section_t section{};
    section.id = text(gift.name);
    section.text = text(gift.text);
    return section;
}

static pc_bundled_tool_t tool(const Gift &gift) {
    pc_bundled_tool_t tool{};
    tool.spec = {text(gift.name), text("A tool of the probe's."), text("{\"type\":\"object\"}")};
    tool.route.tag = PC_TOOL_ROUTE_HOOK;
    return tool;
}

static Contribution add_tool(pc_bundled_tool_t tool) {
    return prompt_tools::add_tools({text("probe-tools"), {&tool, 1}});
}

POINT(prompt_policy, "prompt-policy", "", CONTRIBUTES(ALSO("policy", add_policy(gift.name, gift.text))))
POINT(prompt_context, "prompt-context", "", CONTRIBUTES(ALSO("context", add_context(gift.name, gift.text))))
POINT(prompt_recall, "prompt-recall", "", CONTRIBUTES(ALSO("context", add_context(gift.name, gift.text))))
POINT(prompt_tools, "prompt-tools", "", CONTRIBUTES(ALSO("tool", add_tool(tool(gift)))))

static prompt_compile_answer_prompt_edit_t instructed(std::string_view system) {
    prompt_compile_answer_prompt_edit_t edit{};
    edit.system = {true, text(system)};
    return edit;
}

POINT(prompt_compile, "prompt-compile", "",
      ON("transform", transform(instructed(action.text)))
      CONTRIBUTES(ALSO("section", add_section(section(gift)))))

/* Keeps the named messages: all, or one that does not exist. */
POINT(pre_compaction, "pre-compaction", "",
      REJECTS
      if (action.is("transform")) {
          std::vector<uint32_t> keep;
          bool all = action.text == "all";
          for (uint32_t i = 0; all && i < messages(); i++) keep.push_back(i);
          if (!all) keep.push_back(messages());
          return transform(keep, action.text);
      })
