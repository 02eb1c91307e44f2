// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

//go:build !wasip1

package agentstateedit

import (
	"portcullis/internal/fake"
)

func set(key string, value string) (r0 error) {
	fake.Call(fake.Args("agent-state-edit.set", key, value), &r0)
	return
}

func remove(key string) (r0 error) {
	fake.Call(fake.Args("agent-state-edit.remove", key), &r0)
	return
}
