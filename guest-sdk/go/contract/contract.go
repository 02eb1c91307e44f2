// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

// Package contract has the types of the contract between hooks and host.
package contract

import "fmt"

// EditError: The reason why a key was not changed.
type EditError interface {
	error
	isEditError()
}

// EditErrorDenied: The operator does not let the hook change this key, or the state cannot be changed at this point: at
// `state-changed`, which would fire again, at `turn-suspended` and `session-end`, where the state is saved
// already, and at the points of workspaces, which have no state. The text says which.
type EditErrorDenied string

func (EditErrorDenied) isEditError() {}

// Error is the message.
func (e EditErrorDenied) Error() string {
	return "denied: " + string(e)
}

// EditErrorFull: The keys that the hook may change would be too many or too large; the text says which.
type EditErrorFull string

func (EditErrorFull) isEditError() {}

// Error is the message.
func (e EditErrorFull) Error() string {
	return "full: " + string(e)
}

// EditErrorInvalid: The key is empty or has control characters, or the value is not the text of a JSON value; the text says which.
type EditErrorInvalid string

func (EditErrorInvalid) isEditError() {}

// Error is the message.
func (e EditErrorInvalid) Error() string {
	return "invalid: " + string(e)
}

// TokenBudget: The size of the conversation, and its limit.
type TokenBudget struct {
	// The most tokens the conversation may have.
	Limit uint64
	// The estimated number of tokens in the conversation.
	Used uint64
	// The number of messages in the conversation.
	Messages uint32
}

// CompactionResult: The result of a compaction.
type CompactionResult struct {
	// The number of messages removed.
	Removed uint32
	// The number of messages after the compaction.
	Messages uint32
	// The size of the summary, in bytes.
	SummaryBytes uint32
}

// FailurePolicy: The effect of a failure of the hook.
type FailurePolicy uint8

// The values of FailurePolicy.
const (
	// The failure counts as no answer: the call continues.
	FailurePolicyFailOpen FailurePolicy = 0
	// The failure counts as a refusal, which names the hook and the cause.
	FailurePolicyFailClosed FailurePolicy = 1
)

// String is the name in the contract.
func (v FailurePolicy) String() string {
	names := [...]string{"fail-open", "fail-closed"}
	if int(v) >= len(names) {
		return "unknown"
	}
	return names[v]
}

// ExecutionPolicy: The way that the agent waits for the hook.
type ExecutionPolicy uint8

// The values of ExecutionPolicy.
const (
	// The agent waits until the hook answers.
	ExecutionPolicyBlocking ExecutionPolicy = 0
	// The agent waits until the hook answers or its deadline passes, which is a failure.
	ExecutionPolicyDeadline ExecutionPolicy = 1
	// The agent does not wait; the run is recorded. For hooks that only observe.
	ExecutionPolicyFireAndRecord ExecutionPolicy = 2
	// The agent does not wait; the run is queued and may outlive the turn. For hooks that only observe.
	ExecutionPolicyBackground ExecutionPolicy = 3
)

// String is the name in the contract.
func (v ExecutionPolicy) String() string {
	names := [...]string{"blocking", "deadline", "fire-and-record", "background"}
	if int(v) >= len(names) {
		return "unknown"
	}
	return names[v]
}

// Descriptor: The declaration.
type Descriptor struct {
	// The stable id: lower-case letters, digits and dashes.
	ID string
	// The hook's own version, such as `1.4.0`.
	Version string
	// The sort of hook, such as `guardrail` or `audit`; free text.
	Kind string
	// One sentence on what it does.
	Description string
	// The points that it serves, by name. They must be the ones it exports.
	Points []string
	// The priority: low runs first at forward points, high first at reverse ones; 100 if left out.
	Priority *int32
	// The failure policy; if left out, a hook that can decide anything fails closed, and one that only observes fails open.
	Failure *FailurePolicy
	// The time limit of one call, in milliseconds; the host's default if left out.
	DeadlineMs *uint32
	// The way that the agent waits for the hook.
	Execution ExecutionPolicy
	// The ids of the hooks that must run before it.
	After []string
}

