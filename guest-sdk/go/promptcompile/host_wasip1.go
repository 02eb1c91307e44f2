// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

package promptcompile

import (
	"unsafe"

	"portcullis/contract"
	"portcullis/internal/serve"
	"portcullis/internal/wire"
)

//go:wasmimport portcullis:hooks/prompt-compile-facts@0.2.0 sections
func rawFactSections() uint32

func factSections() uint32 {
	r := rawFactSections()
	return uint32(r)
}

//go:wasmimport portcullis:hooks/prompt-compile-facts@0.2.0 items
func rawFactItems() uint32

func factItems() uint32 {
	r := rawFactItems()
	return uint32(r)
}

//go:wasmimport portcullis:hooks/prompt-compile-facts@0.2.0 tokens
func rawFactTokens() uint64

func factTokens() uint64 {
	r := rawFactTokens()
	return uint64(r)
}

//go:wasmimport portcullis:hooks/prompt-compile-facts@0.2.0 budget-tokens
func rawFactBudgetTokens() uint64

func factBudgetTokens() uint64 {
	r := rawFactBudgetTokens()
	return uint64(r)
}

//go:wasmimport portcullis:hooks/prompt-compile-facts@0.2.0 facts
func rawFactFacts(n1 uint32)

func factFacts() contract.PromptDraft {
	p := wire.Result()
	rawFactFacts(wire.Address(p))
	defer wire.End()
	return wire.LiftPromptDraft(unsafe.Add(p, 0))
}

//go:wasmimport portcullis:hooks/prompt-compile-answer@0.2.0 transform
func rawAnswerTransform(n1 uint32, n2 uint32, n3 uint32, n4 uint32, n5 uint32, n6 uint32, n7 uint32, n8 uint32, n9 uint32, n10 uint32, n11 uint32, n12 uint32)

func answerTransform(edit contract.PromptEdit) {
	a := wire.Begin()
	var n1 uint32
	var n2 uint32
	var n3 uint32
	if edit.System != nil {
		n1 = 1
		n4, n5 := a.String(*edit.System)
		n2, n3 = n4, n5
	}
	var n6 uint32
	var n7 uint32
	var n8 uint32
	var n9 uint32
	var n10 uint32
	var n11 uint32
	if edit.ResponseFormat != nil {
		n6 = 1
		var n12 uint32
		var n13 uint32
		var n14 uint32
		var n15 uint32
		var n16 uint32
		switch v := edit.ResponseFormat.(type) {
		case contract.ResponseFormatText:
			n12 = 0
		case contract.ResponseFormatJson:
			n12 = 1
		case contract.ResponseFormatSchema:
			n12 = 2
			n17, n18 := a.String(contract.NamedSchema(v).Name)
			n19, n20 := a.String(contract.NamedSchema(v).Schema)
			n13, n14, n15, n16 = n17, n18, n19, n20
		default:
			wire.Missing("ResponseFormat")
		}
		n7, n8, n9, n10, n11 = n12, n13, n14, n15, n16
	}
	var n21 uint32
	var n22 uint32
	var n23 uint32
	if edit.Sections != nil {
		n21 = 1
		n24, n25 := wire.List(a, edit.Sections, 44, wire.LowerPromptSection)
		n22, n23 = n24, n25
	}
	rawAnswerTransform(n1, n2, n3, n6, n7, n8, n9, n10, n11, n21, n22, n23)
	wire.End()
}

//go:wasmimport portcullis:hooks/prompt-compile-answer@0.2.0 add-section
func rawAnswerAddSection(n1 uint32, n2 uint32, n3 uint32, n4 uint32, n5 uint32, n6 uint32, n7 uint32, n8 uint32, n9 uint32, n10 uint32, n11 uint32)

func answerAddSection(section contract.PromptSection) {
	a := wire.Begin()
	n1, n2 := a.String(section.ID)
	var n3 uint32
	var n4 uint32
	var n5 uint32
	if section.Title != nil {
		n3 = 1
		n6, n7 := a.String(*section.Title)
		n4, n5 = n6, n7
	}
	n8, n9 := a.String(section.Text)
	var n10 uint32
	var n11 uint32
	if section.MaxTokens != nil {
		n10 = 1
		n11 = uint32(*section.MaxTokens)
	}
	rawAnswerAddSection(n1, n2, n3, n4, n5, n8, n9, uint32(section.Order), n10, n11, wire.FromBool(section.Essential))
	wire.End()
}

//go:wasmimport portcullis:hooks/prompt-compile-answer@0.2.0 add-note
func rawAnswerAddNote(n1 uint32, n2 uint32, n3 uint32, n4 uint32)

func answerAddNote(code string, data string) {
	a := wire.Begin()
	n1, n2 := a.String(code)
	n3, n4 := a.String(data)
	rawAnswerAddNote(n1, n2, n3, n4)
	wire.End()
}

//go:wasmimport portcullis:hooks/prompt-compile-answer@0.2.0 add-job
func rawAnswerAddJob(n1 uint32, n2 uint32, n3 uint32, n4 uint32)

func answerAddJob(name string, input string) {
	a := wire.Begin()
	n1, n2 := a.String(name)
	n3, n4 := a.String(input)
	rawAnswerAddJob(n1, n2, n3, n4)
	wire.End()
}

//go:wasmexport portcullis:hooks/prompt-compile@0.2.0#handle
func export() bool {
	return serve.Run(func() error { return handler(Call{}) })
}
