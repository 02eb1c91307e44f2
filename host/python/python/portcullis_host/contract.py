# Written from wit/ by `cargo xtask contract`; do not change it here.
"""The contract's types, as plain dictionaries, lists and strings."""

from __future__ import annotations

from typing import Literal, NotRequired, TypeAlias, TypedDict, final


@final
class EditErrorDenied(TypedDict):
    """The operator does not let the hook change this key, or the state cannot be changed at this point: at
    `state-changed`, which would fire again, at `turn-suspended` and `session-end`, where the state is saved
    already, and at the points of workspaces, which have no state. The text says which."""

    denied: str


@final
class EditErrorFull(TypedDict):
    """The keys that the hook may change would be too many or too large; the text says which."""

    full: str


@final
class EditErrorInvalid(TypedDict):
    """The key is empty or has control characters, or the value is not the text of a JSON value; the text says which."""

    invalid: str


EditError: TypeAlias = 'EditErrorDenied | EditErrorFull | EditErrorInvalid'
"""The reason why a key was not changed."""


class TokenBudget(TypedDict):
    """The size of the conversation, and its limit."""

    limit: int
    """The most tokens the conversation may have."""

    used: int
    """The estimated number of tokens in the conversation."""

    messages: int
    """The number of messages in the conversation."""


class CompactionResult(TypedDict):
    """The result of a compaction."""

    removed: int
    """The number of messages removed."""

    messages: int
    """The number of messages after the compaction."""

    summary_bytes: int
    """The size of the summary, in bytes."""


FailurePolicy: TypeAlias = 'Literal["fail-open", "fail-closed"]'
"""The effect of a failure of the hook."""


ExecutionPolicy: TypeAlias = 'Literal["blocking", "deadline", "fire-and-record", "background"]'
"""The way that the agent waits for the hook."""


class Descriptor(TypedDict):
    """The declaration."""

    id: str
    """The stable id: lower-case letters, digits and dashes."""

    version: str
    """The hook's own version, such as `1.4.0`."""

    kind: str
    """The sort of hook, such as `guardrail` or `audit`; free text."""

    description: str
    """One sentence on what it does."""

    points: list[str]
    """The points that it serves, by name. They must be the ones it exports."""

    priority: NotRequired[int | None]
    """The priority: low runs first at forward points, high first at reverse ones; 100 if left out."""

    failure: NotRequired[FailurePolicy | None]
    """The failure policy; if left out, a hook that can decide anything fails closed, and one that only observes fails open."""

    deadline_ms: NotRequired[int | None]
    """The time limit of one call, in milliseconds; the host's default if left out."""

    execution: ExecutionPolicy
    """The way that the agent waits for the hook."""

    after: list[str]
    """The ids of the hooks that must run before it."""


class LlmCall(TypedDict):
    """The call about to be made."""

    provider: str
    """The provider."""

    model: str
    """The model."""

    attempt: int
    """The number of the attempt, counted from 1."""

    messages: int
    """The number of messages to send."""

    tools: int
    """The number of tools to offer."""

    estimated_tokens: int
    """The estimated number of tokens in the messages."""

    temperature: NotRequired[float | None]
    """The sampling temperature; the provider's default if left out."""

    max_output_tokens: NotRequired[int | None]
    """The most tokens the model may write; the provider's default if left out."""


ProviderErrorKind: TypeAlias = 'Literal["timeout", "rate-limited", "overloaded", "auth", "bad-request", "context-length", "network", "server", "other"]'
"""The kind of failure."""


class LlmFailure(TypedDict):
    """A failed call."""

    provider: str
    """The provider that failed."""

    model: str
    """The model that was called."""

    attempt: int
    """The number of the failed attempt, counted from 1."""

    kind: ProviderErrorKind
    """The kind of failure."""

    status: NotRequired[int | None]
    """The HTTP status, if there was one."""

    message: str
    """The provider's message."""

    retry_after_ms: NotRequired[int | None]
    """The wait that the provider asks for, in milliseconds."""

    providers: list[str]
    """The providers that the agent has, by name, in the operator's order."""