// LLMCall: The call about to be made.
type LLMCall struct {
	// The provider.
	Provider string
	// The model.
	Model string
	// The number of the attempt, counted from 1.
	Attempt uint32
	// The number of messages to send.
	Messages uint32
	// The number of tools to offer.
	Tools uint32
	// The estimated number of tokens in the messages.
	EstimatedTokens uint64
	// The sampling temperature; the provider's default if left out.
	Temperature *float64
	// The most tokens the model may write; the provider's default if left out.
	MaxOutputTokens *uint32
}

// ProviderErrorKind: The kind of failure.
type ProviderErrorKind uint8

// The values of ProviderErrorKind.
const (
	// No response in time.
	ProviderErrorKindTimeout ProviderErrorKind = 0
	// Too many requests.
	ProviderErrorKindRateLimited ProviderErrorKind = 1
	// The provider is overloaded.
	ProviderErrorKindOverloaded ProviderErrorKind = 2
	// The key is missing, wrong or lacks a permission.
	ProviderErrorKindAuth ProviderErrorKind = 3
	// The provider does not accept the request.
	ProviderErrorKindBadRequest ProviderErrorKind = 4
	// The messages are too long for the model.
	ProviderErrorKindContextLength ProviderErrorKind = 5
	// The provider could not be reached.
	ProviderErrorKindNetwork ProviderErrorKind = 6
	// The provider failed.
	ProviderErrorKindServer ProviderErrorKind = 7
	// Anything else.
	ProviderErrorKindOther ProviderErrorKind = 8
)

// String is the name in the contract.
func (v ProviderErrorKind) String() string {
	names := [...]string{"timeout", "rate-limited", "overloaded", "auth", "bad-request", "context-length", "network", "server", "other"}
	if int(v) >= len(names) {
		return "unknown"
	}
	return names[v]
}

// LLMFailure: A failed call.
type LLMFailure struct {
	// The provider that failed.
	Provider string
	// The model that was called.
	Model string
	// The number of the failed attempt, counted from 1.
	Attempt uint32
	// The kind of failure.
	Kind ProviderErrorKind
	// The HTTP status, if there was one.
	Status *uint16
	// The provider's message.
	Message string
	// The wait that the provider asks for, in milliseconds.
	RetryAfterMs *uint32
	// The providers that the agent has, by name, in the operator's order.
	Providers []string
}

// DeltaKind: The kind of a piece.
type DeltaKind uint8

// The values of DeltaKind.
const (
	// The model's text.
	DeltaKindText DeltaKind = 0
	// The model's reasoning.
	DeltaKindThinking DeltaKind = 1
)

// String is the name in the contract.
func (v DeltaKind) String() string {
	names := [...]string{"text", "thinking"}
	if int(v) >= len(names) {
		return "unknown"
	}
	return names[v]
}

// Delta: A piece of a response. The host gathers what providers send into larger pieces.
type Delta struct {
	// The kind of the piece.
	Kind DeltaKind
	// The index of the piece among those of its kind, counted from 0.
	Index uint32
	// The size in bytes.
	Bytes uint32
	// Whether it is the last piece of its kind. The last piece may be empty. A hook that holds text back must return it here.
	Last bool
}

// StateChange: The change.
type StateChange struct {
	// The tool that made the change. Empty if a hook made it; the view `agent-state` says which.
	Tool string
	// The id of the tool's call. Empty if a hook made the change.
	CallID string
	// The keys that changed, in order.
	Keys []string
}

// TurnFacts: The turn whose prompt is assembled.
type TurnFacts struct {
	// The size of the user's text, in bytes.
	TextBytes uint32
	// The number of messages.
	Messages uint32
	// The number of tools that the model is offered.
	Tools uint32
	// The number of policies contributed so far.
	Policies uint32
}

// ContextSet: The context so far.
type ContextSet struct {
	// The size of the user's text, in bytes.
	TextBytes uint32
	// The number of policies in force.
	Policies uint32
	// The number of items contributed so far.
	Items uint32
}

