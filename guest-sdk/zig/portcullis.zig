//! Write Portcullis hooks in Zig.
//!
//! A hook is `pub const hook`, and has one function for each point it serves:
//!
//!     const pc = @import("portcullis");
//!     const std = @import("std");
//!     const pre_turn = pc.points.pre_turn;
//!
//!     pub const hook: pc.Hook = .{ .id = "quiet", .description = "Refuses turns that shout." };
//!
//!     pub fn onPreTurn() !pc.Answer {
//!         if (std.mem.find(u8, pc.content(), "!!!") != null)
//!             return pre_turn.reject("shouting", "Please ask again, calmly.");
//!         return pc.proceed;
//!     }
//!
//! Facts and answers of a point are in `points`, which `portcullis build` generates for the points that the hook serves. An
//! answer that begins with `add` may be given any number of times. The rest of the contract is in `c`, translated from
//! the header of C. An error that is returned is the hook's failure, which is never a refusal.
//!
//! The component imports the functions that the code calls and no others, so it can do nothing else.
//!
//! Nothing has to be freed. The results of the host and of `allocator` are valid until the hook's function returns.

const std = @import("std");

/// The contract in C: the types `pc_…_t` and the functions `pc_conversation_…`, ….
pub const c = @import("bindings");
/// Facts and answers, by point.
pub const points = @import("points");

/// The hook's descriptor. The operator's hooks.toml overrides it.
pub const Hook = struct {
    /// Lower-case letters, digits and dashes.
    id: [:0]const u8,
    /// One sentence.
    description: [:0]const u8,
    version: [:0]const u8 = "0.1.0",
    kind: [:0]const u8 = "hook",
    /// Low runs first; the host's default, 100, if left out.
    priority: ?i32 = null,
    /// The effect of a failure of the hook.
    failure: Failure = .default,
    /// The host's default if left out.
    deadline_ms: u32 = 0,
    /// The way that the agent waits for the hook.
    execution: Execution = .blocking,
    /// The hooks that must run before it.
    after: []const [:0]const u8 = &.{},
};

/// The effect of a failure of the hook.
pub const Failure = enum(c.pc_failure) {
    /// Open for a hook that only observes, closed for any other.
    default = c.PC_FAIL_DEFAULT,
    /// As if the hook had not answered.
    open = c.PC_FAIL_OPEN,
    /// As if the hook had refused.
    closed = c.PC_FAIL_CLOSED,
};

/// The way that the agent waits for a hook.
pub const Execution = enum(c.pc_execution) {
    /// The agent waits until the hook answers.
    blocking = c.PC_BLOCKING,
    /// The agent waits until the hook answers or its deadline passes, which is a failure.
    deadline = c.PC_DEADLINE,
    /// The agent does not wait; the run is recorded.
    fire_and_record = c.PC_FIRE_AND_RECORD,
    /// The agent does not wait; the run is queued and may outlive the turn.
    background = c.PC_BACKGROUND,
};

/// Whether the hook answered: the result of an answer's function, or `proceed`.
pub const Answer = struct { is_given: bool };

/// No answer: the call continues.
pub const proceed: Answer = .{ .is_given = false };
/// Answers were given.
pub const answered: Answer = .{ .is_given = true };

/// Reports that the hook could not do its work. A failure is never a refusal.
pub fn fail(why: []const u8) Answer {
    return .{ .is_given = c.pc_fail(text(why)) };
}

/// Reports that the operator's configuration is wrong.
pub fn badConfig(why: []const u8) Answer {
    return .{ .is_given = c.pc_bad_config(text(why)) };
}

// Text, and memory of the call.

/// Returns a text of the contract as a slice, without a copy.
pub fn view(of: c.pc_string_t) []const u8 {
    return if (of.len == 0) "" else of.ptr[0..of.len];
}

/// Returns a slice as a text for the contract, without a copy.
pub fn text(of: []const u8) c.pc_string_t {
    return list(c.pc_string_t, of);
}