DeltaKind: TypeAlias = 'Literal["text", "thinking"]'
"""The kind of a piece."""


class Delta(TypedDict):
    """A piece of a response. The host gathers what providers send into larger pieces."""

    kind: DeltaKind
    """The kind of the piece."""

    index: int
    """The index of the piece among those of its kind, counted from 0."""

    bytes: int
    """The size in bytes."""

    last: bool
    """Whether it is the last piece of its kind. The last piece may be empty. A hook that holds text back must return it here."""


class StateChange(TypedDict):
    """The change."""

    tool: str
    """The tool that made the change. Empty if a hook made it; the view `agent-state` says which."""

    call_id: str
    """The id of the tool's call. Empty if a hook made the change."""

    keys: list[str]
    """The keys that changed, in order."""


class TurnFacts(TypedDict):
    """The turn whose prompt is assembled."""

    text_bytes: int
    """The size of the user's text, in bytes."""

    messages: int
    """The number of messages."""

    tools: int
    """The number of tools that the model is offered."""

    policies: int
    """The number of policies contributed so far."""


class ContextSet(TypedDict):
    """The context so far."""

    text_bytes: int
    """The size of the user's text, in bytes."""

    policies: int
    """The number of policies in force."""

    items: int
    """The number of items contributed so far."""


class RecallPlan(TypedDict):
    """The plan of what to recall."""

    queries: int
    """The number of queries in the plan."""

    max_items: int
    """The most items to recall."""

    max_tokens: int
    """The most tokens to recall."""

    fallback: bool
    """Whether it is the fallback plan, made without a planner."""

    items: int
    """The number of items contributed so far."""


class ToolSet(TypedDict):
    """The tools so far."""

    tools: int
    """The number of tools."""

    bundles: int
    """The number of bundles contributed so far."""


class PromptDraft(TypedDict):
    """The draft of the prompt."""

    sections: int
    """The number of sections so far."""

    items: int
    """The number of items of context."""

    tokens: int
    """The estimated number of tokens in the sections."""

    budget_tokens: int
    """The most tokens that the sections may have."""


class SessionInfo(TypedDict):
    """The session that begins."""

    provider: str
    """The provider that the agent calls first."""

    model: str
    """The model that the agent calls first."""

    tools: int
    """The number of tools that the model is offered."""


class SubagentSpec(TypedDict):
    """The sub-agent."""

    call_id: str
    """The id of the tool call that starts the sub-agent."""

    agent: str
    """The name of the sub-agent."""

    task_bytes: int
    """The size of the task, in bytes."""

    depth: int
    """The depth of nesting: 1 for a sub-agent of the first agent."""


class ExecutionGrant(TypedDict):
    """The policy's grant to the tool."""

    working_dir: NotRequired[str | None]
    """The directory that the tool works in."""

    timeout_ms: int
    """The time limit of the run, in milliseconds."""


class ToolRequest(TypedDict):
    """The call about to be made."""

    call_id: str
    """The id of the call."""

    name: str
    """The name of the tool."""

    arguments_bytes: int
    """The size of the arguments, in bytes."""

    grant: ExecutionGrant
    """The policy's grant to the tool."""


class ToolOutcome(TypedDict):
    """The call that was made."""

    call_id: str
    """The id of the call."""

    name: str
    """The name of the tool."""

    output_bytes: int
    """The size of the output, in bytes."""

    is_error: bool
    """Whether the tool failed."""

    elapsed_us: int
    """The duration of the run, in microseconds."""


class ToolUpdateToolProgress(TypedDict):
    """The update."""

    call_id: str
    """The id of the call."""

    name: str
    """The name of the tool."""

    index: int
    """The index of the update within the call, counted from 0."""

    text_bytes: int
    """The size of the text, in bytes."""


class ToolUpdateSentToolProgress(TypedDict):
    """The update."""

    call_id: str
    """The id of the call."""

    name: str
    """The name of the tool."""

    index: int
    """The index of the update within the call, counted from 0."""

    text_bytes: int
    """The size of the text, in bytes."""