// RecallPlan: The plan of what to recall.
type RecallPlan struct {
	// The number of queries in the plan.
	Queries uint32
	// The most items to recall.
	MaxItems uint32
	// The most tokens to recall.
	MaxTokens uint64
	// Whether it is the fallback plan, made without a planner.
	Fallback bool
	// The number of items contributed so far.
	Items uint32
}

// ToolSet: The tools so far.
type ToolSet struct {
	// The number of tools.
	Tools uint32
	// The number of bundles contributed so far.
	Bundles uint32
}

// PromptDraft: The draft of the prompt.
type PromptDraft struct {
	// The number of sections so far.
	Sections uint32
	// The number of items of context.
	Items uint32
	// The estimated number of tokens in the sections.
	Tokens uint64
	// The most tokens that the sections may have.
	BudgetTokens uint64
}

// SessionInfo: The session that begins.
type SessionInfo struct {
	// The provider that the agent calls first.
	Provider string
	// The model that the agent calls first.
	Model string
	// The number of tools that the model is offered.
	Tools uint32
}

// SubagentSpec: The sub-agent.
type SubagentSpec struct {
	// The id of the tool call that starts the sub-agent.
	CallID string
	// The name of the sub-agent.
	Agent string
	// The size of the task, in bytes.
	TaskBytes uint32
	// The depth of nesting: 1 for a sub-agent of the first agent.
	Depth uint32
}

// ExecutionGrant: The policy's grant to the tool.
type ExecutionGrant struct {
	// The directory that the tool works in.
	WorkingDir *string
	// The time limit of the run, in milliseconds.
	TimeoutMs uint32
}

// ToolRequest: The call about to be made.
type ToolRequest struct {
	// The id of the call.
	CallID string
	// The name of the tool.
	Name string
	// The size of the arguments, in bytes.
	ArgumentsBytes uint32
	// The policy's grant to the tool.
	Grant ExecutionGrant
}

// ToolOutcome: The call that was made.
type ToolOutcome struct {
	// The id of the call.
	CallID string
	// The name of the tool.
	Name string
	// The size of the output, in bytes.
	OutputBytes uint32
	// Whether the tool failed.
	IsError bool
	// The duration of the run, in microseconds.
	ElapsedUs uint64
}

// ToolUpdateToolProgress: The update.
type ToolUpdateToolProgress struct {
	// The id of the call.
	CallID string
	// The name of the tool.
	Name string
	// The index of the update within the call, counted from 0.
	Index uint32
	// The size of the text, in bytes.
	TextBytes uint32
}

// ToolUpdateSentToolProgress: The update.
type ToolUpdateSentToolProgress struct {
	// The id of the call.
	CallID string
	// The name of the tool.
	Name string
	// The index of the update within the call, counted from 0.
	Index uint32
	// The size of the text, in bytes.
	TextBytes uint32
}

// TurnInput: The turn that begins. The user's message is in the view `content`.
type TurnInput struct {
	// The size of the user's text, in bytes.
	TextBytes uint32
	// The number of parts.
	Parts uint32
}

// ErrorKind: The kind of failure.
type ErrorKind uint8

// The values of ErrorKind.
const (
	// The model's provider.
	ErrorKindProvider ErrorKind = 0
	// A hook refused something the turn cannot do without.
	ErrorKindRejected ErrorKind = 1
	// A hook whose failure ends the turn.
	ErrorKindHook ErrorKind = 2
	// The turn reached one of the agent's limits.
	ErrorKindLimit ErrorKind = 3
	// An internal error of the agent.
	ErrorKindInternal ErrorKind = 4
)

// String is the name in the contract.
func (v ErrorKind) String() string {
	names := [...]string{"provider", "rejected", "hook", "limit", "internal"}
	if int(v) >= len(names) {
		return "unknown"
	}
	return names[v]
}

// Failure: The failure.
type Failure struct {
	// The kind of failure.
	Kind ErrorKind
	// A description of the failure.
	Message string
}

// SuspendReason: The reason why a turn is suspended.
type SuspendReason uint8

// The values of SuspendReason.
const (
	// The turn waits for a person's decision.
	SuspendReasonHuman SuspendReason = 0
	// The turn waits for a tool that the client runs.
	SuspendReasonClientTool SuspendReason = 1
	// The turn waits for a sub-agent that is suspended itself.
	SuspendReasonChildren SuspendReason = 2
)

