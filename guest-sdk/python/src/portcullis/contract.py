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

#: The value of a fact that was not read in the current call.
UNREAD: Any = object()


@dataclass
class TokenBudget:
    """How much there is and may be."""

    limit: int
    """The most tokens the conversation may have."""
    used: int
    """How many it has, as the host thinks."""
    messages: int
    """How many messages it has."""


@dataclass
class CompactionResult:
    """What was done."""

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
    """Low runs first; 100 if left out."""
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
    """Which try this is, counted from 1."""
    messages: int
    """How many messages are sent."""
    tools: int
    """How many tools are offered."""
    estimated_tokens: int
    """How many tokens the host thinks the messages are."""
    temperature: float | None
    """The sampling temperature; the provider's default if left out."""
    max_output_tokens: int | None
    """The most tokens the model may write; the provider's default if left out."""


class ProviderErrorKind(Enum):
    """What went wrong."""

    TIMEOUT = 0
    """No answer in time."""
    RATE_LIMITED = 1
    """Too many requests."""
    OVERLOADED = 2
    """The provider is overloaded."""
    AUTH = 3
    """The key is missing, wrong or not allowed this."""
    BAD_REQUEST = 4
    """The request is not one the provider takes."""
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
    """Which try failed, counted from 1."""
    kind: ProviderErrorKind
    """What went wrong."""
    status: int | None
    """The HTTP status, if there was one."""
    message: str
    """The provider's words."""
    retry_after_ms: int | None
    """How long the provider asks to wait, in milliseconds."""
    providers: list[str]
    """The providers that the agent has, by name, in the operator's order."""


class DeltaKind(Enum):
    """What a piece is of."""

    TEXT = 0
    """What the model says."""
    THINKING = 1
    """The model's reasoning."""


@dataclass
class Delta:
    """A piece. The host gathers what providers send into pieces of some size."""

    kind: DeltaKind
    """What it is of."""
    index: int
    """Which piece of its kind it is, counted from 0."""
    bytes: int
    """How many bytes it has."""
    last: bool
    """Whether it is the last of its kind; it may be empty then. A hook that holds text back gives it out here."""


@dataclass
class StateChange:
    """The change."""

    tool: str
    """The tool."""
    call_id: str
    """The id of its call."""
    keys: list[str]
    """The keys that changed, in order."""


@dataclass
class TurnFacts:
    """The turn."""

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
    """What there is."""

    text_bytes: int
    """How many bytes of text the user wrote."""
    policies: int
    """How many policies hold."""
    items: int
    """How many items were contributed so far."""


@dataclass
class RecallPlan:
    """The plan."""

    queries: int
    """How many queries it has."""
    max_items: int
    """The most items to recall."""
    max_tokens: int
    """The most tokens to recall."""
    fallback: bool
    """Whether it is the fallback, made without a planner."""
    items: int
    """How many items were contributed so far."""


@dataclass
class ToolSet:
    """What there is."""

    tools: int
    """How many tools there are."""
    bundles: int
    """How many bundles were contributed so far."""


@dataclass
class PromptDraft:
    """The draft."""

    sections: int
    """How many sections there are so far."""
    items: int
    """How many items of context there are."""
    tokens: int
    """How many tokens the sections are, as the host thinks."""
    budget_tokens: int
    """The most tokens they may have."""


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
    """The id of the call that asks for it."""
    agent: str
    """Its name."""
    task_bytes: int
    """How many bytes its task has."""
    depth: int
    """How deep it is: 1 for a sub-agent of the first agent."""


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
    """What the policy lets it do."""


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
    """A hook that must not fail failed."""
    LIMIT = 3
    """The turn reached a limit of the agent's."""
    INTERNAL = 4
    """The agent itself."""


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
    """The turn that goes on."""

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
    """Where in the agent's life a call happens."""

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
    """At an address that the provider can read."""

    value: str


@dataclass
class ImageSource_Bytes:
    """Here, as the file's bytes."""

    value: bytes


ImageSource = ImageSource_Url | ImageSource_Bytes


@dataclass
class Image:
    """A picture in a message."""

    media_type: str
    """The media type, such as `image/png`."""
    source: ImageSource
    """Where the picture is."""


@dataclass
class ToolCall:
    """The model's request to run a tool."""

    id: str
    """The id that the result must carry."""
    name: str
    """The name of the tool."""
    arguments: str
    """The arguments, as the text of a JSON object."""


@dataclass
class ToolResult:
    """What a tool gave back, as the model sees it."""

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
    """What a tool gave back."""

    value: ToolResult


ContentPart = ContentPart_Text | ContentPart_Thinking | ContentPart_Image | ContentPart_ToolCall | ContentPart_ToolResult


@dataclass
class Message:
    """One message of a conversation."""

    role: Role
    """Who wrote it."""
    content: list[ContentPart]
    """What it says, in order."""


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
    """Something else, in the provider's words."""

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
    """More for programs, as JSON text."""


@dataclass
class ToolSpec:
    """A tool, as the model is told of it."""

    name: str
    """The name the model calls it by."""
    description: str
    """What the model is told of it."""
    schema: str
    """The JSON schema of its arguments."""


@dataclass
class MessageEdit_Insert:
    """Puts a message before the one at the index; at the length of the list, at its end."""

    value: tuple[int, Message]


@dataclass
class MessageEdit_Set:
    """Puts a message in place of the one at the index."""

    value: tuple[int, Message]


@dataclass
class MessageEdit_Remove:
    """Takes the message at the index away."""

    value: int


MessageEdit = MessageEdit_Insert | MessageEdit_Set | MessageEdit_Remove


@dataclass
class StopKind_StepsLimit:
    """It took as many steps as it may."""


@dataclass
class StopKind_TokenLimit:
    """It used as many tokens as it may."""


@dataclass
class StopKind_TimeLimit:
    """It took as long as it may."""


@dataclass
class StopKind_FinishReason:
    """The model stopped for a reason that ends the turn: the reason's name."""

    value: str


@dataclass
class StopKind_Other:
    """Anything else: a short, stable code for programs."""

    value: str


StopKind = StopKind_StepsLimit | StopKind_TokenLimit | StopKind_TimeLimit | StopKind_FinishReason | StopKind_Other


@dataclass
class StopSignal:
    """A hook's word that the turn is to end in good order."""

    kind: StopKind
    """Why."""
    message: str
    """Why, in words."""


@dataclass
class Workspace:
    """A directory that tools work in."""

    name: str
    """Its name."""
    path: str
    """Where it is."""
    reason: str
    """Why it happened to it, in words."""


@dataclass
class DomainPolicy:
    """What a turn may do in one domain, such as `memory`."""

    domain: str
    """The domain."""
    rules: str
    """The rules: the text of a JSON object, whose meaning is the domain's."""


@dataclass
class ContextItem:
    """Something that hooks which write the prompt should know."""

    kind: str
    """What sort of thing it is, such as `memory.fact`."""
    text: str
    """What it says."""
    data: str | None
    """More for programs, as JSON text."""


@dataclass
class PromptSection:
    """A part of the prompt."""

    id: str
    """The id, unique in the prompt; a later section of the same id takes the earlier one's place."""
    title: str | None
    """A heading."""
    text: str
    """What it says."""
    order: int
    """Where it stands: low first."""
    max_tokens: int | None
    """The most tokens it may take; what is over is cut off its end."""
    essential: bool
    """Whether the turn makes no sense without it: such sections are cut last."""


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
    """What the model is told."""
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
    """What it says, tool calls included."""
    stop: StopReason
    """Why it ended."""
    usage: Usage
    """What it used."""


@dataclass
class LlmResult:
    """The response, without what it says."""

    provider: str
    """The provider that answered."""
    model: str
    """The model that answered."""
    attempt: int
    """Which try this was, counted from 1."""
    stop: StopReason
    """Why the model stopped."""
    usage: Usage
    """What the call used."""
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
    """Where it is."""
    role: Role
    """Who wrote it."""
    parts: int
    """How many parts it has."""
    text_bytes: int
    """How many bytes of text it has, tool results included."""


@dataclass
class NamedSchema:
    """A shape that the model must answer in."""

    name: str
    """The schema's name."""
    schema: str
    """The JSON schema."""


@dataclass
class ResponseFormat_Text:
    """In any way."""


@dataclass
class ResponseFormat_Json:
    """With a JSON object."""


@dataclass
class ResponseFormat_Schema:
    """With JSON of this shape."""

    value: NamedSchema


ResponseFormat = ResponseFormat_Text | ResponseFormat_Json | ResponseFormat_Schema


@dataclass
class PromptEdit:
    """Changes to the draft. What is left out stays as it is."""

    system: str | None
    """Other instructions in place of the operator's, for this turn. Empty ones change nothing."""
    response_format: ResponseFormat | None
    """How the model must answer in this turn."""
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
    """What all its model calls used."""


