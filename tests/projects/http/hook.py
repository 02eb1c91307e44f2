from urllib.error import HTTPError, URLError
from urllib.request import urlopen

from portcullis import content, hook, http, reject
from portcullis.contract import Context, PreTurn, PreTurnOutcome


@hook(id="my-hook", description="Sends requests.")
class MyHook:
    def pre_turn(self, context: Context, call: PreTurn) -> PreTurnOutcome:
        action, url, *more = content.text().split(" ")
        try:
            said = self._act(action, url, *more)
        except http.StatusError as error:
            said = f"StatusError {error.response.status}"
        except http.Refused as error:
            said = f"Refused {'PermissionError' if isinstance(error, PermissionError) else ''}: {error}"
        except http.TimedOut as error:
            said = f"TimedOut {'TimeoutError' if isinstance(error, TimeoutError) else ''}: {error}"
        except HTTPError as error:
            said = f"HTTPError {error.code}"
        except URLError as error:
            said = f"URLError {error}"
        except ValueError as error:
            said = str(error)
        return reject("said", said)

    def _act(self, action: str, url: str, ms: str = "") -> str:
        headers = {"X-Asked": "asked"}
        match action:
            case "get":
                response = http.get(url, headers=headers)
            case "post":
                response = http.post(url, headers=headers, content="zwölf")
            case "large":
                sent = http.get(url).content
                received = http.post(url, content=sent).content
                return f"{len(sent)} {str(sent == received).lower()}"
            case "within":
                response = http.get(url, timeout=int(ms) / 1000)
            case "status":
                response = http.get(url).raise_for_status()
            case "open":
                with urlopen(url, data=b"a=1") as opened:
                    return f"{opened.status} {opened.headers['X-Answer']} {opened.read().decode()}"
            case _:
                raise KeyError(action)
        return f"{response.status} {response.headers.get('x-answer', '-')} {response.text}"
