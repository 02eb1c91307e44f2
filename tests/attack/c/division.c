// what = "Divides by zero."
// cause = ["trap"]
int handle(char *session, int n, char *agent, int m, unsigned turn) {
    volatile int zero = 0;
    return turn % 2 == 0 ? 256 : 1 / zero;
}
