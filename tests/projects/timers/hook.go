package main

import (
	"context"
	"strconv"
	"time"

	"portcullis"
	"portcullis/content"
	"portcullis/preturn"
)

func init() {
	portcullis.Describe(portcullis.Hook{ID: "my-hook", Description: "Waits."})
	preturn.Handle(preTurn)
}

// preTurn waits in two ways: asleep, and for another goroutine.
func preTurn(call preturn.Call) error {
	milliseconds, err := strconv.Atoi(content.Text())
	if err != nil {
		return err
	}
	half := time.Duration(milliseconds) * time.Millisecond / 2
	begun := time.Now()
	time.Sleep(half)
	passed, cancel := context.WithTimeout(context.Background(), half)
	defer cancel()
	done := make(chan struct{})
	go func() {
		<-passed.Done()
		close(done)
	}()
	<-done
	if time.Since(begun) < 2*half {
		return call.Reject("said", "woke early")
	}
	return call.Reject("said", "slept")
}

func main() {}