class TurnInput(TypedDict):
    """The turn that begins. The user's message is in the view `content`."""

    text_bytes: int
    """The size of the user's text, in bytes."""

    parts: int
    """The number of parts."""


ErrorKind: TypeAlias = 'Literal["provider", "rejected", "hook", "limit", "internal"]'
"""The kind of failure."""


class Failure(TypedDict):
    """The failure."""

    kind: ErrorKind
    """The kind of failure."""

    message: str
    """A description of the failure."""


SuspendReason: TypeAlias = 'Literal["human", "client-tool", "children"]'
"""The reason why a turn is suspended."""


class Suspension(TypedDict):
    """The turn that is suspended."""

    reason: SuspendReason
    """The reason for the suspension."""

    checkpoint: str
    """The checkpoint that it can be resumed from."""

    pending: list[str]
    """The ids of the tool calls that wait."""

    partial: bool
    """Whether other calls of the same step are done already."""

    steps: int
    """The number of steps so far."""


class Resumption(TypedDict):
    """The turn that is resumed."""

    checkpoint: str
    """The checkpoint that it was resumed from."""

    resolved: list[str]
    """The ids of the tool calls that waited."""

    waited_ms: int
    """The duration of the wait, in milliseconds."""

    steps: int
    """The number of steps before the suspension."""


class Context(TypedDict):
    """The session, the turn and the step of a call."""

    session_id: str
    """The session's id, unique within the host."""

    agent: str
    """The name of the agent whose loop is running."""

    turn: int
    """The turn, counted from 1; 0 outside of any turn."""

    step: int
    """The step within the turn, counted from 1; 0 outside of any step."""


Role: TypeAlias = 'Literal["system", "user", "assistant", "tool"]'
"""The author of a message."""


@final
class ImageSourceUrl(TypedDict):
    """A URL that the provider can read."""

    url: str


@final
class ImageSourceBytes(TypedDict):
    """The bytes of the image file."""

    bytes: list[int]


ImageSource: TypeAlias = 'ImageSourceUrl | ImageSourceBytes'
"""The source of an image."""


class Image(TypedDict):
    """A picture in a message."""

    media_type: str
    """The media type, such as `image/png`."""

    source: ImageSource
    """The source of the picture."""


class ToolCall(TypedDict):
    """The model's request to run a tool."""

    id: str
    """The id of the call. Its result has the same id."""

    name: str
    """The name of the tool."""

    arguments: str
    """The arguments, as the text of a JSON object."""


class ToolResult(TypedDict):
    """The result of a tool call, as the model sees it."""

    call_id: str
    """The id of the call that it answers."""

    name: str
    """The name of the tool."""

    content: str
    """The text that the model is given."""

    is_error: bool
    """Whether the tool failed."""


@final
class ContentPartText(TypedDict):
    """Text."""

    text: str


@final
class ContentPartThinking(TypedDict):
    """The model's reasoning, where the provider shows it."""

    thinking: str


@final
class ContentPartImage(TypedDict):
    """A picture."""

    image: Image


@final
class ContentPartToolCall(TypedDict):
    """A request to run a tool."""

    tool_call: ToolCall


@final
class ContentPartToolResult(TypedDict):
    """The result of a tool call."""

    tool_result: ToolResult


ContentPart: TypeAlias = 'ContentPartText | ContentPartThinking | ContentPartImage | ContentPartToolCall | ContentPartToolResult'
"""A part of a message."""


class Message(TypedDict):
    """One message of a conversation."""

    role: Role
    """The author of the message."""

    content: list[ContentPart]
    """The parts of the message, in order."""


class Usage(TypedDict):
    """Tokens spent."""

    input_tokens: int
    """Tokens sent to the model, those read from a cache included."""

    output_tokens: int
    """Tokens that the model wrote, reasoning included."""

    cache_read_tokens: int
    """The part of `input-tokens` that was read from the provider's cache."""

    cache_write_tokens: int
    """The part of `input-tokens` that was written to the provider's cache."""


