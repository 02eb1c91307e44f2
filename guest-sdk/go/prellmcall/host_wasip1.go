// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

package prellmcall

import (
	"unsafe"

	"portcullis/contract"
	"portcullis/internal/serve"
	"portcullis/internal/wire"
)

//go:wasmimport portcullis:hooks/pre-llm-call-facts@0.2.0 provider
func rawFactProvider(n1 uint32)

func factProvider() string {
	p := wire.Result()
	rawFactProvider(wire.Address(p))
	defer wire.End()
	return wire.String(unsafe.Add(p, 0))
}

//go:wasmimport portcullis:hooks/pre-llm-call-facts@0.2.0 model
func rawFactModel(n1 uint32)

func factModel() string {
	p := wire.Result()
	rawFactModel(wire.Address(p))
	defer wire.End()
	return wire.String(unsafe.Add(p, 0))
}

//go:wasmimport portcullis:hooks/pre-llm-call-facts@0.2.0 attempt
func rawFactAttempt() uint32

func factAttempt() uint32 {
	r := rawFactAttempt()
	return uint32(r)
}

//go:wasmimport portcullis:hooks/pre-llm-call-facts@0.2.0 messages
func rawFactMessages() uint32

func factMessages() uint32 {
	r := rawFactMessages()
	return uint32(r)
}

//go:wasmimport portcullis:hooks/pre-llm-call-facts@0.2.0 tools
func rawFactTools() uint32

func factTools() uint32 {
	r := rawFactTools()
	return uint32(r)
}

//go:wasmimport portcullis:hooks/pre-llm-call-facts@0.2.0 estimated-tokens
func rawFactEstimatedTokens() uint64

func factEstimatedTokens() uint64 {
	r := rawFactEstimatedTokens()
	return uint64(r)
}

//go:wasmimport portcullis:hooks/pre-llm-call-facts@0.2.0 temperature
func rawFactTemperature(n1 uint32)

func factTemperature() (float64, bool) {
	p := wire.Result()
	rawFactTemperature(wire.Address(p))
	var zero float64
	defer wire.End()
	if wire.U8(unsafe.Add(p, 0)) == 0 {
		return zero, false
	}
	return wire.F64(unsafe.Add(p, 8)), true
}

//go:wasmimport portcullis:hooks/pre-llm-call-facts@0.2.0 max-output-tokens
func rawFactMaxOutputTokens(n1 uint32)

func factMaxOutputTokens() (uint32, bool) {
	p := wire.Result()
	rawFactMaxOutputTokens(wire.Address(p))
	var zero uint32
	defer wire.End()
	if wire.U8(unsafe.Add(p, 0)) == 0 {
		return zero, false
	}
	return wire.U32(unsafe.Add(p, 4)), true
}

//go:wasmimport portcullis:hooks/pre-llm-call-facts@0.2.0 facts
func rawFactFacts(n1 uint32)

func factFacts() contract.LLMCall {
	p := wire.Result()
	rawFactFacts(wire.Address(p))
	defer wire.End()
	return wire.LiftLLMCall(unsafe.Add(p, 0))
}

//go:wasmimport portcullis:hooks/pre-llm-call-answer@0.2.0 transform
func rawAnswerTransform(n1 uint32, n2 uint32, n3 uint32, n4 uint32, n5 float64, n6 uint32, n7 uint32, n8 uint32, n9 uint32, n10 uint32, n11 uint32, n12 uint32)

func answerTransform(edit contract.LLMCallEdit) {
	a := wire.Begin()
	var n1 uint32
	var n2 uint32
	var n3 uint32
	if edit.Model != nil {
		n1 = 1
		n4, n5 := a.String(*edit.Model)
		n2, n3 = n4, n5
	}
	var n6 uint32
	var n7 float64
	if edit.Temperature != nil {
		n6 = 1
		n7 = *edit.Temperature
	}
	var n8 uint32
	var n9 uint32
	if edit.MaxOutputTokens != nil {
		n8 = 1
		n9 = uint32(*edit.MaxOutputTokens)
	}
	var n10 uint32
	var n11 uint32
	var n12 uint32
	if edit.Tools != nil {
		n10 = 1
		n13, n14 := wire.List(a, edit.Tools, 8, wire.PutString)
		n11, n12 = n13, n14
	}
	n15, n16 := wire.List(a, edit.Messages, 20, wire.LowerMessageEdit)
	rawAnswerTransform(n1, n2, n3, n6, n7, n8, n9, n10, n11, n12, n15, n16)
	wire.End()
}

//go:wasmimport portcullis:hooks/pre-llm-call-answer@0.2.0 reject
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

//go:wasmimport portcullis:hooks/pre-llm-call-answer@0.2.0 replace
func rawAnswerReplace(n1 uint32, n2 uint32, n3 uint32, n4 uint32, n5 float64, n6 uint32, n7 uint32, n8 uint32, n9 uint32, n10 uint32, n11 uint32, n12 uint32)

func answerReplace(edit contract.LLMCallEdit) {
	a := wire.Begin()
	var n1 uint32
	var n2 uint32
	var n3 uint32
	if edit.Model != nil {
		n1 = 1
		n4, n5 := a.String(*edit.Model)
		n2, n3 = n4, n5
	}
	var n6 uint32
	var n7 float64
	if edit.Temperature != nil {
		n6 = 1
		n7 = *edit.Temperature
	}
	var n8 uint32
	var n9 uint32
	if edit.MaxOutputTokens != nil {
		n8 = 1
		n9 = uint32(*edit.MaxOutputTokens)
	}
	var n10 uint32
	var n11 uint32
	var n12 uint32
	if edit.Tools != nil {
		n10 = 1
		n13, n14 := wire.List(a, edit.Tools, 8, wire.PutString)
		n11, n12 = n13, n14
	}
	n15, n16 := wire.List(a, edit.Messages, 20, wire.LowerMessageEdit)
	rawAnswerReplace(n1, n2, n3, n6, n7, n8, n9, n10, n11, n12, n15, n16)
	wire.End()
}

//go:wasmimport portcullis:hooks/pre-llm-call-answer@0.2.0 answer
func rawAnswerAnswer(n1 uint32, n2 uint32, n3 uint32, n4 uint32, n5 uint32, n6 uint64, n7 uint64, n8 uint64, n9 uint64)

func answerAnswer(response contract.LLMResponse) {
	a := wire.Begin()
	n1, n2 := wire.List(a, response.Content, 32, wire.LowerContentPart)
	var n3 uint32
	var n4 uint32
	var n5 uint32
	switch v := response.Stop.(type) {
	case contract.StopReasonEndTurn:
		n3 = 0
	case contract.StopReasonMaxTokens:
		n3 = 1
	case contract.StopReasonStopSequence:
		n3 = 2
	case contract.StopReasonToolUse:
		n3 = 3
	case contract.StopReasonRefusal:
		n3 = 4
	case contract.StopReasonOther:
		n3 = 5
		n6, n7 := a.String(string(v))
		n4, n5 = n6, n7
	default:
		wire.Missing("StopReason")
	}
	rawAnswerAnswer(n1, n2, n3, n4, n5, uint64(response.Usage.InputTokens), uint64(response.Usage.OutputTokens), uint64(response.Usage.CacheReadTokens), uint64(response.Usage.CacheWriteTokens))
	wire.End()
}

//go:wasmexport portcullis:hooks/pre-llm-call@0.2.0#handle
func export() bool {
	return serve.Run(func() error { return handler(Call{}) })
}
