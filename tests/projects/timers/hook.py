import time

from portcullis import content, hook, reject
from portcullis.contract import Context, PreTurn, PreTurnOutcome


@hook(id="my-hook", description="Waits.")
class MyHook:
    def pre_turn(self, context: Context, call: PreTurn) -> PreTurnOutcome:
        seconds = int(content.text()) / 1000
        begun = time.monotonic()
        time.sleep(seconds)
        return reject("said", "slept" if time.monotonic() - begun >= seconds else "woke early")
