package serve

import (
	"fmt"
	"os"
	"path"
	"runtime"
	"strings"
)

// explain ends the component if the handler panicked: its memory may be in any state. The host's message contains the text
// that is written here.
func explain() {
	cause := recover()
	if cause == nil {
		return
	}
	fmt.Fprintf(os.Stderr, "panic: %v%s\n", cause, places())
	os.Exit(2)
}

// places returns the author's lines that were running, the innermost first.
func places() string {
	var counters [64]uintptr
	frames := runtime.CallersFrames(counters[:runtime.Callers(4, counters[:])])
	var places []string
	for {
		frame, more := frames.Next()
		own := strings.HasPrefix(frame.Function, "main.")
		if own && frame.Line > 0 {
			places = append(places, fmt.Sprintf("%s:%d", path.Base(frame.File), frame.Line))
		}
		if !more || len(places) == 8 {
			break
		}
	}
	if len(places) == 0 {
		return ""
	}
	return " (" + strings.Join(places, ", ") + ")"
}
