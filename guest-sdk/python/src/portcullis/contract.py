# Written from wit/ by `cargo xtask contract`; do not change it here.
"""The contract's types, what handlers are called with, and what they return."""

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

#: The facts that were read in the current call. One dictionary for all points: an instance of a component
#: handles one call at a time, and a check and a reset of attributes would cost more.
KNOWN: dict[str, Any] = {}


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
    """How many tokens it has, as the host estimates."""
    messages: int
    """How many messages it has."""


@dataclass
class CompactionResult:
    """The result of a compaction."""

    removed: int
    """How many messages were removed."""
    messages: int
    """How many messages there are now."""
    summary_bytes: int
    """How many bytes the summary has."""


class FailurePolicy(Enum):
    """What a failure of the hook means."""

    FAIL_OPEN = 0
    """As if the hook had said `continue`."""
    FAIL_CLOSED = 1
    """As if the hook had refused, naming the hook and the cause."""


class ExecutionPolicy(Enum):
    """How the agent waits for the hook."""

    BLOCKING = 0
    """Until it answers."""
    DEADLINE = 1
    """Until it answers or its deadline passes, which is a failure."""
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
    """What sort of hook it is, such as `guardrail` or `audit`; free text."""
    description: str
    """One sentence on what it does."""
    points: list[str]
    """The points that it serves, by name. They must be the ones it exports."""
    priority: int | None
    """The priority: low runs first at forward points, high first at reverse ones; 100 if left out."""
    failure: FailurePolicy | None
    """What its failure means; if left out, a hook that can decide anything fails closed, and one that only observes fails open."""
    deadline_ms: int | None
    """How long one call may take, in milliseconds; the host's default if left out."""
    execution: ExecutionPolicy
    """How the agent waits for it."""
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
    """How many messages are sent."""
    tools: int
    """How many tools are offered."""
    estimated_tokens: int
    """How many tokens the messages have, as the host estimates."""
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
    """How long the provider asks to wait, in milliseconds."""
    providers: list[str]
    """The providers that the agent has, by name, in the operator's order."""


class DeltaKind(Enum):
    """What a piece is part of."""

    TEXT = 0
    """The model's text."""
    THINKING = 1
    """The model's reasoning."""


@dataclass
class Delta:
    """A piece of a response. The host gathers what providers send into larger pieces."""

    kind: DeltaKind
    """What the piece is part of."""
    index: int
    """The index of the piece among those of its kind, counted from 0."""
    bytes: int
    """How many bytes it has."""
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
    """How many bytes of text the user wrote."""
    messages: int
    """How many messages there are."""
    tools: int
    """How many tools the model is offered."""
    policies: int
    """How many policies were contributed so far."""


@dataclass
class ContextSet:
    """The context so far."""

    text_bytes: int
    """How many bytes of text the user wrote."""
    policies: int
    """How many policies are in force."""
    items: int
    """How many items were contributed so far."""


@dataclass
class RecallPlan:
    """The plan of what to recall."""

    queries: int
    """How many queries the plan has."""
    max_items: int
    """The most items to recall."""
    max_tokens: int
    """The most tokens to recall."""
    fallback: bool
    """Whether it is the fallback plan, made without a planner."""
    items: int
    """How many items were contributed so far."""


@dataclass
class ToolSet:
    """The tools so far."""

    tools: int
    """How many tools there are."""
    bundles: int
    """How many bundles were contributed so far."""


@dataclass
class PromptDraft:
    """The draft of the prompt."""

    sections: int
    """How many sections there are so far."""
    items: int
    """How many items of context there are."""
    tokens: int
    """How many tokens the sections have, as the host estimates."""
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
    """How many tools the model is offered."""


@dataclass
class SubagentSpec:
    """The sub-agent."""

    call_id: str
    """The id of the tool call that starts the sub-agent."""
    agent: str
    """The name of the sub-agent."""
    task_bytes: int
    """How many bytes its task has."""
    depth: int
    """The depth of nesting: 1 for a sub-agent of the first agent."""


@dataclass
class ExecutionGrant:
    """What the policy lets the tool do."""

    working_dir: str | None
    """The directory it works in."""
    timeout_ms: int
    """How long it may run, in milliseconds."""


@dataclass
class ToolRequest:
    """The call about to be made."""

    call_id: str
    """The id of the call."""
    name: str
    """The name of the tool."""
    arguments_bytes: int
    """How many bytes the arguments have."""
    grant: ExecutionGrant
    """What the policy lets the tool do."""


@dataclass
class ToolOutcome:
    """The call that was made."""

    call_id: str
    """The id of the call."""
    name: str
    """The name of the tool."""
    output_bytes: int
    """How many bytes the output has."""
    is_error: bool
    """Whether the tool failed."""
    elapsed_us: int
    """How long it ran, in microseconds."""


@dataclass
class ToolUpdateToolProgress:
    """The update."""

    call_id: str
    """The id of the call."""
    name: str
    """The name of the tool."""
    index: int
    """Which update of the call it is, counted from 0."""
    text_bytes: int
    """How many bytes of text it has."""


@dataclass
class ToolUpdateSentToolProgress:
    """The update."""

    call_id: str
    """The id of the call."""
    name: str
    """The name of the tool."""
    index: int
    """Which update of the call it is, counted from 0."""
    text_bytes: int
    """How many bytes of text it has."""


@dataclass
class TurnInput:
    """The turn that begins. What the user said is in the view `content`."""

    text_bytes: int
    """How many bytes of text the user wrote."""
    parts: int
    """How many parts there are."""


class ErrorKind(Enum):
    """What failed."""

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
    """What failed."""
    message: str
    """What happened, in words."""


class SuspendReason(Enum):
    """What a turn waits for."""

    HUMAN = 0
    """A person's decision."""
    CLIENT_TOOL = 1
    """A tool that the client runs."""
    CHILDREN = 2
    """A sub-agent that is suspended itself."""


@dataclass
class Suspension:
    """The turn that is suspended."""

    reason: SuspendReason
    """What it waits for."""
    checkpoint: str
    """The checkpoint that it can be resumed from."""
    pending: list[str]
    """The ids of the tool calls that wait."""
    partial: bool
    """Whether other calls of the same step are done already."""
    steps: int
    """How many steps it took so far."""


@dataclass
class Resumption:
    """The turn that is resumed."""

    checkpoint: str
    """The checkpoint that it was resumed from."""
    resolved: list[str]
    """The ids of the tool calls that waited."""
    waited_ms: int
    """How long it waited, in milliseconds."""
    steps: int
    """How many steps it took before."""


@dataclass
class ContextFacts:
    """The session, the turn and the step of a call."""

    session_id: str
    """The session, unique within the host."""
    agent: str
    """The name of the agent whose loop is running."""
    turn: int
    """The turn, counted from 1; 0 outside of any turn."""
    step: int
    """The step within the turn, counted from 1; 0 outside of any step."""


class Role(Enum):
    """Who wrote a message."""

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
    """Who wrote it."""
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
    """It was done."""


@dataclass
class StopReason_MaxTokens:
    """It reached the token limit."""


@dataclass
class StopReason_StopSequence:
    """It wrote a stop sequence."""


@dataclass
class StopReason_ToolUse:
    """It asks for tools."""


@dataclass
class StopReason_Refusal:
    """It, or its provider, refused."""


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
    """The name the model calls it by."""
    description: str
    """Its description for the model."""
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
    """Why."""
    message: str
    """Why, in words."""


@dataclass
class Workspace:
    """A directory that tools work in."""

    name: str
    """The name of the workspace."""
    path: str
    """The path of the directory."""
    reason: str
    """Why it was opened, closed or evicted, in words."""


@dataclass
class DomainPolicy:
    """What a turn may do in one domain, such as `memory`."""

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
    """Whether the turn needs this section: such sections are cut last."""


@dataclass
class ToolRoute_Agent:
    """The agent's own tool of this name."""

    value: str


@dataclass
class ToolRoute_Hook:
    """The hook that contributes it: it answers at `pre-tool-call`."""


ToolRoute = ToolRoute_Agent | ToolRoute_Hook


@dataclass
class BundledTool:
    """A tool that a hook contributes."""

    spec: ToolSpec
    """The tool, as it is described to the model."""
    route: ToolRoute
    """Who runs it."""


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
    """Changes to a call. What is left out stays as it is."""

    model: str | None
    """Another model of the same provider."""
    temperature: float | None
    """Another temperature."""
    max_output_tokens: int | None
    """Another limit on what the model writes."""
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
    """Why the model stopped."""
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
    """Why the model stopped."""
    usage: Usage
    """The tokens that the call used."""
    text_bytes: int
    """How many bytes of text the response has."""
    tool_calls: list[str]
    """The names of the tools it asks for, in order."""
    elapsed_us: int
    """How long the call took, in microseconds."""


@dataclass
class AddedMessage:
    """The message."""

    index: int
    """The index of the message in the conversation."""
    role: Role
    """Who wrote it."""
    parts: int
    """How many parts it has."""
    text_bytes: int
    """How many bytes of text it has, tool results included."""


@dataclass
class Completion:
    """A completion of the model."""

    text: str
    """The text."""
    stop: StopReason
    """Why the model stopped. Text that reached the token limit is not complete."""
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
    """Changes to the draft. What is left out stays as it is."""

    system: str | None
    """Other instructions in place of the operator's, for this turn. Empty ones change nothing."""
    response_format: ResponseFormat | None
    """The format of the model's responses in this turn."""
    sections: list[PromptSection] | None
    """These sections in place of all contributed so far."""


