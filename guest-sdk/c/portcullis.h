/* Write Portcullis hooks in C.
 *
 * A hook declares itself with PORTCULLIS_HOOK, and has one function for each point it serves:
 *
 *     #include "portcullis.h"
 *
 *     PORTCULLIS_HOOK(.id = "quiet", .description = "Refuses turns that shout.");
 *
 *     bool on_pre_turn(void) {
 *         if (pc_contains(pc_content(), "!!!")) return pre_turn_reject("shouting", "Please ask again, calmly.");
 *         return PC_CONTINUE;
 *     }
 *
 * The function returns whether it answered. The functions for facts and answers, such as `pre_turn_text_bytes` and
 * `pre_turn_reject`, are in `points.h`, which `portcullis build` generates for the points that the hook serves. An
 * answer is given by calling its function, which returns true: return its result. Answers that begin with
 * `add_` may be given any number of times. The rest of the contract is in `hook.h`, generated too: the types
 * `pc_…_t` and the functions `pc_conversation_…`, `pc_state_…`, ….
 *
 * The component imports the functions that the code calls and no others, so it can do nothing else.
 *
 * Nothing here has to be freed. The results of these functions and of pc_alloc are valid until the hook's function
 * returns. Data that must last longer belongs in memory from `malloc`. Functions only read their arguments.
 *
 * Where a function here or in `points.h` takes a pc_string_t, a C string is accepted too.
 */
#pragma once

#include "core.h"

/* ---- The hook's descriptor. The operator's hooks.toml overrides it. ---- */

#define PC_PRIORITY(number) {true, number}
#define PC_AFTER(...) ((const char *const[]){__VA_ARGS__, 0})
#define PORTCULLIS_HOOK(...) const pc_descriptor pc_hook = {__VA_ARGS__}

/* ---- Results of a hook's function. ---- */

/* No answer: the call continues. */
#define PC_CONTINUE false
/* An answer was given; the result of an answer's function is the same. */
#define PC_ANSWERED true

/* ---- The session, the agent, the turn and the step of the call. ---- */

static inline pc_context_t pc_context(void) {
    pc_context_t context;
    pc_call_context(&context);
    return context;
}
static inline pc_string_t pc_session_id(void) {
    pc_string_t id;
    pc_call_session_id(&id);
    return id;
}
/* Returns the name of the agent whose loop is running. */
static inline pc_string_t pc_agent(void) {
    pc_string_t name;
    pc_call_agent(&name);
    return name;
}
/* Returns the turn, counted from 1; 0 outside of any turn. */
static inline uint32_t pc_turn(void) { return pc_call_turn(); }
/* Returns the step within the turn, counted from 1; 0 outside of any step. */
static inline uint32_t pc_step(void) { return pc_call_step(); }

/* ---- Text. ---- */

/* Makes a pc_string_t of a C string. A pc_string_t stays as it is. */
#define PC_TEXT(text) _Generic((text), pc_string_t: pc_same_text, default: pc_text)(text)
static inline pc_string_t pc_same_text(pc_string_t text) { return text; }

/* ---- Values of answers. ---- */

/* Items as two arguments, or as the value of a list in a record:
 *
 *     pre_turn_transform(PC_ITEMS(pc_content_part_t, pc_text_part("Hello.")))
 *     (pc_message_t){.role = PC_ROLE_USER, .content = {PC_ITEMS(pc_content_part_t, pc_text_part("Hello."))}}
 */
#define PC_ITEMS(type, ...) ((type[]){__VA_ARGS__}), sizeof((type[]){__VA_ARGS__}) / sizeof(type)
/* The value of an option in a record: `.model = PC_SOME(PC_TEXT("small"))`. */
#define PC_SOME(value) {true, value}

/* Returns a part of a message that is a text. */
static inline pc_content_part_t pc_text_part(pc_string_t text) {
    return (pc_content_part_t){.tag = PC_CONTENT_PART_TEXT, .val.text = text};
}
/* Returns a reason to end a turn that the contract does not list: a short, stable code. */
static inline pc_stop_kind_t pc_stop_other(pc_string_t code) {
    return (pc_stop_kind_t){.tag = PC_STOP_KIND_OTHER, .val.other = code};
}

/* ---- The content and the tool call. ---- */

/* Returns the current text: at pre-turn the user's message, at llm-delta the piece. */
static inline pc_string_t pc_content(void) {
    pc_string_t text;
    pc_content_text(&text);
    return text;
}
/* Returns the arguments of the current tool call, as the text of a JSON object. */
static inline pc_string_t pc_tool_arguments(void) {
    pc_string_t text;
    pc_tool_data_input(&text);
    return text;
}
/* Gets the tool's output. Returns whether the tool has run. */
static inline bool pc_tool_output(pc_string_t *output) { return pc_tool_data_output(output); }

/* ---- C strings for texts, as above. ---- */

#define pc_fail(message) pc_fail(PC_TEXT(message))
#define pc_bad_config(message) pc_bad_config(PC_TEXT(message))
#define pc_equals(text, other) pc_equals(PC_TEXT(text), PC_TEXT(other))
#define pc_contains(text, part) pc_contains(PC_TEXT(text), PC_TEXT(part))
#define pc_text_part(text) pc_text_part(PC_TEXT(text))
#define pc_stop_other(code) pc_stop_other(PC_TEXT(code))
#define pc_debug(message) pc_debug(PC_TEXT(message))
#define pc_info(message) pc_info(PC_TEXT(message))
#define pc_warn(message) pc_warn(PC_TEXT(message))
#define pc_config_text(key, value) pc_config_text(PC_TEXT(key), value)
#define pc_config_number(key, fallback, value) pc_config_number(PC_TEXT(key), fallback, value)
#define pc_config_list(key, list) pc_config_list(PC_TEXT(key), list)
#define pc_recall(key, value) pc_recall(PC_TEXT(key), value)
#define pc_remember(key, value) pc_remember(PC_TEXT(key), PC_TEXT(value))
#define pc_forget(key) pc_forget(PC_TEXT(key))
#define pc_count(key, by, sum) pc_count(PC_TEXT(key), by, sum)
#define pc_http_header(response, name, value) pc_http_header(response, PC_TEXT(name), value)

/* ---- For the generated code. ---- */

/* An answer, whose result must be returned, and a contribution, which may be repeated. */
#define PC_ANSWER __attribute__((warn_unused_result)) static inline bool
#define PC_CONTRIBUTION static inline bool

#include "points.h"