@dataclass
class StepState:
    """Where the turn stands. The messages are in the view `conversation`."""

    messages: int
    """How many messages there are."""
    estimated_tokens: int
    """How many tokens the host thinks they are."""
    steps: int
    """How many steps the turn has taken."""
    usage: Usage
    """What the turn's model calls used so far."""
    elapsed_us: int
    """How long the turn has taken, in microseconds."""


@dataclass
class StepReport:
    """The step that is done."""

    stop: StopReason
    """Why the model stopped."""
    tool_calls: int
    """How many tools it asked for."""
    step_usage: Usage
    """What the step used."""
    usage: Usage
    """What the turn's model calls used so far."""
    elapsed_us: int
    """How long the turn has taken, in microseconds."""


@dataclass
class SubagentResult:
    """What became of it."""

    call_id: str
    """The id of the call that asked for it."""
    agent: str
    """Its name."""
    session_id: str | None
    """Its session; nothing if it was not started."""
    is_error: bool
    """Whether it failed."""
    output_bytes: int
    """How many bytes its result has."""
    steps: int
    """How many steps it took."""
    usage: Usage
    """What its model calls used."""
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
    """What its model calls used."""
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
    """What ends it."""
    steps: int
    """How many steps it took."""
    usage: Usage
    """What its model calls used."""
    kept_going: int
    """How often hooks have kept it going already."""
    may_keep_going: bool
    """Whether it can be kept going. A hook's stop signal cannot be overruled, and there is a most."""


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
    """A decision and those who had a hand in it."""

    decision: Decision
    """The decision."""
    decided_by: str | None
    """The hook that decided, if one did."""
    changed_by: list[str]
    """The hooks that changed the value, in order."""


@dataclass
class EvictionRetry:
    """What happened."""

    workspace: Workspace
    """The workspace."""
    attempt: int
    """Which try failed, counted from 1."""


@dataclass
class Snapshot:
    """What happened."""

    workspace: Workspace
    """The workspace."""
    path: str
    """Where the copy is."""
    bytes: int
    """How many bytes it has."""


_call = imported("call", optional=True)


class Context:
    """Where in the agent's life the call happens."""

    __slots__ = ("_session_id", "_agent", "_turn", "_step", "_read")

    _session_id: str
    _agent: str
    _turn: int
    _step: int
    _read: bool

    def __init__(self) -> None:
        self._forget()

    def _forget(self) -> None:
        self._session_id = self._agent = self._turn = self._step = UNREAD
        self._read = False

    @property
    def session_id(self) -> str:
        """The session, unique within the host."""
        value = self._session_id
        if value is UNREAD:
            self._read = True
            value = self._session_id = _call.session_id()
        return value

    @property
    def agent(self) -> str:
        """The name of the agent whose loop is running."""
        value = self._agent
        if value is UNREAD:
            self._read = True
            value = self._agent = _call.agent()
        return value

    @property
    def turn(self) -> int:
        """The turn, counted from 1; 0 outside of any turn."""
        value = self._turn
        if value is UNREAD:
            self._read = True
            value = self._turn = _call.turn()
        return value

    @property
    def step(self) -> int:
        """The step within the turn, counted from 1; 0 outside of any step."""
        value = self._step
        if value is UNREAD:
            self._read = True
            value = self._step = _call.step()
        return value

    def facts(self) -> ContextFacts:
        """All of them at once, as a record: cheaper for handlers that read more than four."""
        facts: ContextFacts = _call.context()
        return facts


_pre_compaction_facts = imported("pre_compaction_facts", optional=True)


class PreCompaction:
    """The conversation is over its budget and about to be compacted. It is in the view `conversation`."""

    __slots__ = ("_limit", "_used", "_messages", "_read")

    _limit: int
    _used: int
    _messages: int
    _read: bool

    def __init__(self) -> None:
        self._forget()

    def _forget(self) -> None:
        self._limit = self._used = self._messages = UNREAD
        self._read = False

    @property
    def limit(self) -> int:
        """The most tokens the conversation may have."""
        value = self._limit
        if value is UNREAD:
            self._read = True
            value = self._limit = _pre_compaction_facts.limit()
        return value

    @property
    def used(self) -> int:
        """How many it has, as the host thinks."""
        value = self._used
        if value is UNREAD:
            self._read = True
            value = self._used = _pre_compaction_facts.used()
        return value

    @property
    def messages(self) -> int:
        """How many messages it has."""
        value = self._messages
        if value is UNREAD:
            self._read = True
            value = self._messages = _pre_compaction_facts.messages()
        return value

    def facts(self) -> TokenBudget:
        """All of them at once, as a record: cheaper for handlers that read more than four."""
        facts: TokenBudget = _pre_compaction_facts.facts()
        return facts


PreCompactionOutcome = Proceed | Transform[tuple[list[int], str | None]] | Reject | None


_post_compaction_facts = imported("post_compaction_facts", optional=True)


class PostCompaction:
    """The conversation has been compacted. The summary is in the view `content`."""

    __slots__ = ("_removed", "_messages", "_summary_bytes", "_read")

    _removed: int
    _messages: int
    _summary_bytes: int
    _read: bool

    def __init__(self) -> None:
        self._forget()

    def _forget(self) -> None:
        self._removed = self._messages = self._summary_bytes = UNREAD
        self._read = False

    @property
    def removed(self) -> int:
        """How many messages were removed."""
        value = self._removed
        if value is UNREAD:
            self._read = True
            value = self._removed = _post_compaction_facts.removed()
        return value

    @property
    def messages(self) -> int:
        """How many messages there are now."""
        value = self._messages
        if value is UNREAD:
            self._read = True
            value = self._messages = _post_compaction_facts.messages()
        return value

    @property
    def summary_bytes(self) -> int:
        """How many bytes the summary has."""
        value = self._summary_bytes
        if value is UNREAD:
            self._read = True
            value = self._summary_bytes = _post_compaction_facts.summary_bytes()
        return value

    def facts(self) -> CompactionResult:
        """All of them at once, as a record: cheaper for handlers that read more than four."""
        facts: CompactionResult = _post_compaction_facts.facts()
        return facts


PostCompactionOutcome = Proceed | None


_pre_llm_call_facts = imported("pre_llm_call_facts", optional=True)


class PreLlmCall:
    """A model is about to be called. The messages are in the view `conversation`."""

    __slots__ = ("_provider", "_model", "_attempt", "_messages", "_tools", "_estimated_tokens", "_temperature", "_max_output_tokens", "_read")

    _provider: str
    _model: str
    _attempt: int
    _messages: int
    _tools: int
    _estimated_tokens: int
    _temperature: float | None
    _max_output_tokens: int | None
    _read: bool

    def __init__(self) -> None:
        self._forget()

    def _forget(self) -> None:
        self._provider = self._model = self._attempt = self._messages = self._tools = self._estimated_tokens = self._temperature = self._max_output_tokens = UNREAD
        self._read = False

    @property
    def provider(self) -> str:
        """The provider."""
        value = self._provider
        if value is UNREAD:
            self._read = True
            value = self._provider = _pre_llm_call_facts.provider()
        return value

    @property
    def model(self) -> str:
        """The model."""
        value = self._model
        if value is UNREAD:
            self._read = True
            value = self._model = _pre_llm_call_facts.model()
        return value

    @property
    def attempt(self) -> int:
        """Which try this is, counted from 1."""
        value = self._attempt
        if value is UNREAD:
            self._read = True
            value = self._attempt = _pre_llm_call_facts.attempt()
        return value

    @property
    def messages(self) -> int:
        """How many messages are sent."""
        value = self._messages
        if value is UNREAD:
            self._read = True
            value = self._messages = _pre_llm_call_facts.messages()
        return value

    @property
    def tools(self) -> int:
        """How many tools are offered."""
        value = self._tools
        if value is UNREAD:
            self._read = True
            value = self._tools = _pre_llm_call_facts.tools()
        return value

    @property
    def estimated_tokens(self) -> int:
        """How many tokens the host thinks the messages are."""
        value = self._estimated_tokens
        if value is UNREAD:
            self._read = True
            value = self._estimated_tokens = _pre_llm_call_facts.estimated_tokens()
        return value

    @property
    def temperature(self) -> float | None:
        """The sampling temperature; the provider's default if left out."""
        value = self._temperature
        if value is UNREAD:
            self._read = True
            value = self._temperature = _pre_llm_call_facts.temperature()
        return value

    @property
    def max_output_tokens(self) -> int | None:
        """The most tokens the model may write; the provider's default if left out."""
        value = self._max_output_tokens
        if value is UNREAD:
            self._read = True
            value = self._max_output_tokens = _pre_llm_call_facts.max_output_tokens()
        return value

    def facts(self) -> LlmCall:
        """All of them at once, as a record: cheaper for handlers that read more than four."""
        facts: LlmCall = _pre_llm_call_facts.facts()
        return facts


