// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

package promptrecall

import (
	"unsafe"

	"portcullis/contract"
	"portcullis/internal/serve"
	"portcullis/internal/wire"
)

//go:wasmimport portcullis:hooks/prompt-recall-facts@0.2.0 queries
func rawFactQueries() uint32

func factQueries() uint32 {
	r := rawFactQueries()
	return uint32(r)
}

//go:wasmimport portcullis:hooks/prompt-recall-facts@0.2.0 max-items
func rawFactMaxItems() uint32

func factMaxItems() uint32 {
	r := rawFactMaxItems()
	return uint32(r)
}

//go:wasmimport portcullis:hooks/prompt-recall-facts@0.2.0 max-tokens
func rawFactMaxTokens() uint64

func factMaxTokens() uint64 {
	r := rawFactMaxTokens()
	return uint64(r)
}

//go:wasmimport portcullis:hooks/prompt-recall-facts@0.2.0 fallback
func rawFactFallback() uint32

func factFallback() bool {
	r := rawFactFallback()
	return r != 0
}

//go:wasmimport portcullis:hooks/prompt-recall-facts@0.2.0 items
func rawFactItems() uint32

func factItems() uint32 {
	r := rawFactItems()
	return uint32(r)
}

//go:wasmimport portcullis:hooks/prompt-recall-facts@0.2.0 facts
func rawFactFacts(n1 uint32)

func factFacts() contract.RecallPlan {
	p := wire.Result()
	rawFactFacts(wire.Address(p))
	defer wire.End()
	return wire.LiftRecallPlan(unsafe.Add(p, 0))
}

//go:wasmimport portcullis:hooks/prompt-recall-answer@0.2.0 add-context
func rawAnswerAddContext(n1 uint32, n2 uint32, n3 uint32, n4 uint32, n5 uint32, n6 uint32, n7 uint32)

func answerAddContext(kind string, text string, data *string) {
	a := wire.Begin()
	n1, n2 := a.String(kind)
	n3, n4 := a.String(text)
	var n5 uint32
	var n6 uint32
	var n7 uint32
	if data != nil {
		n5 = 1
		n8, n9 := a.String(*data)
		n6, n7 = n8, n9
	}
	rawAnswerAddContext(n1, n2, n3, n4, n5, n6, n7)
	wire.End()
}

//go:wasmimport portcullis:hooks/prompt-recall-answer@0.2.0 add-note
func rawAnswerAddNote(n1 uint32, n2 uint32, n3 uint32, n4 uint32)

func answerAddNote(code string, data string) {
	a := wire.Begin()
	n1, n2 := a.String(code)
	n3, n4 := a.String(data)
	rawAnswerAddNote(n1, n2, n3, n4)
	wire.End()
}

//go:wasmimport portcullis:hooks/prompt-recall-answer@0.2.0 add-job
func rawAnswerAddJob(n1 uint32, n2 uint32, n3 uint32, n4 uint32)

func answerAddJob(name string, input string) {
	a := wire.Begin()
	n1, n2 := a.String(name)
	n3, n4 := a.String(input)
	rawAnswerAddJob(n1, n2, n3, n4)
	wire.End()
}

//go:wasmexport portcullis:hooks/prompt-recall@0.2.0#handle
func export() bool {
	return serve.Run(func() error { return handler(Call{}) })
}
