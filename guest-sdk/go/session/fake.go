// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

//go:build !wasip1

package session

import (
	"portcullis/internal/fake"
)

func user() (r0 string, r1 bool) {
	fake.Call(fake.Args("session.user"), &r0, &r1)
	return
}

func workingDir() (r0 string, r1 bool) {
	fake.Call(fake.Args("session.working-dir"), &r0, &r1)
	return
}

func parent() (r0 string, r1 bool) {
	fake.Call(fake.Args("session.parent"), &r0, &r1)
	return
}

func metadata() (r0 [][2]string) {
	fake.Call(fake.Args("session.metadata"), &r0)
	return
}
