// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

package wire

import (
	"unsafe"

	"portcullis/contract"
)

// LiftEditError reads one.
func LiftEditError(p unsafe.Pointer) contract.EditError {
	switch U8(p) {
	case 0:
		return contract.EditErrorDenied(String(unsafe.Add(p, 4)))
	case 1:
		return contract.EditErrorFull(String(unsafe.Add(p, 4)))
	case 2:
		return contract.EditErrorInvalid(String(unsafe.Add(p, 4)))
	}
	panic("the host gave an unknown EditError")
}

// LowerEditError writes one.
func LowerEditError(a *Args, p unsafe.Pointer, v contract.EditError) {
	switch v := v.(type) {
	case contract.EditErrorDenied:
		PutU8(a, p, 0)
		PutString(a, unsafe.Add(p, 4), string(v))
	case contract.EditErrorFull:
		PutU8(a, p, 1)
		PutString(a, unsafe.Add(p, 4), string(v))
	case contract.EditErrorInvalid:
		PutU8(a, p, 2)
		PutString(a, unsafe.Add(p, 4), string(v))
	default:
		Missing("EditError")
	}
}

// LiftTokenBudget reads one.
func LiftTokenBudget(p unsafe.Pointer) (v contract.TokenBudget) {
	v.Limit = U64(unsafe.Add(p, 0))
	v.Used = U64(unsafe.Add(p, 8))
	v.Messages = U32(unsafe.Add(p, 16))
	return v
}

// LowerTokenBudget writes one.
func LowerTokenBudget(a *Args, p unsafe.Pointer, v contract.TokenBudget) {
	PutU64(a, unsafe.Add(p, 0), v.Limit)
	PutU64(a, unsafe.Add(p, 8), v.Used)
	PutU32(a, unsafe.Add(p, 16), v.Messages)
}

// LiftCompactionResult reads one.
func LiftCompactionResult(p unsafe.Pointer) (v contract.CompactionResult) {
	v.Removed = U32(unsafe.Add(p, 0))
	v.Messages = U32(unsafe.Add(p, 4))
	v.SummaryBytes = U32(unsafe.Add(p, 8))
	return v
}

// LowerCompactionResult writes one.
func LowerCompactionResult(a *Args, p unsafe.Pointer, v contract.CompactionResult) {
	PutU32(a, unsafe.Add(p, 0), v.Removed)
	PutU32(a, unsafe.Add(p, 4), v.Messages)
	PutU32(a, unsafe.Add(p, 8), v.SummaryBytes)
}

// LiftFailurePolicy reads one.
func LiftFailurePolicy(p unsafe.Pointer) contract.FailurePolicy {
	return contract.FailurePolicy(U8(p))
}

// LowerFailurePolicy writes one.
func LowerFailurePolicy(a *Args, p unsafe.Pointer, v contract.FailurePolicy) {
	PutU8(a, p, uint8(v))
}

// LiftExecutionPolicy reads one.
func LiftExecutionPolicy(p unsafe.Pointer) contract.ExecutionPolicy {
	return contract.ExecutionPolicy(U8(p))
}

// LowerExecutionPolicy writes one.
func LowerExecutionPolicy(a *Args, p unsafe.Pointer, v contract.ExecutionPolicy) {
	PutU8(a, p, uint8(v))
}

// LiftDescriptor reads one.
func LiftDescriptor(p unsafe.Pointer) (v contract.Descriptor) {
	v.ID = String(unsafe.Add(p, 0))
	v.Version = String(unsafe.Add(p, 8))
	v.Kind = String(unsafe.Add(p, 16))
	v.Description = String(unsafe.Add(p, 24))
	v.Points = ListOf(8, String)(unsafe.Add(p, 32))
	v.Priority = OptionOf(4, S32)(unsafe.Add(p, 40))
	v.Failure = OptionOf(1, LiftFailurePolicy)(unsafe.Add(p, 48))
	v.DeadlineMs = OptionOf(4, U32)(unsafe.Add(p, 52))
	v.Execution = LiftExecutionPolicy(unsafe.Add(p, 60))
	v.After = ListOf(8, String)(unsafe.Add(p, 64))
	return v
}

// LowerDescriptor writes one.
func LowerDescriptor(a *Args, p unsafe.Pointer, v contract.Descriptor) {
	PutString(a, unsafe.Add(p, 0), v.ID)
	PutString(a, unsafe.Add(p, 8), v.Version)
	PutString(a, unsafe.Add(p, 16), v.Kind)
	PutString(a, unsafe.Add(p, 24), v.Description)
	PutListOf(8, PutString)(a, unsafe.Add(p, 32), v.Points)
	PutOptionOf(4, PutS32)(a, unsafe.Add(p, 40), v.Priority)
	PutOptionOf(1, LowerFailurePolicy)(a, unsafe.Add(p, 48), v.Failure)
	PutOptionOf(4, PutU32)(a, unsafe.Add(p, 52), v.DeadlineMs)
	LowerExecutionPolicy(a, unsafe.Add(p, 60), v.Execution)
	PutListOf(8, PutString)(a, unsafe.Add(p, 64), v.After)
}

// LiftLLMCall reads one.
func LiftLLMCall(p unsafe.Pointer) (v contract.LLMCall) {
	v.Provider = String(unsafe.Add(p, 0))
	v.Model = String(unsafe.Add(p, 8))
	v.Attempt = U32(unsafe.Add(p, 16))
	v.Messages = U32(unsafe.Add(p, 20))
	v.Tools = U32(unsafe.Add(p, 24))
	v.EstimatedTokens = U64(unsafe.Add(p, 32))
	v.Temperature = OptionOf(8, F64)(unsafe.Add(p, 40))
	v.MaxOutputTokens = OptionOf(4, U32)(unsafe.Add(p, 56))
	return v
}

// LowerLLMCall writes one.
func LowerLLMCall(a *Args, p unsafe.Pointer, v contract.LLMCall) {
	PutString(a, unsafe.Add(p, 0), v.Provider)
	PutString(a, unsafe.Add(p, 8), v.Model)
	PutU32(a, unsafe.Add(p, 16), v.Attempt)
	PutU32(a, unsafe.Add(p, 20), v.Messages)
	PutU32(a, unsafe.Add(p, 24), v.Tools)
	PutU64(a, unsafe.Add(p, 32), v.EstimatedTokens)
	PutOptionOf(8, PutF64)(a, unsafe.Add(p, 40), v.Temperature)
	PutOptionOf(4, PutU32)(a, unsafe.Add(p, 56), v.MaxOutputTokens)
}

// LiftProviderErrorKind reads one.
func LiftProviderErrorKind(p unsafe.Pointer) contract.ProviderErrorKind {
	return contract.ProviderErrorKind(U8(p))
}

// LowerProviderErrorKind writes one.
func LowerProviderErrorKind(a *Args, p unsafe.Pointer, v contract.ProviderErrorKind) {
	PutU8(a, p, uint8(v))
}

// LiftLLMFailure reads one.
func LiftLLMFailure(p unsafe.Pointer) (v contract.LLMFailure) {
	v.Provider = String(unsafe.Add(p, 0))
	v.Model = String(unsafe.Add(p, 8))
	v.Attempt = U32(unsafe.Add(p, 16))
	v.Kind = LiftProviderErrorKind(unsafe.Add(p, 20))
	v.Status = OptionOf(2, U16)(unsafe.Add(p, 22))
	v.Message = String(unsafe.Add(p, 28))
	v.RetryAfterMs = OptionOf(4, U32)(unsafe.Add(p, 36))
	v.Providers = ListOf(8, String)(unsafe.Add(p, 44))
	return v
}

