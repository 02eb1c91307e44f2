/* Masks words in what a model says, before it is shown. */

#include <stdlib.h>
#include <string.h>

#include "automaton.h"
#include "portcullis.h"

PORTCULLIS_HOOK(
    .id = "keyword-filter",
    .kind = "guardrail",
    .description = "Masks words in what a model says, piece by piece, before it is shown.",
    .role = PC_TRANSFORM,
    .execution = PC_DEADLINE
);

/* What the configuration comes to, kept from call to call with the text that it was made of. */
static struct {
    pc_string_t words;
    automaton_t automaton;
} known;

static const char *build(pc_string_t json) {
    pc_texts words;
    if (!pc_config_list("words", &words)) return "`words` must be a list of strings";
    automaton_free(&known.automaton);
    known.automaton = automaton_new();
    bool fits = true;
    for (size_t i = 0; i < words.len; i++)
        fits = fits && automaton_add(&known.automaton, words.items[i].ptr, words.items[i].len);
    pc_texts_free(&words);
    pc_free(&known.words);
    if (!fits) return "`words` are too many: they may have 4095 bytes together";
    automaton_link(&known.automaton);
    known.words = json;
    return NULL;
}

/* Makes the automaton unless the words are those it was made of. */
static const char *prepare(void) {
    pc_string_t json;
    if (!pc_config_text("words", &json)) json = pc_copy("[]");
    bool is_same = known.automaton.states && json.len == known.words.len &&
                   memcmp(json.ptr, known.words.ptr, json.len) == 0;
    if (!is_same) {
        const char *wrong = build(json);
        if (wrong) pc_free(&json);
        return wrong;
    }
    pc_free(&json);
    return NULL;
}

static uint8_t mask(void) {
    pc_string_t text;
    if (!pc_config_text("mask", &text)) return '*';
    uint8_t byte = text.len == 1 ? text.ptr[0] : 0;
    pc_free(&text);
    return byte;
}

static uint8_t *join(const uint8_t *first, size_t first_len, pc_string_t second) {
    uint8_t *bytes = malloc(first_len + second.len + 1);
    if (!bytes) abort();
    memcpy(bytes, first, first_len);
    memcpy(bytes + first_len, second.ptr, second.len);
    return bytes;
}

/* A place to cut that is not within a character. */
static size_t boundary(const uint8_t *text, size_t len, size_t at) {
    while (at > 0 && at < len && (text[at] & 0xc0) == 0x80) at--;
    return at;
}

/* Keeps what is held back, as it was said and as it is to be shown: a word may end in it, and another begin. */
static bool hold(const char *key, const uint8_t *said, const uint8_t *shown, size_t len) {
    pc_string_t end = {.ptr = (uint8_t *)shown, .len = len};
    uint8_t *both = join(said, len, end);
    bool kept = pc_remember(key, (pc_string_t){.ptr = both, .len = 2 * len});
    free(both);
    return kept;
}

llm_delta_result on_llm_delta(const pc_context_t *context, const llm_delta_input *input) {
    (void)context;
    const char *wrong = prepare();
    if (wrong) return llm_delta_bad_config(wrong);
    uint8_t with = mask();
    if (with < 0x20 || with > 0x7e) return llm_delta_bad_config("`mask` must be one character of ASCII");

    const char *key = input->kind == EXPORTS_LLM_DELTA_DELTA_KIND_TEXT ? "text" : "thinking";
    pc_string_t held = pc_copy(""), piece = pc_content();
    bool had = pc_recall(key, &held);
    size_t half = held.len / 2, len = half + piece.len;
    uint8_t *said = join(held.ptr, half, piece), *shown = join(held.ptr + half, half, piece);
    size_t rest = automaton_mask(&known.automaton, said, shown, len, with);
    size_t out = input->last ? len : boundary(said, len, len - rest);

    bool kept = true;
    if (out < len) kept = hold(key, said + out, shown + out, len - out);
    else if (had) pc_forget(key);
    llm_delta_result result;
    if (!kept) result = llm_delta_fail("there is no room in the state for the end of a piece");
    else if (!had && out == len && memcmp(said, shown, len) == 0) result = llm_delta_continue();
    else result = llm_delta_transform(pc_copy_n(shown, out));
    free(said);
    free(shown);
    pc_free(&held);
    pc_free(&piece);
    return result;
}
