// The probe of tests/guests/probe in Go: it performs the configured actions.
package main

import (
	"portcullis"
	"portcullis/llmdelta"
	"portcullis/llmerror"
	"portcullis/messageadded"
	"portcullis/postcompaction"
	"portcullis/postllmcall"
	"portcullis/poststep"
	"portcullis/postsubagent"
	"portcullis/posttoolcall"
	"portcullis/postturn"
	"portcullis/precompaction"
	"portcullis/prellmcall"
	"portcullis/prestep"
	"portcullis/presubagent"
	"portcullis/pretoolcall"
	"portcullis/preturn"
	"portcullis/promptcompile"
	"portcullis/promptcontext"
	"portcullis/promptpolicy"
	"portcullis/promptrecall"
	"portcullis/prompttools"
	"portcullis/sessionend"
	"portcullis/sessionstart"
	"portcullis/statechanged"
	"portcullis/toolupdate"
	"portcullis/toolupdatesent"
	"portcullis/turnerror"
	"portcullis/turnresumed"
	"portcullis/turnstopping"
	"portcullis/turnsuspended"
	"portcullis/workspaceclosed"
	"portcullis/workspaceevicted"
	"portcullis/workspaceevictionretried"
	"portcullis/workspaceopened"
	"portcullis/workspacesnapshotted"
)

func init() {
	portcullis.Describe(portcullis.Hook{
		ID:          "probe",
		Description: "Does as its configuration says.",
		Kind:        "test",
	})
	precompaction.Handle(func(call precompaction.Call) error {
		return act("pre-compaction", call, can{
			transform: hint(call),
			reject:    call.Reject,
		})
	})
	postcompaction.Handle(func(call postcompaction.Call) error { return act("post-compaction", call, can{}) })
	prellmcall.Handle(func(call prellmcall.Call) error {
		return act("pre-llm-call", call, can{
			transform: messages(call.Transform),
			replace:   messages(call.Replace),
			answer:    response(call.Answer),
			reject:    call.Reject,
		})
	})
	postllmcall.Handle(func(call postllmcall.Call) error {
		return act("post-llm-call", call, can{
			transform: parts(call.Transform),
			replace:   parts(call.Replace),
			reject:    call.Reject,
		})
	})
	llmerror.Handle(func(call llmerror.Call) error {
		return act("llm-error", call, can{
			replace: decision(call),
		})
	})
	llmdelta.Handle(func(call llmdelta.Call) error {
		return act("llm-delta", call, can{
			transform: call.Transform,
			reject:    call.Reject,
			stop:      call.Stop,
		})
	})
	statechanged.Handle(func(call statechanged.Call) error { return act("state-changed", call, can{}) })
	messageadded.Handle(func(call messageadded.Call) error { return act("message-added", call, can{}) })
	promptpolicy.Handle(func(call promptpolicy.Call) error {
		return act("prompt-policy", call, can{
			contribute: func(gifts []gift) { contribute(call, gifts) },
		})
	})
	promptcontext.Handle(func(call promptcontext.Call) error {
		return act("prompt-context", call, can{
			contribute: func(gifts []gift) { contribute(call, gifts) },
		})
	})
	promptrecall.Handle(func(call promptrecall.Call) error {
		return act("prompt-recall", call, can{
			contribute: func(gifts []gift) { contribute(call, gifts) },
		})
	})
	prompttools.Handle(func(call prompttools.Call) error {
		return act("prompt-tools", call, can{
			contribute: func(gifts []gift) { contribute(call, gifts) },
		})
	})
	promptcompile.Handle(func(call promptcompile.Call) error {
		return act("prompt-compile", call, can{
			transform:  system(call.Transform),
			contribute: func(gifts []gift) { contribute(call, gifts) },
		})
	})
	sessionstart.Handle(func(call sessionstart.Call) error {
		return act("session-start", call, can{
			reject: call.Reject,
		})
	})
	sessionend.Handle(func(call sessionend.Call) error { return act("session-end", call, can{}) })
	prestep.Handle(func(call prestep.Call) error {
		return act("pre-step", call, can{
			transform: edits(call.Transform),
			reject:    call.Reject,
			stop:      call.Stop,
		})
	})
	poststep.Handle(func(call poststep.Call) error {
		return act("post-step", call, can{
			stop: call.Stop,
		})
	})
	presubagent.Handle(func(call presubagent.Call) error {
		return act("pre-subagent", call, can{
			transform: call.Transform,
			replace:   call.Replace,
			answer:    result(call.Answer),
			reject:    call.Reject,
		})
	})
	postsubagent.Handle(func(call postsubagent.Call) error {
		return act("post-subagent", call, can{
			transform: call.Transform,
		})
	})
	pretoolcall.Handle(func(call pretoolcall.Call) error {
		return act("pre-tool-call", call, can{
			transform: call.Transform,
			replace:   call.Replace,
			answer:    result(call.Answer),
			ask:       call.Ask,
			reject:    call.Reject,
		})
	})
	posttoolcall.Handle(func(call posttoolcall.Call) error {
		return act("post-tool-call", call, can{
			transform: output(call, call.Transform),
			replace:   output(call, call.Replace),
			reject:    call.Reject,
		})
	})
	toolupdate.Handle(func(call toolupdate.Call) error {
		return act("tool-update", call, can{
			reject: call.Reject,
		})
	})
	toolupdatesent.Handle(func(call toolupdatesent.Call) error { return act("tool-update-sent", call, can{}) })
	preturn.Handle(func(call preturn.Call) error {
		return act("pre-turn", call, can{
			transform: parts(call.Transform),
			replace:   parts(call.Replace),
			answer:    parts(call.Answer),
			reject:    call.Reject,
		})
	})
	postturn.Handle(func(call postturn.Call) error {
		return act("post-turn", call, can{
			transform:  parts(call.Transform),
			replace:    parts(call.Replace),
			reject:     call.Reject,
			contribute: func(gifts []gift) { contribute(call, gifts) },
		})
	})
	turnerror.Handle(func(call turnerror.Call) error {
		return act("turn-error", call, can{
			replace: parts(call.Replace),
		})
	})
	turnstopping.Handle(func(call turnstopping.Call) error {
		return act("turn-stopping", call, can{
			keepGoing: call.KeepGoing,
		})
	})
	turnsuspended.Handle(func(call turnsuspended.Call) error { return act("turn-suspended", call, can{}) })
	turnresumed.Handle(func(call turnresumed.Call) error { return act("turn-resumed", call, can{}) })
	workspaceopened.Handle(func(call workspaceopened.Call) error { return act("workspace-opened", call, can{}) })
	workspaceclosed.Handle(func(call workspaceclosed.Call) error { return act("workspace-closed", call, can{}) })
	workspaceevicted.Handle(func(call workspaceevicted.Call) error { return act("workspace-evicted", call, can{}) })
	workspaceevictionretried.Handle(func(call workspaceevictionretried.Call) error { return act("workspace-eviction-retried", call, can{}) })
	workspacesnapshotted.Handle(func(call workspacesnapshotted.Call) error { return act("workspace-snapshotted", call, can{}) })
}

func main() {}
