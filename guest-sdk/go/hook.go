// Package portcullis declares a hook: a component that an agent calls at points of its life.
//
//	func init() {
//		portcullis.Describe(portcullis.Hook{ID: "quiet", Description: "Refuses turns that shout."})
//		preturn.Handle(func(call preturn.Call) error {
//			if strings.Contains(content.Text(), "!!!") {
//				return call.Reject("shouting", "Please ask again, calmly.")
//			}
//			return nil
//		})
//	}
//
//	func main() {}
//
// Each point is a package with a function Handle, and so is each interface that hooks import. The component exports the
// points that are handled, and imports the functions that the code calls and no others.
package portcullis

import (
	"portcullis/contract"
	"portcullis/internal/serve"
)

// Hook is the author's declaration. The operator's hooks.toml overrides it.
type Hook struct {
	// The stable id: lower-case letters, digits and dashes.
	ID string
	// One sentence on what it does.
	Description string
	// The hook's own version, such as 1.4.0; 0.1.0 if left out.
	Version string
	// The sort of hook, such as guardrail or audit; free text.
	Kind string
	// The priority: low runs first; 100 if left out. new(int32(10)) is a priority.
	Priority *int32
	// The failure policy; if left out, a hook that can decide anything fails closed, and one that only observes
	// fails open.
	Failure *contract.FailurePolicy
	// The time limit of one call, in milliseconds; the host's default if left out.
	DeadlineMs *uint32
	// The way that the agent waits for the hook: until it answers, if left out.
	Execution contract.ExecutionPolicy
	// The ids of the hooks that must run before it.
	After []string
}

// Describe declares the hook. Call it once, in an init function.
func Describe(hook Hook) {
	serve.Descriptor = contract.Descriptor{
		ID:          hook.ID,
		Version:     hook.Version,
		Kind:        hook.Kind,
		Description: hook.Description,
		Priority:    hook.Priority,
		Failure:     hook.Failure,
		DeadlineMs:  hook.DeadlineMs,
		Execution:   hook.Execution,
		After:       hook.After,
	}
	if hook.Version == "" {
		serve.Descriptor.Version = "0.1.0"
	}
}

// BadConfig returns the error of a wrong configuration of this hook by the operator.
func BadConfig(message string) error {
	return serve.BadConfig(message)
}