class EndReason(Enum):
    """Why a session ends."""

    CLOSED = 0
    """The embedder closed it."""
    REJECTED = 1
    """A hook refused it at its start."""
    CANCELLED = 2
    """It was cancelled."""
    FAILED = 3
    """Something failed."""


@dataclass
class SessionSummary:
    """The session that ends."""

    reason: EndReason
    """Why it ends."""
    turns: int
    """How many turns it had."""
    usage: Usage
    """The tokens that all its model calls used."""


@dataclass
class StepState:
    """The state of the turn. The messages are in the view `conversation`."""

    messages: int
    """How many messages there are."""
    estimated_tokens: int
    """How many tokens the messages have, as the host estimates."""
    steps: int
    """How many steps the turn has taken."""
    usage: Usage
    """The tokens that the turn's model calls used so far."""
    elapsed_us: int
    """How long the turn has taken, in microseconds."""


@dataclass
class StepReport:
    """The step that is done."""

    stop: StopReason
    """Why the model stopped."""
    tool_calls: int
    """How many tool calls the model asked for."""
    step_usage: Usage
    """The tokens that the step used."""
    usage: Usage
    """The tokens that the turn's model calls used so far."""
    elapsed_us: int
    """How long the turn has taken, in microseconds."""


@dataclass
class SubagentResult:
    """The result of a sub-agent."""

    call_id: str
    """The id of the tool call that started the sub-agent."""
    agent: str
    """The name of the sub-agent."""
    session_id: str | None
    """Its session; none if it was not started."""
    is_error: bool
    """Whether it failed."""
    output_bytes: int
    """How many bytes its result has."""
    steps: int
    """How many steps it took."""
    usage: Usage
    """The tokens that its model calls used."""
    elapsed_us: int
    """How long it took, in microseconds."""


@dataclass
class TurnOutput:
    """The turn that is done. Its output is in the view `content`."""

    text_bytes: int
    """How many bytes of text the output has."""
    steps: int
    """How many steps it took."""
    stop: StopReason
    """Why the last step stopped."""
    usage: Usage
    """The tokens that its model calls used."""
    elapsed_us: int
    """How long it took, in microseconds."""


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
    """What ends the turn."""
    steps: int
    """How many steps it took."""
    usage: Usage
    """The tokens that its model calls used."""
    kept_going: int
    """How many times hooks have kept the turn going."""
    may_keep_going: bool
    """Whether hooks can keep the turn going: not after a hook's stop signal, and not beyond a limit."""


@dataclass
class HookFailure:
    """How a hook failed."""

    cause: str
    """The code of the cause, such as `trap` or `deadline`."""
    message: str
    """What happened, in words."""


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
    """A decision, who made it, and who changed the value."""

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
    """How many bytes it has."""


_call = imported("call", optional=True)


class Context:
    """The session, the turn and the step of the call."""

    __slots__ = ()

    @property
    def session_id(self) -> str:
        """The session, unique within the host."""
        if "Context.session_id" in KNOWN:
            known: str = KNOWN["Context.session_id"]
            return known
        fact: str = _call.session_id()
        KNOWN["Context.session_id"] = fact
        return fact

    @property
    def agent(self) -> str:
        """The name of the agent whose loop is running."""
        if "Context.agent" in KNOWN:
            known: str = KNOWN["Context.agent"]
            return known
        fact: str = _call.agent()
        KNOWN["Context.agent"] = fact
        return fact

    @property
    def turn(self) -> int:
        """The turn, counted from 1; 0 outside of any turn."""
        if "Context.turn" in KNOWN:
            known: int = KNOWN["Context.turn"]
            return known
        fact: int = _call.turn()
        KNOWN["Context.turn"] = fact
        return fact

    @property
    def step(self) -> int:
        """The step within the turn, counted from 1; 0 outside of any step."""
        if "Context.step" in KNOWN:
            known: int = KNOWN["Context.step"]
            return known
        fact: int = _call.step()
        KNOWN["Context.step"] = fact
        return fact

    def facts(self) -> ContextFacts:
        """All facts in one record: cheaper for handlers that read more than four."""
        facts: ContextFacts = _call.context()
        return facts


_pre_compaction_facts = imported("pre_compaction_facts", optional=True)


class PreCompaction:
    """The conversation is over its budget and about to be compacted. It is in the view `conversation`."""

    __slots__ = ()

    @property
    def limit(self) -> int:
        """The most tokens the conversation may have."""
        if "PreCompaction.limit" in KNOWN:
            known: int = KNOWN["PreCompaction.limit"]
            return known
        fact: int = _pre_compaction_facts.limit()
        KNOWN["PreCompaction.limit"] = fact
        return fact

    @property
    def used(self) -> int:
        """How many tokens it has, as the host estimates."""
        if "PreCompaction.used" in KNOWN:
            known: int = KNOWN["PreCompaction.used"]
            return known
        fact: int = _pre_compaction_facts.used()
        KNOWN["PreCompaction.used"] = fact
        return fact

    @property
    def messages(self) -> int:
        """How many messages it has."""
        if "PreCompaction.messages" in KNOWN:
            known: int = KNOWN["PreCompaction.messages"]
            return known
        fact: int = _pre_compaction_facts.messages()
        KNOWN["PreCompaction.messages"] = fact
        return fact

    def facts(self) -> TokenBudget:
        """All facts in one record: cheaper for handlers that read more than four."""
        facts: TokenBudget = _pre_compaction_facts.facts()
        return facts


PreCompactionOutcome = Proceed | Transform[tuple[list[int], str | None]] | Reject | None


_post_compaction_facts = imported("post_compaction_facts", optional=True)


class PostCompaction:
    """The conversation has been compacted. The summary is in the view `content`."""

    __slots__ = ()

    @property
    def removed(self) -> int:
        """How many messages were removed."""
        if "PostCompaction.removed" in KNOWN:
            known: int = KNOWN["PostCompaction.removed"]
            return known
        fact: int = _post_compaction_facts.removed()
        KNOWN["PostCompaction.removed"] = fact
        return fact

    @property
    def messages(self) -> int:
        """How many messages there are now."""
        if "PostCompaction.messages" in KNOWN:
            known: int = KNOWN["PostCompaction.messages"]
            return known
        fact: int = _post_compaction_facts.messages()
        KNOWN["PostCompaction.messages"] = fact
        return fact

    @property
    def summary_bytes(self) -> int:
        """How many bytes the summary has."""
        if "PostCompaction.summary_bytes" in KNOWN:
            known: int = KNOWN["PostCompaction.summary_bytes"]
            return known
        fact: int = _post_compaction_facts.summary_bytes()
        KNOWN["PostCompaction.summary_bytes"] = fact
        return fact

    def facts(self) -> CompactionResult:
        """All facts in one record: cheaper for handlers that read more than four."""
        facts: CompactionResult = _post_compaction_facts.facts()
        return facts


PostCompactionOutcome = Proceed | None


_pre_llm_call_facts = imported("pre_llm_call_facts", optional=True)


class PreLlmCall:
    """A model is about to be called. The messages are in the view `conversation`."""

    __slots__ = ()

    @property
    def provider(self) -> str:
        """The provider."""
        if "PreLlmCall.provider" in KNOWN:
            known: str = KNOWN["PreLlmCall.provider"]
            return known
        fact: str = _pre_llm_call_facts.provider()
        KNOWN["PreLlmCall.provider"] = fact
        return fact

    @property
    def model(self) -> str:
        """The model."""
        if "PreLlmCall.model" in KNOWN:
            known: str = KNOWN["PreLlmCall.model"]
            return known
        fact: str = _pre_llm_call_facts.model()
        KNOWN["PreLlmCall.model"] = fact
        return fact

    @property
    def attempt(self) -> int:
        """The number of the attempt, counted from 1."""
        if "PreLlmCall.attempt" in KNOWN:
            known: int = KNOWN["PreLlmCall.attempt"]
            return known
        fact: int = _pre_llm_call_facts.attempt()
        KNOWN["PreLlmCall.attempt"] = fact
        return fact

    @property
    def messages(self) -> int:
        """How many messages are sent."""
        if "PreLlmCall.messages" in KNOWN:
            known: int = KNOWN["PreLlmCall.messages"]
            return known
        fact: int = _pre_llm_call_facts.messages()
        KNOWN["PreLlmCall.messages"] = fact
        return fact

    @property
    def tools(self) -> int:
        """How many tools are offered."""
        if "PreLlmCall.tools" in KNOWN:
            known: int = KNOWN["PreLlmCall.tools"]
            return known
        fact: int = _pre_llm_call_facts.tools()
        KNOWN["PreLlmCall.tools"] = fact
        return fact

    @property
    def estimated_tokens(self) -> int:
        """How many tokens the messages have, as the host estimates."""
        if "PreLlmCall.estimated_tokens" in KNOWN:
            known: int = KNOWN["PreLlmCall.estimated_tokens"]
            return known
        fact: int = _pre_llm_call_facts.estimated_tokens()
        KNOWN["PreLlmCall.estimated_tokens"] = fact
        return fact

    @property
    def temperature(self) -> float | None:
        """The sampling temperature; the provider's default if left out."""
        if "PreLlmCall.temperature" in KNOWN:
            known: float | None = KNOWN["PreLlmCall.temperature"]
            return known
        fact: float | None = _pre_llm_call_facts.temperature()
        KNOWN["PreLlmCall.temperature"] = fact
        return fact

    @property
    def max_output_tokens(self) -> int | None:
        """The most tokens the model may write; the provider's default if left out."""
        if "PreLlmCall.max_output_tokens" in KNOWN:
            known: int | None = KNOWN["PreLlmCall.max_output_tokens"]
            return known
        fact: int | None = _pre_llm_call_facts.max_output_tokens()
        KNOWN["PreLlmCall.max_output_tokens"] = fact
        return fact

    def facts(self) -> LlmCall:
        """All facts in one record: cheaper for handlers that read more than four."""
        facts: LlmCall = _pre_llm_call_facts.facts()
        return facts


