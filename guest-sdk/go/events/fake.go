// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

//go:build !wasip1

package events

import (
	"portcullis/internal/fake"
)

func emit(name string, data string) {
	fake.Call(fake.Args("events.emit", name, data))
	return
}
