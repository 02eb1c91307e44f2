// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

//go:build !wasip1

package toolcatalog

import (
	"portcullis/contract"
	"portcullis/internal/fake"
)

func names() (r0 []string) {
	fake.Call(fake.Args("tool-catalog.names"), &r0)
	return
}

func get(name string) (r0 contract.ToolSpec, r1 bool) {
	fake.Call(fake.Args("tool-catalog.get", name), &r0, &r1)
	return
}