PreLlmCallOutcome = Proceed | Transform[LlmCallEdit] | Reject | Replace[LlmCallEdit] | Answer[LlmResponse] | None


_post_llm_call_facts = imported("post_llm_call_facts", optional=True)


class PostLlmCall:
    """A model has answered. The response is in the view `content`."""

    __slots__ = ()

    @property
    def provider(self) -> str:
        """The provider that answered."""
        if "PostLlmCall.provider" in KNOWN:
            known: str = KNOWN["PostLlmCall.provider"]
            return known
        fact: str = _post_llm_call_facts.provider()
        KNOWN["PostLlmCall.provider"] = fact
        return fact

    @property
    def model(self) -> str:
        """The model that answered."""
        if "PostLlmCall.model" in KNOWN:
            known: str = KNOWN["PostLlmCall.model"]
            return known
        fact: str = _post_llm_call_facts.model()
        KNOWN["PostLlmCall.model"] = fact
        return fact

    @property
    def attempt(self) -> int:
        """The number of the attempt, counted from 1."""
        if "PostLlmCall.attempt" in KNOWN:
            known: int = KNOWN["PostLlmCall.attempt"]
            return known
        fact: int = _post_llm_call_facts.attempt()
        KNOWN["PostLlmCall.attempt"] = fact
        return fact

    @property
    def stop(self) -> StopReason:
        """Why the model stopped."""
        if "PostLlmCall.stop" in KNOWN:
            known: StopReason = KNOWN["PostLlmCall.stop"]
            return known
        fact: StopReason = _post_llm_call_facts.stop()
        KNOWN["PostLlmCall.stop"] = fact
        return fact

    @property
    def usage(self) -> Usage:
        """The tokens that the call used."""
        if "PostLlmCall.usage" in KNOWN:
            known: Usage = KNOWN["PostLlmCall.usage"]
            return known
        fact: Usage = _post_llm_call_facts.usage()
        KNOWN["PostLlmCall.usage"] = fact
        return fact

    @property
    def text_bytes(self) -> int:
        """How many bytes of text the response has."""
        if "PostLlmCall.text_bytes" in KNOWN:
            known: int = KNOWN["PostLlmCall.text_bytes"]
            return known
        fact: int = _post_llm_call_facts.text_bytes()
        KNOWN["PostLlmCall.text_bytes"] = fact
        return fact

    @property
    def tool_calls(self) -> list[str]:
        """The names of the tools it asks for, in order."""
        if "PostLlmCall.tool_calls" in KNOWN:
            known: list[str] = KNOWN["PostLlmCall.tool_calls"]
            return known
        fact: list[str] = _post_llm_call_facts.tool_calls()
        KNOWN["PostLlmCall.tool_calls"] = fact
        return fact

    @property
    def elapsed_us(self) -> int:
        """How long the call took, in microseconds."""
        if "PostLlmCall.elapsed_us" in KNOWN:
            known: int = KNOWN["PostLlmCall.elapsed_us"]
            return known
        fact: int = _post_llm_call_facts.elapsed_us()
        KNOWN["PostLlmCall.elapsed_us"] = fact
        return fact

    def facts(self) -> LlmResult:
        """All facts in one record: cheaper for handlers that read more than four."""
        facts: LlmResult = _post_llm_call_facts.facts()
        return facts


PostLlmCallOutcome = Proceed | Transform[list[ContentPart]] | Reject | Replace[list[ContentPart]] | None


_llm_error_facts = imported("llm_error_facts", optional=True)


class LlmError:
    """A model call has failed."""

    __slots__ = ()

    @property
    def provider(self) -> str:
        """The provider that failed."""
        if "LlmError.provider" in KNOWN:
            known: str = KNOWN["LlmError.provider"]
            return known
        fact: str = _llm_error_facts.provider()
        KNOWN["LlmError.provider"] = fact
        return fact

    @property
    def model(self) -> str:
        """The model that was called."""
        if "LlmError.model" in KNOWN:
            known: str = KNOWN["LlmError.model"]
            return known
        fact: str = _llm_error_facts.model()
        KNOWN["LlmError.model"] = fact
        return fact

    @property
    def attempt(self) -> int:
        """The number of the failed attempt, counted from 1."""
        if "LlmError.attempt" in KNOWN:
            known: int = KNOWN["LlmError.attempt"]
            return known
        fact: int = _llm_error_facts.attempt()
        KNOWN["LlmError.attempt"] = fact
        return fact

    @property
    def kind(self) -> ProviderErrorKind:
        """The kind of failure."""
        if "LlmError.kind" in KNOWN:
            known: ProviderErrorKind = KNOWN["LlmError.kind"]
            return known
        fact: ProviderErrorKind = _llm_error_facts.kind()
        KNOWN["LlmError.kind"] = fact
        return fact

    @property
    def status(self) -> int | None:
        """The HTTP status, if there was one."""
        if "LlmError.status" in KNOWN:
            known: int | None = KNOWN["LlmError.status"]
            return known
        fact: int | None = _llm_error_facts.status()
        KNOWN["LlmError.status"] = fact
        return fact

    @property
    def message(self) -> str:
        """The provider's message."""
        if "LlmError.message" in KNOWN:
            known: str = KNOWN["LlmError.message"]
            return known
        fact: str = _llm_error_facts.message()
        KNOWN["LlmError.message"] = fact
        return fact

    @property
    def retry_after_ms(self) -> int | None:
        """How long the provider asks to wait, in milliseconds."""
        if "LlmError.retry_after_ms" in KNOWN:
            known: int | None = KNOWN["LlmError.retry_after_ms"]
            return known
        fact: int | None = _llm_error_facts.retry_after_ms()
        KNOWN["LlmError.retry_after_ms"] = fact
        return fact

    @property
    def providers(self) -> list[str]:
        """The providers that the agent has, by name, in the operator's order."""
        if "LlmError.providers" in KNOWN:
            known: list[str] = KNOWN["LlmError.providers"]
            return known
        fact: list[str] = _llm_error_facts.providers()
        KNOWN["LlmError.providers"] = fact
        return fact

    def facts(self) -> LlmFailure:
        """All facts in one record: cheaper for handlers that read more than four."""
        facts: LlmFailure = _llm_error_facts.facts()
        return facts


LlmErrorOutcome = Proceed | Retry | SwitchProvider | GiveUp | None


_llm_delta_facts = imported("llm_delta_facts", optional=True)


class LlmDelta:
    """A piece of a model's response is about to be shown, before the response is whole. It is in the view `content`."""

    __slots__ = ()

    @property
    def kind(self) -> DeltaKind:
        """What the piece is part of."""
        if "LlmDelta.kind" in KNOWN:
            known: DeltaKind = KNOWN["LlmDelta.kind"]
            return known
        fact: DeltaKind = _llm_delta_facts.kind()
        KNOWN["LlmDelta.kind"] = fact
        return fact

    @property
    def index(self) -> int:
        """The index of the piece among those of its kind, counted from 0."""
        if "LlmDelta.index" in KNOWN:
            known: int = KNOWN["LlmDelta.index"]
            return known
        fact: int = _llm_delta_facts.index()
        KNOWN["LlmDelta.index"] = fact
        return fact

    @property
    def bytes(self) -> int:
        """How many bytes it has."""
        if "LlmDelta.bytes" in KNOWN:
            known: int = KNOWN["LlmDelta.bytes"]
            return known
        fact: int = _llm_delta_facts.bytes()
        KNOWN["LlmDelta.bytes"] = fact
        return fact

    @property
    def last(self) -> bool:
        """Whether it is the last piece of its kind. The last piece may be empty. A hook that holds text back must return it here."""
        if "LlmDelta.last" in KNOWN:
            known: bool = KNOWN["LlmDelta.last"]
            return known
        fact: bool = _llm_delta_facts.last()
        KNOWN["LlmDelta.last"] = fact
        return fact

    def facts(self) -> Delta:
        """All facts in one record: cheaper for handlers that read more than four."""
        facts: Delta = _llm_delta_facts.facts()
        return facts


LlmDeltaOutcome = Proceed | Transform[str] | Reject | Stop | None


_state_changed_facts = imported("state_changed_facts", optional=True)


class StateChanged:
    """A tool or a hook changed the agent's state. The change is in the view `agent-state`."""

    __slots__ = ()

    @property
    def tool(self) -> str:
        """The tool that made the change. Empty if a hook made it; the view `agent-state` says which."""
        if "StateChanged.tool" in KNOWN:
            known: str = KNOWN["StateChanged.tool"]
            return known
        fact: str = _state_changed_facts.tool()
        KNOWN["StateChanged.tool"] = fact
        return fact

    @property
    def call_id(self) -> str:
        """The id of the tool's call. Empty if a hook made the change."""
        if "StateChanged.call_id" in KNOWN:
            known: str = KNOWN["StateChanged.call_id"]
            return known
        fact: str = _state_changed_facts.call_id()
        KNOWN["StateChanged.call_id"] = fact
        return fact

    @property
    def keys(self) -> list[str]:
        """The keys that changed, in order."""
        if "StateChanged.keys" in KNOWN:
            known: list[str] = KNOWN["StateChanged.keys"]
            return known
        fact: list[str] = _state_changed_facts.keys()
        KNOWN["StateChanged.keys"] = fact
        return fact

    def facts(self) -> StateChange:
        """All facts in one record: cheaper for handlers that read more than four."""
        facts: StateChange = _state_changed_facts.facts()
        return facts


