// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

package prompttools

import (
	"unsafe"

	"portcullis/contract"
	"portcullis/internal/serve"
	"portcullis/internal/wire"
)

//go:wasmimport portcullis:hooks/prompt-tools-facts@0.2.0 tools
func rawFactTools() uint32

func factTools() uint32 {
	r := rawFactTools()
	return uint32(r)
}

//go:wasmimport portcullis:hooks/prompt-tools-facts@0.2.0 bundles
func rawFactBundles() uint32

func factBundles() uint32 {
	r := rawFactBundles()
	return uint32(r)
}

//go:wasmimport portcullis:hooks/prompt-tools-facts@0.2.0 facts
func rawFactFacts(n1 uint32)

func factFacts() contract.ToolSet {
	p := wire.Result()
	rawFactFacts(wire.Address(p))
	defer wire.End()
	return wire.LiftToolSet(unsafe.Add(p, 0))
}

//go:wasmimport portcullis:hooks/prompt-tools-answer@0.2.0 add-tools
func rawAnswerAddTools(n1 uint32, n2 uint32, n3 uint32, n4 uint32)

func answerAddTools(bundle contract.ToolBundle) {
	a := wire.Begin()
	n1, n2 := a.String(bundle.Name)
	n3, n4 := wire.List(a, bundle.Tools, 36, wire.LowerBundledTool)
	rawAnswerAddTools(n1, n2, n3, n4)
	wire.End()
}

//go:wasmimport portcullis:hooks/prompt-tools-answer@0.2.0 add-note
func rawAnswerAddNote(n1 uint32, n2 uint32, n3 uint32, n4 uint32)

func answerAddNote(code string, data string) {
	a := wire.Begin()
	n1, n2 := a.String(code)
	n3, n4 := a.String(data)
	rawAnswerAddNote(n1, n2, n3, n4)
	wire.End()
}

//go:wasmimport portcullis:hooks/prompt-tools-answer@0.2.0 add-job
func rawAnswerAddJob(n1 uint32, n2 uint32, n3 uint32, n4 uint32)

func answerAddJob(name string, input string) {
	a := wire.Begin()
	n1, n2 := a.String(name)
	n3, n4 := a.String(input)
	rawAnswerAddJob(n1, n2, n3, n4)
	wire.End()
}

//go:wasmexport portcullis:hooks/prompt-tools@0.2.0#handle
func export() bool {
	return serve.Run(func() error { return handler(Call{}) })
}
