// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

// Package tooldata is an import of the contract: The current tool call.
package tooldata

// Input: The arguments, as the text of a JSON object; empty outside of a tool call.
func Input() string {
	return input()
}

// Output: The tool's output; none before the tool ran.
func Output() (string, bool) {
	return output()
}