StateChangedOutcome = Proceed | None


_message_added_facts = imported("message_added_facts", optional=True)


class MessageAdded:
    """A message was added to the conversation. It is in the view `content`, and the last in `conversation`."""

    __slots__ = ()

    @property
    def index(self) -> int:
        """The index of the message in the conversation."""
        if "MessageAdded.index" in KNOWN:
            known: int = KNOWN["MessageAdded.index"]
            return known
        fact: int = _message_added_facts.index()
        KNOWN["MessageAdded.index"] = fact
        return fact

    @property
    def role(self) -> Role:
        """Who wrote it."""
        if "MessageAdded.role" in KNOWN:
            known: Role = KNOWN["MessageAdded.role"]
            return known
        fact: Role = _message_added_facts.role()
        KNOWN["MessageAdded.role"] = fact
        return fact

    @property
    def parts(self) -> int:
        """How many parts it has."""
        if "MessageAdded.parts" in KNOWN:
            known: int = KNOWN["MessageAdded.parts"]
            return known
        fact: int = _message_added_facts.parts()
        KNOWN["MessageAdded.parts"] = fact
        return fact

    @property
    def text_bytes(self) -> int:
        """How many bytes of text it has, tool results included."""
        if "MessageAdded.text_bytes" in KNOWN:
            known: int = KNOWN["MessageAdded.text_bytes"]
            return known
        fact: int = _message_added_facts.text_bytes()
        KNOWN["MessageAdded.text_bytes"] = fact
        return fact

    def facts(self) -> AddedMessage:
        """All facts in one record: cheaper for handlers that read more than four."""
        facts: AddedMessage = _message_added_facts.facts()
        return facts


MessageAddedOutcome = Proceed | None


_prompt_policy_facts = imported("prompt_policy_facts", optional=True)


class PromptPolicy:
    """A turn's prompt is about to be assembled: hooks contribute policies. What the user said is in the view `content`."""

    __slots__ = ()

    @property
    def text_bytes(self) -> int:
        """How many bytes of text the user wrote."""
        if "PromptPolicy.text_bytes" in KNOWN:
            known: int = KNOWN["PromptPolicy.text_bytes"]
            return known
        fact: int = _prompt_policy_facts.text_bytes()
        KNOWN["PromptPolicy.text_bytes"] = fact
        return fact

    @property
    def messages(self) -> int:
        """How many messages there are."""
        if "PromptPolicy.messages" in KNOWN:
            known: int = KNOWN["PromptPolicy.messages"]
            return known
        fact: int = _prompt_policy_facts.messages()
        KNOWN["PromptPolicy.messages"] = fact
        return fact

    @property
    def tools(self) -> int:
        """How many tools the model is offered."""
        if "PromptPolicy.tools" in KNOWN:
            known: int = KNOWN["PromptPolicy.tools"]
            return known
        fact: int = _prompt_policy_facts.tools()
        KNOWN["PromptPolicy.tools"] = fact
        return fact

    @property
    def policies(self) -> int:
        """How many policies were contributed so far."""
        if "PromptPolicy.policies" in KNOWN:
            known: int = KNOWN["PromptPolicy.policies"]
            return known
        fact: int = _prompt_policy_facts.policies()
        KNOWN["PromptPolicy.policies"] = fact
        return fact

    def facts(self) -> TurnFacts:
        """All facts in one record: cheaper for handlers that read more than four."""
        facts: TurnFacts = _prompt_policy_facts.facts()
        return facts


PromptPolicyOutcome = Proceed | Contribute[AddPolicy | AddNote | AddJob] | AddPolicy | AddNote | AddJob | None


_prompt_context_facts = imported("prompt_context_facts", optional=True)


class PromptContext:
    """Hooks contribute context to the turn. What the user said is in the view `content`, the policies in `prompt`."""

    __slots__ = ()

    @property
    def text_bytes(self) -> int:
        """How many bytes of text the user wrote."""
        if "PromptContext.text_bytes" in KNOWN:
            known: int = KNOWN["PromptContext.text_bytes"]
            return known
        fact: int = _prompt_context_facts.text_bytes()
        KNOWN["PromptContext.text_bytes"] = fact
        return fact

    @property
    def policies(self) -> int:
        """How many policies are in force."""
        if "PromptContext.policies" in KNOWN:
            known: int = KNOWN["PromptContext.policies"]
            return known
        fact: int = _prompt_context_facts.policies()
        KNOWN["PromptContext.policies"] = fact
        return fact

    @property
    def items(self) -> int:
        """How many items were contributed so far."""
        if "PromptContext.items" in KNOWN:
            known: int = KNOWN["PromptContext.items"]
            return known
        fact: int = _prompt_context_facts.items()
        KNOWN["PromptContext.items"] = fact
        return fact

    def facts(self) -> ContextSet:
        """All facts in one record: cheaper for handlers that read more than four."""
        facts: ContextSet = _prompt_context_facts.facts()
        return facts


PromptContextOutcome = Proceed | Contribute[AddContext | AddNote | AddJob] | AddContext | AddNote | AddJob | None


_prompt_recall_facts = imported("prompt_recall_facts", optional=True)


class PromptRecall:
    """The agent has planned its queries to memory: hooks contribute more context. The queries are in the view `prompt`."""

    __slots__ = ()

    @property
    def queries(self) -> int:
        """How many queries the plan has."""
        if "PromptRecall.queries" in KNOWN:
            known: int = KNOWN["PromptRecall.queries"]
            return known
        fact: int = _prompt_recall_facts.queries()
        KNOWN["PromptRecall.queries"] = fact
        return fact

    @property
    def max_items(self) -> int:
        """The most items to recall."""
        if "PromptRecall.max_items" in KNOWN:
            known: int = KNOWN["PromptRecall.max_items"]
            return known
        fact: int = _prompt_recall_facts.max_items()
        KNOWN["PromptRecall.max_items"] = fact
        return fact

    @property
    def max_tokens(self) -> int:
        """The most tokens to recall."""
        if "PromptRecall.max_tokens" in KNOWN:
            known: int = KNOWN["PromptRecall.max_tokens"]
            return known
        fact: int = _prompt_recall_facts.max_tokens()
        KNOWN["PromptRecall.max_tokens"] = fact
        return fact

    @property
    def fallback(self) -> bool:
        """Whether it is the fallback plan, made without a planner."""
        if "PromptRecall.fallback" in KNOWN:
            known: bool = KNOWN["PromptRecall.fallback"]
            return known
        fact: bool = _prompt_recall_facts.fallback()
        KNOWN["PromptRecall.fallback"] = fact
        return fact

    @property
    def items(self) -> int:
        """How many items were contributed so far."""
        if "PromptRecall.items" in KNOWN:
            known: int = KNOWN["PromptRecall.items"]
            return known
        fact: int = _prompt_recall_facts.items()
        KNOWN["PromptRecall.items"] = fact
        return fact

    def facts(self) -> RecallPlan:
        """All facts in one record: cheaper for handlers that read more than four."""
        facts: RecallPlan = _prompt_recall_facts.facts()
        return facts


PromptRecallOutcome = Proceed | Contribute[AddContext | AddNote | AddJob] | AddContext | AddNote | AddJob | None


_prompt_tools_facts = imported("prompt_tools_facts", optional=True)


class PromptTools:
    """The tools are about to be offered to the model: hooks contribute more. The tools so far are in the view `tool-catalog`."""

    __slots__ = ()

    @property
    def tools(self) -> int:
        """How many tools there are."""
        if "PromptTools.tools" in KNOWN:
            known: int = KNOWN["PromptTools.tools"]
            return known
        fact: int = _prompt_tools_facts.tools()
        KNOWN["PromptTools.tools"] = fact
        return fact

    @property
    def bundles(self) -> int:
        """How many bundles were contributed so far."""
        if "PromptTools.bundles" in KNOWN:
            known: int = KNOWN["PromptTools.bundles"]
            return known
        fact: int = _prompt_tools_facts.bundles()
        KNOWN["PromptTools.bundles"] = fact
        return fact

    def facts(self) -> ToolSet:
        """All facts in one record: cheaper for handlers that read more than four."""
        facts: ToolSet = _prompt_tools_facts.facts()
        return facts


PromptToolsOutcome = Proceed | Contribute[AddTools | AddNote | AddJob] | AddTools | AddNote | AddJob | None


_prompt_compile_facts = imported("prompt_compile_facts", optional=True)


