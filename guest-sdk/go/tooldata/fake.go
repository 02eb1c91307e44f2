// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

//go:build !wasip1

package tooldata

import (
	"portcullis/internal/fake"
)

func input() (r0 string) {
	fake.Call(fake.Args("tool-data.input"), &r0)
	return
}

func output() (r0 string, r1 bool) {
	fake.Call(fake.Args("tool-data.output"), &r0, &r1)
	return
}
