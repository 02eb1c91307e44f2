// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

package content

import (
	"unsafe"

	"portcullis/contract"
	"portcullis/internal/wire"
)

//go:wasmimport portcullis:hooks/content@0.2.0 parts
func rawParts(n1 uint32)

func parts() []contract.ContentPart {
	p := wire.Result()
	rawParts(wire.Address(p))
	defer wire.End()
	return wire.ListOf(32, wire.LiftContentPart)(unsafe.Add(p, 0))
}

//go:wasmimport portcullis:hooks/content@0.2.0 text
func rawText(n1 uint32)

func text() string {
	p := wire.Result()
	rawText(wire.Address(p))
	defer wire.End()
	return wire.String(unsafe.Add(p, 0))
}
