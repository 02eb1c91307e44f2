/* A bump allocator for the memory of a call. All of it is freed when the next call begins. */

#include <string.h>

#include "core.h"

/* A page of WebAssembly's memory. */
#define PAGE 65536

typedef struct pc_chunk {
    struct pc_chunk *next;
    uint8_t *begin, *end;
} chunk;

/* Enough for most calls. It takes no room in the component's file. */
static uint8_t small[4096];
static chunk first = {.begin = small, .end = small + sizeof small};

/* The position of the next allocation. */
static pc_mark_t now = {.chunk = &first, .at = small};

pc_mark_t pc_mark(void) { return now; }
void pc_release(pc_mark_t mark) { now = mark; }
void pc_begin_call(void) { now = (pc_mark_t){.chunk = &first, .at = small}; }

/* Adds memory: to the last chunk if the new pages adjoin it, else as a new chunk. */
static void grow(size_t size) {
    chunk *last = now.chunk;
    if (size > SIZE_MAX - PAGE) __builtin_trap();
    size_t pages = (size + PAGE - 1) / PAGE, page = __builtin_wasm_memory_grow(0, pages);
    /* A hook without memory cannot work; the host treats the trap as a failure. */
    if (page == SIZE_MAX) __builtin_trap();
    uint8_t *bytes = (uint8_t *)(page * PAGE);
    if (bytes == last->end) {
        last->end += pages * PAGE;
        return;
    }
    chunk *next = (chunk *)bytes;
    *next = (chunk){.begin = bytes + sizeof(chunk), .end = bytes + pages * PAGE};
    last->next = next;
    now = (pc_mark_t){.chunk = next, .at = next->begin};
}

static void *take(size_t align, size_t size) {
    for (;;) {
        uint8_t *from = (uint8_t *)(((uintptr_t)now.at + align - 1) & ~(uintptr_t)(align - 1));
        if (from <= now.chunk->end && size <= (size_t)(now.chunk->end - from)) {
            now.at = from + size;
            return from;
        }
        chunk *next = now.chunk->next;
        if (next) now = (pc_mark_t){.chunk = next, .at = next->begin};
        else if (size > SIZE_MAX - sizeof(chunk) - align) __builtin_trap();
        else grow(size + sizeof(chunk) + align);
    }
}

void *pc_alloc(size_t size) { return take(8, size); }

/* Allocates memory for the host's results. */
__attribute__((__export_name__("cabi_realloc"))) void *cabi_realloc(void *old, size_t old_size, size_t align,
                                                                    size_t new_size) {
    if (!new_size) return (void *)align;
    void *new = take(align, new_size);
    if (old_size) memcpy(new, old, old_size < new_size ? old_size : new_size);
    return new;
}
