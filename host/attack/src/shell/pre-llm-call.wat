  (type $input' (record
    (field "provider" string) (field "model" string) (field "attempt" u32)
    (field "messages" u32) (field "tools" u32) (field "estimated-tokens" u64)
    (field "temperature" (option f64)) (field "max-output-tokens" (option u32))))
  (export $input "input" (type $input'))
  (type $role' (enum "system" "user" "assistant" "tool"))
  (export $role "role" (type $role'))
  (type $message' (record (field "role" $role) (field "content" (list $content-part))))
  (export $message "message" (type $message'))
  (type $message-edit' (variant
    (case "insert" (tuple u32 $message)) (case "set" (tuple u32 $message)) (case "remove" u32)))
  (export $message-edit "message-edit" (type $message-edit'))
  (type $edit' (record
    (field "model" (option string)) (field "temperature" (option f64))
    (field "max-output-tokens" (option u32)) (field "tools" (option (list string)))
    (field "messages" (list $message-edit))))
  (export $edit "llm-call-edit" (type $edit'))
  (type $stop-reason' (variant
    (case "end-turn") (case "max-tokens") (case "stop-sequence") (case "tool-use")
    (case "refusal") (case "other" string)))
  (export $stop-reason "stop-reason" (type $stop-reason'))
  (type $usage' (record
    (field "input-tokens" u64) (field "output-tokens" u64) (field "cache-read-tokens" u64)
    (field "cache-write-tokens" u64)))
  (export $usage "usage" (type $usage'))
  (type $response' (record
    (field "content" (list $content-part)) (field "stop" $stop-reason) (field "usage" $usage)))
  (export $response "llm-response" (type $response'))
  (type $outcome' (variant
    (case "continue") (case "transform" $edit) (case "reject" $rejection)
    (case "replace" $edit) (case "answer" $response)))
  (export $outcome "outcome" (type $outcome'))
