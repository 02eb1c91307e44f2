// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

// Package session is an import of the contract: Whose session this is.
package session

// User: The user, as the embedder names them.
func User() (string, bool) {
	return user()
}

// WorkingDir: The directory the agent works in.
func WorkingDir() (string, bool) {
	return workingDir()
}

// Parent: The session that started this one as a sub-agent's.
func Parent() (string, bool) {
	return parent()
}

// Metadata: What else the embedder says of the session.
func Metadata() [][2]string {
	return metadata()
}
