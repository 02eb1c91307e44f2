const std = @import("std");
const pc = @import("portcullis");
const pre_turn = pc.points.pre_turn;

pub const hook: pc.Hook = .{ .id = "my-hook", .description = "Does what people do." };

extern "c" fn puts(text: [*:0]const u8) c_int;
extern "c" fn getentropy(bytes: [*]u8, len: usize) c_int;
extern "c" fn fopen(path: [*:0]const u8, mode: [*:0]const u8) ?*anyopaque;

noinline fn at(words: []const i32, index: usize) i32 {
    return words[index];
}

fn is(one: []const u8, other: []const u8) bool {
    return std.mem.eql(u8, one, other);
}

pub fn onPreTurn() !pc.Answer {
    const action = pc.content();
    if (is(action, "print")) {
        _ = puts("out 1");
        _ = puts("no end");
        std.debug.print("err\n", .{});
        return pre_turn.reject("done", "");
    }
    if (is(action, "time")) {
        var now: std.c.timespec = undefined;
        if (std.c.clock_gettime(.REALTIME, &now) != 0) return error.NoClock;
        const seconds: i64 = @intCast(now.sec);
        return pre_turn.reject("done", pc.format("{d}", .{seconds * 1000 + @divTrunc(now.nsec, 1_000_000)}));
    }
    if (is(action, "random")) {
        var number: [8]u8 = undefined;
        if (getentropy(&number, number.len) != 0) return error.NoNumbers;
        return pre_turn.reject("done", pc.format("{x}", .{&number}));
    }
    if (is(action, "file"))
        return pre_turn.reject("done", if (fopen("/etc/passwd", "r") == null) "no file" else "a file");
    if (is(action, "empty"))
        return pre_turn.reject("done", try pc.allocator.dupe(u8, ""));
    if (is(action, "error")) return error.NotToday;
    if (is(action, "trap")) {
        const words = [_]i32{ 1, 2, 3 };
        return pre_turn.reject("done", pc.format("{d}", .{at(&words, action.len)}));
    }
    @panic("boom 3");
}
