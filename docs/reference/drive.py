"""Runs one turn of an agent: drive.py MESSAGE [portcullis run ARGUMENTS]"""

import json
import subprocess
import sys

message, *arguments = sys.argv[1:]
agent = subprocess.Popen(
    ["portcullis", "run", "--json", *arguments],
    stdin=subprocess.PIPE,
    stdout=subprocess.PIPE,
    text=True,
    encoding="utf-8",
)


def send(**request):
    print(json.dumps(request), file=agent.stdin, flush=True)


def decision(arguments):
    path = json.loads(arguments).get("path", "")
    if path.startswith("notes/") and ".." not in path:
        return "approve"
    return {"deny": "only notes may be written"}


send(type="input", text=message)
send(type="end")
for line in agent.stdout:
    event = json.loads(line)
    match event["event"]:
        case "approval-asked":
            send(type="approval", id=event["id"], decision=decision(event["value"]))
        case "turn-waits":
            for call in event["pending"]:
                if call["wants"] == "result":
                    send(**{"type": "tool-result", "call-id": call["call-id"], "content": "blue"})
                else:
                    answer = decision(call["arguments"])
                    send(type="approval", id=call["call-id"], decision=answer)
        case "turn-ended":
            print(event["text"])
        case "turn-failed":
            print("the turn failed:", event["error"], file=sys.stderr)
        case "bad-request":
            print("a request was refused:", event["error"], file=sys.stderr)

sys.exit(agent.wait())
