# Written from wit/ by `cargo xtask contract`; do not change it here.
"""The contract's types, the arguments of handlers, and their results."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any

from portcullis._bindings import adopt, imported
from portcullis._outcome import (
    AddContext,
    AddJob,
    AddNote,
    AddPolicy,
    AddSection,
    AddTools,
    Answer,
    Ask,
    Contribute,
    GiveUp,
    KeepGoing,
    Proceed,
    Reject,
    Replace,
    Retry,
    Stop,
    SwitchProvider,
    Transform,
)


class Current:
    """The current call."""

    __slots__ = ("number",)

    def __init__(self) -> None:
        self.number = 0


#: One for all points: an instance of a component handles one call at a time. A fact that was read in another call is
#: read again; clearing the facts would cost more. The number is compared by identity, which is quicker: no
#: two calls have the same object.
CURRENT = Current()


@dataclass
class EditError_Denied:
    """The operator does not let the hook change this key, or the state cannot be changed at this point: at
    `state-changed`, which would fire again, at `turn-suspended` and `session-end`, where the state is saved
    already, and at the points of workspaces, which have no state. The text says which."""

    value: str


@dataclass
class EditError_Full:
    """The keys that the hook may change would be too many or too large; the text says which."""

    value: str


@dataclass
class EditError_Invalid:
    """The key is empty or has control characters, or the value is not the text of a JSON value; the text says which."""

    value: str


EditError = EditError_Denied | EditError_Full | EditError_Invalid


@dataclass
class TokenBudget:
    """The size of the conversation, and its limit."""

    limit: int
    """The most tokens the conversation may have."""
    used: int
    """The estimated number of tokens in the conversation."""
    messages: int
    """The number of messages in the conversation."""


@dataclass
class CompactionResult:
    """The result of a compaction."""

    removed: int
    """The number of messages removed."""
    messages: int
    """The number of messages after the compaction."""
    summary_bytes: int
    """The size of the summary, in bytes."""


class FailurePolicy(Enum):
    """The effect of a failure of the hook."""

    FAIL_OPEN = 0
    """The failure counts as no answer: the call continues."""
    FAIL_CLOSED = 1
    """The failure counts as a refusal, which names the hook and the cause."""


class ExecutionPolicy(Enum):
    """The way that the agent waits for the hook."""

    BLOCKING = 0
    """The agent waits until the hook answers."""
    DEADLINE = 1
    """The agent waits until the hook answers or its deadline passes, which is a failure."""
    FIRE_AND_RECORD = 2
    """The agent does not wait; the run is recorded. For hooks that only observe."""
    BACKGROUND = 3
    """The agent does not wait; the run is queued and may outlive the turn. For hooks that only observe."""


@dataclass
class Descriptor:
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
    priority: int | None
    """The priority: low runs first at forward points, high first at reverse ones; 100 if left out."""
    failure: FailurePolicy | None
    """The failure policy; if left out, a hook that can decide anything fails closed, and one that only observes fails open."""
    deadline_ms: int | None
    """The time limit of one call, in milliseconds; the host's default if left out."""
    execution: ExecutionPolicy
    """The way that the agent waits for the hook."""
    after: list[str]
    """The ids of the hooks that must run before it."""


@dataclass
class LlmCall:
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
    temperature: float | None
    """The sampling temperature; the provider's default if left out."""
    max_output_tokens: int | None
    """The most tokens the model may write; the provider's default if left out."""


class ProviderErrorKind(Enum):
    """The kind of failure."""

    TIMEOUT = 0
    """No response in time."""
    RATE_LIMITED = 1
    """Too many requests."""
    OVERLOADED = 2
    """The provider is overloaded."""
    AUTH = 3
    """The key is missing, wrong or lacks a permission."""
    BAD_REQUEST = 4
    """The provider does not accept the request."""
    CONTEXT_LENGTH = 5
    """The messages are too long for the model."""
    NETWORK = 6
    """The provider could not be reached."""
    SERVER = 7
    """The provider failed."""
    OTHER = 8
    """Anything else."""


@dataclass
class LlmFailure:
    """A failed call."""

    provider: str
    """The provider that failed."""
    model: str
    """The model that was called."""
    attempt: int
    """The number of the failed attempt, counted from 1."""
    kind: ProviderErrorKind
    """The kind of failure."""
    status: int | None
    """The HTTP status, if there was one."""
    message: str
    """The provider's message."""
    retry_after_ms: int | None
    """The wait that the provider asks for, in milliseconds."""
    providers: list[str]
    """The providers that the agent has, by name, in the operator's order."""


class DeltaKind(Enum):
    """The kind of a piece."""

    TEXT = 0
    """The model's text."""
    THINKING = 1
    """The model's reasoning."""


@dataclass
class Delta:
    """A piece of a response. The host gathers what providers send into larger pieces."""

    kind: DeltaKind
    """The kind of the piece."""
    index: int
    """The index of the piece among those of its kind, counted from 0."""
    bytes: int
    """The size in bytes."""
    last: bool
    """Whether it is the last piece of its kind. The last piece may be empty. A hook that holds text back must return it here."""


@dataclass
class StateChange:
    """The change."""

    tool: str
    """The tool that made the change. Empty if a hook made it; the view `agent-state` says which."""
    call_id: str
    """The id of the tool's call. Empty if a hook made the change."""
    keys: list[str]
    """The keys that changed, in order."""


@dataclass
class TurnFacts:
    """The turn whose prompt is assembled."""

    text_bytes: int
    """The size of the user's text, in bytes."""
    messages: int
    """The number of messages."""
    tools: int
    """The number of tools that the model is offered."""
    policies: int
    """The number of policies contributed so far."""


@dataclass
class ContextSet:
    """The context so far."""

    text_bytes: int
    """The size of the user's text, in bytes."""
    policies: int
    """The number of policies in force."""
    items: int
    """The number of items contributed so far."""


@dataclass
class RecallPlan:
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


@dataclass
class ToolSet:
    """The tools so far."""

    tools: int
    """The number of tools."""
    bundles: int
    """The number of bundles contributed so far."""


@dataclass
class PromptDraft:
    """The draft of the prompt."""

    sections: int
    """The number of sections so far."""
    items: int
    """The number of items of context."""
    tokens: int
    """The estimated number of tokens in the sections."""
    budget_tokens: int
    """The most tokens that the sections may have."""


@dataclass
class SessionInfo:
    """The session that begins."""

    provider: str
    """The provider that the agent calls first."""
    model: str
    """The model that the agent calls first."""
    tools: int
    """The number of tools that the model is offered."""


@dataclass
class SubagentSpec:
    """The sub-agent."""

    call_id: str
    """The id of the tool call that starts the sub-agent."""
    agent: str
    """The name of the sub-agent."""
    task_bytes: int
    """The size of the task, in bytes."""
    depth: int
    """The depth of nesting: 1 for a sub-agent of the first agent."""


@dataclass
class ExecutionGrant:
    """The policy's grant to the tool."""

    working_dir: str | None
    """The directory that the tool works in."""
    timeout_ms: int
    """The time limit of the run, in milliseconds."""


@dataclass
class ToolRequest:
    """The call about to be made."""

    call_id: str
    """The id of the call."""
    name: str
    """The name of the tool."""
    arguments_bytes: int
    """The size of the arguments, in bytes."""
    grant: ExecutionGrant
    """The policy's grant to the tool."""


@dataclass
class ToolOutcome:
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


@dataclass
class ToolUpdateToolProgress:
    """The update."""

    call_id: str
    """The id of the call."""
    name: str
    """The name of the tool."""
    index: int
    """The index of the update within the call, counted from 0."""
    text_bytes: int
    """The size of the text, in bytes."""


@dataclass
class ToolUpdateSentToolProgress:
    """The update."""

    call_id: str
    """The id of the call."""
    name: str
    """The name of the tool."""
    index: int
    """The index of the update within the call, counted from 0."""
    text_bytes: int
    """The size of the text, in bytes."""


@dataclass
class TurnInput:
    """The turn that begins. The user's message is in the view `content`."""

    text_bytes: int
    """The size of the user's text, in bytes."""
    parts: int
    """The number of parts."""


class ErrorKind(Enum):
    """The kind of failure."""

    PROVIDER = 0
    """The model's provider."""
    REJECTED = 1
    """A hook refused something the turn cannot do without."""
    HOOK = 2
    """A hook whose failure ends the turn."""
    LIMIT = 3
    """The turn reached one of the agent's limits."""
    INTERNAL = 4
    """An internal error of the agent."""


@dataclass
class Failure:
    """The failure."""

    kind: ErrorKind
    """The kind of failure."""
    message: str
    """A description of the failure."""


class SuspendReason(Enum):
    """The reason why a turn is suspended."""

    HUMAN = 0
    """The turn waits for a person's decision."""
    CLIENT_TOOL = 1
    """The turn waits for a tool that the client runs."""
    CHILDREN = 2
    """The turn waits for a sub-agent that is suspended itself."""


@dataclass
class Suspension:
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


@dataclass
class Resumption:
    """The turn that is resumed."""

    checkpoint: str
    """The checkpoint that it was resumed from."""
    resolved: list[str]
    """The ids of the tool calls that waited."""
    waited_ms: int
    """The duration of the wait, in milliseconds."""
    steps: int
    """The number of steps before the suspension."""


@dataclass
class ContextFacts:
    """The session, the turn and the step of a call."""

    session_id: str
    """The session's id, unique within the host."""
    agent: str
    """The name of the agent whose loop is running."""
    turn: int
    """The turn, counted from 1; 0 outside of any turn."""
    step: int
    """The step within the turn, counted from 1; 0 outside of any step."""


class Role(Enum):
    """The author of a message."""

    SYSTEM = 0
    """The instructions that the operator gives the model."""
    USER = 1
    """The person, or the program, that talks to the agent."""
    ASSISTANT = 2
    """The model."""
    TOOL = 3
    """A tool, answering the model's call."""


@dataclass
class ImageSource_Url:
    """A URL that the provider can read."""

    value: str


@dataclass
class ImageSource_Bytes:
    """The bytes of the image file."""

    value: bytes


ImageSource = ImageSource_Url | ImageSource_Bytes


@dataclass
class Image:
    """A picture in a message."""

    media_type: str
    """The media type, such as `image/png`."""
    source: ImageSource
    """The source of the picture."""


@dataclass
class ToolCall:
    """The model's request to run a tool."""

    id: str
    """The id of the call. Its result has the same id."""
    name: str
    """The name of the tool."""
    arguments: str
    """The arguments, as the text of a JSON object."""


@dataclass
class ToolResult:
    """The result of a tool call, as the model sees it."""

    call_id: str
    """The id of the call that it answers."""
    name: str
    """The name of the tool."""
    content: str
    """The text that the model is given."""
    is_error: bool
    """Whether the tool failed."""


@dataclass
class ContentPart_Text:
    """Text."""

    value: str


