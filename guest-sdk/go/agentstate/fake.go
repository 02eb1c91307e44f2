// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

//go:build !wasip1

package agentstate

import (
	"portcullis/internal/fake"
)

func get(key string) (r0 string, r1 bool) {
	fake.Call(fake.Args("agent-state.get", key), &r0, &r1)
	return
}

func diff() (r0 string) {
	fake.Call(fake.Args("agent-state.diff"), &r0)
	return
}

func changedBy() (r0 string, r1 bool) {
	fake.Call(fake.Args("agent-state.changed-by"), &r0, &r1)
	return
}
