// Package handler is a handler of log/slog that writes to the hook's log.
//
//	slog.SetDefault(slog.New(handler.New()))
//
// It is a package of its own, since log/slog doubles the size of a component.
package handler

import (
	"bytes"
	"context"
	"log/slog"
	"time"

	"portcullis/contract"
	"portcullis/internal/logging"
)

// New returns a handler. It accepts all levels.
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
	fields := slog.NewRecord(time.Time{}, noLevel, noMessage, 0)
	record.Attrs(func(field slog.Attr) bool {
		fields.AddAttrs(field)
		return true
	})
	if err := h.fields.Handle(c, fields); err != nil {
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

// The level and the message of a record of which only the fields are written. No record of an author has them.
const (
	noLevel   = slog.Level(-128)
	noMessage = "\x00"
)

// fieldsOnly drops the level and the message: the host adds the time, and the message is written before. An author's fields
// may have the same names.
func fieldsOnly(groups []string, field slog.Attr) slog.Attr {
	if len(groups) > 0 {
		return field
	}
	isLevel := field.Key == slog.LevelKey && field.Value.Any() == any(noLevel)
	isMessage := field.Key == slog.MessageKey && field.Value.Any() == any(noMessage)
	if isLevel || isMessage {
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