// LowerLLMFailure writes one.
func LowerLLMFailure(a *Args, p unsafe.Pointer, v contract.LLMFailure) {
	PutString(a, unsafe.Add(p, 0), v.Provider)
	PutString(a, unsafe.Add(p, 8), v.Model)
	PutU32(a, unsafe.Add(p, 16), v.Attempt)
	LowerProviderErrorKind(a, unsafe.Add(p, 20), v.Kind)
	PutOptionOf(2, PutU16)(a, unsafe.Add(p, 22), v.Status)
	PutString(a, unsafe.Add(p, 28), v.Message)
	PutOptionOf(4, PutU32)(a, unsafe.Add(p, 36), v.RetryAfterMs)
	PutListOf(8, PutString)(a, unsafe.Add(p, 44), v.Providers)
}

// LiftDeltaKind reads one.
func LiftDeltaKind(p unsafe.Pointer) contract.DeltaKind {
	return contract.DeltaKind(U8(p))
}

// LowerDeltaKind writes one.
func LowerDeltaKind(a *Args, p unsafe.Pointer, v contract.DeltaKind) {
	PutU8(a, p, uint8(v))
}

// LiftDelta reads one.
func LiftDelta(p unsafe.Pointer) (v contract.Delta) {
	v.Kind = LiftDeltaKind(unsafe.Add(p, 0))
	v.Index = U32(unsafe.Add(p, 4))
	v.Bytes = U32(unsafe.Add(p, 8))
	v.Last = Bool(unsafe.Add(p, 12))
	return v
}

// LowerDelta writes one.
func LowerDelta(a *Args, p unsafe.Pointer, v contract.Delta) {
	LowerDeltaKind(a, unsafe.Add(p, 0), v.Kind)
	PutU32(a, unsafe.Add(p, 4), v.Index)
	PutU32(a, unsafe.Add(p, 8), v.Bytes)
	PutBool(a, unsafe.Add(p, 12), v.Last)
}

// LiftStateChange reads one.
func LiftStateChange(p unsafe.Pointer) (v contract.StateChange) {
	v.Tool = String(unsafe.Add(p, 0))
	v.CallID = String(unsafe.Add(p, 8))
	v.Keys = ListOf(8, String)(unsafe.Add(p, 16))
	return v
}

// LowerStateChange writes one.
func LowerStateChange(a *Args, p unsafe.Pointer, v contract.StateChange) {
	PutString(a, unsafe.Add(p, 0), v.Tool)
	PutString(a, unsafe.Add(p, 8), v.CallID)
	PutListOf(8, PutString)(a, unsafe.Add(p, 16), v.Keys)
}

// LiftTurnFacts reads one.
func LiftTurnFacts(p unsafe.Pointer) (v contract.TurnFacts) {
	v.TextBytes = U32(unsafe.Add(p, 0))
	v.Messages = U32(unsafe.Add(p, 4))
	v.Tools = U32(unsafe.Add(p, 8))
	v.Policies = U32(unsafe.Add(p, 12))
	return v
}

// LowerTurnFacts writes one.
func LowerTurnFacts(a *Args, p unsafe.Pointer, v contract.TurnFacts) {
	PutU32(a, unsafe.Add(p, 0), v.TextBytes)
	PutU32(a, unsafe.Add(p, 4), v.Messages)
	PutU32(a, unsafe.Add(p, 8), v.Tools)
	PutU32(a, unsafe.Add(p, 12), v.Policies)
}

// LiftContextSet reads one.
func LiftContextSet(p unsafe.Pointer) (v contract.ContextSet) {
	v.TextBytes = U32(unsafe.Add(p, 0))
	v.Policies = U32(unsafe.Add(p, 4))
	v.Items = U32(unsafe.Add(p, 8))
	return v
}

// LowerContextSet writes one.
func LowerContextSet(a *Args, p unsafe.Pointer, v contract.ContextSet) {
	PutU32(a, unsafe.Add(p, 0), v.TextBytes)
	PutU32(a, unsafe.Add(p, 4), v.Policies)
	PutU32(a, unsafe.Add(p, 8), v.Items)
}

// LiftRecallPlan reads one.
func LiftRecallPlan(p unsafe.Pointer) (v contract.RecallPlan) {
	v.Queries = U32(unsafe.Add(p, 0))
	v.MaxItems = U32(unsafe.Add(p, 4))
	v.MaxTokens = U64(unsafe.Add(p, 8))
	v.Fallback = Bool(unsafe.Add(p, 16))
	v.Items = U32(unsafe.Add(p, 20))
	return v
}

// LowerRecallPlan writes one.
func LowerRecallPlan(a *Args, p unsafe.Pointer, v contract.RecallPlan) {
	PutU32(a, unsafe.Add(p, 0), v.Queries)
	PutU32(a, unsafe.Add(p, 4), v.MaxItems)
	PutU64(a, unsafe.Add(p, 8), v.MaxTokens)
	PutBool(a, unsafe.Add(p, 16), v.Fallback)
	PutU32(a, unsafe.Add(p, 20), v.Items)
}

// LiftToolSet reads one.
func LiftToolSet(p unsafe.Pointer) (v contract.ToolSet) {
	v.Tools = U32(unsafe.Add(p, 0))
	v.Bundles = U32(unsafe.Add(p, 4))
	return v
}

// LowerToolSet writes one.
func LowerToolSet(a *Args, p unsafe.Pointer, v contract.ToolSet) {
	PutU32(a, unsafe.Add(p, 0), v.Tools)
	PutU32(a, unsafe.Add(p, 4), v.Bundles)
}

// LiftPromptDraft reads one.
func LiftPromptDraft(p unsafe.Pointer) (v contract.PromptDraft) {
	v.Sections = U32(unsafe.Add(p, 0))
	v.Items = U32(unsafe.Add(p, 4))
	v.Tokens = U64(unsafe.Add(p, 8))
	v.BudgetTokens = U64(unsafe.Add(p, 16))
	return v
}

// LowerPromptDraft writes one.
func LowerPromptDraft(a *Args, p unsafe.Pointer, v contract.PromptDraft) {
	PutU32(a, unsafe.Add(p, 0), v.Sections)
	PutU32(a, unsafe.Add(p, 4), v.Items)
	PutU64(a, unsafe.Add(p, 8), v.Tokens)
	PutU64(a, unsafe.Add(p, 16), v.BudgetTokens)
}

// LiftSessionInfo reads one.
func LiftSessionInfo(p unsafe.Pointer) (v contract.SessionInfo) {
	v.Provider = String(unsafe.Add(p, 0))
	v.Model = String(unsafe.Add(p, 8))
	v.Tools = U32(unsafe.Add(p, 16))
	return v
}

// LowerSessionInfo writes one.
func LowerSessionInfo(a *Args, p unsafe.Pointer, v contract.SessionInfo) {
	PutString(a, unsafe.Add(p, 0), v.Provider)
	PutString(a, unsafe.Add(p, 8), v.Model)
	PutU32(a, unsafe.Add(p, 16), v.Tools)
}

// LiftSubagentSpec reads one.
func LiftSubagentSpec(p unsafe.Pointer) (v contract.SubagentSpec) {
	v.CallID = String(unsafe.Add(p, 0))
	v.Agent = String(unsafe.Add(p, 8))
	v.TaskBytes = U32(unsafe.Add(p, 16))
	v.Depth = U32(unsafe.Add(p, 20))
	return v
}

// LowerSubagentSpec writes one.
func LowerSubagentSpec(a *Args, p unsafe.Pointer, v contract.SubagentSpec) {
	PutString(a, unsafe.Add(p, 0), v.CallID)
	PutString(a, unsafe.Add(p, 8), v.Agent)
	PutU32(a, unsafe.Add(p, 16), v.TaskBytes)
	PutU32(a, unsafe.Add(p, 20), v.Depth)
}

// LiftExecutionGrant reads one.
func LiftExecutionGrant(p unsafe.Pointer) (v contract.ExecutionGrant) {
	v.WorkingDir = OptionOf(4, String)(unsafe.Add(p, 0))
	v.TimeoutMs = U32(unsafe.Add(p, 12))
	return v
}

