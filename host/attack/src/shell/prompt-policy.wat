  (type $input' (record
    (field "text-bytes" u32) (field "messages" u32) (field "tools" u32) (field "policies" u32)))
  (export $input "input" (type $input'))
  (type $domain-policy' (record (field "domain" string) (field "rules" string)))
  (export $domain-policy "domain-policy" (type $domain-policy'))
  (type $audit-note' (record (field "code" string) (field "data" string)))
  (export $audit-note "audit-note" (type $audit-note'))
  (type $background-job' (record (field "name" string) (field "input" string)))
  (export $background-job "background-job" (type $background-job'))
  (type $contribution' (variant
    (case "policy" $domain-policy) (case "note" $audit-note) (case "job" $background-job)))
  (export $contribution "contribution" (type $contribution'))
  (type $outcome' (variant (case "continue") (case "contribute" (list $contribution))))
  (export $outcome "outcome" (type $outcome'))
