package http

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unsafe"

	"portcullis/internal/wire"
)

// The most bytes that are written at once, as many as the host takes, and the most that are read at once.
const (
	written = 4096
	most    = 65536
)

var methods = []string{"GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH"}

// at reads a handle or a number from the last result.
func at(offset uintptr) uint32 { return wire.U32(unsafe.Add(wire.Result(), offset)) }

// tag reads the case of a part of the last result.
func tag(offset uintptr) uint8 { return wire.U8(unsafe.Add(wire.Result(), offset)) }

func result() uint32 { return wire.Address(wire.Result()) }

func send(request Request, to *url.URL) (*Response, error) {
	defer wire.End()
	outgoing, err := head(request, to)
	if err != nil {
		return nil, err
	}
	var body handle
	if len(request.Body) > 0 {
		requestBody(outgoing, result())
		body = at(4)
	}
	some, options := uint32(0), handle(0)
	if request.Timeout > 0 {
		some, options = 1, newOptions()
		nanoseconds := uint64(request.Timeout)
		setConnectTimeout(options, 1, nanoseconds)
		setFirstByteTimeout(options, 1, nanoseconds)
		setBetweenBytesTimeout(options, 1, nanoseconds)
	}
	handleRequest(outgoing, some, options, result())
	if tag(0) != 0 {
		failed := failedAt(8)
		if body != 0 {
			dropOutgoingBody(body)
		}
		return nil, failed.of(request, to)
	}
	future := at(8)
	if body != 0 {
		writeBody(body, request.Body)
	}
	response, failed := wait(future)
	if failed != nil {
		return nil, failed.of(request, to)
	}
	return response, nil
}

// head makes the request without its body.
func head(request Request, to *url.URL) (handle, error) {
	headers := request.Header
	if len(request.Body) > 0 {
		headers = slices.DeleteFunc(slices.Clone(headers), func(header Header) bool {
			return strings.EqualFold(header.Name, "content-length")
		})
		headers = append(headers, Header{"content-length", strconv.Itoa(len(request.Body))})
	}
	a := wire.Begin()
	list, length := wire.List(a, headers, 16, func(a *wire.Args, p unsafe.Pointer, header Header) {
		wire.PutString(a, p, header.Name)
		wire.PutString(a, unsafe.Add(p, 8), header.Value)
	})
	newFields(list, length, result())
	if tag(0) != 0 {
		return 0, refused(request, to, Invalid, "a header is not valid, or may not be set")
	}
	outgoing := newRequest(at(4))

	method := slices.Index(methods, request.Method)
	if method < 0 {
		method = len(methods)
	}
	name, nameLength := a.String(request.Method)
	scheme := uint32(0)
	if to.Scheme == "https" {
		scheme = 1
	}
	authority, authorityLength := a.String(to.Host)
	path, pathLength := a.String(to.RequestURI())
	wrong := setMethod(outgoing, uint32(method), name, nameLength) |
		setScheme(outgoing, 1, scheme, 0, 0) |
		setAuthority(outgoing, 1, authority, authorityLength) |
		setPath(outgoing, 1, path, pathLength)
	if wrong != 0 {
		dropRequest(outgoing)
		return 0, refused(request, to, Invalid, "its method or its URL is not valid")
	}
	return outgoing, nil
}

// writeBody writes a body. If the request ends meanwhile, its response or its error says why.
func writeBody(body handle, bytes []byte) {
	write(body, result())
	if tag(0) != 0 {
		dropOutgoingBody(body)
		return
	}
	stream := at(4)
	for len(bytes) > 0 {
		piece := bytes[:min(len(bytes), written)]
		address, length := wire.Begin().Bytes(piece)
		writeAndFlush(stream, address, length, result())
		if tag(0) != 0 {
			if tag(4) == 0 {
				dropError(at(8))
			}
			dropOutput(stream)
			dropOutgoingBody(body)
			return
		}
		bytes = bytes[len(piece):]
	}
	dropOutput(stream)
	finish(body, 0, 0, result())
}

// wait waits for a response and reads it, or returns the failure.
func wait(future handle) (*Response, *failure) {
	pollable := subscribe(future)
	block(pollable)
	dropPollable(pollable)
	getResponse(future, result())
	defer dropFuture(future)
	switch {
	case tag(0) == 0 || tag(8) != 0:
		return nil, broken("the response is not there")
	case tag(16) != 0:
		return nil, failedAt(24)
	}
	return readResponse(at(24))
}

func readResponse(from handle) (*Response, *failure) {
	defer dropResponse(from)
	response := &Response{Status: int(status(from))}
	fields := headers(from)
	entries(fields, result())
	response.Header = wire.ListOf(16, func(p unsafe.Pointer) Header {
		return Header{wire.String(p), wire.String(unsafe.Add(p, 8))}
	})(wire.Result())
	wire.End()
	dropFields(fields)

	consume(from, result())
	if tag(0) != 0 {
		return nil, broken("the response has no body")
	}
	body := at(4)
	defer dropIncomingBody(body)
	bodyStream(body, result())
	if tag(0) != 0 {
		return nil, broken("the response's body cannot be read")
	}
	stream := at(4)
	defer dropInput(stream)
	for {
		read(stream, most, result())
		if tag(0) == 0 {
			response.Body = append(response.Body, wire.Bytes(unsafe.Add(wire.Result(), 4))...)
			wire.End()
			continue
		}
		if tag(4) != 0 {
			return response, nil
		}
		err := at(8)
		defer dropError(err)
		errorCode(err, result())
		if tag(0) == 0 {
			return nil, broken("the response's body cannot be read")
		}
		return nil, failedAt(8)
	}
}
