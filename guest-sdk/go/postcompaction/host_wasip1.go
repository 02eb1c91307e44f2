// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

package postcompaction

import (
	"unsafe"

	"portcullis/contract"
	"portcullis/internal/serve"
	"portcullis/internal/wire"
)

//go:wasmimport portcullis:hooks/post-compaction-facts@0.2.0 removed
func rawFactRemoved() uint32

func factRemoved() uint32 {
	r := rawFactRemoved()
	return uint32(r)
}

//go:wasmimport portcullis:hooks/post-compaction-facts@0.2.0 messages
func rawFactMessages() uint32

func factMessages() uint32 {
	r := rawFactMessages()
	return uint32(r)
}

//go:wasmimport portcullis:hooks/post-compaction-facts@0.2.0 summary-bytes
func rawFactSummaryBytes() uint32

func factSummaryBytes() uint32 {
	r := rawFactSummaryBytes()
	return uint32(r)
}

//go:wasmimport portcullis:hooks/post-compaction-facts@0.2.0 facts
func rawFactFacts(n1 uint32)

func factFacts() contract.CompactionResult {
	p := wire.Result()
	rawFactFacts(wire.Address(p))
	defer wire.End()
	return wire.LiftCompactionResult(unsafe.Add(p, 0))
}

//go:wasmexport portcullis:hooks/post-compaction@0.2.0#handle
func export() bool {
	return serve.Run(func() error { return handler(Call{}) })
}
