// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

//go:build !wasip1

package store

import (
	"portcullis/internal/fake"
)

func get(key string) (r0 string, r1 bool, r2 error) {
	fake.Call(fake.Args("store.get", key), &r0, &r1, &r2)
	return
}

func getAll() (r0 [][2]string, r1 error) {
	fake.Call(fake.Args("store.get-all"), &r0, &r1)
	return
}
