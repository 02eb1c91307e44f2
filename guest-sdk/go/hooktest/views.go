package hooktest

import (
	"strings"

	"portcullis/contract"
	"portcullis/internal/fake"
)

// view answers an import of a view of the call.
func (h *Host) view(asked fake.Import) []any {
	switch asked.Name {
	case "content.parts":
		return []any{h.Content}
	case "content.text":
		return []any{text(h.Content)}
	case "conversation.len":
		return []any{uint32(len(h.Conversation))}
	case "conversation.last":
		return message(h.Conversation, uint32(len(h.Conversation))-1)
	case "conversation.get":
		return message(h.Conversation, asked.Args[0].(uint32))
	case "conversation.slice":
		length := uint32(len(h.Conversation))
		end := min(asked.Args[1].(uint32), length)
		return []any{h.Conversation[min(asked.Args[0].(uint32), end):end]}
	case "conversation.turn-start":
		return []any{h.TurnStart}
	case "tool-data.input":
		return []any{h.ToolInput}
	case "tool-data.output":
		return optional(h.ToolOutput)
	case "tool-catalog.names":
		names := make([]string, len(h.Tools))
		for i, tool := range h.Tools {
			names[i] = tool.Name
		}
		return []any{names}
	case "tool-catalog.get":
		for _, tool := range h.Tools {
			if tool.Name == asked.Args[0].(string) {
				return []any{tool, true}
			}
		}
		return nil
	case "prompt.policies":
		return []any{h.Policies}
	case "prompt.policy":
		for i := len(h.Policies) - 1; i >= 0; i-- {
			if h.Policies[i].Domain == asked.Args[0].(string) {
				return []any{h.Policies[i], true}
			}
		}
		return nil
	case "prompt.context-items":
		return []any{h.ContextItems}
	case "prompt.sections":
		return []any{h.Sections}
	case "prompt.queries":
		return []any{h.Queries}
	case "agent-state.get":
		return found(h.AgentState, asked.Args[0].(string))
	case "agent-state.diff":
		return []any{h.AgentStateDiff}
	case "agent-state.changed-by":
		return optional(h.AgentStateChangedBy)
	case "agent-state-edit.set":
		h.AgentState[asked.Args[0].(string)] = asked.Args[1].(string)
		return nil
	case "agent-state-edit.remove":
		delete(h.AgentState, asked.Args[0].(string))
		return nil
	case "session.user":
		return optional(h.User)
	case "session.working-dir":
		return optional(h.WorkingDir)
	case "session.parent":
		return optional(h.Parent)
	case "session.metadata":
		return []any{h.Metadata}
	case "verdict.current":
		return optional(h.Verdict)
	}
	h.t.Fatalf("the test's Host does not know %s", asked.Name)
	return nil
}

func text(parts []contract.ContentPart) string {
	var all strings.Builder
	for _, part := range parts {
		if text, is := part.(contract.ContentPartText); is {
			all.WriteString(string(text))
		}
	}
	return all.String()
}

func message(messages []contract.Message, index uint32) []any {
	if index >= uint32(len(messages)) {
		return nil
	}
	return []any{messages[index], true}
}

func optional[T any](value *T) []any {
	if value == nil {
		return nil
	}
	return []any{*value, true}
}
