// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

package postllmcall

import (
	"unsafe"

	"portcullis/contract"
	"portcullis/internal/serve"
	"portcullis/internal/wire"
)

//go:wasmimport portcullis:hooks/post-llm-call-facts@0.2.0 provider
func rawFactProvider(n1 uint32)

func factProvider() string {
	p := wire.Result()
	rawFactProvider(wire.Address(p))
	defer wire.End()
	return wire.String(unsafe.Add(p, 0))
}

//go:wasmimport portcullis:hooks/post-llm-call-facts@0.2.0 model
func rawFactModel(n1 uint32)

func factModel() string {
	p := wire.Result()
	rawFactModel(wire.Address(p))
	defer wire.End()
	return wire.String(unsafe.Add(p, 0))
}

//go:wasmimport portcullis:hooks/post-llm-call-facts@0.2.0 attempt
func rawFactAttempt() uint32

func factAttempt() uint32 {
	r := rawFactAttempt()
	return uint32(r)
}

//go:wasmimport portcullis:hooks/post-llm-call-facts@0.2.0 stop
func rawFactStop(n1 uint32)

func factStop() contract.StopReason {
	p := wire.Result()
	rawFactStop(wire.Address(p))
	defer wire.End()
	return wire.LiftStopReason(unsafe.Add(p, 0))
}

//go:wasmimport portcullis:hooks/post-llm-call-facts@0.2.0 usage
func rawFactUsage(n1 uint32)

func factUsage() contract.Usage {
	p := wire.Result()
	rawFactUsage(wire.Address(p))
	defer wire.End()
	return wire.LiftUsage(unsafe.Add(p, 0))
}

//go:wasmimport portcullis:hooks/post-llm-call-facts@0.2.0 text-bytes
func rawFactTextBytes() uint32

func factTextBytes() uint32 {
	r := rawFactTextBytes()
	return uint32(r)
}

//go:wasmimport portcullis:hooks/post-llm-call-facts@0.2.0 tool-calls
func rawFactToolCalls(n1 uint32)

func factToolCalls() []string {
	p := wire.Result()
	rawFactToolCalls(wire.Address(p))
	defer wire.End()
	return wire.ListOf(8, wire.String)(unsafe.Add(p, 0))
}

//go:wasmimport portcullis:hooks/post-llm-call-facts@0.2.0 elapsed-us
func rawFactElapsedUs() uint64

func factElapsedUs() uint64 {
	r := rawFactElapsedUs()
	return uint64(r)
}

//go:wasmimport portcullis:hooks/post-llm-call-facts@0.2.0 facts
func rawFactFacts(n1 uint32)

func factFacts() contract.LLMResult {
	p := wire.Result()
	rawFactFacts(wire.Address(p))
	defer wire.End()
	return wire.LiftLLMResult(unsafe.Add(p, 0))
}

//go:wasmimport portcullis:hooks/post-llm-call-answer@0.2.0 transform
func rawAnswerTransform(n1 uint32, n2 uint32)

func answerTransform(content []contract.ContentPart) {
	a := wire.Begin()
	n1, n2 := wire.List(a, content, 32, wire.LowerContentPart)
	rawAnswerTransform(n1, n2)
	wire.End()
}

//go:wasmimport portcullis:hooks/post-llm-call-answer@0.2.0 reject
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

//go:wasmimport portcullis:hooks/post-llm-call-answer@0.2.0 replace
func rawAnswerReplace(n1 uint32, n2 uint32)

func answerReplace(content []contract.ContentPart) {
	a := wire.Begin()
	n1, n2 := wire.List(a, content, 32, wire.LowerContentPart)
	rawAnswerReplace(n1, n2)
	wire.End()
}

//go:wasmexport portcullis:hooks/post-llm-call@0.2.0#handle
func export() bool {
	return serve.Run(func() error { return handler(Call{}) })
}