// LowerExecutionGrant writes one.
func LowerExecutionGrant(a *Args, p unsafe.Pointer, v contract.ExecutionGrant) {
	PutOptionOf(4, PutString)(a, unsafe.Add(p, 0), v.WorkingDir)
	PutU32(a, unsafe.Add(p, 12), v.TimeoutMs)
}

// LiftToolRequest reads one.
func LiftToolRequest(p unsafe.Pointer) (v contract.ToolRequest) {
	v.CallID = String(unsafe.Add(p, 0))
	v.Name = String(unsafe.Add(p, 8))
	v.ArgumentsBytes = U32(unsafe.Add(p, 16))
	v.Grant = LiftExecutionGrant(unsafe.Add(p, 20))
	return v
}

// LowerToolRequest writes one.
func LowerToolRequest(a *Args, p unsafe.Pointer, v contract.ToolRequest) {
	PutString(a, unsafe.Add(p, 0), v.CallID)
	PutString(a, unsafe.Add(p, 8), v.Name)
	PutU32(a, unsafe.Add(p, 16), v.ArgumentsBytes)
	LowerExecutionGrant(a, unsafe.Add(p, 20), v.Grant)
}

// LiftToolOutcome reads one.
func LiftToolOutcome(p unsafe.Pointer) (v contract.ToolOutcome) {
	v.CallID = String(unsafe.Add(p, 0))
	v.Name = String(unsafe.Add(p, 8))
	v.OutputBytes = U32(unsafe.Add(p, 16))
	v.IsError = Bool(unsafe.Add(p, 20))
	v.ElapsedUs = U64(unsafe.Add(p, 24))
	return v
}

// LowerToolOutcome writes one.
func LowerToolOutcome(a *Args, p unsafe.Pointer, v contract.ToolOutcome) {
	PutString(a, unsafe.Add(p, 0), v.CallID)
	PutString(a, unsafe.Add(p, 8), v.Name)
	PutU32(a, unsafe.Add(p, 16), v.OutputBytes)
	PutBool(a, unsafe.Add(p, 20), v.IsError)
	PutU64(a, unsafe.Add(p, 24), v.ElapsedUs)
}

// LiftToolUpdateToolProgress reads one.
func LiftToolUpdateToolProgress(p unsafe.Pointer) (v contract.ToolUpdateToolProgress) {
	v.CallID = String(unsafe.Add(p, 0))
	v.Name = String(unsafe.Add(p, 8))
	v.Index = U32(unsafe.Add(p, 16))
	v.TextBytes = U32(unsafe.Add(p, 20))
	return v
}

// LowerToolUpdateToolProgress writes one.
func LowerToolUpdateToolProgress(a *Args, p unsafe.Pointer, v contract.ToolUpdateToolProgress) {
	PutString(a, unsafe.Add(p, 0), v.CallID)
	PutString(a, unsafe.Add(p, 8), v.Name)
	PutU32(a, unsafe.Add(p, 16), v.Index)
	PutU32(a, unsafe.Add(p, 20), v.TextBytes)
}

// LiftToolUpdateSentToolProgress reads one.
func LiftToolUpdateSentToolProgress(p unsafe.Pointer) (v contract.ToolUpdateSentToolProgress) {
	v.CallID = String(unsafe.Add(p, 0))
	v.Name = String(unsafe.Add(p, 8))
	v.Index = U32(unsafe.Add(p, 16))
	v.TextBytes = U32(unsafe.Add(p, 20))
	return v
}

// LowerToolUpdateSentToolProgress writes one.
func LowerToolUpdateSentToolProgress(a *Args, p unsafe.Pointer, v contract.ToolUpdateSentToolProgress) {
	PutString(a, unsafe.Add(p, 0), v.CallID)
	PutString(a, unsafe.Add(p, 8), v.Name)
	PutU32(a, unsafe.Add(p, 16), v.Index)
	PutU32(a, unsafe.Add(p, 20), v.TextBytes)
}

// LiftTurnInput reads one.
func LiftTurnInput(p unsafe.Pointer) (v contract.TurnInput) {
	v.TextBytes = U32(unsafe.Add(p, 0))
	v.Parts = U32(unsafe.Add(p, 4))
	return v
}

// LowerTurnInput writes one.
func LowerTurnInput(a *Args, p unsafe.Pointer, v contract.TurnInput) {
	PutU32(a, unsafe.Add(p, 0), v.TextBytes)
	PutU32(a, unsafe.Add(p, 4), v.Parts)
}

// LiftErrorKind reads one.
func LiftErrorKind(p unsafe.Pointer) contract.ErrorKind {
	return contract.ErrorKind(U8(p))
}

// LowerErrorKind writes one.
func LowerErrorKind(a *Args, p unsafe.Pointer, v contract.ErrorKind) {
	PutU8(a, p, uint8(v))
}

// LiftFailure reads one.
func LiftFailure(p unsafe.Pointer) (v contract.Failure) {
	v.Kind = LiftErrorKind(unsafe.Add(p, 0))
	v.Message = String(unsafe.Add(p, 4))
	return v
}

// LowerFailure writes one.
func LowerFailure(a *Args, p unsafe.Pointer, v contract.Failure) {
	LowerErrorKind(a, unsafe.Add(p, 0), v.Kind)
	PutString(a, unsafe.Add(p, 4), v.Message)
}

// LiftSuspendReason reads one.
func LiftSuspendReason(p unsafe.Pointer) contract.SuspendReason {
	return contract.SuspendReason(U8(p))
}

// LowerSuspendReason writes one.
func LowerSuspendReason(a *Args, p unsafe.Pointer, v contract.SuspendReason) {
	PutU8(a, p, uint8(v))
}

// LiftSuspension reads one.
func LiftSuspension(p unsafe.Pointer) (v contract.Suspension) {
	v.Reason = LiftSuspendReason(unsafe.Add(p, 0))
	v.Checkpoint = String(unsafe.Add(p, 4))
	v.Pending = ListOf(8, String)(unsafe.Add(p, 12))
	v.Partial = Bool(unsafe.Add(p, 20))
	v.Steps = U32(unsafe.Add(p, 24))
	return v
}

// LowerSuspension writes one.
func LowerSuspension(a *Args, p unsafe.Pointer, v contract.Suspension) {
	LowerSuspendReason(a, unsafe.Add(p, 0), v.Reason)
	PutString(a, unsafe.Add(p, 4), v.Checkpoint)
	PutListOf(8, PutString)(a, unsafe.Add(p, 12), v.Pending)
	PutBool(a, unsafe.Add(p, 20), v.Partial)
	PutU32(a, unsafe.Add(p, 24), v.Steps)
}

// LiftResumption reads one.
func LiftResumption(p unsafe.Pointer) (v contract.Resumption) {
	v.Checkpoint = String(unsafe.Add(p, 0))
	v.Resolved = ListOf(8, String)(unsafe.Add(p, 8))
	v.WaitedMs = U64(unsafe.Add(p, 16))
	v.Steps = U32(unsafe.Add(p, 24))
	return v
}

// LowerResumption writes one.
func LowerResumption(a *Args, p unsafe.Pointer, v contract.Resumption) {
	PutString(a, unsafe.Add(p, 0), v.Checkpoint)
	PutListOf(8, PutString)(a, unsafe.Add(p, 8), v.Resolved)
	PutU64(a, unsafe.Add(p, 16), v.WaitedMs)
	PutU32(a, unsafe.Add(p, 24), v.Steps)
}

// LiftContext reads one.
func LiftContext(p unsafe.Pointer) (v contract.Context) {
	v.SessionID = String(unsafe.Add(p, 0))
	v.Agent = String(unsafe.Add(p, 8))
	v.Turn = U32(unsafe.Add(p, 16))
	v.Step = U32(unsafe.Add(p, 20))
	return v
}

