package main

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"log"
	"log/slog"
	"os"
	"strings"
	"sync"
	"time"

	"portcullis"
	"portcullis/content"
	"portcullis/contract"
	hooklog "portcullis/log"
	"portcullis/log/handler"
	"portcullis/preturn"
	"portcullis/sharedstate"
	"portcullis/state"
)

func init() {
	portcullis.Describe(portcullis.Hook{ID: "my-hook", Description: "Does what people do."})
	preturn.Handle(preTurn)
}

var words []string

func inner(count int) string {
	return words[count]
}

func preTurn(call preturn.Call) error {
	switch action := content.Text(); action {
	case "print":
		fmt.Println("out", 1)
		fmt.Print("no end")
		fmt.Fprintln(os.Stderr, "err")
	case "time":
		if time.Now().Location().String() == "" {
			return errors.New("there is no time zone")
		}
		return call.Reject("done", fmt.Sprint(time.Now().UnixMilli()))
	case "date":
		return call.Reject("done", time.Unix(0, 0).Format(time.RFC3339))
	case "random":
		var bytes [16]byte
		rand.Read(bytes[:])
		return call.Reject("done", hex.EncodeToString(bytes[:]))
	case "crash":
		return call.Reject("done", inner(3))
	case "exit":
		fmt.Fprintln(os.Stderr, "leaving")
		os.Exit(0)
	case "deadlock":
		var group sync.WaitGroup
		group.Add(1)
		group.Wait()
	case "goroutines":
		sums := make(chan int)
		for i := range 10 {
			go func() { sums <- i }()
		}
		sum := 0
		for range 10 {
			sum += <-sums
		}
		return call.Reject("done", fmt.Sprint(sum))
	case "crash elsewhere":
		done := make(chan string)
		go func() { done <- inner(4) }()
		<-done
	case "wrapped":
		return fmt.Errorf("it failed: %w", portcullis.BadConfig("no key"))
	case "nil":
		return call.Transform([]contract.ContentPart{nil})
	case "log":
		slog.SetDefault(slog.New(handler.New()))
		slog.Warn("odd", "word", "two words", "count", 2, "level", "high")
		hooklog.Debug("fine")
		log.SetFlags(0)
		log.Print("old")
	case "state":
		_, _, denied := sharedstate.Get("other", "key")
		_, isDenied := errors.AsType[contract.StateErrorDenied](denied)
		set := state.Set("calls", []byte("many"))
		_, err := state.Increment("calls", 1)
		_, isNumber := errors.AsType[contract.StateErrorNotANumber](err)
		value, there := state.Get("calls")
		_, missing := state.Get("none")
		swapped, _ := state.Swap("calls", []byte("many"), nil)
		_, kept := state.Get("calls")
		return call.Reject("done", fmt.Sprint(isDenied, set, isNumber, string(value), there, missing, swapped, kept))
	case "garbage":
		kept := ""
		for range 500 {
			kept = strings.Repeat("x", 8000) + content.Text()
		}
		return call.Reject("done", fmt.Sprint(len(kept)))
	default:
		return call.Reject("done", fmt.Sprint(len(action), " ", action[len(action)-4:]))
	}
	return call.Reject("done", "")
}

func main() {}
