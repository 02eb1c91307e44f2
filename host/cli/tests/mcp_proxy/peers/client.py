"""A client of the Python SDK: `client.py MODE COMMAND…`. It prints what it saw as JSON."""

import json
import sys

import anyio
import mcp_types as types
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

seen = {"questions": [], "progress": []}


async def decide(context, params):
    seen["questions"].append(params.message)
    return types.ElicitResult(action="accept", content={"decision": "approve"})


async def main(mode, command):
    parameters = StdioServerParameters(command=command[0], args=command[1:])
    async with Client(stdio_client(parameters), mode=mode, elicitation_callback=decide) as client:
        listed = await client.list_tools()
        seen["tools"] = sorted(tool.name for tool in listed.tools)
        for name in ["leak", "boom", "asked", "guarded", "secret"]:
            seen[name] = await call(client, name, {})
        for name in ["echo", "shout"]:
            seen[name] = await call(client, name, {"text": "hi"})
        with anyio.CancelScope() as scope:

            async def cancel(progress, total, message):
                seen["progress"].append([progress, total, message])
                scope.cancel()

            await client.call_tool("hang", {}, progress_callback=cancel)
        seen["was_cancelled"] = await call(client, "was_cancelled", {})
    print(json.dumps(seen))


async def call(client, name, arguments):
    result = await client.call_tool(name, arguments)
    text = "\n".join(block.text for block in result.content)
    return {"error": result.is_error, "text": text, "structured": result.structured_content}


anyio.run(main, sys.argv[1], sys.argv[2:])
