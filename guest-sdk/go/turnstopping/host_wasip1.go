// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

package turnstopping

import (
	"unsafe"

	"portcullis/contract"
	"portcullis/internal/serve"
	"portcullis/internal/wire"
)

//go:wasmimport portcullis:hooks/turn-stopping-facts@0.2.0 ending
func rawFactEnding(n1 uint32)

func factEnding() contract.TurnEnding {
	p := wire.Result()
	rawFactEnding(wire.Address(p))
	defer wire.End()
	return wire.LiftTurnEnding(unsafe.Add(p, 0))
}

//go:wasmimport portcullis:hooks/turn-stopping-facts@0.2.0 steps
func rawFactSteps() uint32

func factSteps() uint32 {
	r := rawFactSteps()
	return uint32(r)
}

//go:wasmimport portcullis:hooks/turn-stopping-facts@0.2.0 usage
func rawFactUsage(n1 uint32)

func factUsage() contract.Usage {
	p := wire.Result()
	rawFactUsage(wire.Address(p))
	defer wire.End()
	return wire.LiftUsage(unsafe.Add(p, 0))
}

//go:wasmimport portcullis:hooks/turn-stopping-facts@0.2.0 kept-going
func rawFactKeptGoing() uint32

func factKeptGoing() uint32 {
	r := rawFactKeptGoing()
	return uint32(r)
}

//go:wasmimport portcullis:hooks/turn-stopping-facts@0.2.0 may-keep-going
func rawFactMayKeepGoing() uint32

func factMayKeepGoing() bool {
	r := rawFactMayKeepGoing()
	return r != 0
}

//go:wasmimport portcullis:hooks/turn-stopping-facts@0.2.0 facts
func rawFactFacts(n1 uint32)

func factFacts() contract.Stopping {
	p := wire.Result()
	rawFactFacts(wire.Address(p))
	defer wire.End()
	return wire.LiftStopping(unsafe.Add(p, 0))
}

//go:wasmimport portcullis:hooks/turn-stopping-answer@0.2.0 keep-going
func rawAnswerKeepGoing(n1 uint32, n2 uint32)

func answerKeepGoing(message string) {
	a := wire.Begin()
	n1, n2 := a.String(message)
	rawAnswerKeepGoing(n1, n2)
	wire.End()
}

//go:wasmexport portcullis:hooks/turn-stopping@0.2.0#handle
func export() bool {
	return serve.Run(func() error { return handler(Call{}) })
}