@dataclass
class ContentPart_Thinking:
    """The model's reasoning, where the provider shows it."""

    value: str


@dataclass
class ContentPart_Image:
    """A picture."""

    value: Image


@dataclass
class ContentPart_ToolCall:
    """A request to run a tool."""

    value: ToolCall


@dataclass
class ContentPart_ToolResult:
    """The result of a tool call."""

    value: ToolResult


ContentPart = ContentPart_Text | ContentPart_Thinking | ContentPart_Image | ContentPart_ToolCall | ContentPart_ToolResult


@dataclass
class Message:
    """One message of a conversation."""

    role: Role
    """The author of the message."""
    content: list[ContentPart]
    """The parts of the message, in order."""


@dataclass
class Usage:
    """Tokens spent."""

    input_tokens: int
    """Tokens sent to the model, those read from a cache included."""
    output_tokens: int
    """Tokens that the model wrote, reasoning included."""
    cache_read_tokens: int
    """The part of `input-tokens` that was read from the provider's cache."""
    cache_write_tokens: int
    """The part of `input-tokens` that was written to the provider's cache."""


@dataclass
class StopReason_EndTurn:
    """The model was done."""


@dataclass
class StopReason_MaxTokens:
    """The model reached the token limit."""


@dataclass
class StopReason_StopSequence:
    """The model wrote a stop sequence."""


@dataclass
class StopReason_ToolUse:
    """The model asks for tools."""


@dataclass
class StopReason_Refusal:
    """The model, or its provider, refused."""


@dataclass
class StopReason_Other:
    """Another reason, in the provider's words."""

    value: str


StopReason = StopReason_EndTurn | StopReason_MaxTokens | StopReason_StopSequence | StopReason_ToolUse | StopReason_Refusal | StopReason_Other


@dataclass
class Rejection:
    """A hook's refusal. A refusal is final: no later hook clears it."""

    code: str
    """A short, stable code for programs, such as `over-budget`."""
    reason: str
    """The reason, for the person or the model that is refused."""
    details: str | None
    """Additional data for programs, as JSON text."""


@dataclass
class ToolSpec:
    """A tool, as it is described to the model."""

    name: str
    """The name by which the model calls the tool."""
    description: str
    """The description for the model."""
    schema: str
    """The JSON schema of its arguments."""


@dataclass
class MessageEdit_Insert:
    """Inserts a message before the one at the index. The length of the list as index appends the message."""

    value: tuple[int, Message]


@dataclass
class MessageEdit_Set:
    """Replaces the message at the index."""

    value: tuple[int, Message]


@dataclass
class MessageEdit_Remove:
    """Removes the message at the index."""

    value: int


MessageEdit = MessageEdit_Insert | MessageEdit_Set | MessageEdit_Remove


@dataclass
class StopKind_StepsLimit:
    """The turn reached its limit of steps."""


@dataclass
class StopKind_TokenLimit:
    """The turn reached its limit of tokens."""


@dataclass
class StopKind_TimeLimit:
    """The turn reached its time limit."""


@dataclass
class StopKind_FinishReason:
    """The model stopped for a reason that ends the turn: the reason's name."""

    value: str


@dataclass
class StopKind_Other:
    """Another reason: a short, stable code for programs."""

    value: str


StopKind = StopKind_StepsLimit | StopKind_TokenLimit | StopKind_TimeLimit | StopKind_FinishReason | StopKind_Other


@dataclass
class StopSignal:
    """A hook's request to end the turn early, without an error."""

    kind: StopKind
    """The kind of reason."""
    message: str
    """The reason, in words."""


@dataclass
class Workspace:
    """A directory that tools work in."""

    name: str
    """The name of the workspace."""
    path: str
    """The path of the directory."""
    reason: str
    """The reason why the workspace was opened, closed or evicted, in words."""


@dataclass
class DomainPolicy:
    """The rules for a turn in one domain, such as `memory`."""

    domain: str
    """The domain."""
    rules: str
    """The rules: the text of a JSON object, whose meaning is the domain's."""


@dataclass
class ContextItem:
    """An item of context for the hooks that write the prompt."""

    kind: str
    """The kind of the item, such as `memory.fact`."""
    text: str
    """The text."""
    data: str | None
    """Additional data for programs, as JSON text."""


@dataclass
class PromptSection:
    """A part of the prompt."""

    id: str
    """The id, unique in the prompt; a later section with the same id replaces the earlier one."""
    title: str | None
    """A heading."""
    text: str
    """The text."""
    order: int
    """The position in the prompt: low numbers first."""
    max_tokens: int | None
    """The most tokens of the text; a longer text is cut at its end."""
    essential: bool
    """Whether the turn needs this section. Needed sections are cut last."""


@dataclass
class ToolRoute_Agent:
    """The agent's own tool of this name."""

    value: str


@dataclass
class ToolRoute_Hook:
    """The hook that contributes the tool: it answers at `pre-tool-call`."""


ToolRoute = ToolRoute_Agent | ToolRoute_Hook


@dataclass
class BundledTool:
    """A tool that a hook contributes."""

    spec: ToolSpec
    """The tool, as it is described to the model."""
    route: ToolRoute
    """The implementation of the tool."""


@dataclass
class ToolBundle:
    """Tools that belong together."""

    name: str
    """The bundle's name."""
    tools: list[BundledTool]
    """The tools."""


@dataclass
class StateError_Denied:
    """The operator does not let the hook use this namespace."""

    value: str


@dataclass
class StateError_Full:
    """The hook has used up its keys or bytes; the text says which."""

    value: str


@dataclass
class StateError_NotANumber:
    """The value at the key is not a decimal integer, or the sum leaves the range of `s64`."""


StateError = StateError_Denied | StateError_Full | StateError_NotANumber


@dataclass
class LlmCallEdit:
    """Changes to a call. A field that is left out stays as it is."""

    model: str | None
    """Another model of the same provider."""
    temperature: float | None
    """Another temperature."""
    max_output_tokens: int | None
    """Another limit on the model's output."""
    tools: list[str] | None
    """The only tools to offer, by name; names that are not offered already are refused."""
    messages: list[MessageEdit]
    """Changes to the messages, in order."""


@dataclass
class LlmResponse:
    """A model's response."""

    content: list[ContentPart]
    """The content, tool calls included."""
    stop: StopReason
    """The model's stop reason."""
    usage: Usage
    """The tokens that the call used."""


@dataclass
class LlmResult:
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


@dataclass
class AddedMessage:
    """The message."""

    index: int
    """The index of the message in the conversation."""
    role: Role
    """The author of the message."""
    parts: int
    """The number of parts."""
    text_bytes: int
    """The size of the text, in bytes, tool results included."""


@dataclass
class Completion:
    """A completion of the model."""

    text: str
    """The text."""
    stop: StopReason
    """The model's stop reason. Text that reached the token limit is not complete."""
    usage: Usage
    """The tokens that were used."""


@dataclass
class ModelError_NoModel:
    """There is no model to ask; the text says why."""

    value: str


@dataclass
class ModelError_Budget:
    """The tokens that are left of the hook's budget are too few for the prompt."""

    value: str


@dataclass
class ModelError_TooLong:
    """Instructions and prompt together have more bytes than this limit."""

    value: int


@dataclass
class ModelError_Provider:
    """The provider failed; the text says how."""

    value: str


ModelError = ModelError_NoModel | ModelError_Budget | ModelError_TooLong | ModelError_Provider


@dataclass
class NamedSchema:
    """A JSON schema that the response must fit."""

    name: str
    """The schema's name."""
    schema: str
    """The JSON schema."""


@dataclass
class ResponseFormat_Text:
    """Text of any form."""


@dataclass
class ResponseFormat_Json:
    """A JSON object."""


@dataclass
class ResponseFormat_Schema:
    """JSON that fits this schema."""

    value: NamedSchema


ResponseFormat = ResponseFormat_Text | ResponseFormat_Json | ResponseFormat_Schema


@dataclass
class PromptEdit:
    """Changes to the draft. A field that is left out stays as it is."""

    system: str | None
    """Other instructions in place of the operator's, for this turn. Empty ones change nothing."""
    response_format: ResponseFormat | None
    """The format of the model's responses in this turn."""
    sections: list[PromptSection] | None
    """These sections in place of all contributed so far."""


class EndReason(Enum):
    """The reason why a session ends."""

    CLOSED = 0
    """The embedder closed the session."""
    REJECTED = 1
    """A hook refused the session at its start."""
    CANCELLED = 2
    """The session was cancelled."""
    FAILED = 3
    """Something failed."""


@dataclass
class SessionSummary:
    """The session that ends."""

    reason: EndReason
    """The reason for the end."""
    turns: int
    """The number of turns."""
    usage: Usage
    """The tokens that all its model calls used."""


@dataclass
class StepState:
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


@dataclass
class StepReport:
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


@dataclass
class SubagentResult:
    """The result of a sub-agent."""

    call_id: str
    """The id of the tool call that started the sub-agent."""
    agent: str
    """The name of the sub-agent."""
    session_id: str | None
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


@dataclass
class TurnOutput:
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


@dataclass
class TurnEnding_Model:
    """The model is done, and says why."""

    value: StopReason


@dataclass
class TurnEnding_Tool:
    """A tool whose result is the turn's output ran: its name."""

    value: str


@dataclass
class TurnEnding_Signal:
    """A hook stops the turn."""

    value: StopSignal


TurnEnding = TurnEnding_Model | TurnEnding_Tool | TurnEnding_Signal


@dataclass
class Stopping:
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


@dataclass
class HookFailure:
    """A hook's failure."""

    cause: str
    """The code of the cause, such as `trap` or `deadline`."""
    message: str
    """A description of the failure."""


@dataclass
class Decision_Passed:
    """The value passed."""


@dataclass
class Decision_Rejected:
    """A hook refused."""

    value: Rejection


@dataclass
class Decision_Answered:
    """A hook answered in place of the operation."""


@dataclass
class Decision_Stopped:
    """A hook ended the turn."""

    value: str


@dataclass
class Decision_Failed:
    """A hook that fails closed failed. This is no refusal."""

    value: HookFailure


Decision = Decision_Passed | Decision_Rejected | Decision_Answered | Decision_Stopped | Decision_Failed


@dataclass
class ChainVerdict:
    """A decision, the hook that made it, and the hooks that changed the value."""

    decision: Decision
    """The decision."""
    decided_by: str | None
    """The hook that decided, if one did."""
    changed_by: list[str]
    """The hooks that changed the value, in order."""


@dataclass
class EvictionRetry:
    """A failed eviction."""

    workspace: Workspace
    """The workspace."""
    attempt: int
    """The number of the failed attempt, counted from 1."""


@dataclass
class Snapshot:
    """A snapshot."""

    workspace: Workspace
    """The workspace."""
    path: str
    """The path of the copy."""
    bytes: int
    """The size in bytes."""


_call = imported("call", optional=True)


