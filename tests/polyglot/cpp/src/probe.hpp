/* The actions of the probe. */
#pragma once

#include <string>
#include <string_view>

#include "portcullis.hpp"

using namespace portcullis;

struct Action {
    std::string_view name; /* the name of the configured action */
    std::string_view rest; /* the argument of the action */
    std::string text;      /* the new value */

    bool is(std::string_view kind) const { return name == kind; }
};

/* Runs the configured action of a point, as far as it is the same everywhere. */
Action action_at(std::string_view point, std::string_view current = "");

/* No answer, or the configured failure. */
Answer otherwise(const Action &action);

/* Returns the data that the views show of the call, as a JSON list. */
std::string view_of_all();

/* A contribution: `KIND NAME TEXT`, up to `; `. */
struct Gift {
    std::string_view kind, name, text;
    static Gift next(std::string_view &said);
};

/* A list of one part that is a text. */
#define PARTS(action) {text_part((action).text)}
/* The probe's refusal, and the message of its stop. */
#define REFUSAL "probe", "the probe was told to refuse"
#define STOPPING "the probe was told to stop"

/* A text as a message of the user, appended to the conversation. `part` holds it. */
inline pc_message_edit_t appended(pc_content_part_t &part) {
    pc_message_edit_t edit{};
    edit.tag = PC_MESSAGE_EDIT_INSERT;
    edit.val.insert.f0 = pc_conversation_len();
    edit.val.insert.f1.role = PC_ROLE_USER;
    edit.val.insert.f1.content = {&part, 1};
    return edit;
}
