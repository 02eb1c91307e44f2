  (type $input' (record (field "text-bytes" u32) (field "parts" u32)))
  (export $input "input" (type $input'))
  (type $outcome' (variant
    (case "continue") (case "transform" (list $content-part)) (case "reject" $rejection)
    (case "replace" (list $content-part)) (case "answer" (list $content-part))))
  (export $outcome "outcome" (type $outcome'))