class Context:
    """The session, the turn and the step of the call."""

    __slots__ = (
        "_session_id",
        "_session_id_of",
        "_agent",
        "_agent_of",
        "_turn",
        "_turn_of",
        "_step",
        "_step_of",
    )
    _session_id: str
    _agent: str
    _turn: int
    _step: int

    def __init__(self) -> None:
        self._session_id_of = 0
        self._agent_of = 0
        self._turn_of = 0
        self._step_of = 0

    @property
    def session_id(self) -> str:
        """The session's id, unique within the host."""
        number = CURRENT.number
        if self._session_id_of is not number:
            self._session_id = _call.session_id()
            self._session_id_of = number
        return self._session_id

    @property
    def agent(self) -> str:
        """The name of the agent whose loop is running."""
        number = CURRENT.number
        if self._agent_of is not number:
            self._agent = _call.agent()
            self._agent_of = number
        return self._agent

    @property
    def turn(self) -> int:
        """The turn, counted from 1; 0 outside of any turn."""
        number = CURRENT.number
        if self._turn_of is not number:
            self._turn = _call.turn()
            self._turn_of = number
        return self._turn

    @property
    def step(self) -> int:
        """The step within the turn, counted from 1; 0 outside of any step."""
        number = CURRENT.number
        if self._step_of is not number:
            self._step = _call.step()
            self._step_of = number
        return self._step

    def facts(self) -> ContextFacts:
        """All facts in one record: cheaper for handlers that read more than four."""
        facts: ContextFacts = _call.context()
        return facts


_pre_compaction_facts = imported("pre_compaction_facts", optional=True)


class PreCompaction:
    """The conversation is over its budget and about to be compacted. It is in the view `conversation`."""

    __slots__ = (
        "_limit",
        "_limit_of",
        "_used",
        "_used_of",
        "_messages",
        "_messages_of",
    )
    _limit: int
    _used: int
    _messages: int

    def __init__(self) -> None:
        self._limit_of = 0
        self._used_of = 0
        self._messages_of = 0

    @property
    def limit(self) -> int:
        """The most tokens the conversation may have."""
        number = CURRENT.number
        if self._limit_of is not number:
            self._limit = _pre_compaction_facts.limit()
            self._limit_of = number
        return self._limit

    @property
    def used(self) -> int:
        """The estimated number of tokens in the conversation."""
        number = CURRENT.number
        if self._used_of is not number:
            self._used = _pre_compaction_facts.used()
            self._used_of = number
        return self._used

    @property
    def messages(self) -> int:
        """The number of messages in the conversation."""
        number = CURRENT.number
        if self._messages_of is not number:
            self._messages = _pre_compaction_facts.messages()
            self._messages_of = number
        return self._messages

    def facts(self) -> TokenBudget:
        """All facts in one record: cheaper for handlers that read more than four."""
        facts: TokenBudget = _pre_compaction_facts.facts()
        return facts


PreCompactionOutcome = Proceed | Transform[tuple[list[int], str | None]] | Reject | None


_post_compaction_facts = imported("post_compaction_facts", optional=True)


class PostCompaction:
    """The conversation has been compacted. The summary is in the view `content`."""

    __slots__ = (
        "_removed",
        "_removed_of",
        "_messages",
        "_messages_of",
        "_summary_bytes",
        "_summary_bytes_of",
    )
    _removed: int
    _messages: int
    _summary_bytes: int

    def __init__(self) -> None:
        self._removed_of = 0
        self._messages_of = 0
        self._summary_bytes_of = 0

    @property
    def removed(self) -> int:
        """The number of messages removed."""
        number = CURRENT.number
        if self._removed_of is not number:
            self._removed = _post_compaction_facts.removed()
            self._removed_of = number
        return self._removed

    @property
    def messages(self) -> int:
        """The number of messages after the compaction."""
        number = CURRENT.number
        if self._messages_of is not number:
            self._messages = _post_compaction_facts.messages()
            self._messages_of = number
        return self._messages

    @property
    def summary_bytes(self) -> int:
        """The size of the summary, in bytes."""
        number = CURRENT.number
        if self._summary_bytes_of is not number:
            self._summary_bytes = _post_compaction_facts.summary_bytes()
            self._summary_bytes_of = number
        return self._summary_bytes

    def facts(self) -> CompactionResult:
        """All facts in one record: cheaper for handlers that read more than four."""
        facts: CompactionResult = _post_compaction_facts.facts()
        return facts


PostCompactionOutcome = Proceed | None


_pre_llm_call_facts = imported("pre_llm_call_facts", optional=True)


class PreLlmCall:
    """A model is about to be called. The messages are in the view `conversation`."""

    __slots__ = (
        "_provider",
        "_provider_of",
        "_model",
        "_model_of",
        "_attempt",
        "_attempt_of",
        "_messages",
        "_messages_of",
        "_tools",
        "_tools_of",
        "_estimated_tokens",
        "_estimated_tokens_of",
        "_temperature",
        "_temperature_of",
        "_max_output_tokens",
        "_max_output_tokens_of",
    )
    _provider: str
    _model: str
    _attempt: int
    _messages: int
    _tools: int
    _estimated_tokens: int
    _temperature: float | None
    _max_output_tokens: int | None

    def __init__(self) -> None:
        self._provider_of = 0
        self._model_of = 0
        self._attempt_of = 0
        self._messages_of = 0
        self._tools_of = 0
        self._estimated_tokens_of = 0
        self._temperature_of = 0
        self._max_output_tokens_of = 0

    @property
    def provider(self) -> str:
        """The provider."""
        number = CURRENT.number
        if self._provider_of is not number:
            self._provider = _pre_llm_call_facts.provider()
            self._provider_of = number
        return self._provider

    @property
    def model(self) -> str:
        """The model."""
        number = CURRENT.number
        if self._model_of is not number:
            self._model = _pre_llm_call_facts.model()
            self._model_of = number
        return self._model

    @property
    def attempt(self) -> int:
        """The number of the attempt, counted from 1."""
        number = CURRENT.number
        if self._attempt_of is not number:
            self._attempt = _pre_llm_call_facts.attempt()
            self._attempt_of = number
        return self._attempt

    @property
    def messages(self) -> int:
        """The number of messages to send."""
        number = CURRENT.number
        if self._messages_of is not number:
            self._messages = _pre_llm_call_facts.messages()
            self._messages_of = number
        return self._messages

    @property
    def tools(self) -> int:
        """The number of tools to offer."""
        number = CURRENT.number
        if self._tools_of is not number:
            self._tools = _pre_llm_call_facts.tools()
            self._tools_of = number
        return self._tools

    @property
    def estimated_tokens(self) -> int:
        """The estimated number of tokens in the messages."""
        number = CURRENT.number
        if self._estimated_tokens_of is not number:
            self._estimated_tokens = _pre_llm_call_facts.estimated_tokens()
            self._estimated_tokens_of = number
        return self._estimated_tokens

    @property
    def temperature(self) -> float | None:
        """The sampling temperature; the provider's default if left out."""
        number = CURRENT.number
        if self._temperature_of is not number:
            self._temperature = _pre_llm_call_facts.temperature()
            self._temperature_of = number
        return self._temperature

    @property
    def max_output_tokens(self) -> int | None:
        """The most tokens the model may write; the provider's default if left out."""
        number = CURRENT.number
        if self._max_output_tokens_of is not number:
            self._max_output_tokens = _pre_llm_call_facts.max_output_tokens()
            self._max_output_tokens_of = number
        return self._max_output_tokens

    def facts(self) -> LlmCall:
        """All facts in one record: cheaper for handlers that read more than four."""
        facts: LlmCall = _pre_llm_call_facts.facts()
        return facts


PreLlmCallOutcome = Proceed | Transform[LlmCallEdit] | Reject | Replace[LlmCallEdit] | Answer[LlmResponse] | None


_post_llm_call_facts = imported("post_llm_call_facts", optional=True)


class PostLlmCall:
    """A model has answered. The response is in the view `content`."""

    __slots__ = (
        "_provider",
        "_provider_of",
        "_model",
        "_model_of",
        "_attempt",
        "_attempt_of",
        "_stop",
        "_stop_of",
        "_usage",
        "_usage_of",
        "_text_bytes",
        "_text_bytes_of",
        "_tool_calls",
        "_tool_calls_of",
        "_elapsed_us",
        "_elapsed_us_of",
    )
    _provider: str
    _model: str
    _attempt: int
    _stop: StopReason
    _usage: Usage
    _text_bytes: int
    _tool_calls: list[str]
    _elapsed_us: int

    def __init__(self) -> None:
        self._provider_of = 0
        self._model_of = 0
        self._attempt_of = 0
        self._stop_of = 0
        self._usage_of = 0
        self._text_bytes_of = 0
        self._tool_calls_of = 0
        self._elapsed_us_of = 0

    @property
    def provider(self) -> str:
        """The provider that answered."""
        number = CURRENT.number
        if self._provider_of is not number:
            self._provider = _post_llm_call_facts.provider()
            self._provider_of = number
        return self._provider

    @property
    def model(self) -> str:
        """The model that answered."""
        number = CURRENT.number
        if self._model_of is not number:
            self._model = _post_llm_call_facts.model()
            self._model_of = number
        return self._model

    @property
    def attempt(self) -> int:
        """The number of the attempt, counted from 1."""
        number = CURRENT.number
        if self._attempt_of is not number:
            self._attempt = _post_llm_call_facts.attempt()
            self._attempt_of = number
        return self._attempt

    @property
    def stop(self) -> StopReason:
        """The model's stop reason."""
        number = CURRENT.number
        if self._stop_of is not number:
            self._stop = _post_llm_call_facts.stop()
            self._stop_of = number
        return self._stop

    @property
    def usage(self) -> Usage:
        """The tokens that the call used."""
        number = CURRENT.number
        if self._usage_of is not number:
            self._usage = _post_llm_call_facts.usage()
            self._usage_of = number
        return self._usage

    @property
    def text_bytes(self) -> int:
        """The size of the response's text, in bytes."""
        number = CURRENT.number
        if self._text_bytes_of is not number:
            self._text_bytes = _post_llm_call_facts.text_bytes()
            self._text_bytes_of = number
        return self._text_bytes

    @property
    def tool_calls(self) -> list[str]:
        """The names of the tools it asks for, in order."""
        number = CURRENT.number
        if self._tool_calls_of is not number:
            self._tool_calls = _post_llm_call_facts.tool_calls()
            self._tool_calls_of = number
        return self._tool_calls

    @property
    def elapsed_us(self) -> int:
        """The duration of the call, in microseconds."""
        number = CURRENT.number
        if self._elapsed_us_of is not number:
            self._elapsed_us = _post_llm_call_facts.elapsed_us()
            self._elapsed_us_of = number
        return self._elapsed_us

    def facts(self) -> LlmResult:
        """All facts in one record: cheaper for handlers that read more than four."""
        facts: LlmResult = _post_llm_call_facts.facts()
        return facts