PreLlmCallOutcome = Proceed | Transform[LlmCallEdit] | Reject | Replace[LlmCallEdit] | Answer[LlmResponse] | None


_post_llm_call_facts = imported("post_llm_call_facts", optional=True)


class PostLlmCall:
    """A model has answered. The response is in the view `content`."""

    __slots__ = ("_provider", "_model", "_attempt", "_stop", "_usage", "_text_bytes", "_tool_calls", "_elapsed_us", "_read")

    _provider: str
    _model: str
    _attempt: int
    _stop: StopReason
    _usage: Usage
    _text_bytes: int
    _tool_calls: list[str]
    _elapsed_us: int
    _read: bool

    def __init__(self) -> None:
        self._forget()

    def _forget(self) -> None:
        self._provider = self._model = self._attempt = self._stop = self._usage = self._text_bytes = self._tool_calls = self._elapsed_us = UNREAD
        self._read = False

    @property
    def provider(self) -> str:
        """The provider that answered."""
        value = self._provider
        if value is UNREAD:
            self._read = True
            value = self._provider = _post_llm_call_facts.provider()
        return value

    @property
    def model(self) -> str:
        """The model that answered."""
        value = self._model
        if value is UNREAD:
            self._read = True
            value = self._model = _post_llm_call_facts.model()
        return value

    @property
    def attempt(self) -> int:
        """Which try this was, counted from 1."""
        value = self._attempt
        if value is UNREAD:
            self._read = True
            value = self._attempt = _post_llm_call_facts.attempt()
        return value

    @property
    def stop(self) -> StopReason:
        """Why the model stopped."""
        value = self._stop
        if value is UNREAD:
            self._read = True
            value = self._stop = _post_llm_call_facts.stop()
        return value

    @property
    def usage(self) -> Usage:
        """What the call used."""
        value = self._usage
        if value is UNREAD:
            self._read = True
            value = self._usage = _post_llm_call_facts.usage()
        return value

    @property
    def text_bytes(self) -> int:
        """How many bytes of text the response has."""
        value = self._text_bytes
        if value is UNREAD:
            self._read = True
            value = self._text_bytes = _post_llm_call_facts.text_bytes()
        return value

    @property
    def tool_calls(self) -> list[str]:
        """The names of the tools it asks for, in order."""
        value = self._tool_calls
        if value is UNREAD:
            self._read = True
            value = self._tool_calls = _post_llm_call_facts.tool_calls()
        return value

    @property
    def elapsed_us(self) -> int:
        """How long the call took, in microseconds."""
        value = self._elapsed_us
        if value is UNREAD:
            self._read = True
            value = self._elapsed_us = _post_llm_call_facts.elapsed_us()
        return value

    def facts(self) -> LlmResult:
        """All of them at once, as a record: cheaper for handlers that read more than four."""
        facts: LlmResult = _post_llm_call_facts.facts()
        return facts


PostLlmCallOutcome = Proceed | Transform[list[ContentPart]] | Reject | Replace[list[ContentPart]] | None


_llm_error_facts = imported("llm_error_facts", optional=True)


class LlmError:
    """A model call has failed."""

    __slots__ = ("_provider", "_model", "_attempt", "_kind", "_status", "_message", "_retry_after_ms", "_providers", "_read")

    _provider: str
    _model: str
    _attempt: int
    _kind: ProviderErrorKind
    _status: int | None
    _message: str
    _retry_after_ms: int | None
    _providers: list[str]
    _read: bool

    def __init__(self) -> None:
        self._forget()

    def _forget(self) -> None:
        self._provider = self._model = self._attempt = self._kind = self._status = self._message = self._retry_after_ms = self._providers = UNREAD
        self._read = False

    @property
    def provider(self) -> str:
        """The provider that failed."""
        value = self._provider
        if value is UNREAD:
            self._read = True
            value = self._provider = _llm_error_facts.provider()
        return value

    @property
    def model(self) -> str:
        """The model that was called."""
        value = self._model
        if value is UNREAD:
            self._read = True
            value = self._model = _llm_error_facts.model()
        return value

    @property
    def attempt(self) -> int:
        """Which try failed, counted from 1."""
        value = self._attempt
        if value is UNREAD:
            self._read = True
            value = self._attempt = _llm_error_facts.attempt()
        return value

    @property
    def kind(self) -> ProviderErrorKind:
        """What went wrong."""
        value = self._kind
        if value is UNREAD:
            self._read = True
            value = self._kind = _llm_error_facts.kind()
        return value

    @property
    def status(self) -> int | None:
        """The HTTP status, if there was one."""
        value = self._status
        if value is UNREAD:
            self._read = True
            value = self._status = _llm_error_facts.status()
        return value

    @property
    def message(self) -> str:
        """The provider's words."""
        value = self._message
        if value is UNREAD:
            self._read = True
            value = self._message = _llm_error_facts.message()
        return value

    @property
    def retry_after_ms(self) -> int | None:
        """How long the provider asks to wait, in milliseconds."""
        value = self._retry_after_ms
        if value is UNREAD:
            self._read = True
            value = self._retry_after_ms = _llm_error_facts.retry_after_ms()
        return value

    @property
    def providers(self) -> list[str]:
        """The providers that the agent has, by name, in the operator's order."""
        value = self._providers
        if value is UNREAD:
            self._read = True
            value = self._providers = _llm_error_facts.providers()
        return value

    def facts(self) -> LlmFailure:
        """All of them at once, as a record: cheaper for handlers that read more than four."""
        facts: LlmFailure = _llm_error_facts.facts()
        return facts


LlmErrorOutcome = Proceed | Retry | SwitchProvider | GiveUp | None


_llm_delta_facts = imported("llm_delta_facts", optional=True)


class LlmDelta:
    """A piece of a model's response is about to be shown, before the response is whole. It is in the view `content`."""

    __slots__ = ("_kind", "_index", "_bytes", "_last", "_read")

    _kind: DeltaKind
    _index: int
    _bytes: int
    _last: bool
    _read: bool

    def __init__(self) -> None:
        self._forget()

    def _forget(self) -> None:
        self._kind = self._index = self._bytes = self._last = UNREAD
        self._read = False

    @property
    def kind(self) -> DeltaKind:
        """What it is of."""
        value = self._kind
        if value is UNREAD:
            self._read = True
            value = self._kind = _llm_delta_facts.kind()
        return value

    @property
    def index(self) -> int:
        """Which piece of its kind it is, counted from 0."""
        value = self._index
        if value is UNREAD:
            self._read = True
            value = self._index = _llm_delta_facts.index()
        return value

    @property
    def bytes(self) -> int:
        """How many bytes it has."""
        value = self._bytes
        if value is UNREAD:
            self._read = True
            value = self._bytes = _llm_delta_facts.bytes()
        return value

    @property
    def last(self) -> bool:
        """Whether it is the last of its kind; it may be empty then. A hook that holds text back gives it out here."""
        value = self._last
        if value is UNREAD:
            self._read = True
            value = self._last = _llm_delta_facts.last()
        return value

    def facts(self) -> Delta:
        """All of them at once, as a record: cheaper for handlers that read more than four."""
        facts: Delta = _llm_delta_facts.facts()
        return facts


LlmDeltaOutcome = Proceed | Transform[str] | Reject | Stop | None


_state_changed_facts = imported("state_changed_facts", optional=True)


class StateChanged:
    """A tool changed the agent's state. The change is in the view `agent-state`."""

    __slots__ = ("_tool", "_call_id", "_keys", "_read")

    _tool: str
    _call_id: str
    _keys: list[str]
    _read: bool

    def __init__(self) -> None:
        self._forget()

    def _forget(self) -> None:
        self._tool = self._call_id = self._keys = UNREAD
        self._read = False

    @property
    def tool(self) -> str:
        """The tool."""
        value = self._tool
        if value is UNREAD:
            self._read = True
            value = self._tool = _state_changed_facts.tool()
        return value

    @property
    def call_id(self) -> str:
        """The id of its call."""
        value = self._call_id
        if value is UNREAD:
            self._read = True
            value = self._call_id = _state_changed_facts.call_id()
        return value

    @property
    def keys(self) -> list[str]:
        """The keys that changed, in order."""
        value = self._keys
        if value is UNREAD:
            self._read = True
            value = self._keys = _state_changed_facts.keys()
        return value

    def facts(self) -> StateChange:
        """All of them at once, as a record: cheaper for handlers that read more than four."""
        facts: StateChange = _state_changed_facts.facts()
        return facts


