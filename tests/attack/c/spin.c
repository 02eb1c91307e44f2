// what = "Computes for ever."
// cause = ["fuel", "deadline"]
int handle(char *session, int n, char *agent, int m, unsigned turn) {
    volatile unsigned count = turn;
    if (turn % 2 == 0)
        return 256;
    for (;;)
        count++;
}
