// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

//go:build !wasip1

package state

import (
	"portcullis/internal/fake"
)

func get(key string) (r0 []byte, r1 bool) {
	fake.Call(fake.Args("state.get", key), &r0, &r1)
	return
}

func set(key string, value []byte) (r0 error) {
	fake.Call(fake.Args("state.set", key, value), &r0)
	return
}

func delete(key string) {
	fake.Call(fake.Args("state.delete", key))
	return
}

func keys() (r0 []string) {
	fake.Call(fake.Args("state.keys"), &r0)
	return
}

func increment(key string, delta int64) (r0 int64, r1 error) {
	fake.Call(fake.Args("state.increment", key, delta), &r0, &r1)
	return
}

func swap(key string, expected []byte, new []byte) (r0 bool, r1 error) {
	fake.Call(fake.Args("state.swap", key, expected, new), &r0, &r1)
	return
}
