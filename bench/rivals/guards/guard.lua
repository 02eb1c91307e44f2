local reject = { code = "no-rm", reason = "Nothing is deleted here." }

local function refuses(name, arguments)
    return name == "shell" and string.find(arguments, "rm -rf", 1, true)
end

-- Given all facts of the call, as a hook has them within reach.
local function of_facts(context, call)
    if refuses(call.name, call.arguments) then return reject end
    return nil
end

-- Given two strings and nothing else.
local function of_strings(name, arguments)
    if refuses(name, arguments) then return reject end
    return nil
end

return of_facts, of_strings