/// Returns a slice as a list for the contract, without a copy. An empty slice may point anywhere, and the host refuses a
/// pointer outside of the memory even for an empty list.
pub fn list(comptime List: type, of: anytype) List {
    const Ptr = @FieldType(List, "ptr");
    const none: Ptr = @ptrFromInt(@alignOf(std.meta.Child(Ptr)));
    return .{ .ptr = if (of.len == 0) none else @constCast(of.ptr), .len = of.len };
}

/// Returns a list of the contract as a slice, without a copy.
pub fn items(comptime T: type, of: anytype) []T {
    return if (of.len == 0) &.{} else of.ptr[0..of.len];
}

/// Returns a list of texts as slices.
pub fn texts(of: c.pc_strings_t) []const []const u8 {
    const views = allocator.alloc([]const u8, of.len) catch unreachable;
    for (views, 0..) |*to, at| to.* = view(of.ptr[at]);
    return views;
}

/// The memory of the call, which is freed when the next call begins. The hook traps if there is no memory left.
pub const allocator: std.mem.Allocator = .{
    .ptr = undefined,
    .vtable = &.{
        .alloc = alloc,
        .resize = std.mem.Allocator.noResize,
        .remap = std.mem.Allocator.noRemap,
        .free = std.mem.Allocator.noFree,
    },
};

fn alloc(_: *anyopaque, len: usize, alignment: std.mem.Alignment, _: usize) ?[*]u8 {
    const to = alignment.toByteUnits();
    const at = @intFromPtr(c.pc_alloc(len + to) orelse return null);
    return @ptrFromInt(std.mem.alignForward(usize, at, to));
}

/// Formats as `std.fmt` does, in memory of the call.
pub fn format(comptime how: []const u8, values: anytype) []const u8 {
    return std.fmt.allocPrint(allocator, how, values) catch unreachable;
}

// The session, the agent, the turn and the step of the call.

pub fn context() c.pc_context_t {
    var all: c.pc_context_t = undefined;
    c.pc_call_context(&all);
    return all;
}

pub fn sessionId() []const u8 {
    var id: c.pc_string_t = undefined;
    c.pc_call_session_id(&id);
    return view(id);
}

/// Returns the name of the agent whose loop is running.
pub fn agent() []const u8 {
    var name: c.pc_string_t = undefined;
    c.pc_call_agent(&name);
    return view(name);
}

/// Returns the turn, counted from 1; 0 outside of any turn.
pub fn turn() u32 {
    return c.pc_call_turn();
}

/// Returns the step within the turn, counted from 1; 0 outside of any step.
pub fn step() u32 {
    return c.pc_call_step();
}

// The content and the tool call.

/// Returns the current text: at pre-turn the user's message, at llm-delta the piece.
pub fn content() []const u8 {
    var said: c.pc_string_t = undefined;
    c.pc_content_text(&said);
    return view(said);
}

/// Returns the arguments of the current tool call, as the text of a JSON object.
pub fn toolArguments() []const u8 {
    var input: c.pc_string_t = undefined;
    c.pc_tool_data_input(&input);
    return view(input);
}

/// Returns the tool's output, if the tool has run.
pub fn toolOutput() ?[]const u8 {
    var output: c.pc_string_t = undefined;
    return if (c.pc_tool_data_output(&output)) view(output) else null;
}

// Values of answers.

/// Returns a part of a message that is a text.
pub fn textPart(said: []const u8) c.pc_content_part_t {
    return .{ .tag = c.PC_CONTENT_PART_TEXT, .val = .{ .text = text(said) } };
}

/// Returns a reason to end a turn that the contract does not list: a short, stable code.
pub fn stopOther(code: []const u8) c.pc_stop_kind_t {
    return .{ .tag = c.PC_STOP_KIND_OTHER, .val = .{ .other = text(code) } };
}

/// The log, which the operator reads. `std.log` writes there too.
pub const log = struct {
    pub fn debug(message: []const u8) void {
        c.pc_debug(text(message));
    }

    pub fn info(message: []const u8) void {
        c.pc_info(text(message));
    }

    pub fn warn(message: []const u8) void {
        c.pc_warn(text(message));
    }
};