PostLlmCallOutcome = Proceed | Transform[list[ContentPart]] | Reject | Replace[list[ContentPart]] | None


_llm_error_facts = imported("llm_error_facts", optional=True)


class LlmError:
    """A model call has failed."""

    __slots__ = (
        "_provider",
        "_provider_of",
        "_model",
        "_model_of",
        "_attempt",
        "_attempt_of",
        "_kind",
        "_kind_of",
        "_status",
        "_status_of",
        "_message",
        "_message_of",
        "_retry_after_ms",
        "_retry_after_ms_of",
        "_providers",
        "_providers_of",
    )
    _provider: str
    _model: str
    _attempt: int
    _kind: ProviderErrorKind
    _status: int | None
    _message: str
    _retry_after_ms: int | None
    _providers: list[str]

    def __init__(self) -> None:
        self._provider_of = 0
        self._model_of = 0
        self._attempt_of = 0
        self._kind_of = 0
        self._status_of = 0
        self._message_of = 0
        self._retry_after_ms_of = 0
        self._providers_of = 0

    @property
    def provider(self) -> str:
        """The provider that failed."""
        number = CURRENT.number
        if self._provider_of is not number:
            self._provider = _llm_error_facts.provider()
            self._provider_of = number
        return self._provider

    @property
    def model(self) -> str:
        """The model that was called."""
        number = CURRENT.number
        if self._model_of is not number:
            self._model = _llm_error_facts.model()
            self._model_of = number
        return self._model

    @property
    def attempt(self) -> int:
        """The number of the failed attempt, counted from 1."""
        number = CURRENT.number
        if self._attempt_of is not number:
            self._attempt = _llm_error_facts.attempt()
            self._attempt_of = number
        return self._attempt

    @property
    def kind(self) -> ProviderErrorKind:
        """The kind of failure."""
        number = CURRENT.number
        if self._kind_of is not number:
            self._kind = _llm_error_facts.kind()
            self._kind_of = number
        return self._kind

    @property
    def status(self) -> int | None:
        """The HTTP status, if there was one."""
        number = CURRENT.number
        if self._status_of is not number:
            self._status = _llm_error_facts.status()
            self._status_of = number
        return self._status

    @property
    def message(self) -> str:
        """The provider's message."""
        number = CURRENT.number
        if self._message_of is not number:
            self._message = _llm_error_facts.message()
            self._message_of = number
        return self._message

    @property
    def retry_after_ms(self) -> int | None:
        """The wait that the provider asks for, in milliseconds."""
        number = CURRENT.number
        if self._retry_after_ms_of is not number:
            self._retry_after_ms = _llm_error_facts.retry_after_ms()
            self._retry_after_ms_of = number
        return self._retry_after_ms

    @property
    def providers(self) -> list[str]:
        """The providers that the agent has, by name, in the operator's order."""
        number = CURRENT.number
        if self._providers_of is not number:
            self._providers = _llm_error_facts.providers()
            self._providers_of = number
        return self._providers

    def facts(self) -> LlmFailure:
        """All facts in one record: cheaper for handlers that read more than four."""
        facts: LlmFailure = _llm_error_facts.facts()
        return facts


LlmErrorOutcome = Proceed | Retry | SwitchProvider | GiveUp | None


_llm_delta_facts = imported("llm_delta_facts", optional=True)


class LlmDelta:
    """A piece of a model's response is about to be shown, before the response is whole. It is in the view `content`."""

    __slots__ = (
        "_kind",
        "_kind_of",
        "_index",
        "_index_of",
        "_bytes",
        "_bytes_of",
        "_last",
        "_last_of",
    )
    _kind: DeltaKind
    _index: int
    _bytes: int
    _last: bool

    def __init__(self) -> None:
        self._kind_of = 0
        self._index_of = 0
        self._bytes_of = 0
        self._last_of = 0

    @property
    def kind(self) -> DeltaKind:
        """The kind of the piece."""
        number = CURRENT.number
        if self._kind_of is not number:
            self._kind = _llm_delta_facts.kind()
            self._kind_of = number
        return self._kind

    @property
    def index(self) -> int:
        """The index of the piece among those of its kind, counted from 0."""
        number = CURRENT.number
        if self._index_of is not number:
            self._index = _llm_delta_facts.index()
            self._index_of = number
        return self._index

    @property
    def bytes(self) -> int:
        """The size in bytes."""
        number = CURRENT.number
        if self._bytes_of is not number:
            self._bytes = _llm_delta_facts.bytes()
            self._bytes_of = number
        return self._bytes

    @property
    def last(self) -> bool:
        """Whether it is the last piece of its kind. The last piece may be empty. A hook that holds text back must return it here."""
        number = CURRENT.number
        if self._last_of is not number:
            self._last = _llm_delta_facts.last()
            self._last_of = number
        return self._last

    def facts(self) -> Delta:
        """All facts in one record: cheaper for handlers that read more than four."""
        facts: Delta = _llm_delta_facts.facts()
        return facts


LlmDeltaOutcome = Proceed | Transform[str] | Reject | Stop | None


_state_changed_facts = imported("state_changed_facts", optional=True)


class StateChanged:
    """A tool or a hook changed the agent's state. The change is in the view `agent-state`."""

    __slots__ = (
        "_tool",
        "_tool_of",
        "_call_id",
        "_call_id_of",
        "_keys",
        "_keys_of",
    )
    _tool: str
    _call_id: str
    _keys: list[str]

    def __init__(self) -> None:
        self._tool_of = 0
        self._call_id_of = 0
        self._keys_of = 0

    @property
    def tool(self) -> str:
        """The tool that made the change. Empty if a hook made it; the view `agent-state` says which."""
        number = CURRENT.number
        if self._tool_of is not number:
            self._tool = _state_changed_facts.tool()
            self._tool_of = number
        return self._tool

    @property
    def call_id(self) -> str:
        """The id of the tool's call. Empty if a hook made the change."""
        number = CURRENT.number
        if self._call_id_of is not number:
            self._call_id = _state_changed_facts.call_id()
            self._call_id_of = number
        return self._call_id

    @property
    def keys(self) -> list[str]:
        """The keys that changed, in order."""
        number = CURRENT.number
        if self._keys_of is not number:
            self._keys = _state_changed_facts.keys()
            self._keys_of = number
        return self._keys

    def facts(self) -> StateChange:
        """All facts in one record: cheaper for handlers that read more than four."""
        facts: StateChange = _state_changed_facts.facts()
        return facts


StateChangedOutcome = Proceed | None


_message_added_facts = imported("message_added_facts", optional=True)


class MessageAdded:
    """A message was added to the conversation. It is in the view `content`, and the last in `conversation`."""

    __slots__ = (
        "_index",
        "_index_of",
        "_role",
        "_role_of",
        "_parts",
        "_parts_of",
        "_text_bytes",
        "_text_bytes_of",
    )
    _index: int
    _role: Role
    _parts: int
    _text_bytes: int

    def __init__(self) -> None:
        self._index_of = 0
        self._role_of = 0
        self._parts_of = 0
        self._text_bytes_of = 0

    @property
    def index(self) -> int:
        """The index of the message in the conversation."""
        number = CURRENT.number
        if self._index_of is not number:
            self._index = _message_added_facts.index()
            self._index_of = number
        return self._index

    @property
    def role(self) -> Role:
        """The author of the message."""
        number = CURRENT.number
        if self._role_of is not number:
            self._role = _message_added_facts.role()
            self._role_of = number
        return self._role

    @property
    def parts(self) -> int:
        """The number of parts."""
        number = CURRENT.number
        if self._parts_of is not number:
            self._parts = _message_added_facts.parts()
            self._parts_of = number
        return self._parts

    @property
    def text_bytes(self) -> int:
        """The size of the text, in bytes, tool results included."""
        number = CURRENT.number
        if self._text_bytes_of is not number:
            self._text_bytes = _message_added_facts.text_bytes()
            self._text_bytes_of = number
        return self._text_bytes

    def facts(self) -> AddedMessage:
        """All facts in one record: cheaper for handlers that read more than four."""
        facts: AddedMessage = _message_added_facts.facts()
        return facts


MessageAddedOutcome = Proceed | None


_prompt_policy_facts = imported("prompt_policy_facts", optional=True)


class PromptPolicy:
    """A turn's prompt is about to be assembled: hooks contribute policies. The user's message is in the view `content`."""

    __slots__ = (
        "_text_bytes",
        "_text_bytes_of",
        "_messages",
        "_messages_of",
        "_tools",
        "_tools_of",
        "_policies",
        "_policies_of",
    )
    _text_bytes: int
    _messages: int
    _tools: int
    _policies: int

    def __init__(self) -> None:
        self._text_bytes_of = 0
        self._messages_of = 0
        self._tools_of = 0
        self._policies_of = 0

    @property
    def text_bytes(self) -> int:
        """The size of the user's text, in bytes."""
        number = CURRENT.number
        if self._text_bytes_of is not number:
            self._text_bytes = _prompt_policy_facts.text_bytes()
            self._text_bytes_of = number
        return self._text_bytes

    @property
    def messages(self) -> int:
        """The number of messages."""
        number = CURRENT.number
        if self._messages_of is not number:
            self._messages = _prompt_policy_facts.messages()
            self._messages_of = number
        return self._messages

    @property
    def tools(self) -> int:
        """The number of tools that the model is offered."""
        number = CURRENT.number
        if self._tools_of is not number:
            self._tools = _prompt_policy_facts.tools()
            self._tools_of = number
        return self._tools

    @property
    def policies(self) -> int:
        """The number of policies contributed so far."""
        number = CURRENT.number
        if self._policies_of is not number:
            self._policies = _prompt_policy_facts.policies()
            self._policies_of = number
        return self._policies

    def facts(self) -> TurnFacts:
        """All facts in one record: cheaper for handlers that read more than four."""
        facts: TurnFacts = _prompt_policy_facts.facts()
        return facts


PromptPolicyOutcome = Proceed | Contribute[AddPolicy | AddNote | AddJob] | AddPolicy | AddNote | AddJob | None


_prompt_context_facts = imported("prompt_context_facts", optional=True)


class PromptContext:
    """Hooks contribute context to the turn. The user's message is in the view `content`, the policies in `prompt`."""

    __slots__ = (
        "_text_bytes",
        "_text_bytes_of",
        "_policies",
        "_policies_of",
        "_items",
        "_items_of",
    )
    _text_bytes: int
    _policies: int
    _items: int

    def __init__(self) -> None:
        self._text_bytes_of = 0
        self._policies_of = 0
        self._items_of = 0

    @property
    def text_bytes(self) -> int:
        """The size of the user's text, in bytes."""
        number = CURRENT.number
        if self._text_bytes_of is not number:
            self._text_bytes = _prompt_context_facts.text_bytes()
            self._text_bytes_of = number
        return self._text_bytes

    @property
    def policies(self) -> int:
        """The number of policies in force."""
        number = CURRENT.number
        if self._policies_of is not number:
            self._policies = _prompt_context_facts.policies()
            self._policies_of = number
        return self._policies

    @property
    def items(self) -> int:
        """The number of items contributed so far."""
        number = CURRENT.number
        if self._items_of is not number:
            self._items = _prompt_context_facts.items()
            self._items_of = number
        return self._items

    def facts(self) -> ContextSet:
        """All facts in one record: cheaper for handlers that read more than four."""
        facts: ContextSet = _prompt_context_facts.facts()
        return facts


