// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

//go:build !wasip1

package content

import (
	"portcullis/contract"
	"portcullis/internal/fake"
)

func parts() (r0 []contract.ContentPart) {
	fake.Call(fake.Args("content.parts"), &r0)
	return
}

func text() (r0 string) {
	fake.Call(fake.Args("content.text"), &r0)
	return
}
