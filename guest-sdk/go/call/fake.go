// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

//go:build !wasip1

package call

import (
	"portcullis/contract"
	"portcullis/internal/fake"
)

func sessionID() (r0 string) {
	fake.Call(fake.Args("call.session-id"), &r0)
	return
}

func agent() (r0 string) {
	fake.Call(fake.Args("call.agent"), &r0)
	return
}

func turn() (r0 uint32) {
	fake.Call(fake.Args("call.turn"), &r0)
	return
}

func step() (r0 uint32) {
	fake.Call(fake.Args("call.step"), &r0)
	return
}

func context() (r0 contract.Context) {
	fake.Call(fake.Args("call.context"), &r0)
	return
}