// LowerContext writes one.
func LowerContext(a *Args, p unsafe.Pointer, v contract.Context) {
	PutString(a, unsafe.Add(p, 0), v.SessionID)
	PutString(a, unsafe.Add(p, 8), v.Agent)
	PutU32(a, unsafe.Add(p, 16), v.Turn)
	PutU32(a, unsafe.Add(p, 20), v.Step)
}

// LiftRole reads one.
func LiftRole(p unsafe.Pointer) contract.Role {
	return contract.Role(U8(p))
}

// LowerRole writes one.
func LowerRole(a *Args, p unsafe.Pointer, v contract.Role) {
	PutU8(a, p, uint8(v))
}

// LiftImageSource reads one.
func LiftImageSource(p unsafe.Pointer) contract.ImageSource {
	switch U8(p) {
	case 0:
		return contract.ImageSourceURL(String(unsafe.Add(p, 4)))
	case 1:
		return contract.ImageSourceBytes(Bytes(unsafe.Add(p, 4)))
	}
	panic("the host gave an unknown ImageSource")
}

// LowerImageSource writes one.
func LowerImageSource(a *Args, p unsafe.Pointer, v contract.ImageSource) {
	switch v := v.(type) {
	case contract.ImageSourceURL:
		PutU8(a, p, 0)
		PutString(a, unsafe.Add(p, 4), string(v))
	case contract.ImageSourceBytes:
		PutU8(a, p, 1)
		PutBytes(a, unsafe.Add(p, 4), ([]byte)(v))
	default:
		Missing("ImageSource")
	}
}

// LiftImage reads one.
func LiftImage(p unsafe.Pointer) (v contract.Image) {
	v.MediaType = String(unsafe.Add(p, 0))
	v.Source = LiftImageSource(unsafe.Add(p, 8))
	return v
}

// LowerImage writes one.
func LowerImage(a *Args, p unsafe.Pointer, v contract.Image) {
	PutString(a, unsafe.Add(p, 0), v.MediaType)
	LowerImageSource(a, unsafe.Add(p, 8), v.Source)
}

// LiftToolCall reads one.
func LiftToolCall(p unsafe.Pointer) (v contract.ToolCall) {
	v.ID = String(unsafe.Add(p, 0))
	v.Name = String(unsafe.Add(p, 8))
	v.Arguments = String(unsafe.Add(p, 16))
	return v
}

// LowerToolCall writes one.
func LowerToolCall(a *Args, p unsafe.Pointer, v contract.ToolCall) {
	PutString(a, unsafe.Add(p, 0), v.ID)
	PutString(a, unsafe.Add(p, 8), v.Name)
	PutString(a, unsafe.Add(p, 16), v.Arguments)
}

// LiftToolResult reads one.
func LiftToolResult(p unsafe.Pointer) (v contract.ToolResult) {
	v.CallID = String(unsafe.Add(p, 0))
	v.Name = String(unsafe.Add(p, 8))
	v.Content = String(unsafe.Add(p, 16))
	v.IsError = Bool(unsafe.Add(p, 24))
	return v
}

// LowerToolResult writes one.
func LowerToolResult(a *Args, p unsafe.Pointer, v contract.ToolResult) {
	PutString(a, unsafe.Add(p, 0), v.CallID)
	PutString(a, unsafe.Add(p, 8), v.Name)
	PutString(a, unsafe.Add(p, 16), v.Content)
	PutBool(a, unsafe.Add(p, 24), v.IsError)
}

// LiftContentPart reads one.
func LiftContentPart(p unsafe.Pointer) contract.ContentPart {
	switch U8(p) {
	case 0:
		return contract.ContentPartText(String(unsafe.Add(p, 4)))
	case 1:
		return contract.ContentPartThinking(String(unsafe.Add(p, 4)))
	case 2:
		return contract.ContentPartImage(LiftImage(unsafe.Add(p, 4)))
	case 3:
		return contract.ContentPartToolCall(LiftToolCall(unsafe.Add(p, 4)))
	case 4:
		return contract.ContentPartToolResult(LiftToolResult(unsafe.Add(p, 4)))
	}
	panic("the host gave an unknown ContentPart")
}

// LowerContentPart writes one.
func LowerContentPart(a *Args, p unsafe.Pointer, v contract.ContentPart) {
	switch v := v.(type) {
	case contract.ContentPartText:
		PutU8(a, p, 0)
		PutString(a, unsafe.Add(p, 4), string(v))
	case contract.ContentPartThinking:
		PutU8(a, p, 1)
		PutString(a, unsafe.Add(p, 4), string(v))
	case contract.ContentPartImage:
		PutU8(a, p, 2)
		LowerImage(a, unsafe.Add(p, 4), contract.Image(v))
	case contract.ContentPartToolCall:
		PutU8(a, p, 3)
		LowerToolCall(a, unsafe.Add(p, 4), contract.ToolCall(v))
	case contract.ContentPartToolResult:
		PutU8(a, p, 4)
		LowerToolResult(a, unsafe.Add(p, 4), contract.ToolResult(v))
	default:
		Missing("ContentPart")
	}
}

// LiftMessage reads one.
func LiftMessage(p unsafe.Pointer) (v contract.Message) {
	v.Role = LiftRole(unsafe.Add(p, 0))
	v.Content = ListOf(32, LiftContentPart)(unsafe.Add(p, 4))
	return v
}

// LowerMessage writes one.
func LowerMessage(a *Args, p unsafe.Pointer, v contract.Message) {
	LowerRole(a, unsafe.Add(p, 0), v.Role)
	PutListOf(32, LowerContentPart)(a, unsafe.Add(p, 4), v.Content)
}

// LiftUsage reads one.
func LiftUsage(p unsafe.Pointer) (v contract.Usage) {
	v.InputTokens = U64(unsafe.Add(p, 0))
	v.OutputTokens = U64(unsafe.Add(p, 8))
	v.CacheReadTokens = U64(unsafe.Add(p, 16))
	v.CacheWriteTokens = U64(unsafe.Add(p, 24))
	return v
}

// LowerUsage writes one.
func LowerUsage(a *Args, p unsafe.Pointer, v contract.Usage) {
	PutU64(a, unsafe.Add(p, 0), v.InputTokens)
	PutU64(a, unsafe.Add(p, 8), v.OutputTokens)
	PutU64(a, unsafe.Add(p, 16), v.CacheReadTokens)
	PutU64(a, unsafe.Add(p, 24), v.CacheWriteTokens)
}

// LiftStopReason reads one.
func LiftStopReason(p unsafe.Pointer) contract.StopReason {
	switch U8(p) {
	case 0:
		return contract.StopReasonEndTurn{}
	case 1:
		return contract.StopReasonMaxTokens{}
	case 2:
		return contract.StopReasonStopSequence{}
	case 3:
		return contract.StopReasonToolUse{}
	case 4:
		return contract.StopReasonRefusal{}
	case 5:
		return contract.StopReasonOther(String(unsafe.Add(p, 4)))
	}
	panic("the host gave an unknown StopReason")
}

// LowerStopReason writes one.
func LowerStopReason(a *Args, p unsafe.Pointer, v contract.StopReason) {
	switch v := v.(type) {
	case contract.StopReasonEndTurn:
		PutU8(a, p, 0)
	case contract.StopReasonMaxTokens:
		PutU8(a, p, 1)
	case contract.StopReasonStopSequence:
		PutU8(a, p, 2)
	case contract.StopReasonToolUse:
		PutU8(a, p, 3)
	case contract.StopReasonRefusal:
		PutU8(a, p, 4)
	case contract.StopReasonOther:
		PutU8(a, p, 5)
		PutString(a, unsafe.Add(p, 4), string(v))
	default:
		Missing("StopReason")
	}
}

// LiftRejection reads one.
func LiftRejection(p unsafe.Pointer) (v contract.Rejection) {
	v.Code = String(unsafe.Add(p, 0))
	v.Reason = String(unsafe.Add(p, 8))
	v.Details = OptionOf(4, String)(unsafe.Add(p, 16))
	return v
}