StateChangedOutcome = Proceed | None


_message_added_facts = imported("message_added_facts", optional=True)


class MessageAdded:
    """A message was added to the conversation. It is in the view `content`, and the last in `conversation`."""

    __slots__ = ("_index", "_role", "_parts", "_text_bytes", "_read")

    _index: int
    _role: Role
    _parts: int
    _text_bytes: int
    _read: bool

    def __init__(self) -> None:
        self._forget()

    def _forget(self) -> None:
        self._index = self._role = self._parts = self._text_bytes = UNREAD
        self._read = False

    @property
    def index(self) -> int:
        """Where it is."""
        value = self._index
        if value is UNREAD:
            self._read = True
            value = self._index = _message_added_facts.index()
        return value

    @property
    def role(self) -> Role:
        """Who wrote it."""
        value = self._role
        if value is UNREAD:
            self._read = True
            value = self._role = _message_added_facts.role()
        return value

    @property
    def parts(self) -> int:
        """How many parts it has."""
        value = self._parts
        if value is UNREAD:
            self._read = True
            value = self._parts = _message_added_facts.parts()
        return value

    @property
    def text_bytes(self) -> int:
        """How many bytes of text it has, tool results included."""
        value = self._text_bytes
        if value is UNREAD:
            self._read = True
            value = self._text_bytes = _message_added_facts.text_bytes()
        return value

    def facts(self) -> AddedMessage:
        """All of them at once, as a record: cheaper for handlers that read more than four."""
        facts: AddedMessage = _message_added_facts.facts()
        return facts


MessageAddedOutcome = Proceed | None


_prompt_policy_facts = imported("prompt_policy_facts", optional=True)


class PromptPolicy:
    """A turn's prompt is about to be put together: what may be done in it? What the user said is in the view `content`."""

    __slots__ = ("_text_bytes", "_messages", "_tools", "_policies", "_read")

    _text_bytes: int
    _messages: int
    _tools: int
    _policies: int
    _read: bool

    def __init__(self) -> None:
        self._forget()

    def _forget(self) -> None:
        self._text_bytes = self._messages = self._tools = self._policies = UNREAD
        self._read = False

    @property
    def text_bytes(self) -> int:
        """How many bytes of text the user wrote."""
        value = self._text_bytes
        if value is UNREAD:
            self._read = True
            value = self._text_bytes = _prompt_policy_facts.text_bytes()
        return value

    @property
    def messages(self) -> int:
        """How many messages there are."""
        value = self._messages
        if value is UNREAD:
            self._read = True
            value = self._messages = _prompt_policy_facts.messages()
        return value

    @property
    def tools(self) -> int:
        """How many tools the model is offered."""
        value = self._tools
        if value is UNREAD:
            self._read = True
            value = self._tools = _prompt_policy_facts.tools()
        return value

    @property
    def policies(self) -> int:
        """How many policies were contributed so far."""
        value = self._policies
        if value is UNREAD:
            self._read = True
            value = self._policies = _prompt_policy_facts.policies()
        return value

    def facts(self) -> TurnFacts:
        """All of them at once, as a record: cheaper for handlers that read more than four."""
        facts: TurnFacts = _prompt_policy_facts.facts()
        return facts


PromptPolicyOutcome = Proceed | Contribute[AddPolicy | AddNote | AddJob] | AddPolicy | AddNote | AddJob | None


_prompt_context_facts = imported("prompt_context_facts", optional=True)


class PromptContext:
    """What should the turn know? What the user said is in the view `content`, the policies in `prompt`."""

    __slots__ = ("_text_bytes", "_policies", "_items", "_read")

    _text_bytes: int
    _policies: int
    _items: int
    _read: bool

    def __init__(self) -> None:
        self._forget()

    def _forget(self) -> None:
        self._text_bytes = self._policies = self._items = UNREAD
        self._read = False

    @property
    def text_bytes(self) -> int:
        """How many bytes of text the user wrote."""
        value = self._text_bytes
        if value is UNREAD:
            self._read = True
            value = self._text_bytes = _prompt_context_facts.text_bytes()
        return value

    @property
    def policies(self) -> int:
        """How many policies hold."""
        value = self._policies
        if value is UNREAD:
            self._read = True
            value = self._policies = _prompt_context_facts.policies()
        return value

    @property
    def items(self) -> int:
        """How many items were contributed so far."""
        value = self._items
        if value is UNREAD:
            self._read = True
            value = self._items = _prompt_context_facts.items()
        return value

    def facts(self) -> ContextSet:
        """All of them at once, as a record: cheaper for handlers that read more than four."""
        facts: ContextSet = _prompt_context_facts.facts()
        return facts


PromptContextOutcome = Proceed | Contribute[AddContext | AddNote | AddJob] | AddContext | AddNote | AddJob | None


_prompt_recall_facts = imported("prompt_recall_facts", optional=True)


class PromptRecall:
    """The agent has planned what to look for; what else should the turn know? The plan's queries are in the view `prompt`."""

    __slots__ = ("_queries", "_max_items", "_max_tokens", "_fallback", "_items", "_read")

    _queries: int
    _max_items: int
    _max_tokens: int
    _fallback: bool
    _items: int
    _read: bool

    def __init__(self) -> None:
        self._forget()

    def _forget(self) -> None:
        self._queries = self._max_items = self._max_tokens = self._fallback = self._items = UNREAD
        self._read = False

    @property
    def queries(self) -> int:
        """How many queries it has."""
        value = self._queries
        if value is UNREAD:
            self._read = True
            value = self._queries = _prompt_recall_facts.queries()
        return value

    @property
    def max_items(self) -> int:
        """The most items to recall."""
        value = self._max_items
        if value is UNREAD:
            self._read = True
            value = self._max_items = _prompt_recall_facts.max_items()
        return value

    @property
    def max_tokens(self) -> int:
        """The most tokens to recall."""
        value = self._max_tokens
        if value is UNREAD:
            self._read = True
            value = self._max_tokens = _prompt_recall_facts.max_tokens()
        return value

    @property
    def fallback(self) -> bool:
        """Whether it is the fallback, made without a planner."""
        value = self._fallback
        if value is UNREAD:
            self._read = True
            value = self._fallback = _prompt_recall_facts.fallback()
        return value

    @property
    def items(self) -> int:
        """How many items were contributed so far."""
        value = self._items
        if value is UNREAD:
            self._read = True
            value = self._items = _prompt_recall_facts.items()
        return value

    def facts(self) -> RecallPlan:
        """All of them at once, as a record: cheaper for handlers that read more than four."""
        facts: RecallPlan = _prompt_recall_facts.facts()
        return facts


PromptRecallOutcome = Proceed | Contribute[AddContext | AddNote | AddJob] | AddContext | AddNote | AddJob | None


_prompt_tools_facts = imported("prompt_tools_facts", optional=True)


class PromptTools:
    """The tools are about to be offered: which others are there? Those so far are in the view `tool-catalog`."""

    __slots__ = ("_tools", "_bundles", "_read")

    _tools: int
    _bundles: int
    _read: bool

    def __init__(self) -> None:
        self._forget()

    def _forget(self) -> None:
        self._tools = self._bundles = UNREAD
        self._read = False

    @property
    def tools(self) -> int:
        """How many tools there are."""
        value = self._tools
        if value is UNREAD:
            self._read = True
            value = self._tools = _prompt_tools_facts.tools()
        return value

    @property
    def bundles(self) -> int:
        """How many bundles were contributed so far."""
        value = self._bundles
        if value is UNREAD:
            self._read = True
            value = self._bundles = _prompt_tools_facts.bundles()
        return value

    def facts(self) -> ToolSet:
        """All of them at once, as a record: cheaper for handlers that read more than four."""
        facts: ToolSet = _prompt_tools_facts.facts()
        return facts


PromptToolsOutcome = Proceed | Contribute[AddTools | AddNote | AddJob] | AddTools | AddNote | AddJob | None


_prompt_compile_facts = imported("prompt_compile_facts", optional=True)