/// The operator's configuration: `[hooks.ID.config]` in hooks.toml.
pub const config = struct {
    /// Reads all of it, as a struct. If it does not fit, this is `error.BadConfig`, which a hook returns.
    pub fn read(comptime Config: type) error{BadConfig}!Config {
        const json = get("") orelse "{}";
        return std.json.parseFromSliceLeaky(Config, allocator, json, .{}) catch |why| {
            problem = format("it does not fit: {t}", .{why});
            return error.BadConfig;
        };
    }

    /// Returns the value of a key, if there is one: a string as it is, anything else as JSON text.
    pub fn get(key: []const u8) ?[]const u8 {
        var value: c.pc_string_t = undefined;
        return if (c.pc_config_text(text(key), &value)) view(value) else null;
    }

    var problem: []const u8 = "";
};

/// The hook's own state, for the length of the session; it must be granted.
pub const state = struct {
    /// Returns the value at a key, if there is one.
    pub fn get(key: []const u8) ?[]const u8 {
        var value: c.pc_string_t = undefined;
        return if (c.pc_recall(text(key), &value)) view(value) else null;
    }

    /// Keeps a value once the call has succeeded.
    pub fn set(key: []const u8, value: []const u8) error{NoRoom}!void {
        if (!c.pc_remember(text(key), text(value))) return error.NoRoom;
    }

    pub fn remove(key: []const u8) void {
        c.pc_forget(text(key));
    }

    /// Adds to the whole number at a key, at once, and returns the sum.
    pub fn add(key: []const u8, by: i64) error{NotCounted}!i64 {
        var sum: i64 = undefined;
        return if (c.pc_count(text(key), by, &sum)) sum else error.NotCounted;
    }
};

/// Requests to the servers that the operator grants: `http = ["POST https://policy.example.com/v1"]`.
pub const http = struct {
    pub const Header = struct { name: []const u8, value: []const u8 };

    pub const Request = struct {
        /// In capitals.
        method: [:0]const u8 = "GET",
        url: []const u8,
        headers: []const Header = &.{},
        body: []const u8 = "",
        /// To connect, to the first byte and between bytes; the operator's limits if left out.
        timeout_ms: u32 = 0,
    };

    pub const Response = struct {
        /// Such as 200.
        status: u16,
        /// With names in lower case.
        headers: []const Header,
        body: []const u8,

        /// Returns the first header of this name, in lower or upper case, if there is one.
        pub fn header(response: Response, name: []const u8) ?[]const u8 {
            for (response.headers) |it| if (std.ascii.eqlIgnoreCase(it.name, name)) return it.value;
            return null;
        }
    };

    pub const Error = error{
        /// The request is not valid.
        HttpInvalid,
        /// The operator did not grant it, or too many are in flight.
        HttpRefused,
        /// The server, or the connection to it, took too long.
        HttpTimedOut,
        /// Any other failure, such as an unknown server or an untrusted certificate.
        HttpFailed,
    };

    /// Sends a request and waits for the whole response, of any status. Redirects are not followed. If there is no response,
    /// `problem` says why.
    pub fn request(asked: Request) Error!Response {
        const headers = allocator.alloc(c.pc_http_header_t, asked.headers.len) catch unreachable;
        for (headers, asked.headers) |*to, it| to.* = .{ .name = text(it.name), .value = text(it.value) };
        var sent: c.pc_http_request_t = .{
            .method = asked.method.ptr,
            .url = text(asked.url),
            .headers = .{ .ptr = headers.ptr, .len = headers.len },
            .body = text(asked.body),
            .timeout_ms = asked.timeout_ms,
        };
        var got: c.pc_http_response_t = std.mem.zeroes(c.pc_http_response_t);
        if (!c.pc_http_request(&sent, &got)) {
            problem = view(got.why);
            return switch (got.@"error") {
                c.PC_HTTP_INVALID => error.HttpInvalid,
                c.PC_HTTP_REFUSED => error.HttpRefused,
                c.PC_HTTP_TIMED_OUT => error.HttpTimedOut,
                else => error.HttpFailed,
            };
        }
        const all = allocator.alloc(Header, got.headers.len) catch unreachable;
        for (all, 0..) |*to, at| {
            const it = got.headers.ptr[at];
            to.* = .{ .name = view(it.name), .value = view(it.value) };
        }
        return .{ .status = got.status, .headers = all, .body = view(got.body) };
    }

    /// The reason why the last request has no response, in words.
    pub var problem: []const u8 = "";
};