PromptContextOutcome = Proceed | Contribute[AddContext | AddNote | AddJob] | AddContext | AddNote | AddJob | None


_prompt_recall_facts = imported("prompt_recall_facts", optional=True)


class PromptRecall:
    """The agent has planned its queries to memory: hooks contribute more context. The queries are in the view `prompt`."""

    __slots__ = (
        "_queries",
        "_queries_of",
        "_max_items",
        "_max_items_of",
        "_max_tokens",
        "_max_tokens_of",
        "_fallback",
        "_fallback_of",
        "_items",
        "_items_of",
    )
    _queries: int
    _max_items: int
    _max_tokens: int
    _fallback: bool
    _items: int

    def __init__(self) -> None:
        self._queries_of = 0
        self._max_items_of = 0
        self._max_tokens_of = 0
        self._fallback_of = 0
        self._items_of = 0

    @property
    def queries(self) -> int:
        """The number of queries in the plan."""
        number = CURRENT.number
        if self._queries_of is not number:
            self._queries = _prompt_recall_facts.queries()
            self._queries_of = number
        return self._queries

    @property
    def max_items(self) -> int:
        """The most items to recall."""
        number = CURRENT.number
        if self._max_items_of is not number:
            self._max_items = _prompt_recall_facts.max_items()
            self._max_items_of = number
        return self._max_items

    @property
    def max_tokens(self) -> int:
        """The most tokens to recall."""
        number = CURRENT.number
        if self._max_tokens_of is not number:
            self._max_tokens = _prompt_recall_facts.max_tokens()
            self._max_tokens_of = number
        return self._max_tokens

    @property
    def fallback(self) -> bool:
        """Whether it is the fallback plan, made without a planner."""
        number = CURRENT.number
        if self._fallback_of is not number:
            self._fallback = _prompt_recall_facts.fallback()
            self._fallback_of = number
        return self._fallback

    @property
    def items(self) -> int:
        """The number of items contributed so far."""
        number = CURRENT.number
        if self._items_of is not number:
            self._items = _prompt_recall_facts.items()
            self._items_of = number
        return self._items

    def facts(self) -> RecallPlan:
        """All facts in one record: cheaper for handlers that read more than four."""
        facts: RecallPlan = _prompt_recall_facts.facts()
        return facts


PromptRecallOutcome = Proceed | Contribute[AddContext | AddNote | AddJob] | AddContext | AddNote | AddJob | None


_prompt_tools_facts = imported("prompt_tools_facts", optional=True)


class PromptTools:
    """The tools are about to be offered to the model: hooks contribute more. The tools so far are in the view `tool-catalog`."""

    __slots__ = (
        "_tools",
        "_tools_of",
        "_bundles",
        "_bundles_of",
    )
    _tools: int
    _bundles: int

    def __init__(self) -> None:
        self._tools_of = 0
        self._bundles_of = 0

    @property
    def tools(self) -> int:
        """The number of tools."""
        number = CURRENT.number
        if self._tools_of is not number:
            self._tools = _prompt_tools_facts.tools()
            self._tools_of = number
        return self._tools

    @property
    def bundles(self) -> int:
        """The number of bundles contributed so far."""
        number = CURRENT.number
        if self._bundles_of is not number:
            self._bundles = _prompt_tools_facts.bundles()
            self._bundles_of = number
        return self._bundles

    def facts(self) -> ToolSet:
        """All facts in one record: cheaper for handlers that read more than four."""
        facts: ToolSet = _prompt_tools_facts.facts()
        return facts


PromptToolsOutcome = Proceed | Contribute[AddTools | AddNote | AddJob] | AddTools | AddNote | AddJob | None


_prompt_compile_facts = imported("prompt_compile_facts", optional=True)


class PromptCompile:
    """The prompt is about to be written. The contributions are in the view `prompt`."""

    __slots__ = (
        "_sections",
        "_sections_of",
        "_items",
        "_items_of",
        "_tokens",
        "_tokens_of",
        "_budget_tokens",
        "_budget_tokens_of",
    )
    _sections: int
    _items: int
    _tokens: int
    _budget_tokens: int

    def __init__(self) -> None:
        self._sections_of = 0
        self._items_of = 0
        self._tokens_of = 0
        self._budget_tokens_of = 0

    @property
    def sections(self) -> int:
        """The number of sections so far."""
        number = CURRENT.number
        if self._sections_of is not number:
            self._sections = _prompt_compile_facts.sections()
            self._sections_of = number
        return self._sections

    @property
    def items(self) -> int:
        """The number of items of context."""
        number = CURRENT.number
        if self._items_of is not number:
            self._items = _prompt_compile_facts.items()
            self._items_of = number
        return self._items

    @property
    def tokens(self) -> int:
        """The estimated number of tokens in the sections."""
        number = CURRENT.number
        if self._tokens_of is not number:
            self._tokens = _prompt_compile_facts.tokens()
            self._tokens_of = number
        return self._tokens

    @property
    def budget_tokens(self) -> int:
        """The most tokens that the sections may have."""
        number = CURRENT.number
        if self._budget_tokens_of is not number:
            self._budget_tokens = _prompt_compile_facts.budget_tokens()
            self._budget_tokens_of = number
        return self._budget_tokens

    def facts(self) -> PromptDraft:
        """All facts in one record: cheaper for handlers that read more than four."""
        facts: PromptDraft = _prompt_compile_facts.facts()
        return facts


PromptCompileOutcome = Proceed | Transform[PromptEdit] | Contribute[AddSection | AddNote | AddJob] | AddSection | AddNote | AddJob | None


_session_start_facts = imported("session_start_facts", optional=True)


class SessionStart:
    """A session begins: before its first turn."""

    __slots__ = (
        "_provider",
        "_provider_of",
        "_model",
        "_model_of",
        "_tools",
        "_tools_of",
    )
    _provider: str
    _model: str
    _tools: int

    def __init__(self) -> None:
        self._provider_of = 0
        self._model_of = 0
        self._tools_of = 0

    @property
    def provider(self) -> str:
        """The provider that the agent calls first."""
        number = CURRENT.number
        if self._provider_of is not number:
            self._provider = _session_start_facts.provider()
            self._provider_of = number
        return self._provider

    @property
    def model(self) -> str:
        """The model that the agent calls first."""
        number = CURRENT.number
        if self._model_of is not number:
            self._model = _session_start_facts.model()
            self._model_of = number
        return self._model

    @property
    def tools(self) -> int:
        """The number of tools that the model is offered."""
        number = CURRENT.number
        if self._tools_of is not number:
            self._tools = _session_start_facts.tools()
            self._tools_of = number
        return self._tools

    def facts(self) -> SessionInfo:
        """All facts in one record: cheaper for handlers that read more than four."""
        facts: SessionInfo = _session_start_facts.facts()
        return facts


SessionStartOutcome = Proceed | Reject | None


_session_end_facts = imported("session_end_facts", optional=True)


class SessionEnd:
    """A session ends, however it ends."""

    __slots__ = (
        "_reason",
        "_reason_of",
        "_turns",
        "_turns_of",
        "_usage",
        "_usage_of",
    )
    _reason: EndReason
    _turns: int
    _usage: Usage

    def __init__(self) -> None:
        self._reason_of = 0
        self._turns_of = 0
        self._usage_of = 0

    @property
    def reason(self) -> EndReason:
        """The reason for the end."""
        number = CURRENT.number
        if self._reason_of is not number:
            self._reason = _session_end_facts.reason()
            self._reason_of = number
        return self._reason

    @property
    def turns(self) -> int:
        """The number of turns."""
        number = CURRENT.number
        if self._turns_of is not number:
            self._turns = _session_end_facts.turns()
            self._turns_of = number
        return self._turns

    @property
    def usage(self) -> Usage:
        """The tokens that all its model calls used."""
        number = CURRENT.number
        if self._usage_of is not number:
            self._usage = _session_end_facts.usage()
            self._usage_of = number
        return self._usage

    def facts(self) -> SessionSummary:
        """All facts in one record: cheaper for handlers that read more than four."""
        facts: SessionSummary = _session_end_facts.facts()
        return facts


SessionEndOutcome = Proceed | None


_pre_step_facts = imported("pre_step_facts", optional=True)


class PreStep:
    """A step begins: one model call, and the tool calls it asks for."""

    __slots__ = (
        "_messages",
        "_messages_of",
        "_estimated_tokens",
        "_estimated_tokens_of",
        "_steps",
        "_steps_of",
        "_usage",
        "_usage_of",
        "_elapsed_us",
        "_elapsed_us_of",
    )
    _messages: int
    _estimated_tokens: int
    _steps: int
    _usage: Usage
    _elapsed_us: int

    def __init__(self) -> None:
        self._messages_of = 0
        self._estimated_tokens_of = 0
        self._steps_of = 0
        self._usage_of = 0
        self._elapsed_us_of = 0

    @property
    def messages(self) -> int:
        """The number of messages."""
        number = CURRENT.number
        if self._messages_of is not number:
            self._messages = _pre_step_facts.messages()
            self._messages_of = number
        return self._messages

    @property
    def estimated_tokens(self) -> int:
        """The estimated number of tokens in the messages."""
        number = CURRENT.number
        if self._estimated_tokens_of is not number:
            self._estimated_tokens = _pre_step_facts.estimated_tokens()
            self._estimated_tokens_of = number
        return self._estimated_tokens

    @property
    def steps(self) -> int:
        """The number of steps that the turn has taken."""
        number = CURRENT.number
        if self._steps_of is not number:
            self._steps = _pre_step_facts.steps()
            self._steps_of = number
        return self._steps

    @property
    def usage(self) -> Usage:
        """The tokens that the turn's model calls used so far."""
        number = CURRENT.number
        if self._usage_of is not number:
            self._usage = _pre_step_facts.usage()
            self._usage_of = number
        return self._usage

    @property
    def elapsed_us(self) -> int:
        """The duration of the turn so far, in microseconds."""
        number = CURRENT.number
        if self._elapsed_us_of is not number:
            self._elapsed_us = _pre_step_facts.elapsed_us()
            self._elapsed_us_of = number
        return self._elapsed_us

    def facts(self) -> StepState:
        """All facts in one record: cheaper for handlers that read more than four."""
        facts: StepState = _pre_step_facts.facts()
        return facts


PreStepOutcome = Proceed | Transform[list[MessageEdit]] | Reject | Stop | None


