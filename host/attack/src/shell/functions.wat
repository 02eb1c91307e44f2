;; call session-id
(func (result string))
(param i32)

;; call turn
(func (result u32))
(result i32)

;; call context: call-context
(func (result $call-context))
(param i32)

;; failure fail
(func (param "message" string))
(param i32 i32)

;; failure bad-config
(func (param "message" string))
(param i32 i32)

;; pre-turn-facts text-bytes
(func (result u32))
(result i32)

;; pre-turn-facts facts: turn-input
(func (result $turn-input))
(param i32)

;; pre-turn-answer transform: content-part
(func (param "content" (list $content-part)))
(param i32 i32)

;; pre-turn-answer reject
(func (param "code" string) (param "reason" string) (param "details" (option string)))
(param i32 i32 i32 i32 i32 i32 i32)

;; pre-turn-answer replace: content-part
(func (param "content" (list $content-part)))
(param i32 i32)

;; pre-turn-answer answer: content-part
(func (param "content" (list $content-part)))
(param i32 i32)

;; post-turn-answer transform: content-part
(func (param "content" (list $content-part)))
(param i32 i32)

;; post-turn-answer reject
(func (param "code" string) (param "reason" string) (param "details" (option string)))
(param i32 i32 i32 i32 i32 i32 i32)

;; post-turn-answer add-note
(func (param "code" string) (param "data" string))
(param i32 i32 i32 i32)

;; pre-tool-call-facts name
(func (result string))
(param i32)

;; pre-tool-call-facts facts: tool-request
(func (result $tool-request))
(param i32)

;; pre-tool-call-answer transform
(func (param "arguments" string))
(param i32 i32)

;; pre-tool-call-answer reject
(func (param "code" string) (param "reason" string) (param "details" (option string)))
(param i32 i32 i32 i32 i32 i32 i32)

;; pre-tool-call-answer answer
(func (param "content" string) (param "is-error" bool))
(param i32 i32 i32)

;; pre-tool-call-answer ask
(func (param "question" string) (param "details" (option string)))
(param i32 i32 i32 i32 i32)

;; pre-llm-call-answer transform: llm-call-edit
(func (param "edit" $llm-call-edit))
(param i32 i32 i32 i32 f64 i32 i32 i32 i32 i32 i32 i32)

;; pre-llm-call-answer reject
(func (param "code" string) (param "reason" string) (param "details" (option string)))
(param i32 i32 i32 i32 i32 i32 i32)

;; pre-llm-call-answer answer: llm-response
(func (param "response" $llm-response))
(param i32 i32 i32 i32 i32 i64 i64 i64 i64)

;; prompt-policy-answer add-policy
(func (param "domain" string) (param "rules" string))
(param i32 i32 i32 i32)

;; prompt-policy-answer add-note
(func (param "code" string) (param "data" string))
(param i32 i32 i32 i32)

;; prompt-tools-answer add-tools: tool-bundle
(func (param "bundle" $tool-bundle))
(param i32 i32 i32 i32)

;; tool-catalog names
(func (result (list string)))
(param i32)