class PromptCompile:
    """The prompt is about to be written. What was contributed is in the view `prompt`."""

    __slots__ = ("_sections", "_items", "_tokens", "_budget_tokens", "_read")

    _sections: int
    _items: int
    _tokens: int
    _budget_tokens: int
    _read: bool

    def __init__(self) -> None:
        self._forget()

    def _forget(self) -> None:
        self._sections = self._items = self._tokens = self._budget_tokens = UNREAD
        self._read = False

    @property
    def sections(self) -> int:
        """How many sections there are so far."""
        value = self._sections
        if value is UNREAD:
            self._read = True
            value = self._sections = _prompt_compile_facts.sections()
        return value

    @property
    def items(self) -> int:
        """How many items of context there are."""
        value = self._items
        if value is UNREAD:
            self._read = True
            value = self._items = _prompt_compile_facts.items()
        return value

    @property
    def tokens(self) -> int:
        """How many tokens the sections are, as the host thinks."""
        value = self._tokens
        if value is UNREAD:
            self._read = True
            value = self._tokens = _prompt_compile_facts.tokens()
        return value

    @property
    def budget_tokens(self) -> int:
        """The most tokens they may have."""
        value = self._budget_tokens
        if value is UNREAD:
            self._read = True
            value = self._budget_tokens = _prompt_compile_facts.budget_tokens()
        return value

    def facts(self) -> PromptDraft:
        """All of them at once, as a record: cheaper for handlers that read more than four."""
        facts: PromptDraft = _prompt_compile_facts.facts()
        return facts


PromptCompileOutcome = Proceed | Transform[PromptEdit] | Contribute[AddSection | AddNote | AddJob] | AddSection | AddNote | AddJob | None


_session_start_facts = imported("session_start_facts", optional=True)


class SessionStart:
    """A session begins: before its first turn."""

    __slots__ = ("_provider", "_model", "_tools", "_read")

    _provider: str
    _model: str
    _tools: int
    _read: bool

    def __init__(self) -> None:
        self._forget()

    def _forget(self) -> None:
        self._provider = self._model = self._tools = UNREAD
        self._read = False

    @property
    def provider(self) -> str:
        """The provider that the agent calls first."""
        value = self._provider
        if value is UNREAD:
            self._read = True
            value = self._provider = _session_start_facts.provider()
        return value

    @property
    def model(self) -> str:
        """The model that the agent calls first."""
        value = self._model
        if value is UNREAD:
            self._read = True
            value = self._model = _session_start_facts.model()
        return value

    @property
    def tools(self) -> int:
        """How many tools the model is offered."""
        value = self._tools
        if value is UNREAD:
            self._read = True
            value = self._tools = _session_start_facts.tools()
        return value

    def facts(self) -> SessionInfo:
        """All of them at once, as a record: cheaper for handlers that read more than four."""
        facts: SessionInfo = _session_start_facts.facts()
        return facts


SessionStartOutcome = Proceed | Reject | None


_session_end_facts = imported("session_end_facts", optional=True)


class SessionEnd:
    """A session ends, however it ends."""

    __slots__ = ("_reason", "_turns", "_usage", "_read")

    _reason: EndReason
    _turns: int
    _usage: Usage
    _read: bool

    def __init__(self) -> None:
        self._forget()

    def _forget(self) -> None:
        self._reason = self._turns = self._usage = UNREAD
        self._read = False

    @property
    def reason(self) -> EndReason:
        """Why it ends."""
        value = self._reason
        if value is UNREAD:
            self._read = True
            value = self._reason = _session_end_facts.reason()
        return value

    @property
    def turns(self) -> int:
        """How many turns it had."""
        value = self._turns
        if value is UNREAD:
            self._read = True
            value = self._turns = _session_end_facts.turns()
        return value

    @property
    def usage(self) -> Usage:
        """What all its model calls used."""
        value = self._usage
        if value is UNREAD:
            self._read = True
            value = self._usage = _session_end_facts.usage()
        return value

    def facts(self) -> SessionSummary:
        """All of them at once, as a record: cheaper for handlers that read more than four."""
        facts: SessionSummary = _session_end_facts.facts()
        return facts


SessionEndOutcome = Proceed | None


_pre_step_facts = imported("pre_step_facts", optional=True)


class PreStep:
    """A step begins: one model call, and the tool calls it asks for."""

    __slots__ = ("_messages", "_estimated_tokens", "_steps", "_usage", "_elapsed_us", "_read")

    _messages: int
    _estimated_tokens: int
    _steps: int
    _usage: Usage
    _elapsed_us: int
    _read: bool

    def __init__(self) -> None:
        self._forget()

    def _forget(self) -> None:
        self._messages = self._estimated_tokens = self._steps = self._usage = self._elapsed_us = UNREAD
        self._read = False

    @property
    def messages(self) -> int:
        """How many messages there are."""
        value = self._messages
        if value is UNREAD:
            self._read = True
            value = self._messages = _pre_step_facts.messages()
        return value

    @property
    def estimated_tokens(self) -> int:
        """How many tokens the host thinks they are."""
        value = self._estimated_tokens
        if value is UNREAD:
            self._read = True
            value = self._estimated_tokens = _pre_step_facts.estimated_tokens()
        return value

    @property
    def steps(self) -> int:
        """How many steps the turn has taken."""
        value = self._steps
        if value is UNREAD:
            self._read = True
            value = self._steps = _pre_step_facts.steps()
        return value

    @property
    def usage(self) -> Usage:
        """What the turn's model calls used so far."""
        value = self._usage
        if value is UNREAD:
            self._read = True
            value = self._usage = _pre_step_facts.usage()
        return value

    @property
    def elapsed_us(self) -> int:
        """How long the turn has taken, in microseconds."""
        value = self._elapsed_us
        if value is UNREAD:
            self._read = True
            value = self._elapsed_us = _pre_step_facts.elapsed_us()
        return value

    def facts(self) -> StepState:
        """All of them at once, as a record: cheaper for handlers that read more than four."""
        facts: StepState = _pre_step_facts.facts()
        return facts


PreStepOutcome = Proceed | Transform[list[MessageEdit]] | Reject | Stop | None


_post_step_facts = imported("post_step_facts", optional=True)


class PostStep:
    """A step is done, its tools included. What the model said in it is in the view `content`."""

    __slots__ = ("_stop", "_tool_calls", "_step_usage", "_usage", "_elapsed_us", "_read")

    _stop: StopReason
    _tool_calls: int
    _step_usage: Usage
    _usage: Usage
    _elapsed_us: int
    _read: bool

    def __init__(self) -> None:
        self._forget()

    def _forget(self) -> None:
        self._stop = self._tool_calls = self._step_usage = self._usage = self._elapsed_us = UNREAD
        self._read = False

    @property
    def stop(self) -> StopReason:
        """Why the model stopped."""
        value = self._stop
        if value is UNREAD:
            self._read = True
            value = self._stop = _post_step_facts.stop()
        return value

    @property
    def tool_calls(self) -> int:
        """How many tools it asked for."""
        value = self._tool_calls
        if value is UNREAD:
            self._read = True
            value = self._tool_calls = _post_step_facts.tool_calls()
        return value

    @property
    def step_usage(self) -> Usage:
        """What the step used."""
        value = self._step_usage
        if value is UNREAD:
            self._read = True
            value = self._step_usage = _post_step_facts.step_usage()
        return value

    @property
    def usage(self) -> Usage:
        """What the turn's model calls used so far."""
        value = self._usage
        if value is UNREAD:
            self._read = True
            value = self._usage = _post_step_facts.usage()
        return value

    @property
    def elapsed_us(self) -> int:
        """How long the turn has taken, in microseconds."""
        value = self._elapsed_us
        if value is UNREAD:
            self._read = True
            value = self._elapsed_us = _post_step_facts.elapsed_us()
        return value

    def facts(self) -> StepReport:
        """All of them at once, as a record: cheaper for handlers that read more than four."""
        facts: StepReport = _post_step_facts.facts()
        return facts


PostStepOutcome = Proceed | Stop | None


_pre_subagent_facts = imported("pre_subagent_facts", optional=True)


class PreSubagent:
    """A sub-agent is about to be started. Its task is in the view `content`."""

    __slots__ = ("_call_id", "_agent", "_task_bytes", "_depth", "_read")

    _call_id: str
    _agent: str
    _task_bytes: int
    _depth: int
    _read: bool

    def __init__(self) -> None:
        self._forget()

    def _forget(self) -> None:
        self._call_id = self._agent = self._task_bytes = self._depth = UNREAD
        self._read = False

    @property
    def call_id(self) -> str:
        """The id of the call that asks for it."""
        value = self._call_id
        if value is UNREAD:
            self._read = True
            value = self._call_id = _pre_subagent_facts.call_id()
        return value

    @property
    def agent(self) -> str:
        """Its name."""
        value = self._agent
        if value is UNREAD:
            self._read = True
            value = self._agent = _pre_subagent_facts.agent()
        return value

    @property
    def task_bytes(self) -> int:
        """How many bytes its task has."""
        value = self._task_bytes
        if value is UNREAD:
            self._read = True
            value = self._task_bytes = _pre_subagent_facts.task_bytes()
        return value

    @property
    def depth(self) -> int:
        """How deep it is: 1 for a sub-agent of the first agent."""
        value = self._depth
        if value is UNREAD:
            self._read = True
            value = self._depth = _pre_subagent_facts.depth()
        return value

    def facts(self) -> SubagentSpec:
        """All of them at once, as a record: cheaper for handlers that read more than four."""
        facts: SubagentSpec = _pre_subagent_facts.facts()
        return facts