class PromptCompile:
    """The prompt is about to be written. What was contributed is in the view `prompt`."""

    __slots__ = ()

    @property
    def sections(self) -> int:
        """How many sections there are so far."""
        if "PromptCompile.sections" in KNOWN:
            known: int = KNOWN["PromptCompile.sections"]
            return known
        fact: int = _prompt_compile_facts.sections()
        KNOWN["PromptCompile.sections"] = fact
        return fact

    @property
    def items(self) -> int:
        """How many items of context there are."""
        if "PromptCompile.items" in KNOWN:
            known: int = KNOWN["PromptCompile.items"]
            return known
        fact: int = _prompt_compile_facts.items()
        KNOWN["PromptCompile.items"] = fact
        return fact

    @property
    def tokens(self) -> int:
        """How many tokens the sections have, as the host estimates."""
        if "PromptCompile.tokens" in KNOWN:
            known: int = KNOWN["PromptCompile.tokens"]
            return known
        fact: int = _prompt_compile_facts.tokens()
        KNOWN["PromptCompile.tokens"] = fact
        return fact

    @property
    def budget_tokens(self) -> int:
        """The most tokens that the sections may have."""
        if "PromptCompile.budget_tokens" in KNOWN:
            known: int = KNOWN["PromptCompile.budget_tokens"]
            return known
        fact: int = _prompt_compile_facts.budget_tokens()
        KNOWN["PromptCompile.budget_tokens"] = fact
        return fact

    def facts(self) -> PromptDraft:
        """All facts in one record: cheaper for handlers that read more than four."""
        facts: PromptDraft = _prompt_compile_facts.facts()
        return facts


PromptCompileOutcome = Proceed | Transform[PromptEdit] | Contribute[AddSection | AddNote | AddJob] | AddSection | AddNote | AddJob | None


_session_start_facts = imported("session_start_facts", optional=True)


class SessionStart:
    """A session begins: before its first turn."""

    __slots__ = ()

    @property
    def provider(self) -> str:
        """The provider that the agent calls first."""
        if "SessionStart.provider" in KNOWN:
            known: str = KNOWN["SessionStart.provider"]
            return known
        fact: str = _session_start_facts.provider()
        KNOWN["SessionStart.provider"] = fact
        return fact

    @property
    def model(self) -> str:
        """The model that the agent calls first."""
        if "SessionStart.model" in KNOWN:
            known: str = KNOWN["SessionStart.model"]
            return known
        fact: str = _session_start_facts.model()
        KNOWN["SessionStart.model"] = fact
        return fact

    @property
    def tools(self) -> int:
        """How many tools the model is offered."""
        if "SessionStart.tools" in KNOWN:
            known: int = KNOWN["SessionStart.tools"]
            return known
        fact: int = _session_start_facts.tools()
        KNOWN["SessionStart.tools"] = fact
        return fact

    def facts(self) -> SessionInfo:
        """All facts in one record: cheaper for handlers that read more than four."""
        facts: SessionInfo = _session_start_facts.facts()
        return facts


SessionStartOutcome = Proceed | Reject | None


_session_end_facts = imported("session_end_facts", optional=True)


class SessionEnd:
    """A session ends, however it ends."""

    __slots__ = ()

    @property
    def reason(self) -> EndReason:
        """Why it ends."""
        if "SessionEnd.reason" in KNOWN:
            known: EndReason = KNOWN["SessionEnd.reason"]
            return known
        fact: EndReason = _session_end_facts.reason()
        KNOWN["SessionEnd.reason"] = fact
        return fact

    @property
    def turns(self) -> int:
        """How many turns it had."""
        if "SessionEnd.turns" in KNOWN:
            known: int = KNOWN["SessionEnd.turns"]
            return known
        fact: int = _session_end_facts.turns()
        KNOWN["SessionEnd.turns"] = fact
        return fact

    @property
    def usage(self) -> Usage:
        """The tokens that all its model calls used."""
        if "SessionEnd.usage" in KNOWN:
            known: Usage = KNOWN["SessionEnd.usage"]
            return known
        fact: Usage = _session_end_facts.usage()
        KNOWN["SessionEnd.usage"] = fact
        return fact

    def facts(self) -> SessionSummary:
        """All facts in one record: cheaper for handlers that read more than four."""
        facts: SessionSummary = _session_end_facts.facts()
        return facts


SessionEndOutcome = Proceed | None


_pre_step_facts = imported("pre_step_facts", optional=True)


class PreStep:
    """A step begins: one model call, and the tool calls it asks for."""

    __slots__ = ()

    @property
    def messages(self) -> int:
        """How many messages there are."""
        if "PreStep.messages" in KNOWN:
            known: int = KNOWN["PreStep.messages"]
            return known
        fact: int = _pre_step_facts.messages()
        KNOWN["PreStep.messages"] = fact
        return fact

    @property
    def estimated_tokens(self) -> int:
        """How many tokens the messages have, as the host estimates."""
        if "PreStep.estimated_tokens" in KNOWN:
            known: int = KNOWN["PreStep.estimated_tokens"]
            return known
        fact: int = _pre_step_facts.estimated_tokens()
        KNOWN["PreStep.estimated_tokens"] = fact
        return fact

    @property
    def steps(self) -> int:
        """How many steps the turn has taken."""
        if "PreStep.steps" in KNOWN:
            known: int = KNOWN["PreStep.steps"]
            return known
        fact: int = _pre_step_facts.steps()
        KNOWN["PreStep.steps"] = fact
        return fact

    @property
    def usage(self) -> Usage:
        """The tokens that the turn's model calls used so far."""
        if "PreStep.usage" in KNOWN:
            known: Usage = KNOWN["PreStep.usage"]
            return known
        fact: Usage = _pre_step_facts.usage()
        KNOWN["PreStep.usage"] = fact
        return fact

    @property
    def elapsed_us(self) -> int:
        """How long the turn has taken, in microseconds."""
        if "PreStep.elapsed_us" in KNOWN:
            known: int = KNOWN["PreStep.elapsed_us"]
            return known
        fact: int = _pre_step_facts.elapsed_us()
        KNOWN["PreStep.elapsed_us"] = fact
        return fact

    def facts(self) -> StepState:
        """All facts in one record: cheaper for handlers that read more than four."""
        facts: StepState = _pre_step_facts.facts()
        return facts


PreStepOutcome = Proceed | Transform[list[MessageEdit]] | Reject | Stop | None


_post_step_facts = imported("post_step_facts", optional=True)


class PostStep:
    """A step is done, its tools included. What the model said in it is in the view `content`."""

    __slots__ = ()

    @property
    def stop(self) -> StopReason:
        """Why the model stopped."""
        if "PostStep.stop" in KNOWN:
            known: StopReason = KNOWN["PostStep.stop"]
            return known
        fact: StopReason = _post_step_facts.stop()
        KNOWN["PostStep.stop"] = fact
        return fact

    @property
    def tool_calls(self) -> int:
        """How many tool calls the model asked for."""
        if "PostStep.tool_calls" in KNOWN:
            known: int = KNOWN["PostStep.tool_calls"]
            return known
        fact: int = _post_step_facts.tool_calls()
        KNOWN["PostStep.tool_calls"] = fact
        return fact

    @property
    def step_usage(self) -> Usage:
        """The tokens that the step used."""
        if "PostStep.step_usage" in KNOWN:
            known: Usage = KNOWN["PostStep.step_usage"]
            return known
        fact: Usage = _post_step_facts.step_usage()
        KNOWN["PostStep.step_usage"] = fact
        return fact

    @property
    def usage(self) -> Usage:
        """The tokens that the turn's model calls used so far."""
        if "PostStep.usage" in KNOWN:
            known: Usage = KNOWN["PostStep.usage"]
            return known
        fact: Usage = _post_step_facts.usage()
        KNOWN["PostStep.usage"] = fact
        return fact

    @property
    def elapsed_us(self) -> int:
        """How long the turn has taken, in microseconds."""
        if "PostStep.elapsed_us" in KNOWN:
            known: int = KNOWN["PostStep.elapsed_us"]
            return known
        fact: int = _post_step_facts.elapsed_us()
        KNOWN["PostStep.elapsed_us"] = fact
        return fact

    def facts(self) -> StepReport:
        """All facts in one record: cheaper for handlers that read more than four."""
        facts: StepReport = _post_step_facts.facts()
        return facts


PostStepOutcome = Proceed | Stop | None


_pre_subagent_facts = imported("pre_subagent_facts", optional=True)


class PreSubagent:
    """A sub-agent is about to be started. Its task is in the view `content`."""

    __slots__ = ()

    @property
    def call_id(self) -> str:
        """The id of the tool call that starts the sub-agent."""
        if "PreSubagent.call_id" in KNOWN:
            known: str = KNOWN["PreSubagent.call_id"]
            return known
        fact: str = _pre_subagent_facts.call_id()
        KNOWN["PreSubagent.call_id"] = fact
        return fact

    @property
    def agent(self) -> str:
        """The name of the sub-agent."""
        if "PreSubagent.agent" in KNOWN:
            known: str = KNOWN["PreSubagent.agent"]
            return known
        fact: str = _pre_subagent_facts.agent()
        KNOWN["PreSubagent.agent"] = fact
        return fact

    @property
    def task_bytes(self) -> int:
        """How many bytes its task has."""
        if "PreSubagent.task_bytes" in KNOWN:
            known: int = KNOWN["PreSubagent.task_bytes"]
            return known
        fact: int = _pre_subagent_facts.task_bytes()
        KNOWN["PreSubagent.task_bytes"] = fact
        return fact

    @property
    def depth(self) -> int:
        """The depth of nesting: 1 for a sub-agent of the first agent."""
        if "PreSubagent.depth" in KNOWN:
            known: int = KNOWN["PreSubagent.depth"]
            return known
        fact: int = _pre_subagent_facts.depth()
        KNOWN["PreSubagent.depth"] = fact
        return fact

    def facts(self) -> SubagentSpec:
        """All facts in one record: cheaper for handlers that read more than four."""
        facts: SubagentSpec = _pre_subagent_facts.facts()
        return facts


