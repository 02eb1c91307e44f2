// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

//go:build !wasip1

package verdict

import (
	"portcullis/contract"
	"portcullis/internal/fake"
)

func current() (r0 contract.ChainVerdict, r1 bool) {
	fake.Call(fake.Args("verdict.current"), &r0, &r1)
	return
}
