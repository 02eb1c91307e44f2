// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

package preturn

import (
	"unsafe"

	"portcullis/contract"
	"portcullis/internal/serve"
	"portcullis/internal/wire"
)

//go:wasmimport portcullis:hooks/pre-turn-facts@0.2.0 text-bytes
func rawFactTextBytes() uint32

func factTextBytes() uint32 {
	r := rawFactTextBytes()
	return uint32(r)
}

//go:wasmimport portcullis:hooks/pre-turn-facts@0.2.0 parts
func rawFactParts() uint32

func factParts() uint32 {
	r := rawFactParts()
	return uint32(r)
}

//go:wasmimport portcullis:hooks/pre-turn-facts@0.2.0 facts
func rawFactFacts(n1 uint32)

func factFacts() contract.TurnInput {
	p := wire.Result()
	rawFactFacts(wire.Address(p))
	defer wire.End()
	return wire.LiftTurnInput(unsafe.Add(p, 0))
}

//go:wasmimport portcullis:hooks/pre-turn-answer@0.2.0 transform
func rawAnswerTransform(n1 uint32, n2 uint32)

func answerTransform(content []contract.ContentPart) {
	a := wire.Begin()
	n1, n2 := wire.List(a, content, 32, wire.LowerContentPart)
	rawAnswerTransform(n1, n2)
	wire.End()
}

//go:wasmimport portcullis:hooks/pre-turn-answer@0.2.0 reject
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

//go:wasmimport portcullis:hooks/pre-turn-answer@0.2.0 replace
func rawAnswerReplace(n1 uint32, n2 uint32)

func answerReplace(content []contract.ContentPart) {
	a := wire.Begin()
	n1, n2 := wire.List(a, content, 32, wire.LowerContentPart)
	rawAnswerReplace(n1, n2)
	wire.End()
}

//go:wasmimport portcullis:hooks/pre-turn-answer@0.2.0 answer
func rawAnswerAnswer(n1 uint32, n2 uint32)

func answerAnswer(content []contract.ContentPart) {
	a := wire.Begin()
	n1, n2 := wire.List(a, content, 32, wire.LowerContentPart)
	rawAnswerAnswer(n1, n2)
	wire.End()
}

//go:wasmexport portcullis:hooks/pre-turn@0.2.0#handle
func export() bool {
	return serve.Run(func() error { return handler(Call{}) })
}
