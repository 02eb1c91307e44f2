// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

package model

import (
	"unsafe"

	"portcullis/contract"
	"portcullis/internal/wire"
)

//go:wasmimport portcullis:hooks/model@0.2.0 complete
func rawComplete(n1 uint32, n2 uint32, n3 uint32, n4 uint32, n5 uint32, n6 uint32, n7 uint32)

func complete(instructions string, prompt string, maxTokens *uint32) (contract.Completion, error) {
	a := wire.Begin()
	n1, n2 := a.String(instructions)
	n3, n4 := a.String(prompt)
	var n5 uint32
	var n6 uint32
	if maxTokens != nil {
		n5 = 1
		n6 = uint32(*maxTokens)
	}
	p := wire.Result()
	rawComplete(n1, n2, n3, n4, n5, n6, wire.Address(p))
	var zero contract.Completion
	defer wire.End()
	if wire.U8(p) != 0 {
		return zero, wire.LiftModelError(unsafe.Add(p, 8))
	}
	return wire.LiftCompletion(unsafe.Add(p, 8)), nil
}

//go:wasmimport portcullis:hooks/model@0.2.0 tokens-left
func rawTokensLeft() uint64

func tokensLeft() uint64 {
	r := rawTokensLeft()
	return uint64(r)
}
