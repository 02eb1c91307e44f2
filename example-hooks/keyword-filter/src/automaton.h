/* Finds all words in one pass over a text, after Aho and Corasick. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A state of the automaton: how much of which word was read. */
typedef struct {
    uint16_t next[256]; /* the state after a byte */
    uint16_t back;      /* the state of the longest end of this one that begins a word too */
    uint16_t depth;     /* how many bytes were read */
    uint16_t match;     /* the length of the longest word that ends here, 0 if none does */
} state_t;

typedef struct {
    state_t *states;
    size_t len;
} automaton_t;

/* The most states, and so bytes of all words together. Each takes 518 bytes. */
#define MOST_STATES 4096

/* An automaton without words. */
automaton_t automaton_new(void);
/* Adds a word. Says whether there was room. */
bool automaton_add(automaton_t *automaton, const uint8_t *word, size_t len);
/* To be called once all words are in. */
void automaton_link(automaton_t *automaton);
void automaton_free(automaton_t *automaton);

/* Masks in `shown`, which is as long, the words in a text, and gives how many bytes of its end could be the beginning
 * of one. */
size_t automaton_mask(const automaton_t *automaton, const uint8_t *text, uint8_t *shown, size_t len, uint8_t mask);
