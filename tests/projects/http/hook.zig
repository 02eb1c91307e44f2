const std = @import("std");
const pc = @import("portcullis");
const pre_turn = pc.points.pre_turn;

pub const hook: pc.Hook = .{ .id = "my-hook", .description = "Sends requests." };

/// Sends the received body, and compares it with the response.
fn large(url: []const u8) !pc.Answer {
    const sent = try pc.http.request(.{ .url = url });
    const received = try pc.http.request(.{ .method = "POST", .url = url, .body = sent.body });
    const same = std.mem.eql(u8, sent.body, received.body);
    return pre_turn.reject("said", pc.format("{d} {}", .{ sent.body.len, same }));
}

pub fn onPreTurn() !pc.Answer {
    var words = std.mem.splitScalar(u8, pc.content(), ' ');
    const action = words.first();
    if (std.mem.eql(u8, action, "large")) return large(words.rest());
    var request: pc.http.Request = .{
        .url = words.next() orelse "",
        .headers = &.{.{ .name = "X-Asked", .value = "asked" }},
    };
    if (std.mem.eql(u8, action, "post")) {
        request.method = "POST";
        request.body = "zwölf";
    }
    if (std.mem.eql(u8, action, "within"))
        request.timeout_ms = try std.fmt.parseInt(u32, words.rest(), 10);
    const response = pc.http.request(request) catch |why| {
        const kind = switch (why) {
            error.HttpInvalid => "invalid",
            error.HttpRefused => "refused",
            error.HttpTimedOut => "timed out",
            error.HttpFailed => "failed",
        };
        return pre_turn.reject("said", pc.format("{s}: {s}", .{ kind, pc.http.problem }));
    };
    const answer = response.header("x-answer") orelse "-";
    return pre_turn.reject("said", pc.format("{d} {s} {s}", .{ response.status, answer, response.body }));
}