// For the generated code.

/// Returns the descriptor in C's form.
pub fn descriptor(comptime of: Hook) c.pc_descriptor {
    const after = comptime names: {
        var all: [of.after.len + 1][*c]const u8 = undefined;
        for (of.after, 0..) |name, at| all[at] = name.ptr;
        all[of.after.len] = null;
        break :names all;
    };
    return .{
        .id = of.id,
        .description = of.description,
        .version = of.version,
        .kind = of.kind,
        .priority = .{ .is_set = of.priority != null, .value = of.priority orelse 0 },
        .failure = @backingInt(of.failure),
        .deadline_ms = of.deadline_ms,
        .execution = @backingInt(of.execution),
        .after = &after,
    };
}

/// Calls the author's function. An error that it returns is the hook's failure.
pub fn handle(comptime function: anytype) bool {
    c.pc_begin_call();
    defer c.pc_end_call();
    // The texts of an earlier call are in that call's memory.
    http.problem = "";
    config.problem = "";
    const returned = function();
    const answer: Answer = switch (@typeInfo(@TypeOf(returned))) {
        .error_union => returned catch |why| failed(why, @errorReturnTrace()),
        else => returned,
    };
    return answer.is_given;
}

fn failed(why: anyerror, trace: ?*std.builtin.StackTrace) Answer {
    const problem = switch (why) {
        error.BadConfig => config.problem,
        error.HttpInvalid, error.HttpRefused, error.HttpTimedOut, error.HttpFailed => http.problem,
        else => "",
    };
    // The hook may return these errors itself.
    const said = if (problem.len > 0) problem else format("error.{t}{s}", .{ why, places(trace) });
    return if (why == error.BadConfig) badConfig(said) else fail(said);
}

/// Returns the lines of the hook's sources that returned an error, in order.
fn places(trace: ?*std.builtin.StackTrace) []const u8 {
    const returned = trace orelse return "";
    // A call that is never inlined, so that the build finds the function.
    @call(.never_inline, pc_error_returned, .{ returned, 0 });
    const root = @import("root");
    if (!@hasDecl(root, "sources")) return "";
    var said: []const u8 = "";
    var last: usize = 0;
    const count = @min(returned.index, returned.instruction_addresses.len);
    for (returned.instruction_addresses[0..count]) |place| {
        const file = place >> 20;
        if (place == last or file == 0 or file > root.sources.len) continue;
        last = place;
        said = format("{s}{s}at {s}:{d}", .{
            said, if (said.len == 0) "" else ", ", root.sources[file - 1], place & ((1 << 20) - 1),
        });
    }
    return if (said.len == 0) "" else format(" ({s})", .{said});
}

/// Replaces Zig's function, which is called where an error is returned and records the return address. WebAssembly has no
/// return addresses, so the build has this function called instead, with a place.
export fn pc_error_returned(trace: *std.builtin.StackTrace, place: usize) void {
    if (trace.index < trace.instruction_addresses.len) trace.instruction_addresses[trace.index] = place;
    trace.index +%= 1;
}

/// Writes the lines of `std.log`.
pub fn logTo(
    comptime level: std.log.Level,
    comptime scope: @EnumLiteral(),
    comptime how: []const u8,
    values: anytype,
) void {
    const message = format(if (scope == .default) how else @tagName(scope) ++ ": " ++ how, values);
    switch (level) {
        .debug => log.debug(message),
        .info => log.info(message),
        .warn, .err => log.warn(message),
    }
}

/// Writes the message of a panic to the standard error, and ends the call.
pub const panic = std.debug.FullPanic(struct {
    fn call(message: []const u8, _: ?usize) noreturn {
        @branchHint(.cold);
        for ([_][]const u8{ "panic: ", message, "\n" }) |part| _ = write(2, part.ptr, part.len);
        @trap();
    }
}.call);

extern "c" fn write(to: c_int, bytes: [*]const u8, len: usize) isize;
