// what = "Calls itself with an array of a kilobyte each time."
// cause = ["trap", "bad-output"]
static int deeper(int n) {
    volatile char array[1024];
    array[n & 1023] = (char)n;
    return deeper(n + 1) + array[(n + 1) & 1023];
}
int handle(char *session, int n, char *agent, int m, unsigned turn) {
    return turn % 2 == 0 ? 256 : deeper(1);
}
