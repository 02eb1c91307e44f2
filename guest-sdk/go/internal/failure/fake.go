// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

//go:build !wasip1

package failure

import (
	"portcullis/internal/fake"
)

func badConfig(message string) {
	fake.Call(fake.Args("failure.bad-config", message))
	return
}

func fail(message string) {
	fake.Call(fake.Args("failure.fail", message))
	return
}
