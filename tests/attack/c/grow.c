// what = "Grows its memory until it may not."
// cause = ["memory"]
int handle(char *session, int n, char *agent, int m, unsigned turn) {
    if (turn % 2 == 0)
        return 256;
    for (;;)
        __builtin_wasm_memory_grow(0, 64);
}
