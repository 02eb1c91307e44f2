// Package handler is a handler of log/slog that writes to the hook's log.
//
//	slog.SetDefault(slog.New(handler.New()))
//
// It is apart from package log, since log/slog makes a component twice as large.
package handler

import (
	"bytes"
	"context"
	"log/slog"

	"portcullis/contract"
	"portcullis/internal/logging"
)

// New is a handler. It takes all levels.
func New() slog.Handler {
	buffer := new(bytes.Buffer)
	options := slog.HandlerOptions{Level: slog.Level(-128), ReplaceAttr: fieldsOnly}
	return handler{buffer, slog.NewTextHandler(buffer, &options)}
}

type handler struct {
	buffer *bytes.Buffer
	fields slog.Handler
}

func (h handler) Enabled(context.Context, slog.Level) bool { return true }

func (h handler) Handle(c context.Context, record slog.Record) error {
	h.buffer.Reset()
	h.buffer.WriteString(record.Message)
	h.buffer.WriteByte(' ')
	if err := h.fields.Handle(c, record); err != nil {
		return err
	}
	logging.Log(level(record.Level), "", string(bytes.TrimSpace(h.buffer.Bytes())))
	return nil
}

func (h handler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return handler{h.buffer, h.fields.WithAttrs(attrs)}
}

func (h handler) WithGroup(name string) slog.Handler {
	return handler{h.buffer, h.fields.WithGroup(name)}
}

// fieldsOnly leaves out what the host adds.
func fieldsOnly(groups []string, field slog.Attr) slog.Attr {
	if len(groups) == 0 && (field.Key == slog.TimeKey || field.Key == slog.LevelKey || field.Key == slog.MessageKey) {
		return slog.Attr{}
	}
	return field
}

func level(level slog.Level) contract.LogLevel {
	switch {
	case level < slog.LevelDebug:
		return contract.LogLevelTrace
	case level < slog.LevelInfo:
		return contract.LogLevelDebug
	case level < slog.LevelWarn:
		return contract.LogLevelInfo
	case level < slog.LevelError:
		return contract.LogLevelWarn
	}
	return contract.LogLevelError
}