_post_step_facts = imported("post_step_facts", optional=True)


class PostStep:
    """A step is done, its tools included. The model's response is in the view `content`."""

    __slots__ = (
        "_stop",
        "_stop_of",
        "_tool_calls",
        "_tool_calls_of",
        "_step_usage",
        "_step_usage_of",
        "_usage",
        "_usage_of",
        "_elapsed_us",
        "_elapsed_us_of",
    )
    _stop: StopReason
    _tool_calls: int
    _step_usage: Usage
    _usage: Usage
    _elapsed_us: int

    def __init__(self) -> None:
        self._stop_of = 0
        self._tool_calls_of = 0
        self._step_usage_of = 0
        self._usage_of = 0
        self._elapsed_us_of = 0

    @property
    def stop(self) -> StopReason:
        """The model's stop reason."""
        number = CURRENT.number
        if self._stop_of is not number:
            self._stop = _post_step_facts.stop()
            self._stop_of = number
        return self._stop

    @property
    def tool_calls(self) -> int:
        """The number of tool calls that the model asked for."""
        number = CURRENT.number
        if self._tool_calls_of is not number:
            self._tool_calls = _post_step_facts.tool_calls()
            self._tool_calls_of = number
        return self._tool_calls

    @property
    def step_usage(self) -> Usage:
        """The tokens that the step used."""
        number = CURRENT.number
        if self._step_usage_of is not number:
            self._step_usage = _post_step_facts.step_usage()
            self._step_usage_of = number
        return self._step_usage

    @property
    def usage(self) -> Usage:
        """The tokens that the turn's model calls used so far."""
        number = CURRENT.number
        if self._usage_of is not number:
            self._usage = _post_step_facts.usage()
            self._usage_of = number
        return self._usage

    @property
    def elapsed_us(self) -> int:
        """The duration of the turn so far, in microseconds."""
        number = CURRENT.number
        if self._elapsed_us_of is not number:
            self._elapsed_us = _post_step_facts.elapsed_us()
            self._elapsed_us_of = number
        return self._elapsed_us

    def facts(self) -> StepReport:
        """All facts in one record: cheaper for handlers that read more than four."""
        facts: StepReport = _post_step_facts.facts()
        return facts


PostStepOutcome = Proceed | Stop | None


_pre_subagent_facts = imported("pre_subagent_facts", optional=True)


class PreSubagent:
    """A sub-agent is about to be started. Its task is in the view `content`."""

    __slots__ = (
        "_call_id",
        "_call_id_of",
        "_agent",
        "_agent_of",
        "_task_bytes",
        "_task_bytes_of",
        "_depth",
        "_depth_of",
    )
    _call_id: str
    _agent: str
    _task_bytes: int
    _depth: int

    def __init__(self) -> None:
        self._call_id_of = 0
        self._agent_of = 0
        self._task_bytes_of = 0
        self._depth_of = 0

    @property
    def call_id(self) -> str:
        """The id of the tool call that starts the sub-agent."""
        number = CURRENT.number
        if self._call_id_of is not number:
            self._call_id = _pre_subagent_facts.call_id()
            self._call_id_of = number
        return self._call_id

    @property
    def agent(self) -> str:
        """The name of the sub-agent."""
        number = CURRENT.number
        if self._agent_of is not number:
            self._agent = _pre_subagent_facts.agent()
            self._agent_of = number
        return self._agent

    @property
    def task_bytes(self) -> int:
        """The size of the task, in bytes."""
        number = CURRENT.number
        if self._task_bytes_of is not number:
            self._task_bytes = _pre_subagent_facts.task_bytes()
            self._task_bytes_of = number
        return self._task_bytes

    @property
    def depth(self) -> int:
        """The depth of nesting: 1 for a sub-agent of the first agent."""
        number = CURRENT.number
        if self._depth_of is not number:
            self._depth = _pre_subagent_facts.depth()
            self._depth_of = number
        return self._depth

    def facts(self) -> SubagentSpec:
        """All facts in one record: cheaper for handlers that read more than four."""
        facts: SubagentSpec = _pre_subagent_facts.facts()
        return facts


PreSubagentOutcome = Proceed | Transform[str] | Reject | Replace[str] | Answer[tuple[str, bool]] | None


_post_subagent_facts = imported("post_subagent_facts", optional=True)


class PostSubagent:
    """A sub-agent is done. Its result is in the view `content`."""

    __slots__ = (
        "_call_id",
        "_call_id_of",
        "_agent",
        "_agent_of",
        "_session_id",
        "_session_id_of",
        "_is_error",
        "_is_error_of",
        "_output_bytes",
        "_output_bytes_of",
        "_steps",
        "_steps_of",
        "_usage",
        "_usage_of",
        "_elapsed_us",
        "_elapsed_us_of",
    )
    _call_id: str
    _agent: str
    _session_id: str | None
    _is_error: bool
    _output_bytes: int
    _steps: int
    _usage: Usage
    _elapsed_us: int

    def __init__(self) -> None:
        self._call_id_of = 0
        self._agent_of = 0
        self._session_id_of = 0
        self._is_error_of = 0
        self._output_bytes_of = 0
        self._steps_of = 0
        self._usage_of = 0
        self._elapsed_us_of = 0

    @property
    def call_id(self) -> str:
        """The id of the tool call that started the sub-agent."""
        number = CURRENT.number
        if self._call_id_of is not number:
            self._call_id = _post_subagent_facts.call_id()
            self._call_id_of = number
        return self._call_id

    @property
    def agent(self) -> str:
        """The name of the sub-agent."""
        number = CURRENT.number
        if self._agent_of is not number:
            self._agent = _post_subagent_facts.agent()
            self._agent_of = number
        return self._agent

    @property
    def session_id(self) -> str | None:
        """The sub-agent's session; none if it was not started."""
        number = CURRENT.number
        if self._session_id_of is not number:
            self._session_id = _post_subagent_facts.session_id()
            self._session_id_of = number
        return self._session_id

    @property
    def is_error(self) -> bool:
        """Whether the sub-agent failed."""
        number = CURRENT.number
        if self._is_error_of is not number:
            self._is_error = _post_subagent_facts.is_error()
            self._is_error_of = number
        return self._is_error

    @property
    def output_bytes(self) -> int:
        """The size of the result, in bytes."""
        number = CURRENT.number
        if self._output_bytes_of is not number:
            self._output_bytes = _post_subagent_facts.output_bytes()
            self._output_bytes_of = number
        return self._output_bytes

    @property
    def steps(self) -> int:
        """The number of steps."""
        number = CURRENT.number
        if self._steps_of is not number:
            self._steps = _post_subagent_facts.steps()
            self._steps_of = number
        return self._steps

    @property
    def usage(self) -> Usage:
        """The tokens that its model calls used."""
        number = CURRENT.number
        if self._usage_of is not number:
            self._usage = _post_subagent_facts.usage()
            self._usage_of = number
        return self._usage

    @property
    def elapsed_us(self) -> int:
        """The duration, in microseconds."""
        number = CURRENT.number
        if self._elapsed_us_of is not number:
            self._elapsed_us = _post_subagent_facts.elapsed_us()
            self._elapsed_us_of = number
        return self._elapsed_us

    def facts(self) -> SubagentResult:
        """All facts in one record: cheaper for handlers that read more than four."""
        facts: SubagentResult = _post_subagent_facts.facts()
        return facts


PostSubagentOutcome = Proceed | Transform[str] | None


_pre_tool_call_facts = imported("pre_tool_call_facts", optional=True)


class PreToolCall:
    """A tool is about to run: the policy allows it, nothing has been done. The arguments are in the view `tool-data`."""

    __slots__ = (
        "_call_id",
        "_call_id_of",
        "_name",
        "_name_of",
        "_arguments_bytes",
        "_arguments_bytes_of",
        "_grant",
        "_grant_of",
    )
    _call_id: str
    _name: str
    _arguments_bytes: int
    _grant: ExecutionGrant

    def __init__(self) -> None:
        self._call_id_of = 0
        self._name_of = 0
        self._arguments_bytes_of = 0
        self._grant_of = 0

    @property
    def call_id(self) -> str:
        """The id of the call."""
        number = CURRENT.number
        if self._call_id_of is not number:
            self._call_id = _pre_tool_call_facts.call_id()
            self._call_id_of = number
        return self._call_id

    @property
    def name(self) -> str:
        """The name of the tool."""
        number = CURRENT.number
        if self._name_of is not number:
            self._name = _pre_tool_call_facts.name()
            self._name_of = number
        return self._name

    @property
    def arguments_bytes(self) -> int:
        """The size of the arguments, in bytes."""
        number = CURRENT.number
        if self._arguments_bytes_of is not number:
            self._arguments_bytes = _pre_tool_call_facts.arguments_bytes()
            self._arguments_bytes_of = number
        return self._arguments_bytes

    @property
    def grant(self) -> ExecutionGrant:
        """The policy's grant to the tool."""
        number = CURRENT.number
        if self._grant_of is not number:
            self._grant = _pre_tool_call_facts.grant()
            self._grant_of = number
        return self._grant

    def facts(self) -> ToolRequest:
        """All facts in one record: cheaper for handlers that read more than four."""
        facts: ToolRequest = _pre_tool_call_facts.facts()
        return facts


PreToolCallOutcome = Proceed | Transform[str] | Reject | Replace[str] | Answer[tuple[str, bool]] | Ask | None


_post_tool_call_facts = imported("post_tool_call_facts", optional=True)


class PostToolCall:
    """A tool has run. Arguments and output are in the view `tool-data`."""

    __slots__ = (
        "_call_id",
        "_call_id_of",
        "_name",
        "_name_of",
        "_output_bytes",
        "_output_bytes_of",
        "_is_error",
        "_is_error_of",
        "_elapsed_us",
        "_elapsed_us_of",
    )
    _call_id: str
    _name: str
    _output_bytes: int
    _is_error: bool
    _elapsed_us: int

    def __init__(self) -> None:
        self._call_id_of = 0
        self._name_of = 0
        self._output_bytes_of = 0
        self._is_error_of = 0
        self._elapsed_us_of = 0

    @property
    def call_id(self) -> str:
        """The id of the call."""
        number = CURRENT.number
        if self._call_id_of is not number:
            self._call_id = _post_tool_call_facts.call_id()
            self._call_id_of = number
        return self._call_id

    @property
    def name(self) -> str:
        """The name of the tool."""
        number = CURRENT.number
        if self._name_of is not number:
            self._name = _post_tool_call_facts.name()
            self._name_of = number
        return self._name

    @property
    def output_bytes(self) -> int:
        """The size of the output, in bytes."""
        number = CURRENT.number
        if self._output_bytes_of is not number:
            self._output_bytes = _post_tool_call_facts.output_bytes()
            self._output_bytes_of = number
        return self._output_bytes

    @property
    def is_error(self) -> bool:
        """Whether the tool failed."""
        number = CURRENT.number
        if self._is_error_of is not number:
            self._is_error = _post_tool_call_facts.is_error()
            self._is_error_of = number
        return self._is_error

    @property
    def elapsed_us(self) -> int:
        """The duration of the run, in microseconds."""
        number = CURRENT.number
        if self._elapsed_us_of is not number:
            self._elapsed_us = _post_tool_call_facts.elapsed_us()
            self._elapsed_us_of = number
        return self._elapsed_us

    def facts(self) -> ToolOutcome:
        """All facts in one record: cheaper for handlers that read more than four."""
        facts: ToolOutcome = _post_tool_call_facts.facts()
        return facts


