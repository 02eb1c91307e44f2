const std = @import("std");
const pc = @import("portcullis");
const pre_turn = pc.points.pre_turn;

pub const hook: pc.Hook = .{
    .id = "word-filter",
    .description = "Refuses turns that contain a blocked word.",
    .priority = 10,
};

const Config = struct { blocked: []const []const u8 = &.{} };

pub fn onPreTurn() !pc.Answer {
    const config = try pc.config.read(Config);
    if (hasAny(pc.content(), config.blocked))
        return pre_turn.reject("blocked-word", "The message was blocked.");
    return pc.proceed;
}

fn hasAny(text: []const u8, words: []const []const u8) bool {
    for (words) |word| if (std.mem.find(u8, text, word) != null) return true;
    return false;
}

test "a word is found where it is" {
    const blocked = [_][]const u8{ "frobnicate", "nonsense" };
    try std.testing.expect(hasAny("please frobnicate", &blocked));
    try std.testing.expect(!hasAny("please help", &blocked));
}
