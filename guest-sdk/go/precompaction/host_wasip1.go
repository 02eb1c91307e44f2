// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

package precompaction

import (
	"unsafe"

	"portcullis/contract"
	"portcullis/internal/serve"
	"portcullis/internal/wire"
)

//go:wasmimport portcullis:hooks/pre-compaction-facts@0.2.0 limit
func rawFactLimit() uint64

func factLimit() uint64 {
	r := rawFactLimit()
	return uint64(r)
}

//go:wasmimport portcullis:hooks/pre-compaction-facts@0.2.0 used
func rawFactUsed() uint64

func factUsed() uint64 {
	r := rawFactUsed()
	return uint64(r)
}

//go:wasmimport portcullis:hooks/pre-compaction-facts@0.2.0 messages
func rawFactMessages() uint32

func factMessages() uint32 {
	r := rawFactMessages()
	return uint32(r)
}

//go:wasmimport portcullis:hooks/pre-compaction-facts@0.2.0 facts
func rawFactFacts(n1 uint32)

func factFacts() contract.TokenBudget {
	p := wire.Result()
	rawFactFacts(wire.Address(p))
	defer wire.End()
	return wire.LiftTokenBudget(unsafe.Add(p, 0))
}

//go:wasmimport portcullis:hooks/pre-compaction-answer@0.2.0 transform
func rawAnswerTransform(n1 uint32, n2 uint32, n3 uint32, n4 uint32, n5 uint32)

func answerTransform(keep []uint32, instructions *string) {
	a := wire.Begin()
	n1, n2 := wire.List(a, keep, 4, wire.PutU32)
	var n3 uint32
	var n4 uint32
	var n5 uint32
	if instructions != nil {
		n3 = 1
		n6, n7 := a.String(*instructions)
		n4, n5 = n6, n7
	}
	rawAnswerTransform(n1, n2, n3, n4, n5)
	wire.End()
}

//go:wasmimport portcullis:hooks/pre-compaction-answer@0.2.0 reject
func rawAnswerReject(n1 uint32, n2 uint32, n3 uint32, n4 uint32, n5 uint32, n6 uint32, n7 uint32)

func answerReject(code string, reason string, details *string) {
	a := wire.Begin()
	n1, n2 := a.String(code)
	n3, n4 := a.String(reason)
	var n5 uint32
	var n6 uint32
	var n7 uint32
	if details != nil {
		n5 = 1
		n8, n9 := a.String(*details)
		n6, n7 = n8, n9
	}
	rawAnswerReject(n1, n2, n3, n4, n5, n6, n7)
	wire.End()
}

//go:wasmexport portcullis:hooks/pre-compaction@0.2.0#handle
func export() bool {
	return serve.Run(func() error { return handler(Call{}) })
}
