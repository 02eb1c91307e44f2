package http

import (
	"net/url"
	"strings"
	"unsafe"

	"portcullis/internal/wire"
)

// A failure is an error code of wasi:http, with the host's additional text, if any.
type failure struct {
	code uint8
	said *string
}

// failedAt reads the failure at an offset of the last result.
func failedAt(offset uintptr) *failure {
	f := &failure{code: tag(offset)}
	if hasText(f.code) {
		f.said = wire.OptionOf(4, wire.String)(unsafe.Add(wire.Result(), offset+8))
	}
	return f
}

// broken returns the failure of a host that violates wasi:http.
func broken(why string) *failure {
	return &failure{uint8(len(failures) - 1), &why}
}

func (f *failure) of(request Request, to *url.URL) error {
	is := failures[min(int(f.code), len(failures)-1)]
	line := request.Method + " " + to.Scheme + "://" + to.Host
	why := strings.ReplaceAll(is.words, "{}", line)
	if f.said != nil {
		why += ": " + *f.said
	}
	return refused(request, to, is.kind, why)
}
