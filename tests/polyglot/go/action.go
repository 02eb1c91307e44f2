package main

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"portcullis/config"
	"portcullis/content"
	"portcullis/contract"
	"portcullis/events"
	"portcullis/log"
	"portcullis/state"
	"portcullis/tooldata"
)

var configured = config.Of(map[string]string{})

// can has the answers of a point; those that are nil are not legal there.
type can struct {
	transform, replace, answer, keepGoing, ask func(text string) error
	reject                                     func(code, reason string) error
	stop                                       func(kind contract.StopKind, message string) error
	contribute                                 func(gifts []gift)
}

type call interface {
	Context() contract.Context
}

// current returns the current text at a point, if it has one.
func current(point string) string {
	switch point {
	case "pre-turn", "post-turn", "llm-delta", "post-llm-call", "pre-subagent":
		return content.Text()
	case "post-tool-call":
		output, _ := tooldata.Output()
		return output
	}
	return ""
}

var calls int

// act performs the configured action at a point.
func act(point string, call call, can can) error {
	table, err := configured.Get()
	if err != nil {
		return err
	}
	does, rest, _ := strings.Cut((*table)[point], " ")
	switch does {
	case "", "continue":
		return nil
	case "reject":
		return can.reject("probe", "the probe was told to refuse")
	case "transform":
		return can.transform(rest)
	case "append":
		return can.transform(current(point) + rest)
	case "replace":
		return can.replace(rest)
	case "answer":
		return can.answer(rest)
	case "ask":
		return can.ask("May it?")
	case "stop":
		return can.stop(contract.StopKindOther(rest), "the probe was told to stop")
	case "keep-going":
		return can.keepGoing(rest)
	case "contribute":
		can.contribute(gifts(rest))
		return nil
	case "fail":
		return errors.New(rest)
	case "panic":
		panic("the probe was told to")
	case "exit":
		os.Exit(0)
	case "spin":
		for {
		}
	case "hoard":
		var all [][]byte
		for {
			all = append(all, make([]byte, 1<<20))
			all[len(all)-1][0] = 1
		}
	case "lines":
		log.Info("line", "number", rest)
		return nil
	case "emit":
		events.Emit("event", rest)
		return nil
	case "count":
		calls++
		return can.transform(fmt.Sprint(calls))
	case "remember", "remember-and-panic":
		sum, err := state.Increment("calls", 1)
		if err != nil {
			return err
		}
		if does == "remember-and-panic" {
			panic("the probe was told to")
		}
		return can.transform(fmt.Sprint(sum))
	case "tell":
		return errors.New(told(call))
	case "look":
		return can.transform(look())
	}
	return errors.New("no action " + does)
}

// A contribution: KIND NAME TEXT.
type gift struct {
	kind, name, text string
}

func gifts(said string) []gift {
	var all []gift
	for _, one := range strings.Split(said, "; ") {
		kind, rest, _ := strings.Cut(one, " ")
		name, text, _ := strings.Cut(rest, " ")
		all = append(all, gift{kind, name, text})
	}
	return all
}
