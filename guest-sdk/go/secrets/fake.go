// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

//go:build !wasip1

package secrets

import (
	"portcullis/internal/fake"
)

func get(name string) (r0 string, r1 bool) {
	fake.Call(fake.Args("secrets.get", name), &r0, &r1)
	return
}
