from typing import Any

from portcullis_host import Hooks
from portcullis_host.adapters.pydantic_ai import PortcullisCapability
from pydantic_ai import Agent


def write_file(path: str) -> str:
    """Writes a file."""
    return f"wrote {path}"


async def main(model: Any = "openai:gpt-5") -> str:
    hooks = Hooks.load("hooks")
    async with hooks.session("session-1") as session:
        agent = Agent(model, tools=[write_file], capabilities=[PortcullisCapability(session)])
        return (await agent.run("Write a note.")).output
