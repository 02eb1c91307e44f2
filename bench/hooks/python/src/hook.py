"""A small guard at `pre-tool-call`. The other two points measure what less reading costs."""

from portcullis import hook, proceed, reject, tool_data
from portcullis.contract import (
    Context,
    PostToolCall,
    PostToolCallOutcome,
    PreToolCall,
    PreToolCallOutcome,
    ToolUpdate,
    ToolUpdateOutcome,
)


@hook(id="guard-python", description="Refuses shell commands that delete directories.")
class Guard:
    def pre_tool_call(self, context: Context, call: PreToolCall) -> PreToolCallOutcome:
        """Reads the name and the arguments."""
        if call.name == "shell" and "rm -rf" in tool_data.input():
            return reject("no-rm", "Nothing is deleted here.")
        return proceed()

    def post_tool_call(self, context: Context, call: PostToolCall) -> PostToolCallOutcome:
        """Reads the name."""
        if call.name == "forbidden":
            return reject("forbidden", "Its output is withheld.")
        return proceed()

    def tool_update(self, context: Context, call: ToolUpdate) -> ToolUpdateOutcome:
        """Reads nothing."""
        return proceed()
