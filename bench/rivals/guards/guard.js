(name, arguments_) =>
  name === "shell" && arguments_.includes("rm -rf")
    ? { code: "no-rm", reason: "Nothing is deleted here." }
    : null;
