// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

package llmdelta

import (
	"unsafe"

	"portcullis/contract"
	"portcullis/internal/serve"
	"portcullis/internal/wire"
)

//go:wasmimport portcullis:hooks/llm-delta-facts@0.2.0 kind
func rawFactKind() uint32

func factKind() contract.DeltaKind {
	r := rawFactKind()
	return contract.DeltaKind(r)
}

//go:wasmimport portcullis:hooks/llm-delta-facts@0.2.0 index
func rawFactIndex() uint32

func factIndex() uint32 {
	r := rawFactIndex()
	return uint32(r)
}

//go:wasmimport portcullis:hooks/llm-delta-facts@0.2.0 bytes
func rawFactBytes() uint32

func factBytes() uint32 {
	r := rawFactBytes()
	return uint32(r)
}

//go:wasmimport portcullis:hooks/llm-delta-facts@0.2.0 last
func rawFactLast() uint32

func factLast() bool {
	r := rawFactLast()
	return r != 0
}

//go:wasmimport portcullis:hooks/llm-delta-facts@0.2.0 facts
func rawFactFacts(n1 uint32)

func factFacts() contract.Delta {
	p := wire.Result()
	rawFactFacts(wire.Address(p))
	defer wire.End()
	return wire.LiftDelta(unsafe.Add(p, 0))
}

//go:wasmimport portcullis:hooks/llm-delta-answer@0.2.0 transform
func rawAnswerTransform(n1 uint32, n2 uint32)

func answerTransform(text string) {
	a := wire.Begin()
	n1, n2 := a.String(text)
	rawAnswerTransform(n1, n2)
	wire.End()
}

//go:wasmimport portcullis:hooks/llm-delta-answer@0.2.0 reject
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

//go:wasmimport portcullis:hooks/llm-delta-answer@0.2.0 stop
func rawAnswerStop(n1 uint32, n2 uint32, n3 uint32, n4 uint32, n5 uint32)

func answerStop(kind contract.StopKind, message string) {
	a := wire.Begin()
	var n1 uint32
	var n2 uint32
	var n3 uint32
	switch v := kind.(type) {
	case contract.StopKindStepsLimit:
		n1 = 0
	case contract.StopKindTokenLimit:
		n1 = 1
	case contract.StopKindTimeLimit:
		n1 = 2
	case contract.StopKindFinishReason:
		n1 = 3
		n4, n5 := a.String(string(v))
		n2, n3 = n4, n5
	case contract.StopKindOther:
		n1 = 4
		n6, n7 := a.String(string(v))
		n2, n3 = n6, n7
	default:
		wire.Missing("StopKind")
	}
	n8, n9 := a.String(message)
	rawAnswerStop(n1, n2, n3, n8, n9)
	wire.End()
}

//go:wasmexport portcullis:hooks/llm-delta@0.2.0#handle
func export() bool {
	return serve.Run(func() error { return handler(Call{}) })
}