// LowerRejection writes one.
func LowerRejection(a *Args, p unsafe.Pointer, v contract.Rejection) {
	PutString(a, unsafe.Add(p, 0), v.Code)
	PutString(a, unsafe.Add(p, 8), v.Reason)
	PutOptionOf(4, PutString)(a, unsafe.Add(p, 16), v.Details)
}

// LiftToolSpec reads one.
func LiftToolSpec(p unsafe.Pointer) (v contract.ToolSpec) {
	v.Name = String(unsafe.Add(p, 0))
	v.Description = String(unsafe.Add(p, 8))
	v.Schema = String(unsafe.Add(p, 16))
	return v
}

// LowerToolSpec writes one.
func LowerToolSpec(a *Args, p unsafe.Pointer, v contract.ToolSpec) {
	PutString(a, unsafe.Add(p, 0), v.Name)
	PutString(a, unsafe.Add(p, 8), v.Description)
	PutString(a, unsafe.Add(p, 16), v.Schema)
}

// LiftMessageEdit reads one.
func LiftMessageEdit(p unsafe.Pointer) contract.MessageEdit {
	switch U8(p) {
	case 0:
		return contract.MessageEditInsert{Index: U32(unsafe.Add(p, 4)), Message: LiftMessage(unsafe.Add(p, 8))}
	case 1:
		return contract.MessageEditSet{Index: U32(unsafe.Add(p, 4)), Message: LiftMessage(unsafe.Add(p, 8))}
	case 2:
		return contract.MessageEditRemove(U32(unsafe.Add(p, 4)))
	}
	panic("the host gave an unknown MessageEdit")
}

// LowerMessageEdit writes one.
func LowerMessageEdit(a *Args, p unsafe.Pointer, v contract.MessageEdit) {
	switch v := v.(type) {
	case contract.MessageEditInsert:
		PutU8(a, p, 0)
		PutU32(a, unsafe.Add(p, 4), v.Index)
		LowerMessage(a, unsafe.Add(p, 8), v.Message)
	case contract.MessageEditSet:
		PutU8(a, p, 1)
		PutU32(a, unsafe.Add(p, 4), v.Index)
		LowerMessage(a, unsafe.Add(p, 8), v.Message)
	case contract.MessageEditRemove:
		PutU8(a, p, 2)
		PutU32(a, unsafe.Add(p, 4), uint32(v))
	default:
		Missing("MessageEdit")
	}
}

// LiftStopKind reads one.
func LiftStopKind(p unsafe.Pointer) contract.StopKind {
	switch U8(p) {
	case 0:
		return contract.StopKindStepsLimit{}
	case 1:
		return contract.StopKindTokenLimit{}
	case 2:
		return contract.StopKindTimeLimit{}
	case 3:
		return contract.StopKindFinishReason(String(unsafe.Add(p, 4)))
	case 4:
		return contract.StopKindOther(String(unsafe.Add(p, 4)))
	}
	panic("the host gave an unknown StopKind")
}

// LowerStopKind writes one.
func LowerStopKind(a *Args, p unsafe.Pointer, v contract.StopKind) {
	switch v := v.(type) {
	case contract.StopKindStepsLimit:
		PutU8(a, p, 0)
	case contract.StopKindTokenLimit:
		PutU8(a, p, 1)
	case contract.StopKindTimeLimit:
		PutU8(a, p, 2)
	case contract.StopKindFinishReason:
		PutU8(a, p, 3)
		PutString(a, unsafe.Add(p, 4), string(v))
	case contract.StopKindOther:
		PutU8(a, p, 4)
		PutString(a, unsafe.Add(p, 4), string(v))
	default:
		Missing("StopKind")
	}
}

// LiftStopSignal reads one.
func LiftStopSignal(p unsafe.Pointer) (v contract.StopSignal) {
	v.Kind = LiftStopKind(unsafe.Add(p, 0))
	v.Message = String(unsafe.Add(p, 12))
	return v
}

// LowerStopSignal writes one.
func LowerStopSignal(a *Args, p unsafe.Pointer, v contract.StopSignal) {
	LowerStopKind(a, unsafe.Add(p, 0), v.Kind)
	PutString(a, unsafe.Add(p, 12), v.Message)
}

// LiftWorkspace reads one.
func LiftWorkspace(p unsafe.Pointer) (v contract.Workspace) {
	v.Name = String(unsafe.Add(p, 0))
	v.Path = String(unsafe.Add(p, 8))
	v.Reason = String(unsafe.Add(p, 16))
	return v
}

// LowerWorkspace writes one.
func LowerWorkspace(a *Args, p unsafe.Pointer, v contract.Workspace) {
	PutString(a, unsafe.Add(p, 0), v.Name)
	PutString(a, unsafe.Add(p, 8), v.Path)
	PutString(a, unsafe.Add(p, 16), v.Reason)
}

// LiftDomainPolicy reads one.
func LiftDomainPolicy(p unsafe.Pointer) (v contract.DomainPolicy) {
	v.Domain = String(unsafe.Add(p, 0))
	v.Rules = String(unsafe.Add(p, 8))
	return v
}

// LowerDomainPolicy writes one.
func LowerDomainPolicy(a *Args, p unsafe.Pointer, v contract.DomainPolicy) {
	PutString(a, unsafe.Add(p, 0), v.Domain)
	PutString(a, unsafe.Add(p, 8), v.Rules)
}

// LiftContextItem reads one.
func LiftContextItem(p unsafe.Pointer) (v contract.ContextItem) {
	v.Kind = String(unsafe.Add(p, 0))
	v.Text = String(unsafe.Add(p, 8))
	v.Data = OptionOf(4, String)(unsafe.Add(p, 16))
	return v
}

// LowerContextItem writes one.
func LowerContextItem(a *Args, p unsafe.Pointer, v contract.ContextItem) {
	PutString(a, unsafe.Add(p, 0), v.Kind)
	PutString(a, unsafe.Add(p, 8), v.Text)
	PutOptionOf(4, PutString)(a, unsafe.Add(p, 16), v.Data)
}

// LiftPromptSection reads one.
func LiftPromptSection(p unsafe.Pointer) (v contract.PromptSection) {
	v.ID = String(unsafe.Add(p, 0))
	v.Title = OptionOf(4, String)(unsafe.Add(p, 8))
	v.Text = String(unsafe.Add(p, 20))
	v.Order = S32(unsafe.Add(p, 28))
	v.MaxTokens = OptionOf(4, U32)(unsafe.Add(p, 32))
	v.Essential = Bool(unsafe.Add(p, 40))
	return v
}

// LowerPromptSection writes one.
func LowerPromptSection(a *Args, p unsafe.Pointer, v contract.PromptSection) {
	PutString(a, unsafe.Add(p, 0), v.ID)
	PutOptionOf(4, PutString)(a, unsafe.Add(p, 8), v.Title)
	PutString(a, unsafe.Add(p, 20), v.Text)
	PutS32(a, unsafe.Add(p, 28), v.Order)
	PutOptionOf(4, PutU32)(a, unsafe.Add(p, 32), v.MaxTokens)
	PutBool(a, unsafe.Add(p, 40), v.Essential)
}

// LiftToolRoute reads one.
func LiftToolRoute(p unsafe.Pointer) contract.ToolRoute {
	switch U8(p) {
	case 0:
		return contract.ToolRouteAgent(String(unsafe.Add(p, 4)))
	case 1:
		return contract.ToolRouteHook{}
	}
	panic("the host gave an unknown ToolRoute")
}

// LowerToolRoute writes one.
func LowerToolRoute(a *Args, p unsafe.Pointer, v contract.ToolRoute) {
	switch v := v.(type) {
	case contract.ToolRouteAgent:
		PutU8(a, p, 0)
		PutString(a, unsafe.Add(p, 4), string(v))
	case contract.ToolRouteHook:
		PutU8(a, p, 1)
	default:
		Missing("ToolRoute")
	}
}

