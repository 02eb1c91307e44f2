package main

import (
	"fmt"
	"os"
	"strings"

	"portcullis"
	"portcullis/content"
	"portcullis/preturn"
)

func init() {
	portcullis.Describe(portcullis.Hook{ID: "my-hook", Description: "Uses files."})
	preturn.Handle(func(call preturn.Call) error {
		words := strings.Fields(content.Text())
		said, err := act(words[0], words[1], words[2:])
		if err != nil {
			said = err.Error()
		}
		return call.Reject("done", said)
	})
}

func act(action, path string, more []string) (string, error) {
	switch action {
	case "read":
		text, err := os.ReadFile(path)
		return string(text), err
	case "bytes":
		info, err := os.Stat(path)
		if err != nil {
			return "", err
		}
		return fmt.Sprint(info.Size()), nil
	case "write":
		return write(path, more[0])
	case "list":
		return list(path)
	case "tree":
		return tree(path)
	}
	return "", nil
}

func write(path, text string) (string, error) {
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		return "", err
	}
	file, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return "", err
	}
	if _, err := file.WriteString("+"); err != nil {
		return "", err
	}
	if err := file.Close(); err != nil {
		return "", err
	}
	written, err := os.ReadFile(path)
	return string(written), err
}

func list(path string) (string, error) {
	entries, err := os.ReadDir(path)
	var names []string
	for _, entry := range entries {
		name := entry.Name()
		if entry.IsDir() {
			name += "/"
		}
		names = append(names, name)
	}
	return strings.Join(names, " "), err
}

func tree(path string) (string, error) {
	if err := os.MkdirAll(path+"/a/b", 0o755); err != nil {
		return "", err
	}
	if err := os.WriteFile(path+"/a/b/c.txt", []byte("c"), 0o644); err != nil {
		return "", err
	}
	if err := os.Rename(path+"/a/b/c.txt", path+"/a/d.txt"); err != nil {
		return "", err
	}
	info, err := os.Stat(path + "/a/d.txt")
	if err != nil {
		return "", err
	}
	if err := os.RemoveAll(path + "/a"); err != nil {
		return "", err
	}
	_, err = os.Stat(path + "/a")
	return fmt.Sprint(info.Size(), err == nil), nil
}

func main() {}
