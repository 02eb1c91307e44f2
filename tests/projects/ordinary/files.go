package main

import (
	"os"

	"portcullis"
	"portcullis/content"
	"portcullis/preturn"
)

func init() {
	portcullis.Describe(portcullis.Hook{ID: "my-hook", Description: "Reads a file."})
	preturn.Handle(func(call preturn.Call) error {
		text, err := os.ReadFile(content.Text())
		if err != nil {
			return call.Reject("done", "no file")
		}
		return call.Reject("done", string(text))
	})
}

func main() {}
