// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

//go:build !wasip1

package logging

import (
	"portcullis/contract"
	"portcullis/internal/fake"
)

func log(level contract.LogLevel, context string, message string) {
	fake.Call(fake.Args("logging.log", level, context, message))
	return
}
