import asyncio
import json

from portcullis_host import Hooks, refusal


async def main() -> None:
    hooks = Hooks.load("hooks")
    async with hooks.session("session-1", agent="my-agent") as session:
        verdict = await session.pre_tool_call("write_file", {"path": "../notes.md"})
        if verdict.passed:
            print("run it with", json.loads(verdict.payload))
        else:
            print(refusal("The tool was not run", verdict))


if __name__ == "__main__":
    asyncio.run(main())
