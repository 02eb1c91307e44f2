//! The probe of tests/guests/probe in Zig: it performs the configured actions.

const std = @import("std");
const pc = @import("portcullis");
const probe = @import("probe.zig");
const c = pc.c;
const points = pc.points;

pub const hook: pc.Hook = .{
    .id = "probe",
    .description = "Does as its configuration says.",
    .kind = "test",
};

const stopping = "the probe was told to stop";

/// Performs the actions that are the same at every point.
fn common(comptime point: type, action: probe.Action) pc.Answer {
    if (@hasDecl(point, "reject")) {
        if (action.is("reject")) return point.reject("probe", "the probe was told to refuse");
    }
    if (@hasDecl(point, "addNote")) {
        if (action.is("contribute")) return probe.contribute(point, action.rest);
    }
    return action.otherwise();
}

/// Performs the configured action at a point that has no others.
fn only(comptime point: type, comptime name: []const u8) !pc.Answer {
    return common(point, try probe.actionAt(name, ""));
}

pub fn onSessionEnd() !pc.Answer {
    return only(points.session_end, "session-end");
}

pub fn onTurnSuspended() !pc.Answer {
    return only(points.turn_suspended, "turn-suspended");
}

pub fn onTurnResumed() !pc.Answer {
    return only(points.turn_resumed, "turn-resumed");
}

pub fn onToolUpdateSent() !pc.Answer {
    return only(points.tool_update_sent, "tool-update-sent");
}

pub fn onStateChanged() !pc.Answer {
    return only(points.state_changed, "state-changed");
}

pub fn onMessageAdded() !pc.Answer {
    return only(points.message_added, "message-added");
}

pub fn onPostCompaction() !pc.Answer {
    return only(points.post_compaction, "post-compaction");
}

pub fn onWorkspaceOpened() !pc.Answer {
    return only(points.workspace_opened, "workspace-opened");
}

pub fn onWorkspaceClosed() !pc.Answer {
    return only(points.workspace_closed, "workspace-closed");
}

pub fn onWorkspaceEvicted() !pc.Answer {
    return only(points.workspace_evicted, "workspace-evicted");
}

pub fn onWorkspaceEvictionRetried() !pc.Answer {
    return only(points.workspace_eviction_retried, "workspace-eviction-retried");
}

pub fn onWorkspaceSnapshotted() !pc.Answer {
    return only(points.workspace_snapshotted, "workspace-snapshotted");
}

pub fn onSessionStart() !pc.Answer {
    return only(points.session_start, "session-start");
}

pub fn onToolUpdate() !pc.Answer {
    return only(points.tool_update, "tool-update");
}

pub fn onPromptPolicy() !pc.Answer {
    return only(points.prompt_policy, "prompt-policy");
}

pub fn onPromptContext() !pc.Answer {
    return only(points.prompt_context, "prompt-context");
}

pub fn onPromptRecall() !pc.Answer {
    return only(points.prompt_recall, "prompt-recall");
}

pub fn onPromptTools() !pc.Answer {
    return only(points.prompt_tools, "prompt-tools");
}

pub fn onPreTurn() !pc.Answer {
    const point = points.pre_turn;
    const action = try probe.actionAt("pre-turn", pc.content());
    if (action.is("transform")) return point.transform(action.parts());
    if (action.is("replace")) return point.replace(action.parts());
    if (action.is("answer")) return point.answer(action.parts());
    return common(point, action);
}

pub fn onPostTurn() !pc.Answer {
    const point = points.post_turn;
    const action = try probe.actionAt("post-turn", pc.content());
    if (action.is("transform")) return point.transform(action.parts());
    if (action.is("replace")) return point.replace(action.parts());
    return common(point, action);
}

pub fn onTurnError() !pc.Answer {
    const point = points.turn_error;
    const action = try probe.actionAt("turn-error", "");
    if (action.is("replace")) return point.replace(action.parts());
    return common(point, action);
}

pub fn onTurnStopping() !pc.Answer {
    const point = points.turn_stopping;
    const action = try probe.actionAt("turn-stopping", "");
    if (action.is("keep-going")) return point.keepGoing(action.text);
    return common(point, action);
}

pub fn onPostStep() !pc.Answer {
    const point = points.post_step;
    const action = try probe.actionAt("post-step", "");
    if (action.is("stop")) return point.stop(pc.stopOther(action.rest), stopping);
    return common(point, action);
}