PreSubagentOutcome = Proceed | Transform[str] | Reject | Replace[str] | Answer[tuple[str, bool]] | None


_post_subagent_facts = imported("post_subagent_facts", optional=True)


class PostSubagent:
    """A sub-agent is done. Its result is in the view `content`."""

    __slots__ = ()

    @property
    def call_id(self) -> str:
        """The id of the tool call that started the sub-agent."""
        if "PostSubagent.call_id" in KNOWN:
            known: str = KNOWN["PostSubagent.call_id"]
            return known
        fact: str = _post_subagent_facts.call_id()
        KNOWN["PostSubagent.call_id"] = fact
        return fact

    @property
    def agent(self) -> str:
        """The name of the sub-agent."""
        if "PostSubagent.agent" in KNOWN:
            known: str = KNOWN["PostSubagent.agent"]
            return known
        fact: str = _post_subagent_facts.agent()
        KNOWN["PostSubagent.agent"] = fact
        return fact

    @property
    def session_id(self) -> str | None:
        """Its session; none if it was not started."""
        if "PostSubagent.session_id" in KNOWN:
            known: str | None = KNOWN["PostSubagent.session_id"]
            return known
        fact: str | None = _post_subagent_facts.session_id()
        KNOWN["PostSubagent.session_id"] = fact
        return fact

    @property
    def is_error(self) -> bool:
        """Whether it failed."""
        if "PostSubagent.is_error" in KNOWN:
            known: bool = KNOWN["PostSubagent.is_error"]
            return known
        fact: bool = _post_subagent_facts.is_error()
        KNOWN["PostSubagent.is_error"] = fact
        return fact

    @property
    def output_bytes(self) -> int:
        """How many bytes its result has."""
        if "PostSubagent.output_bytes" in KNOWN:
            known: int = KNOWN["PostSubagent.output_bytes"]
            return known
        fact: int = _post_subagent_facts.output_bytes()
        KNOWN["PostSubagent.output_bytes"] = fact
        return fact

    @property
    def steps(self) -> int:
        """How many steps it took."""
        if "PostSubagent.steps" in KNOWN:
            known: int = KNOWN["PostSubagent.steps"]
            return known
        fact: int = _post_subagent_facts.steps()
        KNOWN["PostSubagent.steps"] = fact
        return fact

    @property
    def usage(self) -> Usage:
        """The tokens that its model calls used."""
        if "PostSubagent.usage" in KNOWN:
            known: Usage = KNOWN["PostSubagent.usage"]
            return known
        fact: Usage = _post_subagent_facts.usage()
        KNOWN["PostSubagent.usage"] = fact
        return fact

    @property
    def elapsed_us(self) -> int:
        """How long it took, in microseconds."""
        if "PostSubagent.elapsed_us" in KNOWN:
            known: int = KNOWN["PostSubagent.elapsed_us"]
            return known
        fact: int = _post_subagent_facts.elapsed_us()
        KNOWN["PostSubagent.elapsed_us"] = fact
        return fact

    def facts(self) -> SubagentResult:
        """All facts in one record: cheaper for handlers that read more than four."""
        facts: SubagentResult = _post_subagent_facts.facts()
        return facts


PostSubagentOutcome = Proceed | Transform[str] | None


_pre_tool_call_facts = imported("pre_tool_call_facts", optional=True)


class PreToolCall:
    """A tool is about to run: the policy allows it, nothing has been done. The arguments are in the view `tool-data`."""

    __slots__ = ()

    @property
    def call_id(self) -> str:
        """The id of the call."""
        if "PreToolCall.call_id" in KNOWN:
            known: str = KNOWN["PreToolCall.call_id"]
            return known
        fact: str = _pre_tool_call_facts.call_id()
        KNOWN["PreToolCall.call_id"] = fact
        return fact

    @property
    def name(self) -> str:
        """The name of the tool."""
        if "PreToolCall.name" in KNOWN:
            known: str = KNOWN["PreToolCall.name"]
            return known
        fact: str = _pre_tool_call_facts.name()
        KNOWN["PreToolCall.name"] = fact
        return fact

    @property
    def arguments_bytes(self) -> int:
        """How many bytes the arguments have."""
        if "PreToolCall.arguments_bytes" in KNOWN:
            known: int = KNOWN["PreToolCall.arguments_bytes"]
            return known
        fact: int = _pre_tool_call_facts.arguments_bytes()
        KNOWN["PreToolCall.arguments_bytes"] = fact
        return fact

    @property
    def grant(self) -> ExecutionGrant:
        """What the policy lets the tool do."""
        if "PreToolCall.grant" in KNOWN:
            known: ExecutionGrant = KNOWN["PreToolCall.grant"]
            return known
        fact: ExecutionGrant = _pre_tool_call_facts.grant()
        KNOWN["PreToolCall.grant"] = fact
        return fact

    def facts(self) -> ToolRequest:
        """All facts in one record: cheaper for handlers that read more than four."""
        facts: ToolRequest = _pre_tool_call_facts.facts()
        return facts


PreToolCallOutcome = Proceed | Transform[str] | Reject | Replace[str] | Answer[tuple[str, bool]] | Ask | None


_post_tool_call_facts = imported("post_tool_call_facts", optional=True)


class PostToolCall:
    """A tool has run. Arguments and output are in the view `tool-data`."""

    __slots__ = ()

    @property
    def call_id(self) -> str:
        """The id of the call."""
        if "PostToolCall.call_id" in KNOWN:
            known: str = KNOWN["PostToolCall.call_id"]
            return known
        fact: str = _post_tool_call_facts.call_id()
        KNOWN["PostToolCall.call_id"] = fact
        return fact

    @property
    def name(self) -> str:
        """The name of the tool."""
        if "PostToolCall.name" in KNOWN:
            known: str = KNOWN["PostToolCall.name"]
            return known
        fact: str = _post_tool_call_facts.name()
        KNOWN["PostToolCall.name"] = fact
        return fact

    @property
    def output_bytes(self) -> int:
        """How many bytes the output has."""
        if "PostToolCall.output_bytes" in KNOWN:
            known: int = KNOWN["PostToolCall.output_bytes"]
            return known
        fact: int = _post_tool_call_facts.output_bytes()
        KNOWN["PostToolCall.output_bytes"] = fact
        return fact

    @property
    def is_error(self) -> bool:
        """Whether the tool failed."""
        if "PostToolCall.is_error" in KNOWN:
            known: bool = KNOWN["PostToolCall.is_error"]
            return known
        fact: bool = _post_tool_call_facts.is_error()
        KNOWN["PostToolCall.is_error"] = fact
        return fact

    @property
    def elapsed_us(self) -> int:
        """How long it ran, in microseconds."""
        if "PostToolCall.elapsed_us" in KNOWN:
            known: int = KNOWN["PostToolCall.elapsed_us"]
            return known
        fact: int = _post_tool_call_facts.elapsed_us()
        KNOWN["PostToolCall.elapsed_us"] = fact
        return fact

    def facts(self) -> ToolOutcome:
        """All facts in one record: cheaper for handlers that read more than four."""
        facts: ToolOutcome = _post_tool_call_facts.facts()
        return facts


PostToolCallOutcome = Proceed | Transform[tuple[str, bool]] | Reject | Replace[tuple[str, bool]] | None


_tool_update_facts = imported("tool_update_facts", optional=True)


class ToolUpdate:
    """A running tool reports its progress. The text is in the view `content`."""

    __slots__ = ()

    @property
    def call_id(self) -> str:
        """The id of the call."""
        if "ToolUpdate.call_id" in KNOWN:
            known: str = KNOWN["ToolUpdate.call_id"]
            return known
        fact: str = _tool_update_facts.call_id()
        KNOWN["ToolUpdate.call_id"] = fact
        return fact

    @property
    def name(self) -> str:
        """The name of the tool."""
        if "ToolUpdate.name" in KNOWN:
            known: str = KNOWN["ToolUpdate.name"]
            return known
        fact: str = _tool_update_facts.name()
        KNOWN["ToolUpdate.name"] = fact
        return fact

    @property
    def index(self) -> int:
        """Which update of the call it is, counted from 0."""
        if "ToolUpdate.index" in KNOWN:
            known: int = KNOWN["ToolUpdate.index"]
            return known
        fact: int = _tool_update_facts.index()
        KNOWN["ToolUpdate.index"] = fact
        return fact

    @property
    def text_bytes(self) -> int:
        """How many bytes of text it has."""
        if "ToolUpdate.text_bytes" in KNOWN:
            known: int = KNOWN["ToolUpdate.text_bytes"]
            return known
        fact: int = _tool_update_facts.text_bytes()
        KNOWN["ToolUpdate.text_bytes"] = fact
        return fact

    def facts(self) -> ToolUpdateToolProgress:
        """All facts in one record: cheaper for handlers that read more than four."""
        facts: ToolUpdateToolProgress = _tool_update_facts.facts()
        return facts


ToolUpdateOutcome = Proceed | Reject | None


_tool_update_sent_facts = imported("tool_update_sent_facts", optional=True)