PostToolCallOutcome = Proceed | Transform[tuple[str, bool]] | Reject | Replace[tuple[str, bool]] | None


_tool_update_facts = imported("tool_update_facts", optional=True)


class ToolUpdate:
    """A running tool reports its progress. The text is in the view `content`."""

    __slots__ = (
        "_call_id",
        "_call_id_of",
        "_name",
        "_name_of",
        "_index",
        "_index_of",
        "_text_bytes",
        "_text_bytes_of",
    )
    _call_id: str
    _name: str
    _index: int
    _text_bytes: int

    def __init__(self) -> None:
        self._call_id_of = 0
        self._name_of = 0
        self._index_of = 0
        self._text_bytes_of = 0

    @property
    def call_id(self) -> str:
        """The id of the call."""
        number = CURRENT.number
        if self._call_id_of is not number:
            self._call_id = _tool_update_facts.call_id()
            self._call_id_of = number
        return self._call_id

    @property
    def name(self) -> str:
        """The name of the tool."""
        number = CURRENT.number
        if self._name_of is not number:
            self._name = _tool_update_facts.name()
            self._name_of = number
        return self._name

    @property
    def index(self) -> int:
        """The index of the update within the call, counted from 0."""
        number = CURRENT.number
        if self._index_of is not number:
            self._index = _tool_update_facts.index()
            self._index_of = number
        return self._index

    @property
    def text_bytes(self) -> int:
        """The size of the text, in bytes."""
        number = CURRENT.number
        if self._text_bytes_of is not number:
            self._text_bytes = _tool_update_facts.text_bytes()
            self._text_bytes_of = number
        return self._text_bytes

    def facts(self) -> ToolUpdateToolProgress:
        """All facts in one record: cheaper for handlers that read more than four."""
        facts: ToolUpdateToolProgress = _tool_update_facts.facts()
        return facts


ToolUpdateOutcome = Proceed | Reject | None


_tool_update_sent_facts = imported("tool_update_sent_facts", optional=True)


class ToolUpdateSent:
    """An update of a running tool was shown. The text is in the view `content`."""

    __slots__ = (
        "_call_id",
        "_call_id_of",
        "_name",
        "_name_of",
        "_index",
        "_index_of",
        "_text_bytes",
        "_text_bytes_of",
    )
    _call_id: str
    _name: str
    _index: int
    _text_bytes: int

    def __init__(self) -> None:
        self._call_id_of = 0
        self._name_of = 0
        self._index_of = 0
        self._text_bytes_of = 0

    @property
    def call_id(self) -> str:
        """The id of the call."""
        number = CURRENT.number
        if self._call_id_of is not number:
            self._call_id = _tool_update_sent_facts.call_id()
            self._call_id_of = number
        return self._call_id

    @property
    def name(self) -> str:
        """The name of the tool."""
        number = CURRENT.number
        if self._name_of is not number:
            self._name = _tool_update_sent_facts.name()
            self._name_of = number
        return self._name

    @property
    def index(self) -> int:
        """The index of the update within the call, counted from 0."""
        number = CURRENT.number
        if self._index_of is not number:
            self._index = _tool_update_sent_facts.index()
            self._index_of = number
        return self._index

    @property
    def text_bytes(self) -> int:
        """The size of the text, in bytes."""
        number = CURRENT.number
        if self._text_bytes_of is not number:
            self._text_bytes = _tool_update_sent_facts.text_bytes()
            self._text_bytes_of = number
        return self._text_bytes

    def facts(self) -> ToolUpdateSentToolProgress:
        """All facts in one record: cheaper for handlers that read more than four."""
        facts: ToolUpdateSentToolProgress = _tool_update_sent_facts.facts()
        return facts


ToolUpdateSentOutcome = Proceed | None


_pre_turn_facts = imported("pre_turn_facts", optional=True)


class PreTurn:
    """A turn begins: the user has said something, and nothing has been done with it yet."""

    __slots__ = (
        "_text_bytes",
        "_text_bytes_of",
        "_parts",
        "_parts_of",
    )
    _text_bytes: int
    _parts: int

    def __init__(self) -> None:
        self._text_bytes_of = 0
        self._parts_of = 0

    @property
    def text_bytes(self) -> int:
        """The size of the user's text, in bytes."""
        number = CURRENT.number
        if self._text_bytes_of is not number:
            self._text_bytes = _pre_turn_facts.text_bytes()
            self._text_bytes_of = number
        return self._text_bytes

    @property
    def parts(self) -> int:
        """The number of parts."""
        number = CURRENT.number
        if self._parts_of is not number:
            self._parts = _pre_turn_facts.parts()
            self._parts_of = number
        return self._parts

    def facts(self) -> TurnInput:
        """All facts in one record: cheaper for handlers that read more than four."""
        facts: TurnInput = _pre_turn_facts.facts()
        return facts


PreTurnOutcome = Proceed | Transform[list[ContentPart]] | Reject | Replace[list[ContentPart]] | Answer[list[ContentPart]] | None


_post_turn_facts = imported("post_turn_facts", optional=True)


class PostTurn:
    """A turn is done, and its output has not been returned yet."""

    __slots__ = (
        "_text_bytes",
        "_text_bytes_of",
        "_steps",
        "_steps_of",
        "_stop",
        "_stop_of",
        "_usage",
        "_usage_of",
        "_elapsed_us",
        "_elapsed_us_of",
    )
    _text_bytes: int
    _steps: int
    _stop: StopReason
    _usage: Usage
    _elapsed_us: int

    def __init__(self) -> None:
        self._text_bytes_of = 0
        self._steps_of = 0
        self._stop_of = 0
        self._usage_of = 0
        self._elapsed_us_of = 0

    @property
    def text_bytes(self) -> int:
        """The size of the output's text, in bytes."""
        number = CURRENT.number
        if self._text_bytes_of is not number:
            self._text_bytes = _post_turn_facts.text_bytes()
            self._text_bytes_of = number
        return self._text_bytes

    @property
    def steps(self) -> int:
        """The number of steps."""
        number = CURRENT.number
        if self._steps_of is not number:
            self._steps = _post_turn_facts.steps()
            self._steps_of = number
        return self._steps

    @property
    def stop(self) -> StopReason:
        """The stop reason of the last step."""
        number = CURRENT.number
        if self._stop_of is not number:
            self._stop = _post_turn_facts.stop()
            self._stop_of = number
        return self._stop

    @property
    def usage(self) -> Usage:
        """The tokens that its model calls used."""
        number = CURRENT.number
        if self._usage_of is not number:
            self._usage = _post_turn_facts.usage()
            self._usage_of = number
        return self._usage

    @property
    def elapsed_us(self) -> int:
        """The duration, in microseconds."""
        number = CURRENT.number
        if self._elapsed_us_of is not number:
            self._elapsed_us = _post_turn_facts.elapsed_us()
            self._elapsed_us_of = number
        return self._elapsed_us

    def facts(self) -> TurnOutput:
        """All facts in one record: cheaper for handlers that read more than four."""
        facts: TurnOutput = _post_turn_facts.facts()
        return facts


PostTurnOutcome = Proceed | Transform[list[ContentPart]] | Reject | Replace[list[ContentPart]] | Contribute[AddNote | AddJob] | AddNote | AddJob | None


_turn_error_facts = imported("turn_error_facts", optional=True)


class TurnError:
    """A turn has failed."""

    __slots__ = (
        "_kind",
        "_kind_of",
        "_message",
        "_message_of",
    )
    _kind: ErrorKind
    _message: str

    def __init__(self) -> None:
        self._kind_of = 0
        self._message_of = 0

    @property
    def kind(self) -> ErrorKind:
        """The kind of failure."""
        number = CURRENT.number
        if self._kind_of is not number:
            self._kind = _turn_error_facts.kind()
            self._kind_of = number
        return self._kind

    @property
    def message(self) -> str:
        """A description of the failure."""
        number = CURRENT.number
        if self._message_of is not number:
            self._message = _turn_error_facts.message()
            self._message_of = number
        return self._message

    def facts(self) -> Failure:
        """All facts in one record: cheaper for handlers that read more than four."""
        facts: Failure = _turn_error_facts.facts()
        return facts


TurnErrorOutcome = Proceed | Replace[list[ContentPart]] | None


_turn_stopping_facts = imported("turn_stopping_facts", optional=True)


class TurnStopping:
    """A turn is about to end. Its output is in the view `content`."""

    __slots__ = (
        "_ending",
        "_ending_of",
        "_steps",
        "_steps_of",
        "_usage",
        "_usage_of",
        "_kept_going",
        "_kept_going_of",
        "_may_keep_going",
        "_may_keep_going_of",
    )
    _ending: TurnEnding
    _steps: int
    _usage: Usage
    _kept_going: int
    _may_keep_going: bool

    def __init__(self) -> None:
        self._ending_of = 0
        self._steps_of = 0
        self._usage_of = 0
        self._kept_going_of = 0
        self._may_keep_going_of = 0

    @property
    def ending(self) -> TurnEnding:
        """The cause of the turn's end."""
        number = CURRENT.number
        if self._ending_of is not number:
            self._ending = _turn_stopping_facts.ending()
            self._ending_of = number
        return self._ending

    @property
    def steps(self) -> int:
        """The number of steps."""
        number = CURRENT.number
        if self._steps_of is not number:
            self._steps = _turn_stopping_facts.steps()
            self._steps_of = number
        return self._steps

    @property
    def usage(self) -> Usage:
        """The tokens that its model calls used."""
        number = CURRENT.number
        if self._usage_of is not number:
            self._usage = _turn_stopping_facts.usage()
            self._usage_of = number
        return self._usage

    @property
    def kept_going(self) -> int:
        """The number of times that hooks have kept the turn going."""
        number = CURRENT.number
        if self._kept_going_of is not number:
            self._kept_going = _turn_stopping_facts.kept_going()
            self._kept_going_of = number
        return self._kept_going

    @property
    def may_keep_going(self) -> bool:
        """Whether hooks can keep the turn going: not after a hook's stop signal, and not beyond a limit."""
        number = CURRENT.number
        if self._may_keep_going_of is not number:
            self._may_keep_going = _turn_stopping_facts.may_keep_going()
            self._may_keep_going_of = number
        return self._may_keep_going

    def facts(self) -> Stopping:
        """All facts in one record: cheaper for handlers that read more than four."""
        facts: Stopping = _turn_stopping_facts.facts()
        return facts


