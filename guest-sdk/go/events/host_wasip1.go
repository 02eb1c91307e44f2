// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

package events

import (
	"portcullis/internal/wire"
)

//go:wasmimport portcullis:hooks/events@0.2.0 emit
func rawEmit(n1 uint32, n2 uint32, n3 uint32, n4 uint32)

func emit(name string, data string) {
	a := wire.Begin()
	n1, n2 := a.String(name)
	n3, n4 := a.String(data)
	rawEmit(n1, n2, n3, n4)
	wire.End()
}