@final
class StopReasonOther(TypedDict):
    """Another reason, in the provider's words."""

    other: str


StopReason: TypeAlias = 'Literal["end-turn"] | Literal["max-tokens"] | Literal["stop-sequence"] | Literal["tool-use"] | Literal["refusal"] | StopReasonOther'
"""The reason why the model stopped writing."""


class Rejection(TypedDict):
    """A hook's refusal. A refusal is final: no later hook clears it."""

    code: str
    """A short, stable code for programs, such as `over-budget`."""

    reason: str
    """The reason, for the person or the model that is refused."""

    details: NotRequired[str | None]
    """Additional data for programs, as JSON text."""


class ToolSpec(TypedDict):
    """A tool, as it is described to the model."""

    name: str
    """The name by which the model calls the tool."""

    description: str
    """The description for the model."""

    schema: str
    """The JSON schema of its arguments."""


@final
class MessageEditInsert(TypedDict):
    """Inserts a message before the one at the index. The length of the list as index appends the message."""

    insert: tuple[int, Message]


@final
class MessageEditSet(TypedDict):
    """Replaces the message at the index."""

    set: tuple[int, Message]


@final
class MessageEditRemove(TypedDict):
    """Removes the message at the index."""

    remove: int


MessageEdit: TypeAlias = 'MessageEditInsert | MessageEditSet | MessageEditRemove'
"""One change to a list of messages. An index refers to the list after the edits before this one."""


@final
class StopKindFinishReason(TypedDict):
    """The model stopped for a reason that ends the turn: the reason's name."""

    finish_reason: str


@final
class StopKindOther(TypedDict):
    """Another reason: a short, stable code for programs."""

    other: str


StopKind: TypeAlias = 'Literal["steps-limit"] | Literal["token-limit"] | Literal["time-limit"] | StopKindFinishReason | StopKindOther'
"""The reason why a turn ends early, without an error."""


class StopSignal(TypedDict):
    """A hook's request to end the turn early, without an error."""

    kind: StopKind
    """The kind of reason."""

    message: str
    """The reason, in words."""


class Workspace(TypedDict):
    """A directory that tools work in."""

    name: str
    """The name of the workspace."""

    path: str
    """The path of the directory."""

    reason: str
    """The reason why the workspace was opened, closed or evicted, in words."""


class DomainPolicy(TypedDict):
    """The rules for a turn in one domain, such as `memory`."""

    domain: str
    """The domain."""

    rules: str
    """The rules: the text of a JSON object, whose meaning is the domain's."""


class ContextItem(TypedDict):
    """An item of context for the hooks that write the prompt."""

    kind: str
    """The kind of the item, such as `memory.fact`."""

    text: str
    """The text."""

    data: NotRequired[str | None]
    """Additional data for programs, as JSON text."""


class PromptSection(TypedDict):
    """A part of the prompt."""

    id: str
    """The id, unique in the prompt; a later section with the same id replaces the earlier one."""

    title: NotRequired[str | None]
    """A heading."""

    text: str
    """The text."""

    order: int
    """The position in the prompt: low numbers first."""

    max_tokens: NotRequired[int | None]
    """The most tokens of the text; a longer text is cut at its end."""

    essential: bool
    """Whether the turn needs this section. Needed sections are cut last."""


@final
class ToolRouteAgent(TypedDict):
    """The agent's own tool of this name."""

    agent: str


ToolRoute: TypeAlias = 'ToolRouteAgent | Literal["hook"]'
"""The implementation of a tool that a hook contributes."""


class BundledTool(TypedDict):
    """A tool that a hook contributes."""

    spec: ToolSpec
    """The tool, as it is described to the model."""

    route: ToolRoute
    """The implementation of the tool."""


class ToolBundle(TypedDict):
    """Tools that belong together."""

    name: str
    """The bundle's name."""

    tools: list[BundledTool]
    """The tools."""


