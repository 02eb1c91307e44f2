  (type $grant' (record (field "working-dir" (option string)) (field "timeout-ms" u32)))
  (export $grant "execution-grant" (type $grant'))
  (type $input' (record
    (field "call-id" string) (field "name" string) (field "arguments-bytes" u32)
    (field "grant" $grant)))
  (export $input "input" (type $input'))
  (type $tool-answer' (record (field "content" string) (field "is-error" bool)))
  (export $tool-answer "tool-answer" (type $tool-answer'))
  (type $ask-request' (record (field "question" string) (field "details" (option string))))
  (export $ask-request "ask-request" (type $ask-request'))
  (type $outcome' (variant
    (case "continue") (case "transform" string) (case "reject" $rejection)
    (case "replace" string) (case "answer" $tool-answer) (case "ask" $ask-request)))
  (export $outcome "outcome" (type $outcome'))
