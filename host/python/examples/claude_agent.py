from claude_agent_sdk import ClaudeAgentOptions, query
from portcullis_host import Hooks
from portcullis_host.adapters.claude import claude_hooks

hooks = Hooks.load("hooks")
options = ClaudeAgentOptions(hooks=claude_hooks(hooks))


async def main() -> None:
    async for message in query(prompt="Write a note.", options=options):
        print(message)