@final
class StateErrorDenied(TypedDict):
    """The operator does not let the hook use this namespace."""

    denied: str


@final
class StateErrorFull(TypedDict):
    """The hook has used up its keys or bytes; the text says which."""

    full: str


StateError: TypeAlias = 'StateErrorDenied | StateErrorFull | Literal["not-a-number"]'
"""The reason why state could not be read or written."""


class LlmCallEdit(TypedDict):
    """Changes to a call. A field that is left out stays as it is."""

    model: NotRequired[str | None]
    """Another model of the same provider."""

    temperature: NotRequired[float | None]
    """Another temperature."""

    max_output_tokens: NotRequired[int | None]
    """Another limit on the model's output."""

    tools: NotRequired[list[str] | None]
    """The only tools to offer, by name; names that are not offered already are refused."""

    messages: list[MessageEdit]
    """Changes to the messages, in order."""


class LlmResponse(TypedDict):
    """A model's response."""

    content: list[ContentPart]
    """The content, tool calls included."""

    stop: StopReason
    """The model's stop reason."""

    usage: Usage
    """The tokens that the call used."""


class LlmResult(TypedDict):
    """The response, without its content."""

    provider: str
    """The provider that answered."""

    model: str
    """The model that answered."""

    attempt: int
    """The number of the attempt, counted from 1."""

    stop: StopReason
    """The model's stop reason."""

    usage: Usage
    """The tokens that the call used."""

    text_bytes: int
    """The size of the response's text, in bytes."""

    tool_calls: list[str]
    """The names of the tools it asks for, in order."""

    elapsed_us: int
    """The duration of the call, in microseconds."""


class AddedMessage(TypedDict):
    """The message."""

    index: int
    """The index of the message in the conversation."""

    role: Role
    """The author of the message."""

    parts: int
    """The number of parts."""

    text_bytes: int
    """The size of the text, in bytes, tool results included."""


class Completion(TypedDict):
    """A completion of the model."""

    text: str
    """The text."""

    stop: StopReason
    """The model's stop reason. Text that reached the token limit is not complete."""

    usage: Usage
    """The tokens that were used."""


@final
class ModelErrorNoModel(TypedDict):
    """There is no model to ask; the text says why."""

    no_model: str


@final
class ModelErrorBudget(TypedDict):
    """The tokens that are left of the hook's budget are too few for the prompt."""

    budget: str


@final
class ModelErrorTooLong(TypedDict):
    """Instructions and prompt together have more bytes than this limit."""

    too_long: int


@final
class ModelErrorProvider(TypedDict):
    """The provider failed; the text says how."""

    provider: str


ModelError: TypeAlias = 'ModelErrorNoModel | ModelErrorBudget | ModelErrorTooLong | ModelErrorProvider'
"""The reason why there is no completion."""


class NamedSchema(TypedDict):
    """A JSON schema that the response must fit."""

    name: str
    """The schema's name."""

    schema: str
    """The JSON schema."""


@final
class ResponseFormatSchema(TypedDict):
    """JSON that fits this schema."""

    schema: NamedSchema


ResponseFormat: TypeAlias = 'Literal["text"] | Literal["json"] | ResponseFormatSchema'
"""The format of the model's response."""


class PromptEdit(TypedDict):
    """Changes to the draft. A field that is left out stays as it is."""

    system: NotRequired[str | None]
    """Other instructions in place of the operator's, for this turn. Empty ones change nothing."""

    response_format: NotRequired[ResponseFormat | None]
    """The format of the model's responses in this turn."""

    sections: NotRequired[list[PromptSection] | None]
    """These sections in place of all contributed so far."""


EndReason: TypeAlias = 'Literal["closed", "rejected", "cancelled", "failed"]'
"""The reason why a session ends."""


class SessionSummary(TypedDict):
    """The session that ends."""

    reason: EndReason
    """The reason for the end."""

    turns: int
    """The number of turns."""

    usage: Usage
    """The tokens that all its model calls used."""


