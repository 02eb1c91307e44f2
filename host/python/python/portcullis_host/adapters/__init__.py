"""Integrations, each of which imports its library: `langchain`, `openai_agents`, `pydantic_ai`, `claude`."""
