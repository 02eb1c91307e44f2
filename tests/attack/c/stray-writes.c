// what = "Writes over all of its memory, its own card and its own answer among it."
// cause = ["bad-output", "trap"]
int handle(char *session, int n, char *agent, int m, unsigned turn) {
    if (turn % 2 == 0)
        return 256;
    for (volatile unsigned char *at = (unsigned char *)1; at < (unsigned char *)60000; at++)
        *at = 0xAA;
    return 2048;
}
