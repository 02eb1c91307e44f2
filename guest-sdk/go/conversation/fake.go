// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

//go:build !wasip1

package conversation

import (
	"portcullis/contract"
	"portcullis/internal/fake"
)

func len() (r0 uint32) {
	fake.Call(fake.Args("conversation.len"), &r0)
	return
}

func last() (r0 contract.Message, r1 bool) {
	fake.Call(fake.Args("conversation.last"), &r0, &r1)
	return
}

func get(index uint32) (r0 contract.Message, r1 bool) {
	fake.Call(fake.Args("conversation.get", index), &r0, &r1)
	return
}

func slice(start uint32, end uint32) (r0 []contract.Message) {
	fake.Call(fake.Args("conversation.slice", start, end), &r0)
	return
}

func turnStart() (r0 uint32) {
	fake.Call(fake.Args("conversation.turn-start"), &r0)
	return
}
