/* Finds all words in one pass over a text, with the Aho-Corasick algorithm. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A state of the automaton: the beginning of a word that was read. */
typedef struct {
    uint16_t next[256]; /* the state after a byte */
    uint16_t back;      /* the fallback: the longest proper suffix of this state that begins a word */
    uint16_t depth;     /* the number of bytes that were read */
    uint16_t match;     /* the length of the longest word that ends here, 0 if none does */
} state_t;

typedef struct {
    state_t *states;
    size_t len;
} automaton_t;

/* The most states, which limits the bytes of all words together. A state takes 518 bytes. */
#define MOST_STATES 4096

/* Returns an automaton without words. */
automaton_t automaton_new(void);
/* Adds a word. Returns whether there was room. */
bool automaton_add(automaton_t *automaton, const uint8_t *word, size_t len);
/* Computes the fallbacks. To be called once, after all words are added. */
void automaton_link(automaton_t *automaton);
void automaton_free(automaton_t *automaton);

/* Masks the words of `text` in `shown`, which has the same length. Returns the number of bytes at the end that could be
 * the beginning of a word. */
size_t automaton_mask(const automaton_t *automaton, const uint8_t *text, uint8_t *shown, size_t len, uint8_t mask);
