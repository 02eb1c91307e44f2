// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

package prestep

import (
	"unsafe"

	"portcullis/contract"
	"portcullis/internal/serve"
	"portcullis/internal/wire"
)

//go:wasmimport portcullis:hooks/pre-step-facts@0.2.0 messages
func rawFactMessages() uint32

func factMessages() uint32 {
	r := rawFactMessages()
	return uint32(r)
}

//go:wasmimport portcullis:hooks/pre-step-facts@0.2.0 estimated-tokens
func rawFactEstimatedTokens() uint64

func factEstimatedTokens() uint64 {
	r := rawFactEstimatedTokens()
	return uint64(r)
}

//go:wasmimport portcullis:hooks/pre-step-facts@0.2.0 steps
func rawFactSteps() uint32

func factSteps() uint32 {
	r := rawFactSteps()
	return uint32(r)
}

//go:wasmimport portcullis:hooks/pre-step-facts@0.2.0 usage
func rawFactUsage(n1 uint32)

func factUsage() contract.Usage {
	p := wire.Result()
	rawFactUsage(wire.Address(p))
	defer wire.End()
	return wire.LiftUsage(unsafe.Add(p, 0))
}

//go:wasmimport portcullis:hooks/pre-step-facts@0.2.0 elapsed-us
func rawFactElapsedUs() uint64

func factElapsedUs() uint64 {
	r := rawFactElapsedUs()
	return uint64(r)
}

//go:wasmimport portcullis:hooks/pre-step-facts@0.2.0 facts
func rawFactFacts(n1 uint32)

func factFacts() contract.StepState {
	p := wire.Result()
	rawFactFacts(wire.Address(p))
	defer wire.End()
	return wire.LiftStepState(unsafe.Add(p, 0))
}

//go:wasmimport portcullis:hooks/pre-step-answer@0.2.0 transform
func rawAnswerTransform(n1 uint32, n2 uint32)

func answerTransform(edits []contract.MessageEdit) {
	a := wire.Begin()
	n1, n2 := wire.List(a, edits, 20, wire.LowerMessageEdit)
	rawAnswerTransform(n1, n2)
	wire.End()
}

//go:wasmimport portcullis:hooks/pre-step-answer@0.2.0 reject
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

//go:wasmimport portcullis:hooks/pre-step-answer@0.2.0 stop
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

//go:wasmexport portcullis:hooks/pre-step@0.2.0#handle
func export() bool {
	return serve.Run(func() error { return handler(Call{}) })
}
