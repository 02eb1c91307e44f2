// Package log writes lines to the hook's log, followed by fields.
//
//	log.Info("blocked a turn", "word", word)
//
// The host adds the hook's id; the operator decides which levels are kept. Printed text is in the log too, and package
// handler is for log/slog.
package log

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"portcullis/contract"
	"portcullis/internal/logging"
)

// Trace logs details of interest only while tracing one call.
func Trace(message string, fields ...any) { line(contract.LogLevelTrace, message, fields) }

// Debug logs details of interest while debugging.
func Debug(message string, fields ...any) { line(contract.LogLevelDebug, message, fields) }

// Info logs a normal event.
func Info(message string, fields ...any) { line(contract.LogLevelInfo, message, fields) }

// Warn logs that something is odd while the hook continues.
func Warn(message string, fields ...any) { line(contract.LogLevelWarn, message, fields) }

// Error logs that something failed.
func Error(message string, fields ...any) { line(contract.LogLevelError, message, fields) }

// line logs a message with fields: names and values that alternate.
func line(level contract.LogLevel, message string, fields []any) {
	var line strings.Builder
	line.WriteString(message)
	for i := 0; i < len(fields); i += 2 {
		value := "missing"
		if i+1 < len(fields) {
			value = fmt.Sprint(fields[i+1])
		}
		if !isPlain(value) {
			value = strconv.Quote(value)
		}
		fmt.Fprintf(&line, " %v=%s", fields[i], value)
	}
	logging.Log(level, "", line.String())
}

// isPlain reports whether a value can be read back as one value without quotes.
func isPlain(value string) bool {
	for _, letter := range value {
		if !unicode.IsLetter(letter) && !unicode.IsDigit(letter) && !strings.ContainsRune("-_.:/@+%*", letter) {
			return false
		}
	}
	return value != ""
}
