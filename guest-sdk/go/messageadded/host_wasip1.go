// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

package messageadded

import (
	"unsafe"

	"portcullis/contract"
	"portcullis/internal/serve"
	"portcullis/internal/wire"
)

//go:wasmimport portcullis:hooks/message-added-facts@0.2.0 index
func rawFactIndex() uint32

func factIndex() uint32 {
	r := rawFactIndex()
	return uint32(r)
}

//go:wasmimport portcullis:hooks/message-added-facts@0.2.0 role
func rawFactRole() uint32

func factRole() contract.Role {
	r := rawFactRole()
	return contract.Role(r)
}

//go:wasmimport portcullis:hooks/message-added-facts@0.2.0 parts
func rawFactParts() uint32

func factParts() uint32 {
	r := rawFactParts()
	return uint32(r)
}

//go:wasmimport portcullis:hooks/message-added-facts@0.2.0 text-bytes
func rawFactTextBytes() uint32

func factTextBytes() uint32 {
	r := rawFactTextBytes()
	return uint32(r)
}

//go:wasmimport portcullis:hooks/message-added-facts@0.2.0 facts
func rawFactFacts(n1 uint32)

func factFacts() contract.AddedMessage {
	p := wire.Result()
	rawFactFacts(wire.Address(p))
	defer wire.End()
	return wire.LiftAddedMessage(unsafe.Add(p, 0))
}

//go:wasmexport portcullis:hooks/message-added@0.2.0#handle
func export() bool {
	return serve.Run(func() error { return handler(Call{}) })
}
