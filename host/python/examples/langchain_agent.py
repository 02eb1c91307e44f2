from typing import Any

from langchain.agents import create_agent
from langchain.tools import tool
from portcullis_host import Hooks
from portcullis_host.adapters.langchain import PortcullisMiddleware


@tool
def write_file(path: str) -> str:
    """Writes a file."""
    return f"wrote {path}"


async def main(model: Any = "openai:gpt-5") -> str:
    hooks = Hooks.load("hooks")
    async with hooks.session("session-1") as session:
        agent: Any = create_agent(model, [write_file], middleware=[PortcullisMiddleware(session)])
        result = await agent.ainvoke({"messages": [{"role": "user", "content": "Write a note."}]})
        return str(result["messages"][-1].text)
