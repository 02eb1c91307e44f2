// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

package logging

import (
	"portcullis/contract"
	"portcullis/internal/wire"
)

//go:wasmimport wasi:logging/logging@0.1.0-draft log
func rawLog(n1 uint32, n2 uint32, n3 uint32, n4 uint32, n5 uint32)

func log(level contract.LogLevel, context string, message string) {
	a := wire.Begin()
	n1, n2 := a.String(context)
	n3, n4 := a.String(message)
	rawLog(uint32(level), n1, n2, n3, n4)
	wire.End()
}
