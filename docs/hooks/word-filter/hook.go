package main

import (
	"strings"

	"portcullis"
	"portcullis/config"
	"portcullis/content"
	"portcullis/log"
	"portcullis/preturn"
)

type settings struct {
	Blocked []string `json:"blocked" doc:"The words that no message may contain."`
}

var configured = config.Of(settings{})

func init() {
	portcullis.Describe(portcullis.Hook{
		ID:          "word-filter",
		Description: "Refuses turns that contain a blocked word.",
		Priority:    new(int32(10)),
	})
	preturn.Handle(preTurn)
}

func preTurn(call preturn.Call) error {
	settings, err := configured.Get()
	if err != nil {
		return err
	}
	text := content.Text()
	for _, word := range settings.Blocked {
		if strings.Contains(text, word) {
			log.Info("blocked a turn", "word", word)
			return call.Reject("blocked-word", "The message was blocked.")
		}
	}
	return nil
}

func main() {}
