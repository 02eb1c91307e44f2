"""A server of the Python SDK: over standard streams, or with `http` over HTTP."""

import socket
import sys

import anyio
import uvicorn
from mcp.server.mcpserver import Context, MCPServer

server = MCPServer("demo")
cancelled = anyio.Event()


@server.tool()
def echo(text: str) -> str:
    return "you said " + text


@server.tool()
def leak() -> str:
    return "the key is 1234"


@server.tool()
def boom() -> str:
    raise ValueError("1234 went wrong")


@server.tool()
def asked() -> str:
    return "ran"


@server.tool()
def guarded() -> str:
    return "ran"


@server.tool()
def secret() -> str:
    return "ran"


@server.tool()
async def hang(ctx: Context) -> str:
    await ctx.report_progress(1, 2, "started")
    try:
        await anyio.sleep_forever()
    finally:
        cancelled.set()


@server.tool()
async def was_cancelled() -> str:
    await cancelled.wait()
    return "yes"


if sys.argv[1:] == ["http"]:
    listener = socket.create_server(("127.0.0.1", 0))
    print(listener.getsockname()[1], flush=True)
    config = uvicorn.Config(server.streamable_http_app(), log_level="error")
    anyio.run(uvicorn.Server(config).serve, [listener])
else:
    server.run("stdio")
