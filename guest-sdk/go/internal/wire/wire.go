// Package wire moves values between Go and the host, by the component model's canonical ABI.
//
// Go allocates the arguments of imports, and does not move them. The results are in an area that the next import
// reuses, so they are copied.
package wire
