package guard

import rego.v1

default verdict := {}

verdict := {"code": "no-rm", "reason": "Nothing is deleted here."} if {
	input.name == "shell"
	contains(input.arguments, "rm -rf")
}
