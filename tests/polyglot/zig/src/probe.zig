//! The actions of the probe.

const std = @import("std");
const pc = @import("portcullis");
const c = pc.c;

pub const Action = struct {
    /// The name of the configured action.
    name: []const u8,
    /// The argument of the action.
    rest: []const u8,
    /// The new value.
    text: []const u8,

    pub fn is(action: Action, name: []const u8) bool {
        return std.mem.eql(u8, action.name, name);
    }

    /// Returns a list of one part, the text.
    pub fn parts(action: Action) []const c.pc_content_part_t {
        return one(pc.textPart(action.text));
    }

    /// Returns no answer, or the configured failure.
    pub fn otherwise(action: Action) pc.Answer {
        if (action.is("fail")) return pc.fail(action.rest);
        return if (action.is("continue")) pc.proceed else pc.fail("no such action");
    }
};

/// Returns one item as a list, in memory of the call.
pub fn one(item: anytype) []@TypeOf(item) {
    const list = pc.allocator.alloc(@TypeOf(item), 1) catch unreachable;
    list[0] = item;
    return list;
}

var calls: i64 = 0;

/// Runs the configured action of a point, as far as it is the same everywhere.
pub fn actionAt(point: []const u8, current: []const u8) !Action {
    const said = pc.config.get(point) orelse "continue";
    const name, const rest = cut(said, " ");
    var action: Action = .{ .name = name, .rest = rest, .text = rest };
    const text = if (action.is("append"))
        pc.format("{s}{s}", .{ current, rest })
    else if (action.is("count")) count: {
        calls += 1;
        break :count pc.format("{d}", .{calls});
    } else if (action.is("remember"))
        pc.format("{d}", .{try pc.state.add("calls", 1)})
    else if (action.is("look"))
        try look()
    else
        null;
    if (text) |made| action = .{ .name = "transform", .rest = rest, .text = made };
    if (action.is("panic")) @panic("a panic");
    if (action.is("remember-and-panic")) {
        _ = try pc.state.add("calls", 1);
        @panic("a panic");
    }
    if (action.is("spin")) {
        var turns: u32 = 0;
        while (true) turns +%= @as(*volatile u32, &turns).* | 1;
    }
    if (action.is("hoard")) while (true) {
        const taken = std.heap.wasm_allocator.alloc(u8, 1 << 20) catch @trap();
        @memset(@as([]volatile u8, taken), 1);
    };
    return action;
}

/// Returns the text before `end`, and the text after it.
fn cut(said: []const u8, end: []const u8) struct { []const u8, []const u8 } {
    const at = std.mem.find(u8, said, end) orelse return .{ said, "" };
    return .{ said[0..at], said[at + end.len ..] };
}

/// Makes all contributions in a text, with the functions of this point: `KIND NAME TEXT`, separated by `; `.
pub fn contribute(comptime point: type, said: []const u8) pc.Answer {
    var left = said;
    var added = pc.proceed;
    while (left.len > 0) {
        const gift, left = cut(left, "; ");
        const kind, const values = cut(gift, " ");
        const name, const text = cut(values, " ");
        added = if (std.mem.eql(u8, kind, "note"))
            point.addNote(name, "true")
        else if (std.mem.eql(u8, kind, "job"))
            point.addJob(name, "{}")
        else
            own(point, name, text);
    }
    return added;
}

/// Makes a contribution of this point only.
fn own(comptime point: type, name: []const u8, text: []const u8) pc.Answer {
    if (@hasDecl(point, "addPolicy")) return point.addPolicy(name, text);
    if (@hasDecl(point, "addContext")) return point.addContext(name, text);
    if (@hasDecl(point, "addTools")) {
        const tool: c.pc_bundled_tool_t = .{
            .spec = .{
                .name = pc.text(name),
                .description = pc.text("A tool of the probe's."),
                .schema = pc.text("{\"type\":\"object\"}"),
            },
            .route = .{ .tag = c.PC_TOOL_ROUTE_HOOK },
        };
        return point.addTools(.{ .name = pc.text("probe-tools"), .tools = .{ .ptr = one(tool).ptr, .len = 1 } });
    }
    if (@hasDecl(point, "addSection")) {
        var section = std.mem.zeroes(c.pc_prompt_section_t);
        section.id = pc.text(name);
        section.text = pc.text(text);
        return point.addSection(section);
    }
    return pc.fail("that cannot be contributed here");
}

/// Returns the text as a message of the user, appended to the conversation.
pub fn appended(action: Action) []c.pc_message_edit_t {
    const message: c.pc_message_t = .{
        .role = c.PC_ROLE_USER,
        .content = .{ .ptr = @constCast(action.parts().ptr), .len = 1 },
    };
    return one(c.pc_message_edit_t{
        .tag = c.PC_MESSAGE_EDIT_INSERT,
        .val = .{ .insert = .{ .f0 = c.pc_conversation_len(), .f1 = message } },
    });
}

/// Returns the data that the views show of the call, as a JSON list.
fn look() ![]const u8 {
    const roles = [_][]const u8{ "system", "user", "assistant", "tool" };
    var last: c.pc_conversation_message_t = undefined;
    const role = if (c.pc_conversation_last(&last)) roles[last.role] else null;
    var names: c.pc_strings_t = undefined;
    c.pc_tool_catalog_names(&names);
    var user: c.pc_string_t = undefined;
    const is_user = c.pc_session_user(&user);
    var policies: c.pc_prompt_list_domain_policy_t = undefined;
    c.pc_prompt_policies(&policies);
    var key = pc.text("mood");
    var mood: c.pc_string_t = undefined;
    const is_mood = c.pc_agent_state_get(&key, &mood);
    var verdict: c.pc_verdict_chain_verdict_t = undefined;
    return std.json.Stringify.valueAlloc(pc.allocator, .{
        pc.content(),
        c.pc_conversation_len(),
        role,
        pc.toolArguments(),
        pc.toolOutput(),
        pc.texts(names),
        if (is_user) pc.view(user) else null,
        policies.len,
        if (is_mood) pc.view(mood) else null,
        !c.pc_verdict_current(&verdict),
    }, .{});
}
