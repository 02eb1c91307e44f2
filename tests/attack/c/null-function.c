// what = "Calls a function that is none."
// cause = ["trap"]
int handle(char *session, int n, char *agent, int m, unsigned turn) {
    int (*volatile none)(int) = 0;
    return turn % 2 == 0 ? 256 : none(1);
}