PreSubagentOutcome = Proceed | Transform[str] | Reject | Replace[str] | Answer[tuple[str, bool]] | None


_post_subagent_facts = imported("post_subagent_facts", optional=True)


class PostSubagent:
    """A sub-agent is done. Its result is in the view `content`."""

    __slots__ = ("_call_id", "_agent", "_session_id", "_is_error", "_output_bytes", "_steps", "_usage", "_elapsed_us", "_read")

    _call_id: str
    _agent: str
    _session_id: str | None
    _is_error: bool
    _output_bytes: int
    _steps: int
    _usage: Usage
    _elapsed_us: int
    _read: bool

    def __init__(self) -> None:
        self._forget()

    def _forget(self) -> None:
        self._call_id = self._agent = self._session_id = self._is_error = self._output_bytes = self._steps = self._usage = self._elapsed_us = UNREAD
        self._read = False

    @property
    def call_id(self) -> str:
        """The id of the call that asked for it."""
        value = self._call_id
        if value is UNREAD:
            self._read = True
            value = self._call_id = _post_subagent_facts.call_id()
        return value

    @property
    def agent(self) -> str:
        """Its name."""
        value = self._agent
        if value is UNREAD:
            self._read = True
            value = self._agent = _post_subagent_facts.agent()
        return value

    @property
    def session_id(self) -> str | None:
        """Its session; nothing if it was not started."""
        value = self._session_id
        if value is UNREAD:
            self._read = True
            value = self._session_id = _post_subagent_facts.session_id()
        return value

    @property
    def is_error(self) -> bool:
        """Whether it failed."""
        value = self._is_error
        if value is UNREAD:
            self._read = True
            value = self._is_error = _post_subagent_facts.is_error()
        return value

    @property
    def output_bytes(self) -> int:
        """How many bytes its result has."""
        value = self._output_bytes
        if value is UNREAD:
            self._read = True
            value = self._output_bytes = _post_subagent_facts.output_bytes()
        return value

    @property
    def steps(self) -> int:
        """How many steps it took."""
        value = self._steps
        if value is UNREAD:
            self._read = True
            value = self._steps = _post_subagent_facts.steps()
        return value

    @property
    def usage(self) -> Usage:
        """What its model calls used."""
        value = self._usage
        if value is UNREAD:
            self._read = True
            value = self._usage = _post_subagent_facts.usage()
        return value

    @property
    def elapsed_us(self) -> int:
        """How long it took, in microseconds."""
        value = self._elapsed_us
        if value is UNREAD:
            self._read = True
            value = self._elapsed_us = _post_subagent_facts.elapsed_us()
        return value

    def facts(self) -> SubagentResult:
        """All of them at once, as a record: cheaper for handlers that read more than four."""
        facts: SubagentResult = _post_subagent_facts.facts()
        return facts


PostSubagentOutcome = Proceed | Transform[str] | None


_pre_tool_call_facts = imported("pre_tool_call_facts", optional=True)


class PreToolCall:
    """A tool is about to run: the policy allows it, nothing has been done. The arguments are in the view `tool-data`."""

    __slots__ = ("_call_id", "_name", "_arguments_bytes", "_grant", "_read")

    _call_id: str
    _name: str
    _arguments_bytes: int
    _grant: ExecutionGrant
    _read: bool

    def __init__(self) -> None:
        self._forget()

    def _forget(self) -> None:
        self._call_id = self._name = self._arguments_bytes = self._grant = UNREAD
        self._read = False

    @property
    def call_id(self) -> str:
        """The id of the call."""
        value = self._call_id
        if value is UNREAD:
            self._read = True
            value = self._call_id = _pre_tool_call_facts.call_id()
        return value

    @property
    def name(self) -> str:
        """The name of the tool."""
        value = self._name
        if value is UNREAD:
            self._read = True
            value = self._name = _pre_tool_call_facts.name()
        return value

    @property
    def arguments_bytes(self) -> int:
        """How many bytes the arguments have."""
        value = self._arguments_bytes
        if value is UNREAD:
            self._read = True
            value = self._arguments_bytes = _pre_tool_call_facts.arguments_bytes()
        return value

    @property
    def grant(self) -> ExecutionGrant:
        """What the policy lets it do."""
        value = self._grant
        if value is UNREAD:
            self._read = True
            value = self._grant = _pre_tool_call_facts.grant()
        return value

    def facts(self) -> ToolRequest:
        """All of them at once, as a record: cheaper for handlers that read more than four."""
        facts: ToolRequest = _pre_tool_call_facts.facts()
        return facts


PreToolCallOutcome = Proceed | Transform[str] | Reject | Replace[str] | Answer[tuple[str, bool]] | Ask | None


_post_tool_call_facts = imported("post_tool_call_facts", optional=True)


class PostToolCall:
    """A tool has run. Arguments and output are in the view `tool-data`."""

    __slots__ = ("_call_id", "_name", "_output_bytes", "_is_error", "_elapsed_us", "_read")

    _call_id: str
    _name: str
    _output_bytes: int
    _is_error: bool
    _elapsed_us: int
    _read: bool

    def __init__(self) -> None:
        self._forget()

    def _forget(self) -> None:
        self._call_id = self._name = self._output_bytes = self._is_error = self._elapsed_us = UNREAD
        self._read = False

    @property
    def call_id(self) -> str:
        """The id of the call."""
        value = self._call_id
        if value is UNREAD:
            self._read = True
            value = self._call_id = _post_tool_call_facts.call_id()
        return value

    @property
    def name(self) -> str:
        """The name of the tool."""
        value = self._name
        if value is UNREAD:
            self._read = True
            value = self._name = _post_tool_call_facts.name()
        return value

    @property
    def output_bytes(self) -> int:
        """How many bytes the output has."""
        value = self._output_bytes
        if value is UNREAD:
            self._read = True
            value = self._output_bytes = _post_tool_call_facts.output_bytes()
        return value

    @property
    def is_error(self) -> bool:
        """Whether the tool failed."""
        value = self._is_error
        if value is UNREAD:
            self._read = True
            value = self._is_error = _post_tool_call_facts.is_error()
        return value

    @property
    def elapsed_us(self) -> int:
        """How long it ran, in microseconds."""
        value = self._elapsed_us
        if value is UNREAD:
            self._read = True
            value = self._elapsed_us = _post_tool_call_facts.elapsed_us()
        return value

    def facts(self) -> ToolOutcome:
        """All of them at once, as a record: cheaper for handlers that read more than four."""
        facts: ToolOutcome = _post_tool_call_facts.facts()
        return facts


PostToolCallOutcome = Proceed | Transform[tuple[str, bool]] | Reject | Replace[tuple[str, bool]] | None


_tool_update_facts = imported("tool_update_facts", optional=True)


class ToolUpdate:
    """A running tool tells how far it is. What it tells is in the view `content`."""

    __slots__ = ("_call_id", "_name", "_index", "_text_bytes", "_read")

    _call_id: str
    _name: str
    _index: int
    _text_bytes: int
    _read: bool

    def __init__(self) -> None:
        self._forget()

    def _forget(self) -> None:
        self._call_id = self._name = self._index = self._text_bytes = UNREAD
        self._read = False

    @property
    def call_id(self) -> str:
        """The id of the call."""
        value = self._call_id
        if value is UNREAD:
            self._read = True
            value = self._call_id = _tool_update_facts.call_id()
        return value

    @property
    def name(self) -> str:
        """The name of the tool."""
        value = self._name
        if value is UNREAD:
            self._read = True
            value = self._name = _tool_update_facts.name()
        return value

    @property
    def index(self) -> int:
        """Which update of the call it is, counted from 0."""
        value = self._index
        if value is UNREAD:
            self._read = True
            value = self._index = _tool_update_facts.index()
        return value

    @property
    def text_bytes(self) -> int:
        """How many bytes of text it has."""
        value = self._text_bytes
        if value is UNREAD:
            self._read = True
            value = self._text_bytes = _tool_update_facts.text_bytes()
        return value

    def facts(self) -> ToolUpdateToolProgress:
        """All of them at once, as a record: cheaper for handlers that read more than four."""
        facts: ToolUpdateToolProgress = _tool_update_facts.facts()
        return facts


ToolUpdateOutcome = Proceed | Reject | None


_tool_update_sent_facts = imported("tool_update_sent_facts", optional=True)