// LiftBundledTool reads one.
func LiftBundledTool(p unsafe.Pointer) (v contract.BundledTool) {
	v.Spec = LiftToolSpec(unsafe.Add(p, 0))
	v.Route = LiftToolRoute(unsafe.Add(p, 24))
	return v
}

// LowerBundledTool writes one.
func LowerBundledTool(a *Args, p unsafe.Pointer, v contract.BundledTool) {
	LowerToolSpec(a, unsafe.Add(p, 0), v.Spec)
	LowerToolRoute(a, unsafe.Add(p, 24), v.Route)
}

// LiftToolBundle reads one.
func LiftToolBundle(p unsafe.Pointer) (v contract.ToolBundle) {
	v.Name = String(unsafe.Add(p, 0))
	v.Tools = ListOf(36, LiftBundledTool)(unsafe.Add(p, 8))
	return v
}

// LowerToolBundle writes one.
func LowerToolBundle(a *Args, p unsafe.Pointer, v contract.ToolBundle) {
	PutString(a, unsafe.Add(p, 0), v.Name)
	PutListOf(36, LowerBundledTool)(a, unsafe.Add(p, 8), v.Tools)
}

// LiftStateError reads one.
func LiftStateError(p unsafe.Pointer) contract.StateError {
	switch U8(p) {
	case 0:
		return contract.StateErrorDenied(String(unsafe.Add(p, 4)))
	case 1:
		return contract.StateErrorFull(String(unsafe.Add(p, 4)))
	case 2:
		return contract.StateErrorNotANumber{}
	}
	panic("the host gave an unknown StateError")
}

// LowerStateError writes one.
func LowerStateError(a *Args, p unsafe.Pointer, v contract.StateError) {
	switch v := v.(type) {
	case contract.StateErrorDenied:
		PutU8(a, p, 0)
		PutString(a, unsafe.Add(p, 4), string(v))
	case contract.StateErrorFull:
		PutU8(a, p, 1)
		PutString(a, unsafe.Add(p, 4), string(v))
	case contract.StateErrorNotANumber:
		PutU8(a, p, 2)
	default:
		Missing("StateError")
	}
}

// LiftLLMCallEdit reads one.
func LiftLLMCallEdit(p unsafe.Pointer) (v contract.LLMCallEdit) {
	v.Model = OptionOf(4, String)(unsafe.Add(p, 0))
	v.Temperature = OptionOf(8, F64)(unsafe.Add(p, 16))
	v.MaxOutputTokens = OptionOf(4, U32)(unsafe.Add(p, 32))
	v.Tools = Nilable(4, ListOf(8, String))(unsafe.Add(p, 40))
	v.Messages = ListOf(20, LiftMessageEdit)(unsafe.Add(p, 52))
	return v
}

// LowerLLMCallEdit writes one.
func LowerLLMCallEdit(a *Args, p unsafe.Pointer, v contract.LLMCallEdit) {
	PutOptionOf(4, PutString)(a, unsafe.Add(p, 0), v.Model)
	PutOptionOf(8, PutF64)(a, unsafe.Add(p, 16), v.Temperature)
	PutOptionOf(4, PutU32)(a, unsafe.Add(p, 32), v.MaxOutputTokens)
	PutNilableList(4, PutListOf(8, PutString))(a, unsafe.Add(p, 40), v.Tools)
	PutListOf(20, LowerMessageEdit)(a, unsafe.Add(p, 52), v.Messages)
}

// LiftLLMResponse reads one.
func LiftLLMResponse(p unsafe.Pointer) (v contract.LLMResponse) {
	v.Content = ListOf(32, LiftContentPart)(unsafe.Add(p, 0))
	v.Stop = LiftStopReason(unsafe.Add(p, 8))
	v.Usage = LiftUsage(unsafe.Add(p, 24))
	return v
}

// LowerLLMResponse writes one.
func LowerLLMResponse(a *Args, p unsafe.Pointer, v contract.LLMResponse) {
	PutListOf(32, LowerContentPart)(a, unsafe.Add(p, 0), v.Content)
	LowerStopReason(a, unsafe.Add(p, 8), v.Stop)
	LowerUsage(a, unsafe.Add(p, 24), v.Usage)
}

// LiftLLMResult reads one.
func LiftLLMResult(p unsafe.Pointer) (v contract.LLMResult) {
	v.Provider = String(unsafe.Add(p, 0))
	v.Model = String(unsafe.Add(p, 8))
	v.Attempt = U32(unsafe.Add(p, 16))
	v.Stop = LiftStopReason(unsafe.Add(p, 20))
	v.Usage = LiftUsage(unsafe.Add(p, 32))
	v.TextBytes = U32(unsafe.Add(p, 64))
	v.ToolCalls = ListOf(8, String)(unsafe.Add(p, 68))
	v.ElapsedUs = U64(unsafe.Add(p, 80))
	return v
}

// LowerLLMResult writes one.
func LowerLLMResult(a *Args, p unsafe.Pointer, v contract.LLMResult) {
	PutString(a, unsafe.Add(p, 0), v.Provider)
	PutString(a, unsafe.Add(p, 8), v.Model)
	PutU32(a, unsafe.Add(p, 16), v.Attempt)
	LowerStopReason(a, unsafe.Add(p, 20), v.Stop)
	LowerUsage(a, unsafe.Add(p, 32), v.Usage)
	PutU32(a, unsafe.Add(p, 64), v.TextBytes)
	PutListOf(8, PutString)(a, unsafe.Add(p, 68), v.ToolCalls)
	PutU64(a, unsafe.Add(p, 80), v.ElapsedUs)
}

// LiftAddedMessage reads one.
func LiftAddedMessage(p unsafe.Pointer) (v contract.AddedMessage) {
	v.Index = U32(unsafe.Add(p, 0))
	v.Role = LiftRole(unsafe.Add(p, 4))
	v.Parts = U32(unsafe.Add(p, 8))
	v.TextBytes = U32(unsafe.Add(p, 12))
	return v
}

// LowerAddedMessage writes one.
func LowerAddedMessage(a *Args, p unsafe.Pointer, v contract.AddedMessage) {
	PutU32(a, unsafe.Add(p, 0), v.Index)
	LowerRole(a, unsafe.Add(p, 4), v.Role)
	PutU32(a, unsafe.Add(p, 8), v.Parts)
	PutU32(a, unsafe.Add(p, 12), v.TextBytes)
}

// LiftCompletion reads one.
func LiftCompletion(p unsafe.Pointer) (v contract.Completion) {
	v.Text = String(unsafe.Add(p, 0))
	v.Stop = LiftStopReason(unsafe.Add(p, 8))
	v.Usage = LiftUsage(unsafe.Add(p, 24))
	return v
}

// LowerCompletion writes one.
func LowerCompletion(a *Args, p unsafe.Pointer, v contract.Completion) {
	PutString(a, unsafe.Add(p, 0), v.Text)
	LowerStopReason(a, unsafe.Add(p, 8), v.Stop)
	LowerUsage(a, unsafe.Add(p, 24), v.Usage)
}

// LiftModelError reads one.
func LiftModelError(p unsafe.Pointer) contract.ModelError {
	switch U8(p) {
	case 0:
		return contract.ModelErrorNoModel(String(unsafe.Add(p, 8)))
	case 1:
		return contract.ModelErrorBudget(String(unsafe.Add(p, 8)))
	case 2:
		return contract.ModelErrorTooLong(U64(unsafe.Add(p, 8)))
	case 3:
		return contract.ModelErrorProvider(String(unsafe.Add(p, 8)))
	}
	panic("the host gave an unknown ModelError")
}

