// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

//go:build !wasip1

package workspaceevictionretried

import (
	"portcullis/contract"
	"portcullis/internal/fake"
)

func factWorkspace() (r0 contract.Workspace) {
	fake.Call(fake.Args("workspace-eviction-retried-facts.workspace"), &r0)
	return
}

func factAttempt() (r0 uint32) {
	fake.Call(fake.Args("workspace-eviction-retried-facts.attempt"), &r0)
	return
}

func factFacts() (r0 contract.EvictionRetry) {
	fake.Call(fake.Args("workspace-eviction-retried-facts.facts"), &r0)
	return
}
