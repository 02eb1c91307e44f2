// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

//go:build !wasip1

package workspaceopened

import (
	"portcullis/contract"
	"portcullis/internal/fake"
)

func factName() (r0 string) {
	fake.Call(fake.Args("workspace-opened-facts.name"), &r0)
	return
}

func factPath() (r0 string) {
	fake.Call(fake.Args("workspace-opened-facts.path"), &r0)
	return
}

func factReason() (r0 string) {
	fake.Call(fake.Args("workspace-opened-facts.reason"), &r0)
	return
}

func factFacts() (r0 contract.Workspace) {
	fake.Call(fake.Args("workspace-opened-facts.facts"), &r0)
	return
}
