/* A hook at `pre-turn`, as the component model calls it. In even turns it means well. */
#define HANDLE                                                                                     \
    int handle(char *session, int session_bytes, char *agent, int agent_bytes, unsigned turn,      \
               unsigned step, unsigned text_bytes, unsigned parts)
#define FRIENDLY (turn % 2 == 0)
/* Where there are zeroes: `continue`. */
#define CONTINUE 256
