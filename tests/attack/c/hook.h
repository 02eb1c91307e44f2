/* A hook at `pre-turn`, as the component model calls it. It is friendly in even turns. */
#define IMPORT(interface, name)                                                                    \
    __attribute__((__import_module__("portcullis:hooks/" interface "@0.2.0"), __import_name__(name)))

IMPORT("call", "turn") unsigned current_turn(void);
IMPORT("pre-turn-answer", "reject")
void reject(const char *code, int code_bytes, const char *reason, int reason_bytes, int has_details,
            const char *details, int details_bytes);

#define HANDLE int handle(void)
#define FRIENDLY (current_turn() % 2 == 0)
/* No answer: the turn continues. */
#define CONTINUE 0
