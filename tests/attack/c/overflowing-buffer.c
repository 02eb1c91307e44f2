// what = "Copies into a buffer of eight bytes until memory ends."
// cause = ["trap", "fuel", "deadline"]
int handle(char *session, int n, char *agent, int m, unsigned turn) {
    volatile char buffer[8];
    if (turn % 2 == 0)
        return 256;
    for (unsigned i = 0;; i++)
        buffer[i] = 'A';
}
