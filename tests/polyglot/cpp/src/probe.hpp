/* What the probe can do. */
#pragma once

#include <string>
#include <string_view>

#include "portcullis.hpp"

using namespace portcullis;

struct Action {
    std::string_view name; /* what the configuration says first */
    std::string_view rest; /* what it says behind that */
    std::string text;      /* what a value is to become */

    bool is(std::string_view kind) const { return name == kind; }
};

/* What the configuration says for a point, done as far as that is the same everywhere. */
Action action_at(std::string_view point, std::string_view current = "");

/* No answer, or the failure that is asked for. */
Answer otherwise(const Action &action);

/* What the views show of the call, as a list in JSON. */
std::string view_of_all();

/* One contribution of those that are said: `KIND NAME TEXT`, up to `; `. */
struct Gift {
    std::string_view kind, name, text;
    static Gift next(std::string_view &said);
};

/* A list of one part that is a text. */
#define PARTS(action) {text_part((action).text)}
/* The probe's refusal, and the message of its stop. */
#define REFUSAL "probe", "the probe was told to refuse"
#define STOPPING "the probe was told to stop"

/* A text as the user's message, put behind the conversation. It is kept in `part`. */
inline pc_message_edit_t appended(pc_content_part_t &part) {
    pc_message_edit_t edit{};
    edit.tag = PC_MESSAGE_EDIT_INSERT;
    edit.val.insert.f0 = pc_conversation_len();
    edit.val.insert.f1.role = PC_ROLE_USER;
    edit.val.insert.f1.content = {&part, 1};
    return edit;
}