// String is the name in the contract.
func (v SuspendReason) String() string {
	names := [...]string{"human", "client-tool", "children"}
	if int(v) >= len(names) {
		return "unknown"
	}
	return names[v]
}

// Suspension: The turn that is suspended.
type Suspension struct {
	// The reason for the suspension.
	Reason SuspendReason
	// The checkpoint that it can be resumed from.
	Checkpoint string
	// The ids of the tool calls that wait.
	Pending []string
	// Whether other calls of the same step are done already.
	Partial bool
	// The number of steps so far.
	Steps uint32
}

// Resumption: The turn that is resumed.
type Resumption struct {
	// The checkpoint that it was resumed from.
	Checkpoint string
	// The ids of the tool calls that waited.
	Resolved []string
	// The duration of the wait, in milliseconds.
	WaitedMs uint64
	// The number of steps before the suspension.
	Steps uint32
}

// Context: The session, the turn and the step of a call.
type Context struct {
	// The session's id, unique within the host.
	SessionID string
	// The name of the agent whose loop is running.
	Agent string
	// The turn, counted from 1; 0 outside of any turn.
	Turn uint32
	// The step within the turn, counted from 1; 0 outside of any step.
	Step uint32
}

// Role: The author of a message.
type Role uint8

// The values of Role.
const (
	// The instructions that the operator gives the model.
	RoleSystem Role = 0
	// The person, or the program, that talks to the agent.
	RoleUser Role = 1
	// The model.
	RoleAssistant Role = 2
	// A tool, answering the model's call.
	RoleTool Role = 3
)

// String is the name in the contract.
func (v Role) String() string {
	names := [...]string{"system", "user", "assistant", "tool"}
	if int(v) >= len(names) {
		return "unknown"
	}
	return names[v]
}

// ImageSource: The source of an image.
type ImageSource interface {
	isImageSource()
}

// ImageSourceURL: A URL that the provider can read.
type ImageSourceURL string

func (ImageSourceURL) isImageSource() {}

// ImageSourceBytes: The bytes of the image file.
type ImageSourceBytes []byte

func (ImageSourceBytes) isImageSource() {}

// Image: A picture in a message.
type Image struct {
	// The media type, such as `image/png`.
	MediaType string
	// The source of the picture.
	Source ImageSource
}

// ToolCall: The model's request to run a tool.
type ToolCall struct {
	// The id of the call. Its result has the same id.
	ID string
	// The name of the tool.
	Name string
	// The arguments, as the text of a JSON object.
	Arguments string
}

// ToolResult: The result of a tool call, as the model sees it.
type ToolResult struct {
	// The id of the call that it answers.
	CallID string
	// The name of the tool.
	Name string
	// The text that the model is given.
	Content string
	// Whether the tool failed.
	IsError bool
}

// ContentPart: A part of a message.
type ContentPart interface {
	isContentPart()
}

// ContentPartText: Text.
type ContentPartText string

func (ContentPartText) isContentPart() {}

// ContentPartThinking: The model's reasoning, where the provider shows it.
type ContentPartThinking string

func (ContentPartThinking) isContentPart() {}

// ContentPartImage: A picture.
type ContentPartImage Image

func (ContentPartImage) isContentPart() {}

// ContentPartToolCall: A request to run a tool.
type ContentPartToolCall ToolCall

func (ContentPartToolCall) isContentPart() {}

// ContentPartToolResult: The result of a tool call.
type ContentPartToolResult ToolResult

func (ContentPartToolResult) isContentPart() {}

// Message: One message of a conversation.
type Message struct {
	// The author of the message.
	Role Role
	// The parts of the message, in order.
	Content []ContentPart
}

// Usage: Tokens spent.
type Usage struct {
	// Tokens sent to the model, those read from a cache included.
	InputTokens uint64
	// Tokens that the model wrote, reasoning included.
	OutputTokens uint64
	// The part of `input-tokens` that was read from the provider's cache.
	CacheReadTokens uint64
	// The part of `input-tokens` that was written to the provider's cache.
	CacheWriteTokens uint64
}