TurnStoppingOutcome = Proceed | KeepGoing | None


_turn_suspended_facts = imported("turn_suspended_facts", optional=True)


class TurnSuspended:
    """A turn is suspended: its checkpoint is saved, and the loop is about to end."""

    __slots__ = (
        "_reason",
        "_reason_of",
        "_checkpoint",
        "_checkpoint_of",
        "_pending",
        "_pending_of",
        "_partial",
        "_partial_of",
        "_steps",
        "_steps_of",
    )
    _reason: SuspendReason
    _checkpoint: str
    _pending: list[str]
    _partial: bool
    _steps: int

    def __init__(self) -> None:
        self._reason_of = 0
        self._checkpoint_of = 0
        self._pending_of = 0
        self._partial_of = 0
        self._steps_of = 0

    @property
    def reason(self) -> SuspendReason:
        """The reason for the suspension."""
        number = CURRENT.number
        if self._reason_of is not number:
            self._reason = _turn_suspended_facts.reason()
            self._reason_of = number
        return self._reason

    @property
    def checkpoint(self) -> str:
        """The checkpoint that it can be resumed from."""
        number = CURRENT.number
        if self._checkpoint_of is not number:
            self._checkpoint = _turn_suspended_facts.checkpoint()
            self._checkpoint_of = number
        return self._checkpoint

    @property
    def pending(self) -> list[str]:
        """The ids of the tool calls that wait."""
        number = CURRENT.number
        if self._pending_of is not number:
            self._pending = _turn_suspended_facts.pending()
            self._pending_of = number
        return self._pending

    @property
    def partial(self) -> bool:
        """Whether other calls of the same step are done already."""
        number = CURRENT.number
        if self._partial_of is not number:
            self._partial = _turn_suspended_facts.partial()
            self._partial_of = number
        return self._partial

    @property
    def steps(self) -> int:
        """The number of steps so far."""
        number = CURRENT.number
        if self._steps_of is not number:
            self._steps = _turn_suspended_facts.steps()
            self._steps_of = number
        return self._steps

    def facts(self) -> Suspension:
        """All facts in one record: cheaper for handlers that read more than four."""
        facts: Suspension = _turn_suspended_facts.facts()
        return facts


TurnSuspendedOutcome = Proceed | None


_turn_resumed_facts = imported("turn_resumed_facts", optional=True)


class TurnResumed:
    """A suspended turn is resumed: its checkpoint is loaded, and nothing else has happened yet."""

    __slots__ = (
        "_checkpoint",
        "_checkpoint_of",
        "_resolved",
        "_resolved_of",
        "_waited_ms",
        "_waited_ms_of",
        "_steps",
        "_steps_of",
    )
    _checkpoint: str
    _resolved: list[str]
    _waited_ms: int
    _steps: int

    def __init__(self) -> None:
        self._checkpoint_of = 0
        self._resolved_of = 0
        self._waited_ms_of = 0
        self._steps_of = 0

    @property
    def checkpoint(self) -> str:
        """The checkpoint that it was resumed from."""
        number = CURRENT.number
        if self._checkpoint_of is not number:
            self._checkpoint = _turn_resumed_facts.checkpoint()
            self._checkpoint_of = number
        return self._checkpoint

    @property
    def resolved(self) -> list[str]:
        """The ids of the tool calls that waited."""
        number = CURRENT.number
        if self._resolved_of is not number:
            self._resolved = _turn_resumed_facts.resolved()
            self._resolved_of = number
        return self._resolved

    @property
    def waited_ms(self) -> int:
        """The duration of the wait, in milliseconds."""
        number = CURRENT.number
        if self._waited_ms_of is not number:
            self._waited_ms = _turn_resumed_facts.waited_ms()
            self._waited_ms_of = number
        return self._waited_ms

    @property
    def steps(self) -> int:
        """The number of steps before the suspension."""
        number = CURRENT.number
        if self._steps_of is not number:
            self._steps = _turn_resumed_facts.steps()
            self._steps_of = number
        return self._steps

    def facts(self) -> Resumption:
        """All facts in one record: cheaper for handlers that read more than four."""
        facts: Resumption = _turn_resumed_facts.facts()
        return facts


TurnResumedOutcome = Proceed | None


_workspace_opened_facts = imported("workspace_opened_facts", optional=True)


class WorkspaceOpened:
    """A workspace was opened."""

    __slots__ = (
        "_name",
        "_name_of",
        "_path",
        "_path_of",
        "_reason",
        "_reason_of",
    )
    _name: str
    _path: str
    _reason: str

    def __init__(self) -> None:
        self._name_of = 0
        self._path_of = 0
        self._reason_of = 0

    @property
    def name(self) -> str:
        """The name of the workspace."""
        number = CURRENT.number
        if self._name_of is not number:
            self._name = _workspace_opened_facts.name()
            self._name_of = number
        return self._name

    @property
    def path(self) -> str:
        """The path of the directory."""
        number = CURRENT.number
        if self._path_of is not number:
            self._path = _workspace_opened_facts.path()
            self._path_of = number
        return self._path

    @property
    def reason(self) -> str:
        """The reason for the event, in words."""
        number = CURRENT.number
        if self._reason_of is not number:
            self._reason = _workspace_opened_facts.reason()
            self._reason_of = number
        return self._reason

    def facts(self) -> Workspace:
        """All facts in one record: cheaper for handlers that read more than four."""
        facts: Workspace = _workspace_opened_facts.facts()
        return facts


WorkspaceOpenedOutcome = Proceed | None


_workspace_closed_facts = imported("workspace_closed_facts", optional=True)


class WorkspaceClosed:
    """A workspace was closed; its directory stays."""

    __slots__ = (
        "_name",
        "_name_of",
        "_path",
        "_path_of",
        "_reason",
        "_reason_of",
    )
    _name: str
    _path: str
    _reason: str

    def __init__(self) -> None:
        self._name_of = 0
        self._path_of = 0
        self._reason_of = 0

    @property
    def name(self) -> str:
        """The name of the workspace."""
        number = CURRENT.number
        if self._name_of is not number:
            self._name = _workspace_closed_facts.name()
            self._name_of = number
        return self._name

    @property
    def path(self) -> str:
        """The path of the directory."""
        number = CURRENT.number
        if self._path_of is not number:
            self._path = _workspace_closed_facts.path()
            self._path_of = number
        return self._path

    @property
    def reason(self) -> str:
        """The reason for the event, in words."""
        number = CURRENT.number
        if self._reason_of is not number:
            self._reason = _workspace_closed_facts.reason()
            self._reason_of = number
        return self._reason

    def facts(self) -> Workspace:
        """All facts in one record: cheaper for handlers that read more than four."""
        facts: Workspace = _workspace_closed_facts.facts()
        return facts


WorkspaceClosedOutcome = Proceed | None


_workspace_evicted_facts = imported("workspace_evicted_facts", optional=True)


class WorkspaceEvicted:
    """A workspace was evicted to make room."""

    __slots__ = (
        "_name",
        "_name_of",
        "_path",
        "_path_of",
        "_reason",
        "_reason_of",
    )
    _name: str
    _path: str
    _reason: str

    def __init__(self) -> None:
        self._name_of = 0
        self._path_of = 0
        self._reason_of = 0

    @property
    def name(self) -> str:
        """The name of the workspace."""
        number = CURRENT.number
        if self._name_of is not number:
            self._name = _workspace_evicted_facts.name()
            self._name_of = number
        return self._name

    @property
    def path(self) -> str:
        """The path of the directory."""
        number = CURRENT.number
        if self._path_of is not number:
            self._path = _workspace_evicted_facts.path()
            self._path_of = number
        return self._path

    @property
    def reason(self) -> str:
        """The reason for the event, in words."""
        number = CURRENT.number
        if self._reason_of is not number:
            self._reason = _workspace_evicted_facts.reason()
            self._reason_of = number
        return self._reason

    def facts(self) -> Workspace:
        """All facts in one record: cheaper for handlers that read more than four."""
        facts: Workspace = _workspace_evicted_facts.facts()
        return facts


WorkspaceEvictedOutcome = Proceed | None


_workspace_eviction_retried_facts = imported("workspace_eviction_retried_facts", optional=True)


class WorkspaceEvictionRetried:
    """A workspace could not be evicted, and the host tries again."""

    __slots__ = (
        "_workspace",
        "_workspace_of",
        "_attempt",
        "_attempt_of",
    )
    _workspace: Workspace
    _attempt: int

    def __init__(self) -> None:
        self._workspace_of = 0
        self._attempt_of = 0

    @property
    def workspace(self) -> Workspace:
        """The workspace."""
        number = CURRENT.number
        if self._workspace_of is not number:
            self._workspace = _workspace_eviction_retried_facts.workspace()
            self._workspace_of = number
        return self._workspace

    @property
    def attempt(self) -> int:
        """The number of the failed attempt, counted from 1."""
        number = CURRENT.number
        if self._attempt_of is not number:
            self._attempt = _workspace_eviction_retried_facts.attempt()
            self._attempt_of = number
        return self._attempt

    def facts(self) -> EvictionRetry:
        """All facts in one record: cheaper for handlers that read more than four."""
        facts: EvictionRetry = _workspace_eviction_retried_facts.facts()
        return facts


WorkspaceEvictionRetriedOutcome = Proceed | None


_workspace_snapshotted_facts = imported("workspace_snapshotted_facts", optional=True)


class WorkspaceSnapshotted:
    """A snapshot of a workspace was saved."""

    __slots__ = (
        "_workspace",
        "_workspace_of",
        "_path",
        "_path_of",
        "_bytes",
        "_bytes_of",
    )
    _workspace: Workspace
    _path: str
    _bytes: int

    def __init__(self) -> None:
        self._workspace_of = 0
        self._path_of = 0
        self._bytes_of = 0

    @property
    def workspace(self) -> Workspace:
        """The workspace."""
        number = CURRENT.number
        if self._workspace_of is not number:
            self._workspace = _workspace_snapshotted_facts.workspace()
            self._workspace_of = number
        return self._workspace

    @property
    def path(self) -> str:
        """The path of the copy."""
        number = CURRENT.number
        if self._path_of is not number:
            self._path = _workspace_snapshotted_facts.path()
            self._path_of = number
        return self._path

    @property
    def bytes(self) -> int:
        """The size in bytes."""
        number = CURRENT.number
        if self._bytes_of is not number:
            self._bytes = _workspace_snapshotted_facts.bytes()
            self._bytes_of = number
        return self._bytes

    def facts(self) -> Snapshot:
        """All facts in one record: cheaper for handlers that read more than four."""
        facts: Snapshot = _workspace_snapshotted_facts.facts()
        return facts


WorkspaceSnapshottedOutcome = Proceed | None

adopt(globals())
