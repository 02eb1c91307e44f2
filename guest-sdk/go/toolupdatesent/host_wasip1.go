// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

package toolupdatesent

import (
	"unsafe"

	"portcullis/contract"
	"portcullis/internal/serve"
	"portcullis/internal/wire"
)

//go:wasmimport portcullis:hooks/tool-update-sent-facts@0.2.0 call-id
func rawFactCallID(n1 uint32)

func factCallID() string {
	p := wire.Result()
	rawFactCallID(wire.Address(p))
	defer wire.End()
	return wire.String(unsafe.Add(p, 0))
}

//go:wasmimport portcullis:hooks/tool-update-sent-facts@0.2.0 name
func rawFactName(n1 uint32)

func factName() string {
	p := wire.Result()
	rawFactName(wire.Address(p))
	defer wire.End()
	return wire.String(unsafe.Add(p, 0))
}

//go:wasmimport portcullis:hooks/tool-update-sent-facts@0.2.0 index
func rawFactIndex() uint32

func factIndex() uint32 {
	r := rawFactIndex()
	return uint32(r)
}

//go:wasmimport portcullis:hooks/tool-update-sent-facts@0.2.0 text-bytes
func rawFactTextBytes() uint32

func factTextBytes() uint32 {
	r := rawFactTextBytes()
	return uint32(r)
}

//go:wasmimport portcullis:hooks/tool-update-sent-facts@0.2.0 facts
func rawFactFacts(n1 uint32)

func factFacts() contract.ToolUpdateSentToolProgress {
	p := wire.Result()
	rawFactFacts(wire.Address(p))
	defer wire.End()
	return wire.LiftToolUpdateSentToolProgress(unsafe.Add(p, 0))
}

//go:wasmexport portcullis:hooks/tool-update-sent@0.2.0#handle
func export() bool {
	return serve.Run(func() error { return handler(Call{}) })
}
