# Written from wit/ by `cargo xtask contract`; do not change it here.

from dataclasses import dataclass
from enum import Enum

from portcullis.outcomes import (
    Answer,
    Ask,
    Continue,
    Contribute,
    KeepGoing,
    Reject,
    Replace,
    Stop,
    Transform,
)

@dataclass
class Context:
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
class AskRequest:
    """A decision that a person must take."""
    question: str
    """The question, in one sentence."""
    details: str | None
    """What the person should know to answer it."""

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
class AuditNote:
    """A remark for those who look into what happened. It must be safe to show."""
    code: str
    """A short, stable code for programs."""
    data: str
    """What happened: the text of a JSON value."""

@dataclass
class BackgroundJob:
    """Work that nobody waits for, done by the host's handler of that name."""
    name: str
    """The handler."""
    input: str
    """What it is given: the text of a JSON value."""

class ContributionKind(Enum):
    """What a hook contributes: each kind needs a grant of its own."""
    POLICY = 0
    """A domain's policy."""
    CONTEXT = 1
    """Something to know."""
    SECTION = 2
    """A part of the prompt."""
    TOOLS = 3
    """Tools."""
    NOTE = 4
    """A remark."""
    JOB = 5
    """Work that nobody waits for."""

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
class HookError_BadConfig:
    """The operator's configuration of this hook is wrong."""
    value: str

@dataclass
class HookError_Failed:
    """Anything else."""
    value: str

HookError = HookError_BadConfig | HookError_Failed

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
class CompactionHint:
    """How to compact."""
    keep: list[int]
    """The indexes of messages to keep as they are, beside those the agent keeps anyway."""
    instructions: str | None
    """What the summary should hold on to, in words for the model."""

PreCompactionOutcome = Continue | Transform[CompactionHint] | Reject | None

@dataclass
class CompactionResult:
    """What was done."""
    removed: int
    """How many messages were removed."""
    messages: int
    """How many messages there are now."""
    summary_bytes: int
    """How many bytes the summary has."""

PostCompactionOutcome = Continue | None

class HookRole(Enum):
    """What a hook may do to the values that pass it."""
    GATE = 0
    """It continues or refuses, and changes nothing."""
    TRANSFORM = 1
    """It may answer anything its points allow."""
    OBSERVE = 2
    """It looks on: it sees the final value and the verdict, always runs, and changes nothing."""

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
    """Not at all; the run is recorded."""
    BACKGROUND = 3
    """Not at all; the run is queued and outlives the turn."""

@dataclass
class Descriptor:
    """A hook's card."""
    id: str
    """The stable id: lower-case letters, digits and dashes."""
    version: str
    """The hook's own version, such as `1.4.0`."""
    kind: str
    """What sort of hook it is, such as `guardrail` or `audit`; free text."""
    description: str
    """One sentence on what it does."""
    role: HookRole
    """What it may do."""
    points: list[str]
    """The points that it serves, by name. They must be the ones it exports."""
    priority: int | None
    """Low runs first; 100 if left out."""
    failure: FailurePolicy | None
    """What its failure means; by role if left out: gate and transform fail closed, observe fails open."""
    deadline_ms: int | None
    """How long one call may take, in milliseconds; the host's default if left out."""
    execution: ExecutionPolicy
    """How the agent waits for it."""
    after: list[str]
    """The ids of the hooks that must run before it."""
    contributes: list[ContributionKind]
    """What it contributes; anything else it contributes is not taken."""

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

PreLlmCallOutcome = Continue | Transform[LlmCallEdit] | Reject | Replace[LlmCallEdit] | Answer[LlmResponse] | None

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

PostLlmCallOutcome = Continue | Transform[list[ContentPart]] | Reject | Replace[list[ContentPart]] | None

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

@dataclass
class ProviderChoice:
    """A provider, and perhaps a model of it."""
    provider: str
    """The provider, one of `providers`."""
    model: str | None
    """The model; the provider's default if left out."""

@dataclass
class RetryDecision_Retry:
    """Call again after this many milliseconds."""
    value: int

@dataclass
class RetryDecision_SwitchProvider:
    """Call another provider."""
    value: ProviderChoice

@dataclass
class RetryDecision_GiveUp:
    """The step fails."""

RetryDecision = RetryDecision_Retry | RetryDecision_SwitchProvider | RetryDecision_GiveUp

LlmErrorOutcome = Continue | Replace[RetryDecision] | None

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

LlmDeltaOutcome = Continue | Transform[str] | Reject | Stop | None

@dataclass
class StateChange:
    """The change."""
    tool: str
    """The tool."""
    call_id: str
    """The id of its call."""
    keys: list[str]
    """The keys that changed, in order."""

StateChangedOutcome = Continue | None

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

MessageAddedOutcome = Continue | None

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

PromptPolicyContribution = DomainPolicy | AuditNote | BackgroundJob

