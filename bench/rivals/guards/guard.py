import json
import sys

call = json.load(sys.stdin)
if call["name"] == "shell" and "rm -rf" in call["arguments"]:
    json.dump({"reject": {"code": "no-rm", "reason": "Nothing is deleted here."}}, sys.stdout)
else:
    json.dump("continue", sys.stdout)
