/* Masks words in what a model says, before it is shown. */

#include <stdlib.h>
#include <string.h>

#include "automaton.h"
#include "portcullis.h"

PORTCULLIS_HOOK(
    .id = "keyword-filter",
    .kind = "guardrail",
    .description = "Masks words in what a model says, piece by piece, before it is shown.",
    .role = PC_TRANSFORM
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

static pc_string_t join(pc_string_t first, pc_string_t second) {
    size_t len = first.len + second.len;
    uint8_t *bytes = malloc(len ? len : 1);
    if (!bytes) abort();
    memcpy(bytes, first.ptr, first.len);
    memcpy(bytes + first.len, second.ptr, second.len);
    pc_string_t joined = pc_copy_n(bytes, len);
    free(bytes);
    return joined;
}

/* A place to cut that is not within a character. */
static size_t boundary(pc_string_t text, size_t at) {
    while (at > 0 && at < text.len && (text.ptr[at] & 0xc0) == 0x80) at--;
    return at;
}

llm_delta_result on_llm_delta(const pc_context_t *context, const llm_delta_input *input) {
    (void)context;
    const char *wrong = prepare();
    if (wrong) return llm_delta_bad_config(wrong);
    uint8_t with = mask();
    if (with < 0x20 || with > 0x7e) return llm_delta_bad_config("`mask` must be one character of ASCII");

    const char *key = input->kind == EXPORTS_LLM_DELTA_DELTA_KIND_TEXT ? "text" : "thinking";
    pc_string_t held = pc_copy("");
    bool had = pc_recall(key, &held);
    pc_string_t piece = pc_content();
    pc_string_t text = join(held, piece);
    bool is_masked = false;
    size_t rest = 0;
    if (text.len) {
        pc_string_t before = pc_copy_n(text.ptr, text.len);
        rest = automaton_mask(&known.automaton, text.ptr, text.len, with);
        is_masked = memcmp(before.ptr, text.ptr, text.len) != 0;
        pc_free(&before);
    }
    size_t out = input->last ? text.len : boundary(text, text.len - rest);

    bool kept = true;
    if (out < text.len) {
        pc_string_t end = {.ptr = text.ptr + out, .len = text.len - out};
        kept = pc_remember(key, end);
    } else if (had) {
        pc_forget(key);
    }
    llm_delta_result result;
    if (!kept) result = llm_delta_fail("there is no room in the state for the end of a piece");
    else if (!had && !is_masked && out == text.len) result = llm_delta_continue();
    else result = llm_delta_transform(pc_copy_n(text.ptr, out));
    pc_free(&held);
    pc_free(&piece);
    pc_free(&text);
    return result;
}
