// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

package toolupdate

import (
	"unsafe"

	"portcullis/contract"
	"portcullis/internal/serve"
	"portcullis/internal/wire"
)

//go:wasmimport portcullis:hooks/tool-update-facts@0.2.0 call-id
func rawFactCallID(n1 uint32)

func factCallID() string {
	p := wire.Result()
	rawFactCallID(wire.Address(p))
	defer wire.End()
	return wire.String(unsafe.Add(p, 0))
}

//go:wasmimport portcullis:hooks/tool-update-facts@0.2.0 name
func rawFactName(n1 uint32)

func factName() string {
	p := wire.Result()
	rawFactName(wire.Address(p))
	defer wire.End()
	return wire.String(unsafe.Add(p, 0))
}

//go:wasmimport portcullis:hooks/tool-update-facts@0.2.0 index
func rawFactIndex() uint32

func factIndex() uint32 {
	r := rawFactIndex()
	return uint32(r)
}

//go:wasmimport portcullis:hooks/tool-update-facts@0.2.0 text-bytes
func rawFactTextBytes() uint32

func factTextBytes() uint32 {
	r := rawFactTextBytes()
	return uint32(r)
}

//go:wasmimport portcullis:hooks/tool-update-facts@0.2.0 facts
func rawFactFacts(n1 uint32)

func factFacts() contract.ToolUpdateToolProgress {
	p := wire.Result()
	rawFactFacts(wire.Address(p))
	defer wire.End()
	return wire.LiftToolUpdateToolProgress(unsafe.Add(p, 0))
}

//go:wasmimport portcullis:hooks/tool-update-answer@0.2.0 reject
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

//go:wasmexport portcullis:hooks/tool-update@0.2.0#handle
func export() bool {
	return serve.Run(func() error { return handler(Call{}) })
}
