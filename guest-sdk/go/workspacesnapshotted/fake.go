// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

//go:build !wasip1

package workspacesnapshotted

import (
	"portcullis/contract"
	"portcullis/internal/fake"
)

func factWorkspace() (r0 contract.Workspace) {
	fake.Call(fake.Args("workspace-snapshotted-facts.workspace"), &r0)
	return
}

func factPath() (r0 string) {
	fake.Call(fake.Args("workspace-snapshotted-facts.path"), &r0)
	return
}

func factBytes() (r0 uint64) {
	fake.Call(fake.Args("workspace-snapshotted-facts.bytes"), &r0)
	return
}

func factFacts() (r0 contract.Snapshot) {
	fake.Call(fake.Args("workspace-snapshotted-facts.facts"), &r0)
	return
}