class ToolUpdateSent:
    """An update of a running tool was shown. What it told is in the view `content`."""

    __slots__ = ("_call_id", "_name", "_index", "_text_bytes", "_read")

    _call_id: str
    _name: str
    _index: int
    _text_bytes: int
    _read: bool

    def __init__(self) -> None:
        self._forget()

    def _forget(self) -> None:
        self._call_id = self._name = self._index = self._text_bytes = UNREAD
        self._read = False

    @property
    def call_id(self) -> str:
        """The id of the call."""
        value = self._call_id
        if value is UNREAD:
            self._read = True
            value = self._call_id = _tool_update_sent_facts.call_id()
        return value

    @property
    def name(self) -> str:
        """The name of the tool."""
        value = self._name
        if value is UNREAD:
            self._read = True
            value = self._name = _tool_update_sent_facts.name()
        return value

    @property
    def index(self) -> int:
        """Which update of the call it is, counted from 0."""
        value = self._index
        if value is UNREAD:
            self._read = True
            value = self._index = _tool_update_sent_facts.index()
        return value

    @property
    def text_bytes(self) -> int:
        """How many bytes of text it has."""
        value = self._text_bytes
        if value is UNREAD:
            self._read = True
            value = self._text_bytes = _tool_update_sent_facts.text_bytes()
        return value

    def facts(self) -> ToolUpdateSentToolProgress:
        """All of them at once, as a record: cheaper for handlers that read more than four."""
        facts: ToolUpdateSentToolProgress = _tool_update_sent_facts.facts()
        return facts


ToolUpdateSentOutcome = Proceed | None


_pre_turn_facts = imported("pre_turn_facts", optional=True)


class PreTurn:
    """A turn begins: the user has said something, nothing has been done with it."""

    __slots__ = ("_text_bytes", "_parts", "_read")

    _text_bytes: int
    _parts: int
    _read: bool

    def __init__(self) -> None:
        self._forget()

    def _forget(self) -> None:
        self._text_bytes = self._parts = UNREAD
        self._read = False

    @property
    def text_bytes(self) -> int:
        """How many bytes of text the user wrote."""
        value = self._text_bytes
        if value is UNREAD:
            self._read = True
            value = self._text_bytes = _pre_turn_facts.text_bytes()
        return value

    @property
    def parts(self) -> int:
        """How many parts there are."""
        value = self._parts
        if value is UNREAD:
            self._read = True
            value = self._parts = _pre_turn_facts.parts()
        return value

    def facts(self) -> TurnInput:
        """All of them at once, as a record: cheaper for handlers that read more than four."""
        facts: TurnInput = _pre_turn_facts.facts()
        return facts


PreTurnOutcome = Proceed | Transform[list[ContentPart]] | Reject | Replace[list[ContentPart]] | Answer[list[ContentPart]] | None


_post_turn_facts = imported("post_turn_facts", optional=True)


class PostTurn:
    """A turn is done, its output not yet given back."""

    __slots__ = ("_text_bytes", "_steps", "_stop", "_usage", "_elapsed_us", "_read")

    _text_bytes: int
    _steps: int
    _stop: StopReason
    _usage: Usage
    _elapsed_us: int
    _read: bool

    def __init__(self) -> None:
        self._forget()

    def _forget(self) -> None:
        self._text_bytes = self._steps = self._stop = self._usage = self._elapsed_us = UNREAD
        self._read = False

    @property
    def text_bytes(self) -> int:
        """How many bytes of text the output has."""
        value = self._text_bytes
        if value is UNREAD:
            self._read = True
            value = self._text_bytes = _post_turn_facts.text_bytes()
        return value

    @property
    def steps(self) -> int:
        """How many steps it took."""
        value = self._steps
        if value is UNREAD:
            self._read = True
            value = self._steps = _post_turn_facts.steps()
        return value

    @property
    def stop(self) -> StopReason:
        """Why the last step stopped."""
        value = self._stop
        if value is UNREAD:
            self._read = True
            value = self._stop = _post_turn_facts.stop()
        return value

    @property
    def usage(self) -> Usage:
        """What its model calls used."""
        value = self._usage
        if value is UNREAD:
            self._read = True
            value = self._usage = _post_turn_facts.usage()
        return value

    @property
    def elapsed_us(self) -> int:
        """How long it took, in microseconds."""
        value = self._elapsed_us
        if value is UNREAD:
            self._read = True
            value = self._elapsed_us = _post_turn_facts.elapsed_us()
        return value

    def facts(self) -> TurnOutput:
        """All of them at once, as a record: cheaper for handlers that read more than four."""
        facts: TurnOutput = _post_turn_facts.facts()
        return facts


PostTurnOutcome = Proceed | Transform[list[ContentPart]] | Reject | Replace[list[ContentPart]] | Contribute[AddNote | AddJob] | AddNote | AddJob | None


_turn_error_facts = imported("turn_error_facts", optional=True)


class TurnError:
    """A turn has failed."""

    __slots__ = ("_kind", "_message", "_read")

    _kind: ErrorKind
    _message: str
    _read: bool

    def __init__(self) -> None:
        self._forget()

    def _forget(self) -> None:
        self._kind = self._message = UNREAD
        self._read = False

    @property
    def kind(self) -> ErrorKind:
        """What failed."""
        value = self._kind
        if value is UNREAD:
            self._read = True
            value = self._kind = _turn_error_facts.kind()
        return value

    @property
    def message(self) -> str:
        """What happened, in words."""
        value = self._message
        if value is UNREAD:
            self._read = True
            value = self._message = _turn_error_facts.message()
        return value

    def facts(self) -> Failure:
        """All of them at once, as a record: cheaper for handlers that read more than four."""
        facts: Failure = _turn_error_facts.facts()
        return facts


TurnErrorOutcome = Proceed | Replace[list[ContentPart]] | None


_turn_stopping_facts = imported("turn_stopping_facts", optional=True)


class TurnStopping:
    """A turn is about to end. What it would give back is in the view `content`."""

    __slots__ = ("_ending", "_steps", "_usage", "_kept_going", "_may_keep_going", "_read")

    _ending: TurnEnding
    _steps: int
    _usage: Usage
    _kept_going: int
    _may_keep_going: bool
    _read: bool

    def __init__(self) -> None:
        self._forget()

    def _forget(self) -> None:
        self._ending = self._steps = self._usage = self._kept_going = self._may_keep_going = UNREAD
        self._read = False

    @property
    def ending(self) -> TurnEnding:
        """What ends it."""
        value = self._ending
        if value is UNREAD:
            self._read = True
            value = self._ending = _turn_stopping_facts.ending()
        return value

    @property
    def steps(self) -> int:
        """How many steps it took."""
        value = self._steps
        if value is UNREAD:
            self._read = True
            value = self._steps = _turn_stopping_facts.steps()
        return value

    @property
    def usage(self) -> Usage:
        """What its model calls used."""
        value = self._usage
        if value is UNREAD:
            self._read = True
            value = self._usage = _turn_stopping_facts.usage()
        return value

    @property
    def kept_going(self) -> int:
        """How often hooks have kept it going already."""
        value = self._kept_going
        if value is UNREAD:
            self._read = True
            value = self._kept_going = _turn_stopping_facts.kept_going()
        return value

    @property
    def may_keep_going(self) -> bool:
        """Whether it can be kept going. A hook's stop signal cannot be overruled, and there is a most."""
        value = self._may_keep_going
        if value is UNREAD:
            self._read = True
            value = self._may_keep_going = _turn_stopping_facts.may_keep_going()
        return value

    def facts(self) -> Stopping:
        """All of them at once, as a record: cheaper for handlers that read more than four."""
        facts: Stopping = _turn_stopping_facts.facts()
        return facts


TurnStoppingOutcome = Proceed | KeepGoing | None


_turn_suspended_facts = imported("turn_suspended_facts", optional=True)


class TurnSuspended:
    """A turn is suspended: its checkpoint is kept, and the loop is about to be left."""

    __slots__ = ("_reason", "_checkpoint", "_pending", "_partial", "_steps", "_read")

    _reason: SuspendReason
    _checkpoint: str
    _pending: list[str]
    _partial: bool
    _steps: int
    _read: bool

    def __init__(self) -> None:
        self._forget()

    def _forget(self) -> None:
        self._reason = self._checkpoint = self._pending = self._partial = self._steps = UNREAD
        self._read = False

    @property
    def reason(self) -> SuspendReason:
        """What it waits for."""
        value = self._reason
        if value is UNREAD:
            self._read = True
            value = self._reason = _turn_suspended_facts.reason()
        return value

    @property
    def checkpoint(self) -> str:
        """The checkpoint that it can be resumed from."""
        value = self._checkpoint
        if value is UNREAD:
            self._read = True
            value = self._checkpoint = _turn_suspended_facts.checkpoint()
        return value

    @property
    def pending(self) -> list[str]:
        """The ids of the tool calls that wait."""
        value = self._pending
        if value is UNREAD:
            self._read = True
            value = self._pending = _turn_suspended_facts.pending()
        return value

    @property
    def partial(self) -> bool:
        """Whether other calls of the same step are done already."""
        value = self._partial
        if value is UNREAD:
            self._read = True
            value = self._partial = _turn_suspended_facts.partial()
        return value

    @property
    def steps(self) -> int:
        """How many steps it took so far."""
        value = self._steps
        if value is UNREAD:
            self._read = True
            value = self._steps = _turn_suspended_facts.steps()
        return value

    def facts(self) -> Suspension:
        """All of them at once, as a record: cheaper for handlers that read more than four."""
        facts: Suspension = _turn_suspended_facts.facts()
        return facts


