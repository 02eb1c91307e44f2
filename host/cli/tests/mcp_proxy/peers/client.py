"""A client of the Python SDK: `client.py MODE COMMAND…` or `client.py MODE URL`. It prints what it saw as JSON."""

import json
import os
import sys

import anyio
import mcp_types as types
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client

seen = {"questions": [], "progress": []}


async def decide(context, params):
    seen["questions"].append(params.message)
    return types.ElicitResult(action="accept", content={"decision": "approve"})


def transport(command):
    if command[0].startswith("http:"):
        headers = {"Authorization": "Bearer " + os.environ["MCP_TOKEN"]}
        return streamable_http_client(command[0], http_client=create_mcp_http_client(headers=headers))
    return stdio_client(StdioServerParameters(command=command[0], args=command[1:]))


async def main(mode, command):
    async with Client(transport(command), mode=mode, elicitation_callback=decide) as client:
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
