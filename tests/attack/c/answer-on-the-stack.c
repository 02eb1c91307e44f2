// what = "Answers with the address of something that is no longer there."
// cause = ["bad-output", "trap"]
static int *gone(void) {
    volatile int local[16];
    for (int i = 0; i < 16; i++)
        local[i] = -1;
    return (int *)local;
}
int handle(char *session, int n, char *agent, int m, unsigned turn) {
    return turn % 2 == 0 ? 256 : (int)gone();
}