class ToolUpdateSent:
    """An update of a running tool was shown. The text is in the view `content`."""

    __slots__ = ()

    @property
    def call_id(self) -> str:
        """The id of the call."""
        if "ToolUpdateSent.call_id" in KNOWN:
            known: str = KNOWN["ToolUpdateSent.call_id"]
            return known
        fact: str = _tool_update_sent_facts.call_id()
        KNOWN["ToolUpdateSent.call_id"] = fact
        return fact

    @property
    def name(self) -> str:
        """The name of the tool."""
        if "ToolUpdateSent.name" in KNOWN:
            known: str = KNOWN["ToolUpdateSent.name"]
            return known
        fact: str = _tool_update_sent_facts.name()
        KNOWN["ToolUpdateSent.name"] = fact
        return fact

    @property
    def index(self) -> int:
        """Which update of the call it is, counted from 0."""
        if "ToolUpdateSent.index" in KNOWN:
            known: int = KNOWN["ToolUpdateSent.index"]
            return known
        fact: int = _tool_update_sent_facts.index()
        KNOWN["ToolUpdateSent.index"] = fact
        return fact

    @property
    def text_bytes(self) -> int:
        """How many bytes of text it has."""
        if "ToolUpdateSent.text_bytes" in KNOWN:
            known: int = KNOWN["ToolUpdateSent.text_bytes"]
            return known
        fact: int = _tool_update_sent_facts.text_bytes()
        KNOWN["ToolUpdateSent.text_bytes"] = fact
        return fact

    def facts(self) -> ToolUpdateSentToolProgress:
        """All facts in one record: cheaper for handlers that read more than four."""
        facts: ToolUpdateSentToolProgress = _tool_update_sent_facts.facts()
        return facts


ToolUpdateSentOutcome = Proceed | None


_pre_turn_facts = imported("pre_turn_facts", optional=True)


class PreTurn:
    """A turn begins: the user has said something, and nothing has been done with it yet."""

    __slots__ = ()

    @property
    def text_bytes(self) -> int:
        """How many bytes of text the user wrote."""
        if "PreTurn.text_bytes" in KNOWN:
            known: int = KNOWN["PreTurn.text_bytes"]
            return known
        fact: int = _pre_turn_facts.text_bytes()
        KNOWN["PreTurn.text_bytes"] = fact
        return fact

    @property
    def parts(self) -> int:
        """How many parts there are."""
        if "PreTurn.parts" in KNOWN:
            known: int = KNOWN["PreTurn.parts"]
            return known
        fact: int = _pre_turn_facts.parts()
        KNOWN["PreTurn.parts"] = fact
        return fact

    def facts(self) -> TurnInput:
        """All facts in one record: cheaper for handlers that read more than four."""
        facts: TurnInput = _pre_turn_facts.facts()
        return facts


PreTurnOutcome = Proceed | Transform[list[ContentPart]] | Reject | Replace[list[ContentPart]] | Answer[list[ContentPart]] | None


_post_turn_facts = imported("post_turn_facts", optional=True)


class PostTurn:
    """A turn is done, and its output has not been returned yet."""

    __slots__ = ()

    @property
    def text_bytes(self) -> int:
        """How many bytes of text the output has."""
        if "PostTurn.text_bytes" in KNOWN:
            known: int = KNOWN["PostTurn.text_bytes"]
            return known
        fact: int = _post_turn_facts.text_bytes()
        KNOWN["PostTurn.text_bytes"] = fact
        return fact

    @property
    def steps(self) -> int:
        """How many steps it took."""
        if "PostTurn.steps" in KNOWN:
            known: int = KNOWN["PostTurn.steps"]
            return known
        fact: int = _post_turn_facts.steps()
        KNOWN["PostTurn.steps"] = fact
        return fact

    @property
    def stop(self) -> StopReason:
        """Why the last step stopped."""
        if "PostTurn.stop" in KNOWN:
            known: StopReason = KNOWN["PostTurn.stop"]
            return known
        fact: StopReason = _post_turn_facts.stop()
        KNOWN["PostTurn.stop"] = fact
        return fact

    @property
    def usage(self) -> Usage:
        """The tokens that its model calls used."""
        if "PostTurn.usage" in KNOWN:
            known: Usage = KNOWN["PostTurn.usage"]
            return known
        fact: Usage = _post_turn_facts.usage()
        KNOWN["PostTurn.usage"] = fact
        return fact

    @property
    def elapsed_us(self) -> int:
        """How long it took, in microseconds."""
        if "PostTurn.elapsed_us" in KNOWN:
            known: int = KNOWN["PostTurn.elapsed_us"]
            return known
        fact: int = _post_turn_facts.elapsed_us()
        KNOWN["PostTurn.elapsed_us"] = fact
        return fact

    def facts(self) -> TurnOutput:
        """All facts in one record: cheaper for handlers that read more than four."""
        facts: TurnOutput = _post_turn_facts.facts()
        return facts


PostTurnOutcome = Proceed | Transform[list[ContentPart]] | Reject | Replace[list[ContentPart]] | Contribute[AddNote | AddJob] | AddNote | AddJob | None


_turn_error_facts = imported("turn_error_facts", optional=True)


class TurnError:
    """A turn has failed."""

    __slots__ = ()

    @property
    def kind(self) -> ErrorKind:
        """What failed."""
        if "TurnError.kind" in KNOWN:
            known: ErrorKind = KNOWN["TurnError.kind"]
            return known
        fact: ErrorKind = _turn_error_facts.kind()
        KNOWN["TurnError.kind"] = fact
        return fact

    @property
    def message(self) -> str:
        """What happened, in words."""
        if "TurnError.message" in KNOWN:
            known: str = KNOWN["TurnError.message"]
            return known
        fact: str = _turn_error_facts.message()
        KNOWN["TurnError.message"] = fact
        return fact

    def facts(self) -> Failure:
        """All facts in one record: cheaper for handlers that read more than four."""
        facts: Failure = _turn_error_facts.facts()
        return facts


TurnErrorOutcome = Proceed | Replace[list[ContentPart]] | None


_turn_stopping_facts = imported("turn_stopping_facts", optional=True)


class TurnStopping:
    """A turn is about to end. Its output is in the view `content`."""

    __slots__ = ()

    @property
    def ending(self) -> TurnEnding:
        """What ends the turn."""
        if "TurnStopping.ending" in KNOWN:
            known: TurnEnding = KNOWN["TurnStopping.ending"]
            return known
        fact: TurnEnding = _turn_stopping_facts.ending()
        KNOWN["TurnStopping.ending"] = fact
        return fact

    @property
    def steps(self) -> int:
        """How many steps it took."""
        if "TurnStopping.steps" in KNOWN:
            known: int = KNOWN["TurnStopping.steps"]
            return known
        fact: int = _turn_stopping_facts.steps()
        KNOWN["TurnStopping.steps"] = fact
        return fact

    @property
    def usage(self) -> Usage:
        """The tokens that its model calls used."""
        if "TurnStopping.usage" in KNOWN:
            known: Usage = KNOWN["TurnStopping.usage"]
            return known
        fact: Usage = _turn_stopping_facts.usage()
        KNOWN["TurnStopping.usage"] = fact
        return fact

    @property
    def kept_going(self) -> int:
        """How many times hooks have kept the turn going."""
        if "TurnStopping.kept_going" in KNOWN:
            known: int = KNOWN["TurnStopping.kept_going"]
            return known
        fact: int = _turn_stopping_facts.kept_going()
        KNOWN["TurnStopping.kept_going"] = fact
        return fact

    @property
    def may_keep_going(self) -> bool:
        """Whether hooks can keep the turn going: not after a hook's stop signal, and not beyond a limit."""
        if "TurnStopping.may_keep_going" in KNOWN:
            known: bool = KNOWN["TurnStopping.may_keep_going"]
            return known
        fact: bool = _turn_stopping_facts.may_keep_going()
        KNOWN["TurnStopping.may_keep_going"] = fact
        return fact

    def facts(self) -> Stopping:
        """All facts in one record: cheaper for handlers that read more than four."""
        facts: Stopping = _turn_stopping_facts.facts()
        return facts


TurnStoppingOutcome = Proceed | KeepGoing | None


_turn_suspended_facts = imported("turn_suspended_facts", optional=True)


class TurnSuspended:
    """A turn is suspended: its checkpoint is saved, and the loop is about to end."""

    __slots__ = ()

    @property
    def reason(self) -> SuspendReason:
        """What it waits for."""
        if "TurnSuspended.reason" in KNOWN:
            known: SuspendReason = KNOWN["TurnSuspended.reason"]
            return known
        fact: SuspendReason = _turn_suspended_facts.reason()
        KNOWN["TurnSuspended.reason"] = fact
        return fact

    @property
    def checkpoint(self) -> str:
        """The checkpoint that it can be resumed from."""
        if "TurnSuspended.checkpoint" in KNOWN:
            known: str = KNOWN["TurnSuspended.checkpoint"]
            return known
        fact: str = _turn_suspended_facts.checkpoint()
        KNOWN["TurnSuspended.checkpoint"] = fact
        return fact

    @property
    def pending(self) -> list[str]:
        """The ids of the tool calls that wait."""
        if "TurnSuspended.pending" in KNOWN:
            known: list[str] = KNOWN["TurnSuspended.pending"]
            return known
        fact: list[str] = _turn_suspended_facts.pending()
        KNOWN["TurnSuspended.pending"] = fact
        return fact

    @property
    def partial(self) -> bool:
        """Whether other calls of the same step are done already."""
        if "TurnSuspended.partial" in KNOWN:
            known: bool = KNOWN["TurnSuspended.partial"]
            return known
        fact: bool = _turn_suspended_facts.partial()
        KNOWN["TurnSuspended.partial"] = fact
        return fact

    @property
    def steps(self) -> int:
        """How many steps it took so far."""
        if "TurnSuspended.steps" in KNOWN:
            known: int = KNOWN["TurnSuspended.steps"]
            return known
        fact: int = _turn_suspended_facts.steps()
        KNOWN["TurnSuspended.steps"] = fact
        return fact

    def facts(self) -> Suspension:
        """All facts in one record: cheaper for handlers that read more than four."""
        facts: Suspension = _turn_suspended_facts.facts()
        return facts