// LowerModelError writes one.
func LowerModelError(a *Args, p unsafe.Pointer, v contract.ModelError) {
	switch v := v.(type) {
	case contract.ModelErrorNoModel:
		PutU8(a, p, 0)
		PutString(a, unsafe.Add(p, 8), string(v))
	case contract.ModelErrorBudget:
		PutU8(a, p, 1)
		PutString(a, unsafe.Add(p, 8), string(v))
	case contract.ModelErrorTooLong:
		PutU8(a, p, 2)
		PutU64(a, unsafe.Add(p, 8), uint64(v))
	case contract.ModelErrorProvider:
		PutU8(a, p, 3)
		PutString(a, unsafe.Add(p, 8), string(v))
	default:
		Missing("ModelError")
	}
}

// LiftNamedSchema reads one.
func LiftNamedSchema(p unsafe.Pointer) (v contract.NamedSchema) {
	v.Name = String(unsafe.Add(p, 0))
	v.Schema = String(unsafe.Add(p, 8))
	return v
}

// LowerNamedSchema writes one.
func LowerNamedSchema(a *Args, p unsafe.Pointer, v contract.NamedSchema) {
	PutString(a, unsafe.Add(p, 0), v.Name)
	PutString(a, unsafe.Add(p, 8), v.Schema)
}

// LiftResponseFormat reads one.
func LiftResponseFormat(p unsafe.Pointer) contract.ResponseFormat {
	switch U8(p) {
	case 0:
		return contract.ResponseFormatText{}
	case 1:
		return contract.ResponseFormatJson{}
	case 2:
		return contract.ResponseFormatSchema(LiftNamedSchema(unsafe.Add(p, 4)))
	}
	panic("the host gave an unknown ResponseFormat")
}

// LowerResponseFormat writes one.
func LowerResponseFormat(a *Args, p unsafe.Pointer, v contract.ResponseFormat) {
	switch v := v.(type) {
	case contract.ResponseFormatText:
		PutU8(a, p, 0)
	case contract.ResponseFormatJson:
		PutU8(a, p, 1)
	case contract.ResponseFormatSchema:
		PutU8(a, p, 2)
		LowerNamedSchema(a, unsafe.Add(p, 4), contract.NamedSchema(v))
	default:
		Missing("ResponseFormat")
	}
}

// LiftPromptEdit reads one.
func LiftPromptEdit(p unsafe.Pointer) (v contract.PromptEdit) {
	v.System = OptionOf(4, String)(unsafe.Add(p, 0))
	v.ResponseFormat = Nilable(4, LiftResponseFormat)(unsafe.Add(p, 12))
	v.Sections = Nilable(4, ListOf(44, LiftPromptSection))(unsafe.Add(p, 36))
	return v
}

// LowerPromptEdit writes one.
func LowerPromptEdit(a *Args, p unsafe.Pointer, v contract.PromptEdit) {
	PutOptionOf(4, PutString)(a, unsafe.Add(p, 0), v.System)
	PutNilable(4, LowerResponseFormat)(a, unsafe.Add(p, 12), v.ResponseFormat)
	PutNilableList(4, PutListOf(44, LowerPromptSection))(a, unsafe.Add(p, 36), v.Sections)
}

// LiftEndReason reads one.
func LiftEndReason(p unsafe.Pointer) contract.EndReason {
	return contract.EndReason(U8(p))
}

// LowerEndReason writes one.
func LowerEndReason(a *Args, p unsafe.Pointer, v contract.EndReason) {
	PutU8(a, p, uint8(v))
}

// LiftSessionSummary reads one.
func LiftSessionSummary(p unsafe.Pointer) (v contract.SessionSummary) {
	v.Reason = LiftEndReason(unsafe.Add(p, 0))
	v.Turns = U32(unsafe.Add(p, 4))
	v.Usage = LiftUsage(unsafe.Add(p, 8))
	return v
}

// LowerSessionSummary writes one.
func LowerSessionSummary(a *Args, p unsafe.Pointer, v contract.SessionSummary) {
	LowerEndReason(a, unsafe.Add(p, 0), v.Reason)
	PutU32(a, unsafe.Add(p, 4), v.Turns)
	LowerUsage(a, unsafe.Add(p, 8), v.Usage)
}

// LiftStepState reads one.
func LiftStepState(p unsafe.Pointer) (v contract.StepState) {
	v.Messages = U32(unsafe.Add(p, 0))
	v.EstimatedTokens = U64(unsafe.Add(p, 8))
	v.Steps = U32(unsafe.Add(p, 16))
	v.Usage = LiftUsage(unsafe.Add(p, 24))
	v.ElapsedUs = U64(unsafe.Add(p, 56))
	return v
}

// LowerStepState writes one.
func LowerStepState(a *Args, p unsafe.Pointer, v contract.StepState) {
	PutU32(a, unsafe.Add(p, 0), v.Messages)
	PutU64(a, unsafe.Add(p, 8), v.EstimatedTokens)
	PutU32(a, unsafe.Add(p, 16), v.Steps)
	LowerUsage(a, unsafe.Add(p, 24), v.Usage)
	PutU64(a, unsafe.Add(p, 56), v.ElapsedUs)
}

// LiftStepReport reads one.
func LiftStepReport(p unsafe.Pointer) (v contract.StepReport) {
	v.Stop = LiftStopReason(unsafe.Add(p, 0))
	v.ToolCalls = U32(unsafe.Add(p, 12))
	v.StepUsage = LiftUsage(unsafe.Add(p, 16))
	v.Usage = LiftUsage(unsafe.Add(p, 48))
	v.ElapsedUs = U64(unsafe.Add(p, 80))
	return v
}

// LowerStepReport writes one.
func LowerStepReport(a *Args, p unsafe.Pointer, v contract.StepReport) {
	LowerStopReason(a, unsafe.Add(p, 0), v.Stop)
	PutU32(a, unsafe.Add(p, 12), v.ToolCalls)
	LowerUsage(a, unsafe.Add(p, 16), v.StepUsage)
	LowerUsage(a, unsafe.Add(p, 48), v.Usage)
	PutU64(a, unsafe.Add(p, 80), v.ElapsedUs)
}

// LiftSubagentResult reads one.
func LiftSubagentResult(p unsafe.Pointer) (v contract.SubagentResult) {
	v.CallID = String(unsafe.Add(p, 0))
	v.Agent = String(unsafe.Add(p, 8))
	v.SessionID = OptionOf(4, String)(unsafe.Add(p, 16))
	v.IsError = Bool(unsafe.Add(p, 28))
	v.OutputBytes = U32(unsafe.Add(p, 32))
	v.Steps = U32(unsafe.Add(p, 36))
	v.Usage = LiftUsage(unsafe.Add(p, 40))
	v.ElapsedUs = U64(unsafe.Add(p, 72))
	return v
}

// LowerSubagentResult writes one.
func LowerSubagentResult(a *Args, p unsafe.Pointer, v contract.SubagentResult) {
	PutString(a, unsafe.Add(p, 0), v.CallID)
	PutString(a, unsafe.Add(p, 8), v.Agent)
	PutOptionOf(4, PutString)(a, unsafe.Add(p, 16), v.SessionID)
	PutBool(a, unsafe.Add(p, 28), v.IsError)
	PutU32(a, unsafe.Add(p, 32), v.OutputBytes)
	PutU32(a, unsafe.Add(p, 36), v.Steps)
	LowerUsage(a, unsafe.Add(p, 40), v.Usage)
	PutU64(a, unsafe.Add(p, 72), v.ElapsedUs)
}

// LiftTurnOutput reads one.
func LiftTurnOutput(p unsafe.Pointer) (v contract.TurnOutput) {
	v.TextBytes = U32(unsafe.Add(p, 0))
	v.Steps = U32(unsafe.Add(p, 4))
	v.Stop = LiftStopReason(unsafe.Add(p, 8))
	v.Usage = LiftUsage(unsafe.Add(p, 24))
	v.ElapsedUs = U64(unsafe.Add(p, 56))
	return v
}

