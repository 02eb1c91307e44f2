// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

package promptpolicy

import (
	"unsafe"

	"portcullis/contract"
	"portcullis/internal/serve"
	"portcullis/internal/wire"
)

//go:wasmimport portcullis:hooks/prompt-policy-facts@0.2.0 text-bytes
func rawFactTextBytes() uint32

func factTextBytes() uint32 {
	r := rawFactTextBytes()
	return uint32(r)
}

//go:wasmimport portcullis:hooks/prompt-policy-facts@0.2.0 messages
func rawFactMessages() uint32

func factMessages() uint32 {
	r := rawFactMessages()
	return uint32(r)
}

//go:wasmimport portcullis:hooks/prompt-policy-facts@0.2.0 tools
func rawFactTools() uint32

func factTools() uint32 {
	r := rawFactTools()
	return uint32(r)
}

//go:wasmimport portcullis:hooks/prompt-policy-facts@0.2.0 policies
func rawFactPolicies() uint32

func factPolicies() uint32 {
	r := rawFactPolicies()
	return uint32(r)
}

//go:wasmimport portcullis:hooks/prompt-policy-facts@0.2.0 facts
func rawFactFacts(n1 uint32)

func factFacts() contract.TurnFacts {
	p := wire.Result()
	rawFactFacts(wire.Address(p))
	defer wire.End()
	return wire.LiftTurnFacts(unsafe.Add(p, 0))
}

//go:wasmimport portcullis:hooks/prompt-policy-answer@0.2.0 add-policy
func rawAnswerAddPolicy(n1 uint32, n2 uint32, n3 uint32, n4 uint32)

func answerAddPolicy(domain string, rules string) {
	a := wire.Begin()
	n1, n2 := a.String(domain)
	n3, n4 := a.String(rules)
	rawAnswerAddPolicy(n1, n2, n3, n4)
	wire.End()
}

//go:wasmimport portcullis:hooks/prompt-policy-answer@0.2.0 add-note
func rawAnswerAddNote(n1 uint32, n2 uint32, n3 uint32, n4 uint32)

func answerAddNote(code string, data string) {
	a := wire.Begin()
	n1, n2 := a.String(code)
	n3, n4 := a.String(data)
	rawAnswerAddNote(n1, n2, n3, n4)
	wire.End()
}

//go:wasmimport portcullis:hooks/prompt-policy-answer@0.2.0 add-job
func rawAnswerAddJob(n1 uint32, n2 uint32, n3 uint32, n4 uint32)

func answerAddJob(name string, input string) {
	a := wire.Begin()
	n1, n2 := a.String(name)
	n3, n4 := a.String(input)
	rawAnswerAddJob(n1, n2, n3, n4)
	wire.End()
}

//go:wasmexport portcullis:hooks/prompt-policy@0.2.0#handle
func export() bool {
	return serve.Run(func() error { return handler(Call{}) })
}
