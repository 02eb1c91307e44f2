/* Masks words in a model's output before it is shown. */

#include <stdlib.h>
#include <string.h>

#include "automaton.h"
#include "portcullis.h"

PORTCULLIS_HOOK(
    .id = "keyword-filter",
    .kind = "guardrail",
    .description = "Masks words in what a model says, piece by piece, before it is shown.",
    .execution = PC_DEADLINE
);

/* The automaton is kept between calls, with the configured words that it was built from. */
static struct {
    pc_string_t words;
    automaton_t automaton;
} known;

static pc_string_t keep(pc_string_t text) {
    pc_string_t kept = {.ptr = malloc(text.len + 1), .len = text.len};
    if (!kept.ptr) abort();
    memcpy(kept.ptr, text.ptr, text.len);
    return kept;
}

static const char *build(pc_string_t json) {
    pc_strings_t words;
    if (!pc_config_list("words", &words)) return "`words` must be a list of strings";
    automaton_free(&known.automaton);
    known.automaton = automaton_new();
    bool fits = true;
    for (size_t i = 0; i < words.len; i++)
        fits = fits && automaton_add(&known.automaton, words.ptr[i].ptr, words.ptr[i].len);
    free(known.words.ptr);
    known.words = (pc_string_t){0};
    if (!fits) return "`words` are too many: they may have 4095 bytes together";
    automaton_link(&known.automaton);
    known.words = keep(json);
    return NULL;
}

/* Builds the automaton unless it was built from the same words. */
static const char *prepare(void) {
    pc_string_t json;
    if (!pc_config_text("words", &json)) json = PC_TEXT("[]");
    return known.words.ptr && pc_equals(json, known.words) ? NULL : build(json);
}

static uint8_t mask(void) {
    pc_string_t text;
    if (!pc_config_text("mask", &text)) return '*';
    return text.len == 1 ? text.ptr[0] : 0;
}

static pc_string_t join(pc_string_t first, pc_string_t second) {
    pc_string_t both = {.ptr = pc_alloc(first.len + second.len), .len = first.len + second.len};
    memcpy(both.ptr, first.ptr, first.len);
    memcpy(both.ptr + first.len, second.ptr, second.len);
    return both;
}

static pc_string_t part(pc_string_t text, size_t from, size_t to) {
    return (pc_string_t){.ptr = text.ptr + from, .len = to - from};
}

/* Returns the start of the character that `at` is within, or `at`. */
static size_t boundary(pc_string_t text, size_t at) {
    while (at > 0 && at < text.len && (text.ptr[at] & 0xc0) == 0x80) at--;
    return at;
}

bool on_llm_delta(void) {
    const char *wrong = prepare();
    if (wrong) return pc_bad_config(wrong);
    uint8_t with = mask();
    if (with < 0x20 || with > 0x7e) return pc_bad_config("`mask` must be one character of ASCII");

    const char *key = llm_delta_kind() == LLM_DELTA_FACTS_DELTA_KIND_TEXT ? "text" : "thinking";
    pc_string_t held = PC_TEXT(""), piece = pc_content();
    bool had = pc_recall(key, &held);
    /* The text held back is kept twice, as it was and masked: one word may end in it and another begin. */
    size_t half = held.len / 2;
    pc_string_t said = join(part(held, 0, half), piece), shown = join(part(held, half, 2 * half), piece);
    size_t rest = automaton_mask(&known.automaton, said.ptr, shown.ptr, said.len, with);
    size_t out = llm_delta_last() ? said.len : boundary(said, said.len - rest);

    if (out < said.len) {
        if (!pc_remember(key, join(part(said, out, said.len), part(shown, out, said.len))))
            return pc_fail("there is no room in the state for the end of a piece");
    } else if (had) {
        pc_forget(key);
    }
    if (!had && out == said.len && pc_equals(said, shown)) return PC_CONTINUE;
    return llm_delta_transform(part(shown, 0, out));
}
