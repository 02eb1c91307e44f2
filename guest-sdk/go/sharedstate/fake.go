// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

//go:build !wasip1

package sharedstate

import (
	"portcullis/internal/fake"
)

func get(namespace string, key string) (r0 []byte, r1 bool, r2 error) {
	fake.Call(fake.Args("shared-state.get", namespace, key), &r0, &r1, &r2)
	return
}

func set(namespace string, key string, value []byte) (r0 error) {
	fake.Call(fake.Args("shared-state.set", namespace, key, value), &r0)
	return
}

func delete(namespace string, key string) (r0 error) {
	fake.Call(fake.Args("shared-state.delete", namespace, key), &r0)
	return
}

func keys(namespace string) (r0 []string, r1 error) {
	fake.Call(fake.Args("shared-state.keys", namespace), &r0, &r1)
	return
}

func increment(namespace string, key string, delta int64) (r0 int64, r1 error) {
	fake.Call(fake.Args("shared-state.increment", namespace, key, delta), &r0, &r1)
	return
}

func swap(namespace string, key string, expected []byte, new []byte) (r0 bool, r1 error) {
	fake.Call(fake.Args("shared-state.swap", namespace, key, expected, new), &r0, &r1)
	return
}
