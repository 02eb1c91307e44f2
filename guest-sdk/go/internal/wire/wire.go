// Package wire moves values between Go and the host, by the component model's canonical ABI.
//
// Go allocates what the host is given, and nothing of it moves. What the host gives is in an area that the next import
// uses again, so it is copied.
package wire