// StopReason: The reason why the model stopped writing.
type StopReason interface {
	isStopReason()
}

// StopReasonEndTurn: The model was done.
type StopReasonEndTurn struct{}

func (StopReasonEndTurn) isStopReason() {}

// StopReasonMaxTokens: The model reached the token limit.
type StopReasonMaxTokens struct{}

func (StopReasonMaxTokens) isStopReason() {}

// StopReasonStopSequence: The model wrote a stop sequence.
type StopReasonStopSequence struct{}

func (StopReasonStopSequence) isStopReason() {}

// StopReasonToolUse: The model asks for tools.
type StopReasonToolUse struct{}

func (StopReasonToolUse) isStopReason() {}

// StopReasonRefusal: The model, or its provider, refused.
type StopReasonRefusal struct{}

func (StopReasonRefusal) isStopReason() {}

// StopReasonOther: Another reason, in the provider's words.
type StopReasonOther string

func (StopReasonOther) isStopReason() {}

// Rejection: A hook's refusal. A refusal is final: no later hook clears it.
type Rejection struct {
	// A short, stable code for programs, such as `over-budget`.
	Code string
	// The reason, for the person or the model that is refused.
	Reason string
	// Additional data for programs, as JSON text.
	Details *string
}

// ToolSpec: A tool, as it is described to the model.
type ToolSpec struct {
	// The name by which the model calls the tool.
	Name string
	// The description for the model.
	Description string
	// The JSON schema of its arguments.
	Schema string
}

// MessageEdit: One change to a list of messages. An index refers to the list after the edits before this one.
type MessageEdit interface {
	isMessageEdit()
}

// MessageEditInsert: Inserts a message before the one at the index. The length of the list as index appends the message.
type MessageEditInsert struct {
	Index   uint32
	Message Message
}

func (MessageEditInsert) isMessageEdit() {}

// MessageEditSet: Replaces the message at the index.
type MessageEditSet struct {
	Index   uint32
	Message Message
}

func (MessageEditSet) isMessageEdit() {}

// MessageEditRemove: Removes the message at the index.
type MessageEditRemove uint32

func (MessageEditRemove) isMessageEdit() {}

// StopKind: The reason why a turn ends early, without an error.
type StopKind interface {
	isStopKind()
}

// StopKindStepsLimit: The turn reached its limit of steps.
type StopKindStepsLimit struct{}

func (StopKindStepsLimit) isStopKind() {}

// StopKindTokenLimit: The turn reached its limit of tokens.
type StopKindTokenLimit struct{}

func (StopKindTokenLimit) isStopKind() {}

// StopKindTimeLimit: The turn reached its time limit.
type StopKindTimeLimit struct{}

func (StopKindTimeLimit) isStopKind() {}

// StopKindFinishReason: The model stopped for a reason that ends the turn: the reason's name.
type StopKindFinishReason string

func (StopKindFinishReason) isStopKind() {}

// StopKindOther: Another reason: a short, stable code for programs.
type StopKindOther string

func (StopKindOther) isStopKind() {}

// StopSignal: A hook's request to end the turn early, without an error.
type StopSignal struct {
	// The kind of reason.
	Kind StopKind
	// The reason, in words.
	Message string
}

// Workspace: A directory that tools work in.
type Workspace struct {
	// The name of the workspace.
	Name string
	// The path of the directory.
	Path string
	// The reason why the workspace was opened, closed or evicted, in words.
	Reason string
}

// DomainPolicy: The rules for a turn in one domain, such as `memory`.
type DomainPolicy struct {
	// The domain.
	Domain string
	// The rules: the text of a JSON object, whose meaning is the domain's.
	Rules string
}

// ContextItem: An item of context for the hooks that write the prompt.
type ContextItem struct {
	// The kind of the item, such as `memory.fact`.
	Kind string
	// The text.
	Text string
	// Additional data for programs, as JSON text.
	Data *string
}

