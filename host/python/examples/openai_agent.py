from typing import Any

from agents import Agent, Runner, function_tool
from portcullis_host import Hooks
from portcullis_host.adapters.openai_agents import guard


@function_tool
def write_file(path: str) -> str:
    """Writes a file."""
    return f"wrote {path}"


async def main(model: Any = "gpt-5") -> str:
    hooks = Hooks.load("hooks")
    async with hooks.session("session-1") as session:
        agent = guard(Agent[Any]("assistant", model=model, tools=[write_file]), session)
        result = await Runner.run(agent, "Write a note.")
        return str(result.final_output)
