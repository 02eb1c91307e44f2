#include "portcullis.hpp"

using namespace portcullis;

PORTCULLIS_HOOK(.id = "word-filter", .description = "Refuses turns that contain a blocked word.",
                .priority = 10);

Answer on_pre_turn() {
    auto blocked = config::strings("blocked");
    if (!blocked) return bad_config("`blocked` must be a list of strings");
    for (std::string_view word : *blocked) {
        if (content().contains(word)) return pre_turn::reject("blocked-word", "The message was blocked.");
    }
    return proceed();
}