// PromptSection: A part of the prompt.
type PromptSection struct {
	// The id, unique in the prompt; a later section with the same id replaces the earlier one.
	ID string
	// A heading.
	Title *string
	// The text.
	Text string
	// The position in the prompt: low numbers first.
	Order int32
	// The most tokens of the text; a longer text is cut at its end.
	MaxTokens *uint32
	// Whether the turn needs this section. Needed sections are cut last.
	Essential bool
}

// ToolRoute: The implementation of a tool that a hook contributes.
type ToolRoute interface {
	isToolRoute()
}

// ToolRouteAgent: The agent's own tool of this name.
type ToolRouteAgent string

func (ToolRouteAgent) isToolRoute() {}

// ToolRouteHook: The hook that contributes the tool: it answers at `pre-tool-call`.
type ToolRouteHook struct{}

func (ToolRouteHook) isToolRoute() {}

// BundledTool: A tool that a hook contributes.
type BundledTool struct {
	// The tool, as it is described to the model.
	Spec ToolSpec
	// The implementation of the tool.
	Route ToolRoute
}

// ToolBundle: Tools that belong together.
type ToolBundle struct {
	// The bundle's name.
	Name string
	// The tools.
	Tools []BundledTool
}

// StateError: The reason why state could not be read or written.
type StateError interface {
	error
	isStateError()
}

// StateErrorDenied: The operator does not let the hook use this namespace.
type StateErrorDenied string

func (StateErrorDenied) isStateError() {}

// Error is the message.
func (e StateErrorDenied) Error() string {
	return "denied: " + string(e)
}

// StateErrorFull: The hook has used up its keys or bytes; the text says which.
type StateErrorFull string

func (StateErrorFull) isStateError() {}

// Error is the message.
func (e StateErrorFull) Error() string {
	return "full: " + string(e)
}

// StateErrorNotANumber: The value at the key is not a decimal integer, or the sum leaves the range of `s64`.
type StateErrorNotANumber struct{}

func (StateErrorNotANumber) isStateError() {}

// Error is the message.
func (StateErrorNotANumber) Error() string {
	return "not a number"
}

// LLMCallEdit: Changes to a call. A field that is left out stays as it is.
type LLMCallEdit struct {
	// Another model of the same provider.
	Model *string
	// Another temperature.
	Temperature *float64
	// Another limit on the model's output.
	MaxOutputTokens *uint32
	// The only tools to offer, by name; names that are not offered already are refused.
	Tools []string
	// Changes to the messages, in order.
	Messages []MessageEdit
}

// LLMResponse: A model's response.
type LLMResponse struct {
	// The content, tool calls included.
	Content []ContentPart
	// The model's stop reason.
	Stop StopReason
	// The tokens that the call used.
	Usage Usage
}

// LLMResult: The response, without its content.
type LLMResult struct {
	// The provider that answered.
	Provider string
	// The model that answered.
	Model string
	// The number of the attempt, counted from 1.
	Attempt uint32
	// The model's stop reason.
	Stop StopReason
	// The tokens that the call used.
	Usage Usage
	// The size of the response's text, in bytes.
	TextBytes uint32
	// The names of the tools it asks for, in order.
	ToolCalls []string
	// The duration of the call, in microseconds.
	ElapsedUs uint64
}

// AddedMessage: The message.
type AddedMessage struct {
	// The index of the message in the conversation.
	Index uint32
	// The author of the message.
	Role Role
	// The number of parts.
	Parts uint32
	// The size of the text, in bytes, tool results included.
	TextBytes uint32
}

// Completion: A completion of the model.
type Completion struct {
	// The text.
	Text string
	// The model's stop reason. Text that reached the token limit is not complete.
	Stop StopReason
	// The tokens that were used.
	Usage Usage
}

// ModelError: The reason why there is no completion.
type ModelError interface {
	error
	isModelError()
}

// ModelErrorNoModel: There is no model to ask; the text says why.
type ModelErrorNoModel string

func (ModelErrorNoModel) isModelError() {}

// Error is the message.
func (e ModelErrorNoModel) Error() string {
	return "no model: " + string(e)
}

// ModelErrorBudget: The tokens that are left of the hook's budget are too few for the prompt.
type ModelErrorBudget string