PromptPolicyOutcome = Continue | Contribute[list[PromptPolicyContribution]] | None

@dataclass
class ContextSet:
    """What there is."""
    text_bytes: int
    """How many bytes of text the user wrote."""
    policies: int
    """How many policies hold."""
    items: int
    """How many items were contributed so far."""

PromptContextContribution = ContextItem | AuditNote | BackgroundJob

PromptContextOutcome = Continue | Contribute[list[PromptContextContribution]] | None

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

PromptRecallContribution = ContextItem | AuditNote | BackgroundJob

PromptRecallOutcome = Continue | Contribute[list[PromptRecallContribution]] | None

@dataclass
class ToolSet:
    """What there is."""
    tools: int
    """How many tools there are."""
    bundles: int
    """How many bundles were contributed so far."""

PromptToolsContribution = ToolBundle | AuditNote | BackgroundJob

PromptToolsOutcome = Continue | Contribute[list[PromptToolsContribution]] | None

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

PromptCompileContribution = PromptSection | AuditNote | BackgroundJob

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

PromptCompileOutcome = Continue | Contribute[list[PromptCompileContribution]] | Transform[PromptEdit] | None

@dataclass
class SessionInfo:
    """The session that begins."""
    provider: str
    """The provider that the agent calls first."""
    model: str
    """The model that the agent calls first."""
    tools: int
    """How many tools the model is offered."""

SessionStartOutcome = Continue | Reject | None

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

SessionEndOutcome = Continue | None

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

PreStepOutcome = Continue | Transform[list[MessageEdit]] | Reject | Stop | None

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

PostStepOutcome = Continue | Stop | None

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
class SubagentAnswer:
    """What the model is given in place of a sub-agent's own result."""
    content: str
    """The text."""
    is_error: bool
    """Whether to call it a failure."""

PreSubagentOutcome = Continue | Transform[str] | Reject | Replace[str] | Answer[SubagentAnswer] | None

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

PostSubagentOutcome = Continue | Transform[str] | None

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
class ToolAnswer:
    """What the model is given in place of a tool's own result."""
    content: str
    """The text."""
    is_error: bool
    """Whether to call it a failure."""

PreToolCallOutcome = Continue | Transform[str] | Reject | Replace[str] | Answer[ToolAnswer] | Ask | None

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
class ToolOutput:
    """A tool's output."""
    content: str
    """The text."""
    is_error: bool
    """Whether the tool failed."""

PostToolCallOutcome = Continue | Transform[ToolOutput] | Reject | Replace[ToolOutput] | None

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

ToolUpdateOutcome = Continue | Reject | None

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

ToolUpdateSentOutcome = Continue | None

@dataclass
class TurnInput:
    """The turn that begins. What the user said is in the view `content`."""
    text_bytes: int
    """How many bytes of text the user wrote."""
    parts: int
    """How many parts there are."""

PreTurnOutcome = Continue | Transform[list[ContentPart]] | Reject | Replace[list[ContentPart]] | Answer[list[ContentPart]] | None

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

PostTurnContribution = AuditNote | BackgroundJob

PostTurnOutcome = Continue | Transform[list[ContentPart]] | Reject | Replace[list[ContentPart]] | Contribute[list[PostTurnContribution]] | None

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

TurnErrorOutcome = Continue | Replace[list[ContentPart]] | None

@dataclass
class Ending_Model:
    """The model is done, and says why."""
    value: StopReason

@dataclass
class Ending_Tool:
    """A tool whose result is the turn's output ran: its name."""
    value: str

@dataclass
class Ending_Signal:
    """A hook stops the turn."""
    value: StopSignal

Ending = Ending_Model | Ending_Tool | Ending_Signal

@dataclass
class Stopping:
    """The turn that is about to end."""
    ending: Ending
    """What ends it."""
    steps: int
    """How many steps it took."""
    usage: Usage
    """What its model calls used."""
    kept_going: int
    """How often hooks have kept it going already."""
    may_keep_going: bool
    """Whether it can be kept going. A hook's stop signal cannot be overruled, and there is a most."""

TurnStoppingOutcome = Continue | KeepGoing | None

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

TurnSuspendedOutcome = Continue | None

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

TurnResumedOutcome = Continue | None

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

WorkspaceOpenedOutcome = Continue | None

WorkspaceClosedOutcome = Continue | None

WorkspaceEvictedOutcome = Continue | None

@dataclass
class EvictionRetry:
    """What happened."""
    workspace: Workspace
    """The workspace."""
    attempt: int
    """Which try failed, counted from 1."""

WorkspaceEvictionRetriedOutcome = Continue | None

@dataclass
class Snapshot:
    """What happened."""
    workspace: Workspace
    """The workspace."""
    path: str
    """Where the copy is."""
    bytes: int
    """How many bytes it has."""

WorkspaceSnapshottedOutcome = Continue | None
