;; image-source
(variant (case "url" string) (case "bytes" (list u8)))

;; image: image-source
(record (field "media-type" string) (field "source" $image-source))

;; tool-call
(record (field "id" string) (field "name" string) (field "arguments" string))

;; tool-result
(record
      (field "call-id" string) (field "name" string) (field "content" string)
      (field "is-error" bool))

;; content-part: image tool-call tool-result
(variant
      (case "text" string) (case "thinking" string) (case "image" $image)
      (case "tool-call" $tool-call) (case "tool-result" $tool-result))

;; role
(enum "system" "user" "assistant" "tool")

;; message: role content-part
(record (field "role" $role) (field "content" (list $content-part)))

;; message-edit: message
(variant
      (case "insert" (tuple u32 $message)) (case "set" (tuple u32 $message)) (case "remove" u32))

;; llm-call-edit: message-edit
(record
      (field "model" (option string)) (field "temperature" (option f64))
      (field "max-output-tokens" (option u32)) (field "tools" (option (list string)))
      (field "messages" (list $message-edit)))

;; stop-reason
(variant
      (case "end-turn") (case "max-tokens") (case "stop-sequence") (case "tool-use")
      (case "refusal") (case "other" string))

;; usage
(record
      (field "input-tokens" u64) (field "output-tokens" u64) (field "cache-read-tokens" u64)
      (field "cache-write-tokens" u64))

;; llm-response: content-part stop-reason usage
(record (field "content" (list $content-part)) (field "stop" $stop-reason) (field "usage" $usage))

;; call-context
(record
      (field "session-id" string) (field "agent" string) (field "turn" u32) (field "step" u32))

;; turn-input
(record (field "text-bytes" u32) (field "parts" u32))

;; execution-grant
(record (field "working-dir" (option string)) (field "timeout-ms" u32))

;; tool-request: execution-grant
(record
      (field "call-id" string) (field "name" string) (field "arguments-bytes" u32)
      (field "grant" $execution-grant))

;; tool-spec
(record (field "name" string) (field "description" string) (field "schema" string))

;; tool-route
(variant (case "agent" string) (case "hook"))

;; bundled-tool: tool-spec tool-route
(record (field "spec" $tool-spec) (field "route" $tool-route))

;; tool-bundle: bundled-tool
(record (field "name" string) (field "tools" (list $bundled-tool)))