func (ModelErrorBudget) isModelError() {}

// Error is the message.
func (e ModelErrorBudget) Error() string {
	return "budget: " + string(e)
}

// ModelErrorTooLong: Instructions and prompt together have more bytes than this limit.
type ModelErrorTooLong uint64

func (ModelErrorTooLong) isModelError() {}

// Error is the message.
func (e ModelErrorTooLong) Error() string {
	return fmt.Sprint("too long: ", uint64(e))
}

// ModelErrorProvider: The provider failed; the text says how.
type ModelErrorProvider string

func (ModelErrorProvider) isModelError() {}

// Error is the message.
func (e ModelErrorProvider) Error() string {
	return "provider: " + string(e)
}

// NamedSchema: A JSON schema that the response must fit.
type NamedSchema struct {
	// The schema's name.
	Name string
	// The JSON schema.
	Schema string
}

// ResponseFormat: The format of the model's response.
type ResponseFormat interface {
	isResponseFormat()
}

// ResponseFormatText: Text of any form.
type ResponseFormatText struct{}

func (ResponseFormatText) isResponseFormat() {}

// ResponseFormatJson: A JSON object.
type ResponseFormatJson struct{}

func (ResponseFormatJson) isResponseFormat() {}

// ResponseFormatSchema: JSON that fits this schema.
type ResponseFormatSchema NamedSchema

func (ResponseFormatSchema) isResponseFormat() {}

// PromptEdit: Changes to the draft. A field that is left out stays as it is.
type PromptEdit struct {
	// Other instructions in place of the operator's, for this turn. Empty ones change nothing.
	System *string
	// The format of the model's responses in this turn.
	ResponseFormat ResponseFormat
	// These sections in place of all contributed so far.
	Sections []PromptSection
}

// EndReason: The reason why a session ends.
type EndReason uint8

// The values of EndReason.
const (
	// The embedder closed the session.
	EndReasonClosed EndReason = 0
	// A hook refused the session at its start.
	EndReasonRejected EndReason = 1
	// The session was cancelled.
	EndReasonCancelled EndReason = 2
	// Something failed.
	EndReasonFailed EndReason = 3
)

// String is the name in the contract.
func (v EndReason) String() string {
	names := [...]string{"closed", "rejected", "cancelled", "failed"}
	if int(v) >= len(names) {
		return "unknown"
	}
	return names[v]
}

// SessionSummary: The session that ends.
type SessionSummary struct {
	// The reason for the end.
	Reason EndReason
	// The number of turns.
	Turns uint32
	// The tokens that all its model calls used.
	Usage Usage
}

// StepState: The state of the turn. The messages are in the view `conversation`.
type StepState struct {
	// The number of messages.
	Messages uint32
	// The estimated number of tokens in the messages.
	EstimatedTokens uint64
	// The number of steps that the turn has taken.
	Steps uint32
	// The tokens that the turn's model calls used so far.
	Usage Usage
	// The duration of the turn so far, in microseconds.
	ElapsedUs uint64
}

// StepReport: The step that is done.
type StepReport struct {
	// The model's stop reason.
	Stop StopReason
	// The number of tool calls that the model asked for.
	ToolCalls uint32
	// The tokens that the step used.
	StepUsage Usage
	// The tokens that the turn's model calls used so far.
	Usage Usage
	// The duration of the turn so far, in microseconds.
	ElapsedUs uint64
}

// SubagentResult: The result of a sub-agent.
type SubagentResult struct {
	// The id of the tool call that started the sub-agent.
	CallID string
	// The name of the sub-agent.
	Agent string
	// The sub-agent's session; none if it was not started.
	SessionID *string
	// Whether the sub-agent failed.
	IsError bool
	// The size of the result, in bytes.
	OutputBytes uint32
	// The number of steps.
	Steps uint32
	// The tokens that its model calls used.
	Usage Usage
	// The duration, in microseconds.
	ElapsedUs uint64
}

// TurnOutput: The turn that is done. Its output is in the view `content`.
type TurnOutput struct {
	// The size of the output's text, in bytes.
	TextBytes uint32
	// The number of steps.
	Steps uint32
	// The stop reason of the last step.
	Stop StopReason
	// The tokens that its model calls used.
	Usage Usage
	// The duration, in microseconds.
	ElapsedUs uint64
}

