// A small guard at `pre-tool-call`. The other two points measure what less reading costs.
package main

import (
	"strings"

	"portcullis"
	"portcullis/posttoolcall"
	"portcullis/pretoolcall"
	"portcullis/tooldata"
	"portcullis/toolupdate"
)

func init() {
	portcullis.Describe(portcullis.Hook{
		ID:          "guard-go",
		Description: "Refuses shell commands that delete directories.",
	})
	pretoolcall.Handle(preToolCall)
	posttoolcall.Handle(postToolCall)
	toolupdate.Handle(toolUpdate)
}

// preToolCall reads the name and the arguments.
func preToolCall(call pretoolcall.Call) error {
	if call.Name() == "shell" && strings.Contains(tooldata.Input(), "rm -rf") {
		return call.Reject("no-rm", "Nothing is deleted here.")
	}
	return nil
}

// postToolCall reads the name.
func postToolCall(call posttoolcall.Call) error {
	if call.Name() == "forbidden" {
		return call.Reject("forbidden", "Its output is withheld.")
	}
	return nil
}

// toolUpdate reads nothing.
func toolUpdate(toolupdate.Call) error {
	return nil
}

func main() {}