pub fn onPreStep() !pc.Answer {
    const point = points.pre_step;
    const action = try probe.actionAt("pre-step", "");
    if (action.is("stop")) return point.stop(pc.stopOther(action.rest), stopping);
    if (action.is("transform")) return point.transform(probe.appended(action));
    return common(point, action);
}

pub fn onPreLlmCall() !pc.Answer {
    const point = points.pre_llm_call;
    const action = try probe.actionAt("pre-llm-call", "");
    var edit = std.mem.zeroes(c.pre_llm_call_answer_llm_call_edit_t);
    edit.messages = .{ .ptr = probe.appended(action).ptr, .len = 1 };
    var response = std.mem.zeroes(c.pre_llm_call_answer_llm_response_t);
    response.content = .{ .ptr = @constCast(action.parts().ptr), .len = 1 };
    response.stop.tag = c.PC_STOP_REASON_END_TURN;
    if (action.is("transform")) return point.transform(edit);
    if (action.is("replace")) return point.replace(edit);
    if (action.is("answer")) return point.answer(response);
    return common(point, action);
}

pub fn onLlmDelta() !pc.Answer {
    const point = points.llm_delta;
    const action = try probe.actionAt("llm-delta", pc.content());
    if (action.is("stop")) return point.stop(pc.stopOther(action.rest), stopping);
    if (action.is("transform")) return point.transform(action.text);
    return common(point, action);
}

pub fn onPostLlmCall() !pc.Answer {
    const point = points.post_llm_call;
    const action = try probe.actionAt("post-llm-call", pc.content());
    if (action.is("transform")) return point.transform(action.parts());
    if (action.is("replace")) return point.replace(action.parts());
    return common(point, action);
}

pub fn onLlmError() !pc.Answer {
    const point = points.llm_error;
    const action = try probe.actionAt("llm-error", "");
    if (action.is("replace")) {
        if (std.mem.eql(u8, action.rest, "give-up")) return point.giveUp();
        if (std.mem.eql(u8, action.rest, "retry")) return point.retry(1);
        const names = point.providers();
        return point.switchProvider(if (names.len > 0) names[names.len - 1] else "");
    }
    return common(point, action);
}

pub fn onPreToolCall() !pc.Answer {
    const point = points.pre_tool_call;
    const action = try probe.actionAt("pre-tool-call", "");
    if (action.is("transform")) return point.transform(action.text);
    if (action.is("replace")) return point.replace(action.text);
    if (action.is("answer")) return point.answer(action.text, false);
    if (action.is("ask")) return point.ask("May it?");
    return common(point, action);
}

pub fn onPostToolCall() !pc.Answer {
    const point = points.post_tool_call;
    const action = try probe.actionAt("post-tool-call", pc.toolOutput() orelse "");
    if (action.is("transform")) return point.transform(action.text, point.isError());
    if (action.is("replace")) return point.replace(action.text, point.isError());
    return common(point, action);
}

pub fn onPreSubagent() !pc.Answer {
    const point = points.pre_subagent;
    const action = try probe.actionAt("pre-subagent", pc.content());
    if (action.is("transform")) return point.transform(action.text);
    if (action.is("replace")) return point.replace(action.text);
    if (action.is("answer")) return point.answer(action.text, false);
    return common(point, action);
}

pub fn onPostSubagent() !pc.Answer {
    const point = points.post_subagent;
    const action = try probe.actionAt("post-subagent", pc.content());
    if (action.is("transform")) return point.transform(action.text);
    return common(point, action);
}

pub fn onPromptCompile() !pc.Answer {
    const point = points.prompt_compile;
    const action = try probe.actionAt("prompt-compile", "");
    var edit = std.mem.zeroes(c.prompt_compile_answer_prompt_edit_t);
    edit.system = .{ .is_some = true, .val = pc.text(action.text) };
    if (action.is("transform")) return point.transform(edit);
    return common(point, action);
}

/// Keeps the named messages: all, or one that does not exist.
pub fn onPreCompaction() !pc.Answer {
    const point = points.pre_compaction;
    const action = try probe.actionAt("pre-compaction", "");
    if (action.is("transform")) {
        const messages = point.messages();
        const all = std.mem.eql(u8, action.text, "all");
        const keep = try pc.allocator.alloc(u32, if (all) messages else 1);
        for (keep, 0..) |*index, at| index.* = if (all) @intCast(at) else messages;
        return point.transformWith(keep, action.text);
    }
    return common(point, action);
}