TurnSuspendedOutcome = Proceed | None


_turn_resumed_facts = imported("turn_resumed_facts", optional=True)


class TurnResumed:
    """A suspended turn goes on: its checkpoint is loaded, nothing has been done."""

    __slots__ = ("_checkpoint", "_resolved", "_waited_ms", "_steps", "_read")

    _checkpoint: str
    _resolved: list[str]
    _waited_ms: int
    _steps: int
    _read: bool

    def __init__(self) -> None:
        self._forget()

    def _forget(self) -> None:
        self._checkpoint = self._resolved = self._waited_ms = self._steps = UNREAD
        self._read = False

    @property
    def checkpoint(self) -> str:
        """The checkpoint that it was resumed from."""
        value = self._checkpoint
        if value is UNREAD:
            self._read = True
            value = self._checkpoint = _turn_resumed_facts.checkpoint()
        return value

    @property
    def resolved(self) -> list[str]:
        """The ids of the tool calls that waited."""
        value = self._resolved
        if value is UNREAD:
            self._read = True
            value = self._resolved = _turn_resumed_facts.resolved()
        return value

    @property
    def waited_ms(self) -> int:
        """How long it waited, in milliseconds."""
        value = self._waited_ms
        if value is UNREAD:
            self._read = True
            value = self._waited_ms = _turn_resumed_facts.waited_ms()
        return value

    @property
    def steps(self) -> int:
        """How many steps it took before."""
        value = self._steps
        if value is UNREAD:
            self._read = True
            value = self._steps = _turn_resumed_facts.steps()
        return value

    def facts(self) -> Resumption:
        """All of them at once, as a record: cheaper for handlers that read more than four."""
        facts: Resumption = _turn_resumed_facts.facts()
        return facts


TurnResumedOutcome = Proceed | None


_workspace_opened_facts = imported("workspace_opened_facts", optional=True)


class WorkspaceOpened:
    """A workspace was opened."""

    __slots__ = ("_name", "_path", "_reason", "_read")

    _name: str
    _path: str
    _reason: str
    _read: bool

    def __init__(self) -> None:
        self._forget()

    def _forget(self) -> None:
        self._name = self._path = self._reason = UNREAD
        self._read = False

    @property
    def name(self) -> str:
        """Its name."""
        value = self._name
        if value is UNREAD:
            self._read = True
            value = self._name = _workspace_opened_facts.name()
        return value

    @property
    def path(self) -> str:
        """Where it is."""
        value = self._path
        if value is UNREAD:
            self._read = True
            value = self._path = _workspace_opened_facts.path()
        return value

    @property
    def reason(self) -> str:
        """Why the event happened, in words."""
        value = self._reason
        if value is UNREAD:
            self._read = True
            value = self._reason = _workspace_opened_facts.reason()
        return value

    def facts(self) -> Workspace:
        """All of them at once, as a record: cheaper for handlers that read more than four."""
        facts: Workspace = _workspace_opened_facts.facts()
        return facts


WorkspaceOpenedOutcome = Proceed | None


_workspace_closed_facts = imported("workspace_closed_facts", optional=True)


class WorkspaceClosed:
    """A workspace was closed; its directory stays."""

    __slots__ = ("_name", "_path", "_reason", "_read")

    _name: str
    _path: str
    _reason: str
    _read: bool

    def __init__(self) -> None:
        self._forget()

    def _forget(self) -> None:
        self._name = self._path = self._reason = UNREAD
        self._read = False

    @property
    def name(self) -> str:
        """Its name."""
        value = self._name
        if value is UNREAD:
            self._read = True
            value = self._name = _workspace_closed_facts.name()
        return value

    @property
    def path(self) -> str:
        """Where it is."""
        value = self._path
        if value is UNREAD:
            self._read = True
            value = self._path = _workspace_closed_facts.path()
        return value

    @property
    def reason(self) -> str:
        """Why the event happened, in words."""
        value = self._reason
        if value is UNREAD:
            self._read = True
            value = self._reason = _workspace_closed_facts.reason()
        return value

    def facts(self) -> Workspace:
        """All of them at once, as a record: cheaper for handlers that read more than four."""
        facts: Workspace = _workspace_closed_facts.facts()
        return facts


WorkspaceClosedOutcome = Proceed | None


_workspace_evicted_facts = imported("workspace_evicted_facts", optional=True)


class WorkspaceEvicted:
    """A workspace was taken away to make room."""

    __slots__ = ("_name", "_path", "_reason", "_read")

    _name: str
    _path: str
    _reason: str
    _read: bool

    def __init__(self) -> None:
        self._forget()

    def _forget(self) -> None:
        self._name = self._path = self._reason = UNREAD
        self._read = False

    @property
    def name(self) -> str:
        """Its name."""
        value = self._name
        if value is UNREAD:
            self._read = True
            value = self._name = _workspace_evicted_facts.name()
        return value

    @property
    def path(self) -> str:
        """Where it is."""
        value = self._path
        if value is UNREAD:
            self._read = True
            value = self._path = _workspace_evicted_facts.path()
        return value

    @property
    def reason(self) -> str:
        """Why the event happened, in words."""
        value = self._reason
        if value is UNREAD:
            self._read = True
            value = self._reason = _workspace_evicted_facts.reason()
        return value

    def facts(self) -> Workspace:
        """All of them at once, as a record: cheaper for handlers that read more than four."""
        facts: Workspace = _workspace_evicted_facts.facts()
        return facts


WorkspaceEvictedOutcome = Proceed | None


_workspace_eviction_retried_facts = imported("workspace_eviction_retried_facts", optional=True)


class WorkspaceEvictionRetried:
    """A workspace could not be taken away, and that is tried again."""

    __slots__ = ("_workspace", "_attempt", "_read")

    _workspace: Workspace
    _attempt: int
    _read: bool

    def __init__(self) -> None:
        self._forget()

    def _forget(self) -> None:
        self._workspace = self._attempt = UNREAD
        self._read = False

    @property
    def workspace(self) -> Workspace:
        """The workspace."""
        value = self._workspace
        if value is UNREAD:
            self._read = True
            value = self._workspace = _workspace_eviction_retried_facts.workspace()
        return value

    @property
    def attempt(self) -> int:
        """Which try failed, counted from 1."""
        value = self._attempt
        if value is UNREAD:
            self._read = True
            value = self._attempt = _workspace_eviction_retried_facts.attempt()
        return value

    def facts(self) -> EvictionRetry:
        """All of them at once, as a record: cheaper for handlers that read more than four."""
        facts: EvictionRetry = _workspace_eviction_retried_facts.facts()
        return facts


WorkspaceEvictionRetriedOutcome = Proceed | None


_workspace_snapshotted_facts = imported("workspace_snapshotted_facts", optional=True)


class WorkspaceSnapshotted:
    """A copy of a workspace was kept."""

    __slots__ = ("_workspace", "_path", "_bytes", "_read")

    _workspace: Workspace
    _path: str
    _bytes: int
    _read: bool

    def __init__(self) -> None:
        self._forget()

    def _forget(self) -> None:
        self._workspace = self._path = self._bytes = UNREAD
        self._read = False

    @property
    def workspace(self) -> Workspace:
        """The workspace."""
        value = self._workspace
        if value is UNREAD:
            self._read = True
            value = self._workspace = _workspace_snapshotted_facts.workspace()
        return value

    @property
    def path(self) -> str:
        """Where the copy is."""
        value = self._path
        if value is UNREAD:
            self._read = True
            value = self._path = _workspace_snapshotted_facts.path()
        return value

    @property
    def bytes(self) -> int:
        """How many bytes it has."""
        value = self._bytes
        if value is UNREAD:
            self._read = True
            value = self._bytes = _workspace_snapshotted_facts.bytes()
        return value

    def facts(self) -> Snapshot:
        """All of them at once, as a record: cheaper for handlers that read more than four."""
        facts: Snapshot = _workspace_snapshotted_facts.facts()
        return facts


WorkspaceSnapshottedOutcome = Proceed | None

adopt(globals())
