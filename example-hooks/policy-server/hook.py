from dataclasses import dataclass

from portcullis import config, hook, http, proceed, reject, tool_data
from portcullis.contract import Context, PreToolCall, PreToolCallOutcome


@dataclass
class Config:
    url: str


@hook(id="policy-server", description="Asks a policy server whether a tool may run.", config=Config)
class PolicyServer:
    def pre_tool_call(self, context: Context, call: PreToolCall) -> PreToolCallOutcome:
        asked = {"session": context.session_id, "tool": call.name, "arguments": tool_data.arguments()}
        response = http.post(config.read(Config).url, json={"input": asked})
        result = response.raise_for_status().json()["result"]
        if result["allow"] is True:
            return proceed()
        return reject("policy", result.get("reason", "The policy does not allow this call."))
