#include "automaton.h"

#include <stdlib.h>
#include <string.h>

static uint8_t lower(uint8_t byte) { return byte >= 'A' && byte <= 'Z' ? byte | 0x20 : byte; }

automaton_t automaton_new(void) {
    automaton_t automaton = {.states = calloc(MOST_STATES, sizeof(state_t)), .len = 1};
    if (!automaton.states) abort();
    return automaton;
}

bool automaton_add(automaton_t *automaton, const uint8_t *word, size_t len) {
    uint16_t at = 0;
    for (size_t i = 0; i < len; i++) {
        uint16_t *next = &automaton->states[at].next[lower(word[i])];
        if (!*next) {
            if (automaton->len == MOST_STATES) return false;
            *next = (uint16_t)automaton->len++;
            automaton->states[*next].depth = (uint16_t)(i + 1);
        }
        at = *next;
    }
    automaton->states[at].match = (uint16_t)len;
    return true;
}

void automaton_link(automaton_t *automaton) {
    state_t *states = automaton->states;
    uint16_t *queue = malloc(automaton->len * sizeof *queue);
    if (!queue) abort();
    size_t first = 0, last = 0;
    queue[last++] = 0;
    /* In the order of depth, so that the fallback of each state is complete before the state. */
    while (first < last) {
        uint16_t at = queue[first++];
        for (int byte = 0; byte < 256; byte++) {
            uint16_t next = states[at].next[byte];
            uint16_t behind = at ? states[states[at].back].next[byte] : 0;
            if (!next) {
                states[at].next[byte] = behind;
                continue;
            }
            states[next].back = behind;
            if (!states[next].match) states[next].match = states[behind].match;
            queue[last++] = next;
        }
    }
    free(queue);
}

void automaton_free(automaton_t *automaton) {
    free(automaton->states);
    *automaton = (automaton_t){0};
}

size_t automaton_mask(const automaton_t *automaton, const uint8_t *text, uint8_t *shown, size_t len, uint8_t mask) {
    uint16_t at = 0;
    for (size_t i = 0; i < len; i++) {
        at = automaton->states[at].next[lower(text[i])];
        size_t match = automaton->states[at].match;
        if (match) memset(shown + i + 1 - match, mask, match);
    }
    return automaton->states[at].depth;
}
