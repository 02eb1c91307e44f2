// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

// Package logging is an import of the contract: The WASI logging proposal, phase 1.
package logging

import (
	"portcullis/contract"
)

// Log: Emit a log message. `context` groups messages, `message` is the text.
func Log(level contract.LogLevel, context string, message string) {
	log(level, context, message)
}
