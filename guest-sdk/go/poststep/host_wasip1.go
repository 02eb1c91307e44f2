// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

package poststep

import (
	"unsafe"

	"portcullis/contract"
	"portcullis/internal/serve"
	"portcullis/internal/wire"
)

//go:wasmimport portcullis:hooks/post-step-facts@0.2.0 stop
func rawFactStop(n1 uint32)

func factStop() contract.StopReason {
	p := wire.Result()
	rawFactStop(wire.Address(p))
	defer wire.End()
	return wire.LiftStopReason(unsafe.Add(p, 0))
}

//go:wasmimport portcullis:hooks/post-step-facts@0.2.0 tool-calls
func rawFactToolCalls() uint32

func factToolCalls() uint32 {
	r := rawFactToolCalls()
	return uint32(r)
}

//go:wasmimport portcullis:hooks/post-step-facts@0.2.0 step-usage
func rawFactStepUsage(n1 uint32)

func factStepUsage() contract.Usage {
	p := wire.Result()
	rawFactStepUsage(wire.Address(p))
	defer wire.End()
	return wire.LiftUsage(unsafe.Add(p, 0))
}

//go:wasmimport portcullis:hooks/post-step-facts@0.2.0 usage
func rawFactUsage(n1 uint32)

func factUsage() contract.Usage {
	p := wire.Result()
	rawFactUsage(wire.Address(p))
	defer wire.End()
	return wire.LiftUsage(unsafe.Add(p, 0))
}

//go:wasmimport portcullis:hooks/post-step-facts@0.2.0 elapsed-us
func rawFactElapsedUs() uint64

func factElapsedUs() uint64 {
	r := rawFactElapsedUs()
	return uint64(r)
}

//go:wasmimport portcullis:hooks/post-step-facts@0.2.0 facts
func rawFactFacts(n1 uint32)

func factFacts() contract.StepReport {
	p := wire.Result()
	rawFactFacts(wire.Address(p))
	defer wire.End()
	return wire.LiftStepReport(unsafe.Add(p, 0))
}

//go:wasmimport portcullis:hooks/post-step-answer@0.2.0 stop
func rawAnswerStop(n1 uint32, n2 uint32, n3 uint32, n4 uint32, n5 uint32)

func answerStop(kind contract.StopKind, message string) {
	a := wire.Begin()
	var n1 uint32
	var n2 uint32
	var n3 uint32
	switch v := kind.(type) {
	case contract.StopKindStepsLimit:
		n1 = 0
	case contract.StopKindTokenLimit:
		n1 = 1
	case contract.StopKindTimeLimit:
		n1 = 2
	case contract.StopKindFinishReason:
		n1 = 3
		n4, n5 := a.String(string(v))
		n2, n3 = n4, n5
	case contract.StopKindOther:
		n1 = 4
		n6, n7 := a.String(string(v))
		n2, n3 = n6, n7
	default:
		wire.Missing("StopKind")
	}
	n8, n9 := a.String(message)
	rawAnswerStop(n1, n2, n3, n8, n9)
	wire.End()
}

//go:wasmexport portcullis:hooks/post-step@0.2.0#handle
func export() bool {
	return serve.Run(func() error { return handler(Call{}) })
}