// TurnEnding: The cause of the turn's end.
type TurnEnding interface {
	isTurnEnding()
}

// TurnEndingModel: The model is done, and says why.
type TurnEndingModel struct {
	StopReason StopReason
}

func (TurnEndingModel) isTurnEnding() {}

// TurnEndingTool: A tool whose result is the turn's output ran: its name.
type TurnEndingTool string

func (TurnEndingTool) isTurnEnding() {}

// TurnEndingSignal: A hook stops the turn.
type TurnEndingSignal StopSignal

func (TurnEndingSignal) isTurnEnding() {}

// Stopping: The turn that is about to end.
type Stopping struct {
	// The cause of the turn's end.
	Ending TurnEnding
	// The number of steps.
	Steps uint32
	// The tokens that its model calls used.
	Usage Usage
	// The number of times that hooks have kept the turn going.
	KeptGoing uint32
	// Whether hooks can keep the turn going: not after a hook's stop signal, and not beyond a limit.
	MayKeepGoing bool
}

// HookFailure: A hook's failure.
type HookFailure struct {
	// The code of the cause, such as `trap` or `deadline`.
	Cause string
	// A description of the failure.
	Message string
}

// Decision: The decision.
type Decision interface {
	isDecision()
}

// DecisionPassed: The value passed.
type DecisionPassed struct{}

func (DecisionPassed) isDecision() {}

// DecisionRejected: A hook refused.
type DecisionRejected Rejection

func (DecisionRejected) isDecision() {}

// DecisionAnswered: A hook answered in place of the operation.
type DecisionAnswered struct{}

func (DecisionAnswered) isDecision() {}

// DecisionStopped: A hook ended the turn.
type DecisionStopped string

func (DecisionStopped) isDecision() {}

// DecisionFailed: A hook that fails closed failed. This is no refusal.
type DecisionFailed HookFailure

func (DecisionFailed) isDecision() {}

// ChainVerdict: A decision, the hook that made it, and the hooks that changed the value.
type ChainVerdict struct {
	// The decision.
	Decision Decision
	// The hook that decided, if one did.
	DecidedBy *string
	// The hooks that changed the value, in order.
	ChangedBy []string
}

// EvictionRetry: A failed eviction.
type EvictionRetry struct {
	// The workspace.
	Workspace Workspace
	// The number of the failed attempt, counted from 1.
	Attempt uint32
}

// Snapshot: A snapshot.
type Snapshot struct {
	// The workspace.
	Workspace Workspace
	// The path of the copy.
	Path string
	// The size in bytes.
	Bytes uint64
}

// LogLevel: How much a log line matters.
type LogLevel uint8

// The values of LogLevel.
const (
	// Details of interest only while tracing one call.
	LogLevelTrace LogLevel = 0
	// Details of interest while debugging.
	LogLevelDebug LogLevel = 1
	// What happened.
	LogLevelInfo LogLevel = 2
	// Something is odd; the hook continues.
	LogLevelWarn LogLevel = 3
	// Something failed.
	LogLevelError LogLevel = 4
	// Something failed that a person must look at.
	LogLevelCritical LogLevel = 5
)

// String is the name in the contract.
func (v LogLevel) String() string {
	names := [...]string{"trace", "debug", "info", "warn", "error", "critical"}
	if int(v) >= len(names) {
		return "unknown"
	}
	return names[v]
}

// ConfigError: Why a value could not be read.
type ConfigError interface {
	error
	isConfigError()
}

// ConfigErrorUpstream: The place the values come from failed.
type ConfigErrorUpstream string

func (ConfigErrorUpstream) isConfigError() {}

// Error is the message.
func (e ConfigErrorUpstream) Error() string {
	return "upstream: " + string(e)
}

// ConfigErrorIo: An input or output fault.
type ConfigErrorIo string

func (ConfigErrorIo) isConfigError() {}

// Error is the message.
func (e ConfigErrorIo) Error() string {
	return "io: " + string(e)
}
