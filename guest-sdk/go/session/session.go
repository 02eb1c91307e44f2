// Code generated from wit/ by `cargo xtask contract`. DO NOT EDIT.

// Package session is an import of the contract: The session's user, working directory, parent and metadata.
package session

// User: The user, as the embedder names them.
func User() (string, bool) {
	return user()
}

// WorkingDir: The directory the agent works in.
func WorkingDir() (string, bool) {
	return workingDir()
}

// Parent: The parent's session, if this is the session of a sub-agent.
func Parent() (string, bool) {
	return parent()
}

// Metadata: The embedder's metadata of the session.
func Metadata() [][2]string {
	return metadata()
}
