// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

package pretoolcall

import (
	"unsafe"

	"portcullis/contract"
	"portcullis/internal/serve"
	"portcullis/internal/wire"
)

//go:wasmimport portcullis:hooks/pre-tool-call-facts@0.2.0 call-id
func rawFactCallID(n1 uint32)

func factCallID() string {
	p := wire.Result()
	rawFactCallID(wire.Address(p))
	defer wire.End()
	return wire.String(unsafe.Add(p, 0))
}

//go:wasmimport portcullis:hooks/pre-tool-call-facts@0.2.0 name
func rawFactName(n1 uint32)

func factName() string {
	p := wire.Result()
	rawFactName(wire.Address(p))
	defer wire.End()
	return wire.String(unsafe.Add(p, 0))
}

//go:wasmimport portcullis:hooks/pre-tool-call-facts@0.2.0 arguments-bytes
func rawFactArgumentsBytes() uint32

func factArgumentsBytes() uint32 {
	r := rawFactArgumentsBytes()
	return uint32(r)
}

//go:wasmimport portcullis:hooks/pre-tool-call-facts@0.2.0 grant
func rawFactGrant(n1 uint32)

func factGrant() contract.ExecutionGrant {
	p := wire.Result()
	rawFactGrant(wire.Address(p))
	defer wire.End()
	return wire.LiftExecutionGrant(unsafe.Add(p, 0))
}

//go:wasmimport portcullis:hooks/pre-tool-call-facts@0.2.0 facts
func rawFactFacts(n1 uint32)

func factFacts() contract.ToolRequest {
	p := wire.Result()
	rawFactFacts(wire.Address(p))
	defer wire.End()
	return wire.LiftToolRequest(unsafe.Add(p, 0))
}

//go:wasmimport portcullis:hooks/pre-tool-call-answer@0.2.0 transform
func rawAnswerTransform(n1 uint32, n2 uint32)

func answerTransform(arguments string) {
	a := wire.Begin()
	n1, n2 := a.String(arguments)
	rawAnswerTransform(n1, n2)
	wire.End()
}

//go:wasmimport portcullis:hooks/pre-tool-call-answer@0.2.0 reject
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

//go:wasmimport portcullis:hooks/pre-tool-call-answer@0.2.0 replace
func rawAnswerReplace(n1 uint32, n2 uint32)

func answerReplace(arguments string) {
	a := wire.Begin()
	n1, n2 := a.String(arguments)
	rawAnswerReplace(n1, n2)
	wire.End()
}

//go:wasmimport portcullis:hooks/pre-tool-call-answer@0.2.0 answer
func rawAnswerAnswer(n1 uint32, n2 uint32, n3 uint32)

func answerAnswer(content string, isError bool) {
	a := wire.Begin()
	n1, n2 := a.String(content)
	rawAnswerAnswer(n1, n2, wire.FromBool(isError))
	wire.End()
}

//go:wasmimport portcullis:hooks/pre-tool-call-answer@0.2.0 ask
func rawAnswerAsk(n1 uint32, n2 uint32, n3 uint32, n4 uint32, n5 uint32)

func answerAsk(question string, details *string) {
	a := wire.Begin()
	n1, n2 := a.String(question)
	var n3 uint32
	var n4 uint32
	var n5 uint32
	if details != nil {
		n3 = 1
		n6, n7 := a.String(*details)
		n4, n5 = n6, n7
	}
	rawAnswerAsk(n1, n2, n3, n4, n5)
	wire.End()
}

//go:wasmexport portcullis:hooks/pre-tool-call@0.2.0#handle
func export() bool {
	return serve.Run(func() error { return handler(Call{}) })
}