class StepState(TypedDict):
    """The state of the turn. The messages are in the view `conversation`."""

    messages: int
    """The number of messages."""

    estimated_tokens: int
    """The estimated number of tokens in the messages."""

    steps: int
    """The number of steps that the turn has taken."""

    usage: Usage
    """The tokens that the turn's model calls used so far."""

    elapsed_us: int
    """The duration of the turn so far, in microseconds."""


class StepReport(TypedDict):
    """The step that is done."""

    stop: StopReason
    """The model's stop reason."""

    tool_calls: int
    """The number of tool calls that the model asked for."""

    step_usage: Usage
    """The tokens that the step used."""

    usage: Usage
    """The tokens that the turn's model calls used so far."""

    elapsed_us: int
    """The duration of the turn so far, in microseconds."""


class SubagentResult(TypedDict):
    """The result of a sub-agent."""

    call_id: str
    """The id of the tool call that started the sub-agent."""

    agent: str
    """The name of the sub-agent."""

    session_id: NotRequired[str | None]
    """The sub-agent's session; none if it was not started."""

    is_error: bool
    """Whether the sub-agent failed."""

    output_bytes: int
    """The size of the result, in bytes."""

    steps: int
    """The number of steps."""

    usage: Usage
    """The tokens that its model calls used."""

    elapsed_us: int
    """The duration, in microseconds."""


class TurnOutput(TypedDict):
    """The turn that is done. Its output is in the view `content`."""

    text_bytes: int
    """The size of the output's text, in bytes."""

    steps: int
    """The number of steps."""

    stop: StopReason
    """The stop reason of the last step."""

    usage: Usage
    """The tokens that its model calls used."""

    elapsed_us: int
    """The duration, in microseconds."""


@final
class TurnEndingModel(TypedDict):
    """The model is done, and says why."""

    model: StopReason


@final
class TurnEndingTool(TypedDict):
    """A tool whose result is the turn's output ran: its name."""

    tool: str


@final
class TurnEndingSignal(TypedDict):
    """A hook stops the turn."""

    signal: StopSignal


TurnEnding: TypeAlias = 'TurnEndingModel | TurnEndingTool | TurnEndingSignal'
"""The cause of the turn's end."""


class Stopping(TypedDict):
    """The turn that is about to end."""

    ending: TurnEnding
    """The cause of the turn's end."""

    steps: int
    """The number of steps."""

    usage: Usage
    """The tokens that its model calls used."""

    kept_going: int
    """The number of times that hooks have kept the turn going."""

    may_keep_going: bool
    """Whether hooks can keep the turn going: not after a hook's stop signal, and not beyond a limit."""


class HookFailure(TypedDict):
    """A hook's failure."""

    cause: str
    """The code of the cause, such as `trap` or `deadline`."""

    message: str
    """A description of the failure."""


@final
class DecisionRejected(TypedDict):
    """A hook refused."""

    rejected: Rejection


@final
class DecisionStopped(TypedDict):
    """A hook ended the turn."""

    stopped: str


@final
class DecisionFailed(TypedDict):
    """A hook that fails closed failed. This is no refusal."""

    failed: HookFailure


Decision: TypeAlias = 'Literal["passed"] | DecisionRejected | Literal["answered"] | DecisionStopped | DecisionFailed'
"""The decision."""


class ChainVerdict(TypedDict):
    """A decision, the hook that made it, and the hooks that changed the value."""

    decision: Decision
    """The decision."""

    decided_by: NotRequired[str | None]
    """The hook that decided, if one did."""

    changed_by: list[str]
    """The hooks that changed the value, in order."""


class EvictionRetry(TypedDict):
    """A failed eviction."""

    workspace: Workspace
    """The workspace."""

    attempt: int
    """The number of the failed attempt, counted from 1."""


class Snapshot(TypedDict):
    """A snapshot."""

    workspace: Workspace
    """The workspace."""

    path: str
    """The path of the copy."""

    bytes: int
    """The size in bytes."""