TurnSuspendedOutcome = Proceed | None


_turn_resumed_facts = imported("turn_resumed_facts", optional=True)


class TurnResumed:
    """A suspended turn is resumed: its checkpoint is loaded, and nothing else has happened yet."""

    __slots__ = ()

    @property
    def checkpoint(self) -> str:
        """The checkpoint that it was resumed from."""
        if "TurnResumed.checkpoint" in KNOWN:
            known: str = KNOWN["TurnResumed.checkpoint"]
            return known
        fact: str = _turn_resumed_facts.checkpoint()
        KNOWN["TurnResumed.checkpoint"] = fact
        return fact

    @property
    def resolved(self) -> list[str]:
        """The ids of the tool calls that waited."""
        if "TurnResumed.resolved" in KNOWN:
            known: list[str] = KNOWN["TurnResumed.resolved"]
            return known
        fact: list[str] = _turn_resumed_facts.resolved()
        KNOWN["TurnResumed.resolved"] = fact
        return fact

    @property
    def waited_ms(self) -> int:
        """How long it waited, in milliseconds."""
        if "TurnResumed.waited_ms" in KNOWN:
            known: int = KNOWN["TurnResumed.waited_ms"]
            return known
        fact: int = _turn_resumed_facts.waited_ms()
        KNOWN["TurnResumed.waited_ms"] = fact
        return fact

    @property
    def steps(self) -> int:
        """How many steps it took before."""
        if "TurnResumed.steps" in KNOWN:
            known: int = KNOWN["TurnResumed.steps"]
            return known
        fact: int = _turn_resumed_facts.steps()
        KNOWN["TurnResumed.steps"] = fact
        return fact

    def facts(self) -> Resumption:
        """All facts in one record: cheaper for handlers that read more than four."""
        facts: Resumption = _turn_resumed_facts.facts()
        return facts


TurnResumedOutcome = Proceed | None


_workspace_opened_facts = imported("workspace_opened_facts", optional=True)


class WorkspaceOpened:
    """A workspace was opened."""

    __slots__ = ()

    @property
    def name(self) -> str:
        """The name of the workspace."""
        if "WorkspaceOpened.name" in KNOWN:
            known: str = KNOWN["WorkspaceOpened.name"]
            return known
        fact: str = _workspace_opened_facts.name()
        KNOWN["WorkspaceOpened.name"] = fact
        return fact

    @property
    def path(self) -> str:
        """The path of the directory."""
        if "WorkspaceOpened.path" in KNOWN:
            known: str = KNOWN["WorkspaceOpened.path"]
            return known
        fact: str = _workspace_opened_facts.path()
        KNOWN["WorkspaceOpened.path"] = fact
        return fact

    @property
    def reason(self) -> str:
        """Why the event happened, in words."""
        if "WorkspaceOpened.reason" in KNOWN:
            known: str = KNOWN["WorkspaceOpened.reason"]
            return known
        fact: str = _workspace_opened_facts.reason()
        KNOWN["WorkspaceOpened.reason"] = fact
        return fact

    def facts(self) -> Workspace:
        """All facts in one record: cheaper for handlers that read more than four."""
        facts: Workspace = _workspace_opened_facts.facts()
        return facts


WorkspaceOpenedOutcome = Proceed | None


_workspace_closed_facts = imported("workspace_closed_facts", optional=True)


class WorkspaceClosed:
    """A workspace was closed; its directory stays."""

    __slots__ = ()

    @property
    def name(self) -> str:
        """The name of the workspace."""
        if "WorkspaceClosed.name" in KNOWN:
            known: str = KNOWN["WorkspaceClosed.name"]
            return known
        fact: str = _workspace_closed_facts.name()
        KNOWN["WorkspaceClosed.name"] = fact
        return fact

    @property
    def path(self) -> str:
        """The path of the directory."""
        if "WorkspaceClosed.path" in KNOWN:
            known: str = KNOWN["WorkspaceClosed.path"]
            return known
        fact: str = _workspace_closed_facts.path()
        KNOWN["WorkspaceClosed.path"] = fact
        return fact

    @property
    def reason(self) -> str:
        """Why the event happened, in words."""
        if "WorkspaceClosed.reason" in KNOWN:
            known: str = KNOWN["WorkspaceClosed.reason"]
            return known
        fact: str = _workspace_closed_facts.reason()
        KNOWN["WorkspaceClosed.reason"] = fact
        return fact

    def facts(self) -> Workspace:
        """All facts in one record: cheaper for handlers that read more than four."""
        facts: Workspace = _workspace_closed_facts.facts()
        return facts


WorkspaceClosedOutcome = Proceed | None


_workspace_evicted_facts = imported("workspace_evicted_facts", optional=True)


class WorkspaceEvicted:
    """A workspace was evicted to make room."""

    __slots__ = ()

    @property
    def name(self) -> str:
        """The name of the workspace."""
        if "WorkspaceEvicted.name" in KNOWN:
            known: str = KNOWN["WorkspaceEvicted.name"]
            return known
        fact: str = _workspace_evicted_facts.name()
        KNOWN["WorkspaceEvicted.name"] = fact
        return fact

    @property
    def path(self) -> str:
        """The path of the directory."""
        if "WorkspaceEvicted.path" in KNOWN:
            known: str = KNOWN["WorkspaceEvicted.path"]
            return known
        fact: str = _workspace_evicted_facts.path()
        KNOWN["WorkspaceEvicted.path"] = fact
        return fact

    @property
    def reason(self) -> str:
        """Why the event happened, in words."""
        if "WorkspaceEvicted.reason" in KNOWN:
            known: str = KNOWN["WorkspaceEvicted.reason"]
            return known
        fact: str = _workspace_evicted_facts.reason()
        KNOWN["WorkspaceEvicted.reason"] = fact
        return fact

    def facts(self) -> Workspace:
        """All facts in one record: cheaper for handlers that read more than four."""
        facts: Workspace = _workspace_evicted_facts.facts()
        return facts


WorkspaceEvictedOutcome = Proceed | None


_workspace_eviction_retried_facts = imported("workspace_eviction_retried_facts", optional=True)


class WorkspaceEvictionRetried:
    """A workspace could not be evicted, and the host tries again."""

    __slots__ = ()

    @property
    def workspace(self) -> Workspace:
        """The workspace."""
        if "WorkspaceEvictionRetried.workspace" in KNOWN:
            known: Workspace = KNOWN["WorkspaceEvictionRetried.workspace"]
            return known
        fact: Workspace = _workspace_eviction_retried_facts.workspace()
        KNOWN["WorkspaceEvictionRetried.workspace"] = fact
        return fact

    @property
    def attempt(self) -> int:
        """The number of the failed attempt, counted from 1."""
        if "WorkspaceEvictionRetried.attempt" in KNOWN:
            known: int = KNOWN["WorkspaceEvictionRetried.attempt"]
            return known
        fact: int = _workspace_eviction_retried_facts.attempt()
        KNOWN["WorkspaceEvictionRetried.attempt"] = fact
        return fact

    def facts(self) -> EvictionRetry:
        """All facts in one record: cheaper for handlers that read more than four."""
        facts: EvictionRetry = _workspace_eviction_retried_facts.facts()
        return facts


WorkspaceEvictionRetriedOutcome = Proceed | None


_workspace_snapshotted_facts = imported("workspace_snapshotted_facts", optional=True)


class WorkspaceSnapshotted:
    """A snapshot of a workspace was saved."""

    __slots__ = ()

    @property
    def workspace(self) -> Workspace:
        """The workspace."""
        if "WorkspaceSnapshotted.workspace" in KNOWN:
            known: Workspace = KNOWN["WorkspaceSnapshotted.workspace"]
            return known
        fact: Workspace = _workspace_snapshotted_facts.workspace()
        KNOWN["WorkspaceSnapshotted.workspace"] = fact
        return fact

    @property
    def path(self) -> str:
        """The path of the copy."""
        if "WorkspaceSnapshotted.path" in KNOWN:
            known: str = KNOWN["WorkspaceSnapshotted.path"]
            return known
        fact: str = _workspace_snapshotted_facts.path()
        KNOWN["WorkspaceSnapshotted.path"] = fact
        return fact

    @property
    def bytes(self) -> int:
        """How many bytes it has."""
        if "WorkspaceSnapshotted.bytes" in KNOWN:
            known: int = KNOWN["WorkspaceSnapshotted.bytes"]
            return known
        fact: int = _workspace_snapshotted_facts.bytes()
        KNOWN["WorkspaceSnapshotted.bytes"] = fact
        return fact

    def facts(self) -> Snapshot:
        """All facts in one record: cheaper for handlers that read more than four."""
        facts: Snapshot = _workspace_snapshotted_facts.facts()
        return facts


WorkspaceSnapshottedOutcome = Proceed | None

adopt(globals())