// LowerTurnOutput writes one.
func LowerTurnOutput(a *Args, p unsafe.Pointer, v contract.TurnOutput) {
	PutU32(a, unsafe.Add(p, 0), v.TextBytes)
	PutU32(a, unsafe.Add(p, 4), v.Steps)
	LowerStopReason(a, unsafe.Add(p, 8), v.Stop)
	LowerUsage(a, unsafe.Add(p, 24), v.Usage)
	PutU64(a, unsafe.Add(p, 56), v.ElapsedUs)
}

// LiftTurnEnding reads one.
func LiftTurnEnding(p unsafe.Pointer) contract.TurnEnding {
	switch U8(p) {
	case 0:
		return contract.TurnEndingModel{StopReason: LiftStopReason(unsafe.Add(p, 4))}
	case 1:
		return contract.TurnEndingTool(String(unsafe.Add(p, 4)))
	case 2:
		return contract.TurnEndingSignal(LiftStopSignal(unsafe.Add(p, 4)))
	}
	panic("the host gave an unknown TurnEnding")
}

// LowerTurnEnding writes one.
func LowerTurnEnding(a *Args, p unsafe.Pointer, v contract.TurnEnding) {
	switch v := v.(type) {
	case contract.TurnEndingModel:
		PutU8(a, p, 0)
		LowerStopReason(a, unsafe.Add(p, 4), v.StopReason)
	case contract.TurnEndingTool:
		PutU8(a, p, 1)
		PutString(a, unsafe.Add(p, 4), string(v))
	case contract.TurnEndingSignal:
		PutU8(a, p, 2)
		LowerStopSignal(a, unsafe.Add(p, 4), contract.StopSignal(v))
	default:
		Missing("TurnEnding")
	}
}

// LiftStopping reads one.
func LiftStopping(p unsafe.Pointer) (v contract.Stopping) {
	v.Ending = LiftTurnEnding(unsafe.Add(p, 0))
	v.Steps = U32(unsafe.Add(p, 24))
	v.Usage = LiftUsage(unsafe.Add(p, 32))
	v.KeptGoing = U32(unsafe.Add(p, 64))
	v.MayKeepGoing = Bool(unsafe.Add(p, 68))
	return v
}

// LowerStopping writes one.
func LowerStopping(a *Args, p unsafe.Pointer, v contract.Stopping) {
	LowerTurnEnding(a, unsafe.Add(p, 0), v.Ending)
	PutU32(a, unsafe.Add(p, 24), v.Steps)
	LowerUsage(a, unsafe.Add(p, 32), v.Usage)
	PutU32(a, unsafe.Add(p, 64), v.KeptGoing)
	PutBool(a, unsafe.Add(p, 68), v.MayKeepGoing)
}

// LiftHookFailure reads one.
func LiftHookFailure(p unsafe.Pointer) (v contract.HookFailure) {
	v.Cause = String(unsafe.Add(p, 0))
	v.Message = String(unsafe.Add(p, 8))
	return v
}

// LowerHookFailure writes one.
func LowerHookFailure(a *Args, p unsafe.Pointer, v contract.HookFailure) {
	PutString(a, unsafe.Add(p, 0), v.Cause)
	PutString(a, unsafe.Add(p, 8), v.Message)
}

// LiftDecision reads one.
func LiftDecision(p unsafe.Pointer) contract.Decision {
	switch U8(p) {
	case 0:
		return contract.DecisionPassed{}
	case 1:
		return contract.DecisionRejected(LiftRejection(unsafe.Add(p, 4)))
	case 2:
		return contract.DecisionAnswered{}
	case 3:
		return contract.DecisionStopped(String(unsafe.Add(p, 4)))
	case 4:
		return contract.DecisionFailed(LiftHookFailure(unsafe.Add(p, 4)))
	}
	panic("the host gave an unknown Decision")
}

// LowerDecision writes one.
func LowerDecision(a *Args, p unsafe.Pointer, v contract.Decision) {
	switch v := v.(type) {
	case contract.DecisionPassed:
		PutU8(a, p, 0)
	case contract.DecisionRejected:
		PutU8(a, p, 1)
		LowerRejection(a, unsafe.Add(p, 4), contract.Rejection(v))
	case contract.DecisionAnswered:
		PutU8(a, p, 2)
	case contract.DecisionStopped:
		PutU8(a, p, 3)
		PutString(a, unsafe.Add(p, 4), string(v))
	case contract.DecisionFailed:
		PutU8(a, p, 4)
		LowerHookFailure(a, unsafe.Add(p, 4), contract.HookFailure(v))
	default:
		Missing("Decision")
	}
}

// LiftChainVerdict reads one.
func LiftChainVerdict(p unsafe.Pointer) (v contract.ChainVerdict) {
	v.Decision = LiftDecision(unsafe.Add(p, 0))
	v.DecidedBy = OptionOf(4, String)(unsafe.Add(p, 32))
	v.ChangedBy = ListOf(8, String)(unsafe.Add(p, 44))
	return v
}

// LowerChainVerdict writes one.
func LowerChainVerdict(a *Args, p unsafe.Pointer, v contract.ChainVerdict) {
	LowerDecision(a, unsafe.Add(p, 0), v.Decision)
	PutOptionOf(4, PutString)(a, unsafe.Add(p, 32), v.DecidedBy)
	PutListOf(8, PutString)(a, unsafe.Add(p, 44), v.ChangedBy)
}

// LiftEvictionRetry reads one.
func LiftEvictionRetry(p unsafe.Pointer) (v contract.EvictionRetry) {
	v.Workspace = LiftWorkspace(unsafe.Add(p, 0))
	v.Attempt = U32(unsafe.Add(p, 24))
	return v
}

// LowerEvictionRetry writes one.
func LowerEvictionRetry(a *Args, p unsafe.Pointer, v contract.EvictionRetry) {
	LowerWorkspace(a, unsafe.Add(p, 0), v.Workspace)
	PutU32(a, unsafe.Add(p, 24), v.Attempt)
}

// LiftSnapshot reads one.
func LiftSnapshot(p unsafe.Pointer) (v contract.Snapshot) {
	v.Workspace = LiftWorkspace(unsafe.Add(p, 0))
	v.Path = String(unsafe.Add(p, 24))
	v.Bytes = U64(unsafe.Add(p, 32))
	return v
}

// LowerSnapshot writes one.
func LowerSnapshot(a *Args, p unsafe.Pointer, v contract.Snapshot) {
	LowerWorkspace(a, unsafe.Add(p, 0), v.Workspace)
	PutString(a, unsafe.Add(p, 24), v.Path)
	PutU64(a, unsafe.Add(p, 32), v.Bytes)
}

// LiftLogLevel reads one.
func LiftLogLevel(p unsafe.Pointer) contract.LogLevel {
	return contract.LogLevel(U8(p))
}

// LowerLogLevel writes one.
func LowerLogLevel(a *Args, p unsafe.Pointer, v contract.LogLevel) {
	PutU8(a, p, uint8(v))
}

// LiftConfigError reads one.
func LiftConfigError(p unsafe.Pointer) contract.ConfigError {
	switch U8(p) {
	case 0:
		return contract.ConfigErrorUpstream(String(unsafe.Add(p, 4)))
	case 1:
		return contract.ConfigErrorIo(String(unsafe.Add(p, 4)))
	}
	panic("the host gave an unknown ConfigError")
}

// LowerConfigError writes one.
func LowerConfigError(a *Args, p unsafe.Pointer, v contract.ConfigError) {
	switch v := v.(type) {
	case contract.ConfigErrorUpstream:
		PutU8(a, p, 0)
		PutString(a, unsafe.Add(p, 4), string(v))
	case contract.ConfigErrorIo:
		PutU8(a, p, 1)
		PutString(a, unsafe.Add(p, 4), string(v))
	default:
		Missing("ConfigError")
	}
}
