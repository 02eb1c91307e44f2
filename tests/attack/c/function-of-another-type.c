// what = "Calls a function as if it took other arguments."
// cause = ["trap"]
static double half(double of) { return of / 2; }
int handle(char *session, int n, char *agent, int m, unsigned turn) {
    int (*volatile other)(int, int) = (int (*)(int, int))half;
    return turn % 2 == 0 ? 256 : other(1, 2);
}
