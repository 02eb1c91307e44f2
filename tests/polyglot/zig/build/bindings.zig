const __root = @This();
pub const __builtin = @import("std").zig.c_translation.builtins;
pub const __helpers = @import("std").zig.c_translation.helpers;
pub const ptrdiff_t = c_long;
pub const wchar_t = c_int;
pub const max_align_t = extern struct {
    __aro_max_align_ll: c_longlong = 0,
    __aro_max_align_ld: c_longdouble = 0,
};
pub const intmax_t = c_longlong;
pub const uintmax_t = c_ulonglong;
pub const time_t = c_longlong;
pub const suseconds_t = c_longlong;
pub const struct_timeval = extern struct {
    tv_sec: time_t = 0,
    tv_usec: suseconds_t = 0,
};
pub const struct_timespec = extern struct {
    tv_sec: time_t = 0,
    tv_nsec: c_long = 0,
};
pub const struct_iovec = extern struct {
    iov_base: ?*anyopaque = null,
    iov_len: usize = 0,
};
pub const int_fast8_t = i8;
pub const int_fast64_t = i64;
pub const int_least8_t = i8;
pub const int_least16_t = i16;
pub const int_least32_t = i32;
pub const int_least64_t = i64;
pub const uint_fast8_t = u8;
pub const uint_fast64_t = u64;
pub const uint_least8_t = u8;
pub const uint_least16_t = u16;
pub const uint_least32_t = u32;
pub const uint_least64_t = u64;
pub const int_fast16_t = i16;
pub const int_fast32_t = i32;
pub const uint_fast16_t = u16;
pub const uint_fast32_t = u32;
pub const struct_hook_string_t = extern struct {
    ptr: [*c]u8 = null,
    len: usize = 0,
    pub const pc_call_session_id = __root.pc_call_session_id;
    pub const pc_call_agent = __root.pc_call_agent;
    pub const pc_failure_bad_config = __root.pc_failure_bad_config;
    pub const pc_failure_fail = __root.pc_failure_fail;
    pub const pre_compaction_answer_reject = __root.pre_compaction_answer_reject;
    pub const pre_llm_call_facts_provider = __root.pre_llm_call_facts_provider;
    pub const pre_llm_call_facts_model = __root.pre_llm_call_facts_model;
    pub const pre_llm_call_answer_reject = __root.pre_llm_call_answer_reject;
    pub const post_llm_call_facts_provider = __root.post_llm_call_facts_provider;
    pub const post_llm_call_facts_model = __root.post_llm_call_facts_model;
    pub const post_llm_call_answer_reject = __root.post_llm_call_answer_reject;
    pub const llm_error_facts_provider = __root.llm_error_facts_provider;
    pub const llm_error_facts_model = __root.llm_error_facts_model;
    pub const llm_error_facts_message = __root.llm_error_facts_message;
    pub const llm_error_answer_switch_provider = __root.llm_error_answer_switch_provider;
    pub const llm_delta_answer_transform = __root.llm_delta_answer_transform;
    pub const llm_delta_answer_reject = __root.llm_delta_answer_reject;
    pub const state_changed_facts_tool = __root.state_changed_facts_tool;
    pub const state_changed_facts_call_id = __root.state_changed_facts_call_id;
    pub const prompt_policy_answer_add_policy = __root.prompt_policy_answer_add_policy;
    pub const prompt_policy_answer_add_note = __root.prompt_policy_answer_add_note;
    pub const prompt_policy_answer_add_job = __root.prompt_policy_answer_add_job;
    pub const prompt_context_answer_add_context = __root.prompt_context_answer_add_context;
    pub const prompt_context_answer_add_note = __root.prompt_context_answer_add_note;
    pub const prompt_context_answer_add_job = __root.prompt_context_answer_add_job;
    pub const prompt_recall_answer_add_context = __root.prompt_recall_answer_add_context;
    pub const prompt_recall_answer_add_note = __root.prompt_recall_answer_add_note;
    pub const prompt_recall_answer_add_job = __root.prompt_recall_answer_add_job;
    pub const prompt_tools_answer_add_note = __root.prompt_tools_answer_add_note;
    pub const prompt_tools_answer_add_job = __root.prompt_tools_answer_add_job;
    pub const prompt_compile_answer_add_note = __root.prompt_compile_answer_add_note;
    pub const prompt_compile_answer_add_job = __root.prompt_compile_answer_add_job;
    pub const session_start_facts_provider = __root.session_start_facts_provider;
    pub const session_start_facts_model = __root.session_start_facts_model;
    pub const session_start_answer_reject = __root.session_start_answer_reject;
    pub const pre_step_answer_reject = __root.pre_step_answer_reject;
    pub const pre_subagent_facts_call_id = __root.pre_subagent_facts_call_id;
    pub const pre_subagent_facts_agent = __root.pre_subagent_facts_agent;
    pub const pre_subagent_answer_transform = __root.pre_subagent_answer_transform;
    pub const pre_subagent_answer_reject = __root.pre_subagent_answer_reject;
    pub const pre_subagent_answer_replace = __root.pre_subagent_answer_replace;
    pub const pre_subagent_answer_answer = __root.pre_subagent_answer_answer;
    pub const post_subagent_facts_call_id = __root.post_subagent_facts_call_id;
    pub const post_subagent_facts_agent = __root.post_subagent_facts_agent;
    pub const post_subagent_facts_session_id = __root.post_subagent_facts_session_id;
    pub const post_subagent_answer_transform = __root.post_subagent_answer_transform;
    pub const pre_tool_call_facts_call_id = __root.pre_tool_call_facts_call_id;
    pub const pre_tool_call_facts_name = __root.pre_tool_call_facts_name;
    pub const pre_tool_call_answer_transform = __root.pre_tool_call_answer_transform;
    pub const pre_tool_call_answer_reject = __root.pre_tool_call_answer_reject;
    pub const pre_tool_call_answer_replace = __root.pre_tool_call_answer_replace;
    pub const pre_tool_call_answer_answer = __root.pre_tool_call_answer_answer;
    pub const pre_tool_call_answer_ask = __root.pre_tool_call_answer_ask;
    pub const post_tool_call_facts_call_id = __root.post_tool_call_facts_call_id;
    pub const post_tool_call_facts_name = __root.post_tool_call_facts_name;
    pub const post_tool_call_answer_transform = __root.post_tool_call_answer_transform;
    pub const post_tool_call_answer_reject = __root.post_tool_call_answer_reject;
    pub const post_tool_call_answer_replace = __root.post_tool_call_answer_replace;
    pub const tool_update_facts_call_id = __root.tool_update_facts_call_id;
    pub const tool_update_facts_name = __root.tool_update_facts_name;
    pub const tool_update_answer_reject = __root.tool_update_answer_reject;
    pub const tool_update_sent_facts_call_id = __root.tool_update_sent_facts_call_id;
    pub const tool_update_sent_facts_name = __root.tool_update_sent_facts_name;
    pub const pre_turn_answer_reject = __root.pre_turn_answer_reject;
    pub const post_turn_answer_reject = __root.post_turn_answer_reject;
    pub const post_turn_answer_add_note = __root.post_turn_answer_add_note;
    pub const post_turn_answer_add_job = __root.post_turn_answer_add_job;
    pub const turn_error_facts_message = __root.turn_error_facts_message;
    pub const turn_stopping_answer_keep_going = __root.turn_stopping_answer_keep_going;
    pub const turn_suspended_facts_checkpoint = __root.turn_suspended_facts_checkpoint;
    pub const turn_resumed_facts_checkpoint = __root.turn_resumed_facts_checkpoint;
    pub const workspace_opened_facts_name = __root.workspace_opened_facts_name;
    pub const workspace_opened_facts_path = __root.workspace_opened_facts_path;
    pub const workspace_opened_facts_reason = __root.workspace_opened_facts_reason;
    pub const workspace_closed_facts_name = __root.workspace_closed_facts_name;
    pub const workspace_closed_facts_path = __root.workspace_closed_facts_path;
    pub const workspace_closed_facts_reason = __root.workspace_closed_facts_reason;
    pub const workspace_evicted_facts_name = __root.workspace_evicted_facts_name;
    pub const workspace_evicted_facts_path = __root.workspace_evicted_facts_path;
    pub const workspace_evicted_facts_reason = __root.workspace_evicted_facts_reason;
    pub const workspace_snapshotted_facts_path = __root.workspace_snapshotted_facts_path;
    pub const pc_config_get = __root.pc_config_get;
    pub const pc_state_get = __root.pc_state_get;
    pub const pc_state_set = __root.pc_state_set;
    pub const pc_state_delete = __root.pc_state_delete;
    pub const pc_state_increment = __root.pc_state_increment;
    pub const pc_state_swap = __root.pc_state_swap;
    pub const pc_shared_state_get = __root.pc_shared_state_get;
    pub const pc_shared_state_set = __root.pc_shared_state_set;
    pub const pc_shared_state_delete = __root.pc_shared_state_delete;
    pub const pc_shared_state_keys = __root.pc_shared_state_keys;
    pub const pc_shared_state_increment = __root.pc_shared_state_increment;
    pub const pc_shared_state_swap = __root.pc_shared_state_swap;
    pub const pc_events_emit = __root.pc_events_emit;
    pub const pc_secrets_get = __root.pc_secrets_get;
    pub const pc_model_complete = __root.pc_model_complete;
    pub const pc_content_text = __root.pc_content_text;
    pub const pc_tool_data_input = __root.pc_tool_data_input;
    pub const pc_tool_data_output = __root.pc_tool_data_output;
    pub const pc_tool_catalog_get = __root.pc_tool_catalog_get;
    pub const pc_prompt_policy = __root.pc_prompt_policy;
    pub const pc_agent_state_get = __root.pc_agent_state_get;
    pub const pc_agent_state_diff = __root.pc_agent_state_diff;
    pub const pc_agent_state_changed_by = __root.pc_agent_state_changed_by;
    pub const pc_agent_state_edit_set = __root.pc_agent_state_edit_set;
    pub const pc_agent_state_edit_remove = __root.pc_agent_state_edit_remove;
    pub const pc_session_user = __root.pc_session_user;
    pub const pc_session_working_dir = __root.pc_session_working_dir;
    pub const pc_session_parent = __root.pc_session_parent;
    pub const pc_fail = __root.pc_fail;
    pub const pc_bad_config = __root.pc_bad_config;
    pub const pc_equals = __root.pc_equals;
    pub const pc_contains = __root.pc_contains;
    pub const pc_debug = __root.pc_debug;
    pub const pc_info = __root.pc_info;
    pub const pc_warn = __root.pc_warn;
    pub const pc_config_text = __root.pc_config_text;
    pub const pc_config_number = __root.pc_config_number;
    pub const pc_config_list = __root.pc_config_list;
    pub const pc_recall = __root.pc_recall;
    pub const pc_remember = __root.pc_remember;
    pub const pc_forget = __root.pc_forget;
    pub const pc_count = __root.pc_count;
    pub const id = __root.pc_call_session_id;
    pub const agent = __root.pc_call_agent;
    pub const config = __root.pc_failure_bad_config;
    pub const fail = __root.pc_failure_fail;
    pub const reject = __root.pre_compaction_answer_reject;
    pub const provider = __root.pre_llm_call_facts_provider;
    pub const model = __root.pre_llm_call_facts_model;
    pub const message = __root.llm_error_facts_message;
    pub const transform = __root.llm_delta_answer_transform;
    pub const tool = __root.state_changed_facts_tool;
    pub const policy = __root.prompt_policy_answer_add_policy;
    pub const note = __root.prompt_policy_answer_add_note;
    pub const job = __root.prompt_policy_answer_add_job;
    pub const context = __root.prompt_context_answer_add_context;
    pub const replace = __root.pre_subagent_answer_replace;
    pub const answer = __root.pre_subagent_answer_answer;
    pub const name = __root.pre_tool_call_facts_name;
    pub const ask = __root.pre_tool_call_answer_ask;
    pub const going = __root.turn_stopping_answer_keep_going;
    pub const checkpoint = __root.turn_suspended_facts_checkpoint;
    pub const path = __root.workspace_opened_facts_path;
    pub const reason = __root.workspace_opened_facts_reason;
    pub const get = __root.pc_config_get;
    pub const set = __root.pc_state_set;
    pub const delete = __root.pc_state_delete;
    pub const increment = __root.pc_state_increment;
    pub const swap = __root.pc_state_swap;
    pub const keys = __root.pc_shared_state_keys;
    pub const emit = __root.pc_events_emit;
    pub const complete = __root.pc_model_complete;
    pub const text = __root.pc_content_text;
    pub const input = __root.pc_tool_data_input;
    pub const output = __root.pc_tool_data_output;
    pub const diff = __root.pc_agent_state_diff;
    pub const by = __root.pc_agent_state_changed_by;
    pub const remove = __root.pc_agent_state_edit_remove;
    pub const user = __root.pc_session_user;
    pub const dir = __root.pc_session_working_dir;
    pub const parent = __root.pc_session_parent;
    pub const equals = __root.pc_equals;
    pub const contains = __root.pc_contains;
    pub const debug = __root.pc_debug;
    pub const info = __root.pc_info;
    pub const warn = __root.pc_warn;
    pub const number = __root.pc_config_number;
    pub const list = __root.pc_config_list;
    pub const recall = __root.pc_recall;
    pub const remember = __root.pc_remember;
    pub const forget = __root.pc_forget;
    pub const count = __root.pc_count;
};
pub const hook_string_t = struct_hook_string_t;
pub const struct_pc_io_error_own_error_t = extern struct {
    __handle: i32 = 0,
};
pub const pc_io_error_own_error_t = struct_pc_io_error_own_error_t;
pub const struct_pc_io_error_borrow_error_t = extern struct {
    __handle: i32 = 0,
    pub const pc_io_error_method_error_to_debug_string = __root.pc_io_error_method_error_to_debug_string;
    pub const pc_http_types_http_error_code = __root.pc_http_types_http_error_code;
    pub const string = __root.pc_io_error_method_error_to_debug_string;
    pub const code = __root.pc_http_types_http_error_code;
};
pub const pc_io_error_borrow_error_t = struct_pc_io_error_borrow_error_t;
pub const struct_pc_io_poll_own_pollable_t = extern struct {
    __handle: i32 = 0,
};
pub const pc_io_poll_own_pollable_t = struct_pc_io_poll_own_pollable_t;
pub const struct_pc_io_poll_borrow_pollable_t = extern struct {
    __handle: i32 = 0,
    pub const pc_io_poll_method_pollable_block = __root.pc_io_poll_method_pollable_block;
    pub const block = __root.pc_io_poll_method_pollable_block;
};
pub const pc_io_poll_borrow_pollable_t = struct_pc_io_poll_borrow_pollable_t;
pub const pc_io_poll_list_borrow_pollable_t = extern struct {
    ptr: [*c]pc_io_poll_borrow_pollable_t = null,
    len: usize = 0,
    pub const pc_io_poll_poll = __root.pc_io_poll_poll;
    pub const poll = __root.pc_io_poll_poll;
};
pub const hook_list_u32_t = extern struct {
    ptr: [*c]u32 = null,
    len: usize = 0,
    pub const pre_compaction_answer_transform = __root.pre_compaction_answer_transform;
    pub const transform = __root.pre_compaction_answer_transform;
};
pub const pc_io_streams_own_error_t = pc_io_error_own_error_t;
const union_unnamed_1 = extern union {
    last_operation_failed: pc_io_streams_own_error_t,
};
pub const struct_pc_io_streams_stream_error_t = extern struct {
    tag: u8 = 0,
    val: union_unnamed_1 = @import("std").mem.zeroes(union_unnamed_1),
};
pub const pc_io_streams_stream_error_t = struct_pc_io_streams_stream_error_t;
pub const struct_pc_io_streams_own_input_stream_t = extern struct {
    __handle: i32 = 0,
};
pub const pc_io_streams_own_input_stream_t = struct_pc_io_streams_own_input_stream_t;
pub const struct_pc_io_streams_borrow_input_stream_t = extern struct {
    __handle: i32 = 0,
    pub const pc_io_streams_method_input_stream_read = __root.pc_io_streams_method_input_stream_read;
    pub const pc_io_streams_method_input_stream_blocking_read = __root.pc_io_streams_method_input_stream_blocking_read;
    pub const pc_io_streams_method_input_stream_subscribe = __root.pc_io_streams_method_input_stream_subscribe;
    pub const read = __root.pc_io_streams_method_input_stream_read;
    pub const subscribe = __root.pc_io_streams_method_input_stream_subscribe;
};
pub const pc_io_streams_borrow_input_stream_t = struct_pc_io_streams_borrow_input_stream_t;
pub const struct_pc_io_streams_own_output_stream_t = extern struct {
    __handle: i32 = 0,
};
pub const pc_io_streams_own_output_stream_t = struct_pc_io_streams_own_output_stream_t;
pub const struct_pc_io_streams_borrow_output_stream_t = extern struct {
    __handle: i32 = 0,
    pub const pc_io_streams_method_output_stream_check_write = __root.pc_io_streams_method_output_stream_check_write;
    pub const pc_io_streams_method_output_stream_write = __root.pc_io_streams_method_output_stream_write;
    pub const pc_io_streams_method_output_stream_subscribe = __root.pc_io_streams_method_output_stream_subscribe;
    pub const pc_io_streams_method_output_stream_blocking_write_and_flush = __root.pc_io_streams_method_output_stream_blocking_write_and_flush;
    pub const write = __root.pc_io_streams_method_output_stream_check_write;
    pub const subscribe = __root.pc_io_streams_method_output_stream_subscribe;
    pub const flush = __root.pc_io_streams_method_output_stream_blocking_write_and_flush;
};
pub const pc_io_streams_borrow_output_stream_t = struct_pc_io_streams_borrow_output_stream_t;
pub const hook_list_u8_t = extern struct {
    ptr: [*c]u8 = null,
    len: usize = 0,
};
const union_unnamed_2 = extern union {
    ok: hook_list_u8_t,
    err: pc_io_streams_stream_error_t,
};
pub const pc_io_streams_result_list_u8_stream_error_t = extern struct {
    is_err: bool = false,
    val: union_unnamed_2 = @import("std").mem.zeroes(union_unnamed_2),
};
pub const pc_io_streams_own_pollable_t = pc_io_poll_own_pollable_t;
const union_unnamed_3 = extern union {
    ok: u64,
    err: pc_io_streams_stream_error_t,
};
pub const pc_io_streams_result_u64_stream_error_t = extern struct {
    is_err: bool = false,
    val: union_unnamed_3 = @import("std").mem.zeroes(union_unnamed_3),
};
const union_unnamed_4 = extern union {
    err: pc_io_streams_stream_error_t,
};
pub const pc_io_streams_result_void_stream_error_t = extern struct {
    is_err: bool = false,
    val: union_unnamed_4 = @import("std").mem.zeroes(union_unnamed_4),
};
const union_unnamed_5 = extern union {
    other: hook_string_t,
};
pub const struct_pc_http_types_method_t = extern struct {
    tag: u8 = 0,
    val: union_unnamed_5 = @import("std").mem.zeroes(union_unnamed_5),
};
pub const pc_http_types_method_t = struct_pc_http_types_method_t;
const union_unnamed_6 = extern union {
    other: hook_string_t,
};
pub const struct_pc_http_types_scheme_t = extern struct {
    tag: u8 = 0,
    val: union_unnamed_6 = @import("std").mem.zeroes(union_unnamed_6),
};
pub const pc_http_types_scheme_t = struct_pc_http_types_scheme_t;
pub const hook_option_string_t = extern struct {
    is_some: bool = false,
    val: hook_string_t = @import("std").mem.zeroes(hook_string_t),
};
pub const hook_option_u16_t = extern struct {
    is_some: bool = false,
    val: u16 = 0,
};
pub const struct_pc_http_types_dns_error_payload_t = extern struct {
    rcode: hook_option_string_t = @import("std").mem.zeroes(hook_option_string_t),
    info_code: hook_option_u16_t = @import("std").mem.zeroes(hook_option_u16_t),
};
pub const pc_http_types_dns_error_payload_t = struct_pc_http_types_dns_error_payload_t;
pub const hook_option_u8_t = extern struct {
    is_some: bool = false,
    val: u8 = 0,
};
pub const struct_pc_http_types_tls_alert_received_payload_t = extern struct {
    alert_id: hook_option_u8_t = @import("std").mem.zeroes(hook_option_u8_t),
    alert_message: hook_option_string_t = @import("std").mem.zeroes(hook_option_string_t),
};
pub const pc_http_types_tls_alert_received_payload_t = struct_pc_http_types_tls_alert_received_payload_t;
pub const hook_option_u32_t = extern struct {
    is_some: bool = false,
    val: u32 = 0,
};
pub const struct_pc_http_types_field_size_payload_t = extern struct {
    field_name: hook_option_string_t = @import("std").mem.zeroes(hook_option_string_t),
    field_size: hook_option_u32_t = @import("std").mem.zeroes(hook_option_u32_t),
};
pub const pc_http_types_field_size_payload_t = struct_pc_http_types_field_size_payload_t;
pub const hook_option_u64_t = extern struct {
    is_some: bool = false,
    val: u64 = 0,
};
pub const pc_http_types_option_field_size_payload_t = extern struct {
    is_some: bool = false,
    val: pc_http_types_field_size_payload_t = @import("std").mem.zeroes(pc_http_types_field_size_payload_t),
};
const union_unnamed_7 = extern union {
    dns_error: pc_http_types_dns_error_payload_t,
    tls_alert_received: pc_http_types_tls_alert_received_payload_t,
    http_request_body_size: hook_option_u64_t,
    http_request_header_section_size: hook_option_u32_t,
    http_request_header_size: pc_http_types_option_field_size_payload_t,
    http_request_trailer_section_size: hook_option_u32_t,
    http_request_trailer_size: pc_http_types_field_size_payload_t,
    http_response_header_section_size: hook_option_u32_t,
    http_response_header_size: pc_http_types_field_size_payload_t,
    http_response_body_size: hook_option_u64_t,
    http_response_trailer_section_size: hook_option_u32_t,
    http_response_trailer_size: pc_http_types_field_size_payload_t,
    http_response_transfer_coding: hook_option_string_t,
    http_response_content_coding: hook_option_string_t,
    internal_error: hook_option_string_t,
};
pub const struct_pc_http_types_error_code_t = extern struct {
    tag: u8 = 0,
    val: union_unnamed_7 = @import("std").mem.zeroes(union_unnamed_7),
};
pub const pc_http_types_error_code_t = struct_pc_http_types_error_code_t;
pub const struct_pc_http_types_header_error_t = extern struct {
    tag: u8 = 0,
};
pub const pc_http_types_header_error_t = struct_pc_http_types_header_error_t;
pub const struct_pc_http_types_own_fields_t = extern struct {
    __handle: i32 = 0,
    pub const pc_http_types_constructor_outgoing_request = __root.pc_http_types_constructor_outgoing_request;
    pub const request = __root.pc_http_types_constructor_outgoing_request;
};
pub const pc_http_types_own_fields_t = struct_pc_http_types_own_fields_t;
pub const struct_pc_http_types_borrow_fields_t = extern struct {
    __handle: i32 = 0,
    pub const pc_http_types_method_fields_entries = __root.pc_http_types_method_fields_entries;
    pub const entries = __root.pc_http_types_method_fields_entries;
};
pub const pc_http_types_borrow_fields_t = struct_pc_http_types_borrow_fields_t;
pub const struct_pc_http_types_own_outgoing_request_t = extern struct {
    __handle: i32 = 0,
    pub const pc_http_outgoing_handler_handle = __root.pc_http_outgoing_handler_handle;
    pub const handle = __root.pc_http_outgoing_handler_handle;
};
pub const pc_http_types_own_outgoing_request_t = struct_pc_http_types_own_outgoing_request_t;
pub const struct_pc_http_types_borrow_outgoing_request_t = extern struct {
    __handle: i32 = 0,
    pub const pc_http_types_method_outgoing_request_body = __root.pc_http_types_method_outgoing_request_body;
    pub const pc_http_types_method_outgoing_request_set_method = __root.pc_http_types_method_outgoing_request_set_method;
    pub const pc_http_types_method_outgoing_request_set_path_with_query = __root.pc_http_types_method_outgoing_request_set_path_with_query;
    pub const pc_http_types_method_outgoing_request_set_scheme = __root.pc_http_types_method_outgoing_request_set_scheme;
    pub const pc_http_types_method_outgoing_request_set_authority = __root.pc_http_types_method_outgoing_request_set_authority;
    pub const body = __root.pc_http_types_method_outgoing_request_body;
    pub const method = __root.pc_http_types_method_outgoing_request_set_method;
    pub const query = __root.pc_http_types_method_outgoing_request_set_path_with_query;
    pub const scheme = __root.pc_http_types_method_outgoing_request_set_scheme;
    pub const authority = __root.pc_http_types_method_outgoing_request_set_authority;
};
pub const pc_http_types_borrow_outgoing_request_t = struct_pc_http_types_borrow_outgoing_request_t;
pub const struct_pc_http_types_own_request_options_t = extern struct {
    __handle: i32 = 0,
};
pub const pc_http_types_own_request_options_t = struct_pc_http_types_own_request_options_t;
pub const struct_pc_http_types_borrow_request_options_t = extern struct {
    __handle: i32 = 0,
    pub const pc_http_types_method_request_options_set_connect_timeout = __root.pc_http_types_method_request_options_set_connect_timeout;
    pub const pc_http_types_method_request_options_set_first_byte_timeout = __root.pc_http_types_method_request_options_set_first_byte_timeout;
    pub const pc_http_types_method_request_options_set_between_bytes_timeout = __root.pc_http_types_method_request_options_set_between_bytes_timeout;
    pub const timeout = __root.pc_http_types_method_request_options_set_connect_timeout;
};
pub const pc_http_types_borrow_request_options_t = struct_pc_http_types_borrow_request_options_t;
pub const struct_pc_http_types_own_incoming_response_t = extern struct {
    __handle: i32 = 0,
};
pub const pc_http_types_own_incoming_response_t = struct_pc_http_types_own_incoming_response_t;
pub const struct_pc_http_types_borrow_incoming_response_t = extern struct {
    __handle: i32 = 0,
    pub const pc_http_types_method_incoming_response_status = __root.pc_http_types_method_incoming_response_status;
    pub const pc_http_types_method_incoming_response_headers = __root.pc_http_types_method_incoming_response_headers;
    pub const pc_http_types_method_incoming_response_consume = __root.pc_http_types_method_incoming_response_consume;
    pub const status = __root.pc_http_types_method_incoming_response_status;
    pub const headers = __root.pc_http_types_method_incoming_response_headers;
    pub const consume = __root.pc_http_types_method_incoming_response_consume;
};
pub const pc_http_types_borrow_incoming_response_t = struct_pc_http_types_borrow_incoming_response_t;
pub const struct_pc_http_types_own_incoming_body_t = extern struct {
    __handle: i32 = 0,
};
pub const pc_http_types_own_incoming_body_t = struct_pc_http_types_own_incoming_body_t;
pub const struct_pc_http_types_borrow_incoming_body_t = extern struct {
    __handle: i32 = 0,
    pub const pc_http_types_method_incoming_body_stream = __root.pc_http_types_method_incoming_body_stream;
    pub const stream = __root.pc_http_types_method_incoming_body_stream;
};
pub const pc_http_types_borrow_incoming_body_t = struct_pc_http_types_borrow_incoming_body_t;
pub const struct_pc_http_types_own_outgoing_body_t = extern struct {
    __handle: i32 = 0,
    pub const pc_http_types_static_outgoing_body_finish = __root.pc_http_types_static_outgoing_body_finish;
    pub const finish = __root.pc_http_types_static_outgoing_body_finish;
};
pub const pc_http_types_own_outgoing_body_t = struct_pc_http_types_own_outgoing_body_t;
pub const struct_pc_http_types_borrow_outgoing_body_t = extern struct {
    __handle: i32 = 0,
    pub const pc_http_types_method_outgoing_body_write = __root.pc_http_types_method_outgoing_body_write;
    pub const write = __root.pc_http_types_method_outgoing_body_write;
};
pub const pc_http_types_borrow_outgoing_body_t = struct_pc_http_types_borrow_outgoing_body_t;
pub const struct_pc_http_types_own_future_incoming_response_t = extern struct {
    __handle: i32 = 0,
};
pub const pc_http_types_own_future_incoming_response_t = struct_pc_http_types_own_future_incoming_response_t;
pub const struct_pc_http_types_borrow_future_incoming_response_t = extern struct {
    __handle: i32 = 0,
    pub const pc_http_types_method_future_incoming_response_subscribe = __root.pc_http_types_method_future_incoming_response_subscribe;
    pub const pc_http_types_method_future_incoming_response_get = __root.pc_http_types_method_future_incoming_response_get;
    pub const subscribe = __root.pc_http_types_method_future_incoming_response_subscribe;
    pub const get = __root.pc_http_types_method_future_incoming_response_get;
};
pub const pc_http_types_borrow_future_incoming_response_t = struct_pc_http_types_borrow_future_incoming_response_t;
pub const hook_tuple2_string_list_u8_t = extern struct {
    f0: hook_string_t = @import("std").mem.zeroes(hook_string_t),
    f1: hook_list_u8_t = @import("std").mem.zeroes(hook_list_u8_t),
};
pub const hook_list_tuple2_string_list_u8_t = extern struct {
    ptr: [*c]hook_tuple2_string_list_u8_t = null,
    len: usize = 0,
    pub const pc_http_types_static_fields_from_list = __root.pc_http_types_static_fields_from_list;
    pub const list = __root.pc_http_types_static_fields_from_list;
};
const union_unnamed_8 = extern union {
    ok: pc_http_types_own_fields_t,
    err: pc_http_types_header_error_t,
};
pub const pc_http_types_result_own_fields_header_error_t = extern struct {
    is_err: bool = false,
    val: union_unnamed_8 = @import("std").mem.zeroes(union_unnamed_8),
};
const union_unnamed_9 = extern union {
    ok: pc_http_types_own_outgoing_body_t,
};
pub const pc_http_types_result_own_outgoing_body_void_t = extern struct {
    is_err: bool = false,
    val: union_unnamed_9 = @import("std").mem.zeroes(union_unnamed_9),
};
pub const pc_http_types_result_void_void_t = extern struct {
    is_err: bool = false,
};
pub const pc_http_types_option_scheme_t = extern struct {
    is_some: bool = false,
    val: pc_http_types_scheme_t = @import("std").mem.zeroes(pc_http_types_scheme_t),
};
const union_unnamed_10 = extern union {
    ok: pc_http_types_own_incoming_body_t,
};
pub const pc_http_types_result_own_incoming_body_void_t = extern struct {
    is_err: bool = false,
    val: union_unnamed_10 = @import("std").mem.zeroes(union_unnamed_10),
};
pub const pc_http_types_own_input_stream_t = pc_io_streams_own_input_stream_t;
const union_unnamed_11 = extern union {
    ok: pc_http_types_own_input_stream_t,
};
pub const pc_http_types_result_own_input_stream_void_t = extern struct {
    is_err: bool = false,
    val: union_unnamed_11 = @import("std").mem.zeroes(union_unnamed_11),
};
pub const pc_http_types_own_output_stream_t = pc_io_streams_own_output_stream_t;
const union_unnamed_12 = extern union {
    ok: pc_http_types_own_output_stream_t,
};
pub const pc_http_types_result_own_output_stream_void_t = extern struct {
    is_err: bool = false,
    val: union_unnamed_12 = @import("std").mem.zeroes(union_unnamed_12),
};
pub const pc_http_types_option_own_fields_t = extern struct {
    is_some: bool = false,
    val: pc_http_types_own_fields_t = @import("std").mem.zeroes(pc_http_types_own_fields_t),
};
const union_unnamed_13 = extern union {
    err: pc_http_types_error_code_t,
};
pub const pc_http_types_result_void_error_code_t = extern struct {
    is_err: bool = false,
    val: union_unnamed_13 = @import("std").mem.zeroes(union_unnamed_13),
};
pub const pc_http_types_own_pollable_t = pc_io_poll_own_pollable_t;
const union_unnamed_14 = extern union {
    ok: pc_http_types_own_incoming_response_t,
    err: pc_http_types_error_code_t,
};
pub const pc_http_types_result_own_incoming_response_error_code_t = extern struct {
    is_err: bool = false,
    val: union_unnamed_14 = @import("std").mem.zeroes(union_unnamed_14),
};
const union_unnamed_15 = extern union {
    ok: pc_http_types_result_own_incoming_response_error_code_t,
};
pub const pc_http_types_result_result_own_incoming_response_error_code_void_t = extern struct {
    is_err: bool = false,
    val: union_unnamed_15 = @import("std").mem.zeroes(union_unnamed_15),
};
pub const pc_http_types_option_result_result_own_incoming_response_error_code_void_t = extern struct {
    is_some: bool = false,
    val: pc_http_types_result_result_own_incoming_response_error_code_void_t = @import("std").mem.zeroes(pc_http_types_result_result_own_incoming_response_error_code_void_t),
};
pub const pc_http_types_borrow_io_error_t = pc_io_error_borrow_error_t;
pub const pc_http_types_option_error_code_t = extern struct {
    is_some: bool = false,
    val: pc_http_types_error_code_t = @import("std").mem.zeroes(pc_http_types_error_code_t),
};
pub const pc_http_outgoing_handler_error_code_t = pc_http_types_error_code_t;
pub const pc_http_outgoing_handler_own_outgoing_request_t = pc_http_types_own_outgoing_request_t;
pub const pc_http_outgoing_handler_own_request_options_t = pc_http_types_own_request_options_t;
pub const pc_http_outgoing_handler_option_own_request_options_t = extern struct {
    is_some: bool = false,
    val: pc_http_outgoing_handler_own_request_options_t = @import("std").mem.zeroes(pc_http_outgoing_handler_own_request_options_t),
};
pub const pc_http_outgoing_handler_own_future_incoming_response_t = pc_http_types_own_future_incoming_response_t;
const union_unnamed_16 = extern union {
    ok: pc_http_outgoing_handler_own_future_incoming_response_t,
    err: pc_http_outgoing_handler_error_code_t,
};
pub const pc_http_outgoing_handler_result_own_future_incoming_response_error_code_t = extern struct {
    is_err: bool = false,
    val: union_unnamed_16 = @import("std").mem.zeroes(union_unnamed_16),
};
pub const struct_pc_context_t = extern struct {
    session_id: hook_string_t = @import("std").mem.zeroes(hook_string_t),
    agent: hook_string_t = @import("std").mem.zeroes(hook_string_t),
    turn: u32 = 0,
    step: u32 = 0,
    pub const pc_call_context = __root.pc_call_context;
    pub const context = __root.pc_call_context;
};
pub const pc_context_t = struct_pc_context_t;
pub const pc_role_t = u8;
const union_unnamed_17 = extern union {
    url: hook_string_t,
    bytes: hook_list_u8_t,
};
pub const struct_pc_image_source_t = extern struct {
    tag: u8 = 0,
    val: union_unnamed_17 = @import("std").mem.zeroes(union_unnamed_17),
};
pub const pc_image_source_t = struct_pc_image_source_t;
pub const struct_pc_image_t = extern struct {
    media_type: hook_string_t = @import("std").mem.zeroes(hook_string_t),
    source: pc_image_source_t = @import("std").mem.zeroes(pc_image_source_t),
};
pub const pc_image_t = struct_pc_image_t;
pub const struct_pc_tool_call_t = extern struct {
    id: hook_string_t = @import("std").mem.zeroes(hook_string_t),
    name: hook_string_t = @import("std").mem.zeroes(hook_string_t),
    arguments: hook_string_t = @import("std").mem.zeroes(hook_string_t),
};
pub const pc_tool_call_t = struct_pc_tool_call_t;
pub const struct_pc_tool_result_t = extern struct {
    call_id: hook_string_t = @import("std").mem.zeroes(hook_string_t),
    name: hook_string_t = @import("std").mem.zeroes(hook_string_t),
    content: hook_string_t = @import("std").mem.zeroes(hook_string_t),
    is_error: bool = false,
};
pub const pc_tool_result_t = struct_pc_tool_result_t;
const union_unnamed_18 = extern union {
    text: hook_string_t,
    thinking: hook_string_t,
    image: pc_image_t,
    tool_call: pc_tool_call_t,
    tool_result: pc_tool_result_t,
};
pub const struct_pc_content_part_t = extern struct {
    tag: u8 = 0,
    val: union_unnamed_18 = @import("std").mem.zeroes(union_unnamed_18),
};
pub const pc_content_part_t = struct_pc_content_part_t;
pub const pc_list_content_part_t = extern struct {
    ptr: [*c]pc_content_part_t = null,
    len: usize = 0,
};
pub const struct_pc_message_t = extern struct {
    role: pc_role_t = 0,
    content: pc_list_content_part_t = @import("std").mem.zeroes(pc_list_content_part_t),
    pub const pc_conversation_last = __root.pc_conversation_last;
    pub const last = __root.pc_conversation_last;
};
pub const pc_message_t = struct_pc_message_t;
pub const struct_pc_usage_t = extern struct {
    input_tokens: u64 = 0,
    output_tokens: u64 = 0,
    cache_read_tokens: u64 = 0,
    cache_write_tokens: u64 = 0,
    pub const post_llm_call_facts_usage = __root.post_llm_call_facts_usage;
    pub const session_end_facts_usage = __root.session_end_facts_usage;
    pub const pre_step_facts_usage = __root.pre_step_facts_usage;
    pub const post_step_facts_step_usage = __root.post_step_facts_step_usage;
    pub const post_step_facts_usage = __root.post_step_facts_usage;
    pub const post_subagent_facts_usage = __root.post_subagent_facts_usage;
    pub const post_turn_facts_usage = __root.post_turn_facts_usage;
    pub const turn_stopping_facts_usage = __root.turn_stopping_facts_usage;
    pub const usage = __root.post_llm_call_facts_usage;
};
pub const pc_usage_t = struct_pc_usage_t;
const union_unnamed_19 = extern union {
    other: hook_string_t,
};
pub const struct_pc_stop_reason_t = extern struct {
    tag: u8 = 0,
    val: union_unnamed_19 = @import("std").mem.zeroes(union_unnamed_19),
    pub const post_llm_call_facts_stop = __root.post_llm_call_facts_stop;
    pub const post_step_facts_stop = __root.post_step_facts_stop;
    pub const post_turn_facts_stop = __root.post_turn_facts_stop;
    pub const stop = __root.post_llm_call_facts_stop;
};
pub const pc_stop_reason_t = struct_pc_stop_reason_t;
pub const struct_pc_rejection_t = extern struct {
    code: hook_string_t = @import("std").mem.zeroes(hook_string_t),
    reason: hook_string_t = @import("std").mem.zeroes(hook_string_t),
    details: hook_option_string_t = @import("std").mem.zeroes(hook_option_string_t),
};
pub const pc_rejection_t = struct_pc_rejection_t;
pub const struct_pc_tool_spec_t = extern struct {
    name: hook_string_t = @import("std").mem.zeroes(hook_string_t),
    description: hook_string_t = @import("std").mem.zeroes(hook_string_t),
    schema: hook_string_t = @import("std").mem.zeroes(hook_string_t),
};
pub const pc_tool_spec_t = struct_pc_tool_spec_t;
pub const pc_tuple2_u32_message_t = extern struct {
    f0: u32 = 0,
    f1: pc_message_t = @import("std").mem.zeroes(pc_message_t),
};
const union_unnamed_20 = extern union {
    insert: pc_tuple2_u32_message_t,
    set: pc_tuple2_u32_message_t,
    remove: u32,
};
pub const struct_pc_message_edit_t = extern struct {
    tag: u8 = 0,
    val: union_unnamed_20 = @import("std").mem.zeroes(union_unnamed_20),
};
pub const pc_message_edit_t = struct_pc_message_edit_t;
const union_unnamed_21 = extern union {
    finish_reason: hook_string_t,
    other: hook_string_t,
};
pub const struct_pc_stop_kind_t = extern struct {
    tag: u8 = 0,
    val: union_unnamed_21 = @import("std").mem.zeroes(union_unnamed_21),
    pub const llm_delta_answer_stop = __root.llm_delta_answer_stop;
    pub const pre_step_answer_stop = __root.pre_step_answer_stop;
    pub const post_step_answer_stop = __root.post_step_answer_stop;
    pub const stop = __root.llm_delta_answer_stop;
};
pub const pc_stop_kind_t = struct_pc_stop_kind_t;
pub const struct_pc_stop_signal_t = extern struct {
    kind: pc_stop_kind_t = @import("std").mem.zeroes(pc_stop_kind_t),
    message: hook_string_t = @import("std").mem.zeroes(hook_string_t),
};
pub const pc_stop_signal_t = struct_pc_stop_signal_t;
pub const struct_pc_workspace_t = extern struct {
    name: hook_string_t = @import("std").mem.zeroes(hook_string_t),
    path: hook_string_t = @import("std").mem.zeroes(hook_string_t),
    reason: hook_string_t = @import("std").mem.zeroes(hook_string_t),
    pub const workspace_opened_facts_facts = __root.workspace_opened_facts_facts;
    pub const workspace_closed_facts_facts = __root.workspace_closed_facts_facts;
    pub const workspace_evicted_facts_facts = __root.workspace_evicted_facts_facts;
    pub const workspace_eviction_retried_facts_workspace = __root.workspace_eviction_retried_facts_workspace;
    pub const workspace_snapshotted_facts_workspace = __root.workspace_snapshotted_facts_workspace;
    pub const facts = __root.workspace_opened_facts_facts;
    pub const workspace = __root.workspace_eviction_retried_facts_workspace;
};
pub const pc_workspace_t = struct_pc_workspace_t;
pub const struct_pc_domain_policy_t = extern struct {
    domain: hook_string_t = @import("std").mem.zeroes(hook_string_t),
    rules: hook_string_t = @import("std").mem.zeroes(hook_string_t),
};
pub const pc_domain_policy_t = struct_pc_domain_policy_t;
pub const struct_pc_context_item_t = extern struct {
    kind: hook_string_t = @import("std").mem.zeroes(hook_string_t),
    text: hook_string_t = @import("std").mem.zeroes(hook_string_t),
    data: hook_option_string_t = @import("std").mem.zeroes(hook_option_string_t),
};
pub const pc_context_item_t = struct_pc_context_item_t;
pub const struct_pc_prompt_section_t = extern struct {
    id: hook_string_t = @import("std").mem.zeroes(hook_string_t),
    title: hook_option_string_t = @import("std").mem.zeroes(hook_option_string_t),
    text: hook_string_t = @import("std").mem.zeroes(hook_string_t),
    order: i32 = 0,
    max_tokens: hook_option_u32_t = @import("std").mem.zeroes(hook_option_u32_t),
    essential: bool = false,
    pub const prompt_compile_answer_add_section = __root.prompt_compile_answer_add_section;
    pub const section = __root.prompt_compile_answer_add_section;
};
pub const pc_prompt_section_t = struct_pc_prompt_section_t;
const union_unnamed_22 = extern union {
    agent: hook_string_t,
};
pub const struct_pc_tool_route_t = extern struct {
    tag: u8 = 0,
    val: union_unnamed_22 = @import("std").mem.zeroes(union_unnamed_22),
};
pub const pc_tool_route_t = struct_pc_tool_route_t;
pub const struct_pc_bundled_tool_t = extern struct {
    spec: pc_tool_spec_t = @import("std").mem.zeroes(pc_tool_spec_t),
    route: pc_tool_route_t = @import("std").mem.zeroes(pc_tool_route_t),
};
pub const pc_bundled_tool_t = struct_pc_bundled_tool_t;
pub const pc_list_bundled_tool_t = extern struct {
    ptr: [*c]pc_bundled_tool_t = null,
    len: usize = 0,
};
pub const struct_pc_tool_bundle_t = extern struct {
    name: hook_string_t = @import("std").mem.zeroes(hook_string_t),
    tools: pc_list_bundled_tool_t = @import("std").mem.zeroes(pc_list_bundled_tool_t),
    pub const prompt_tools_answer_add_tools = __root.prompt_tools_answer_add_tools;
};
pub const pc_tool_bundle_t = struct_pc_tool_bundle_t;
const union_unnamed_23 = extern union {
    denied: hook_string_t,
    full: hook_string_t,
};
pub const struct_pc_state_error_t = extern struct {
    tag: u8 = 0,
    val: union_unnamed_23 = @import("std").mem.zeroes(union_unnamed_23),
};
pub const pc_state_error_t = struct_pc_state_error_t;
pub const pc_call_call_context_t = pc_context_t;
pub const struct_pre_compaction_facts_token_budget_t = extern struct {
    limit: u64 = 0,
    used: u64 = 0,
    messages: u32 = 0,
    pub const pre_compaction_facts_facts = __root.pre_compaction_facts_facts;
    pub const facts = __root.pre_compaction_facts_facts;
};
pub const pre_compaction_facts_token_budget_t = struct_pre_compaction_facts_token_budget_t;
pub const struct_post_compaction_facts_compaction_result_t = extern struct {
    removed: u32 = 0,
    messages: u32 = 0,
    summary_bytes: u32 = 0,
    pub const post_compaction_facts_facts = __root.post_compaction_facts_facts;
    pub const facts = __root.post_compaction_facts_facts;
};
pub const post_compaction_facts_compaction_result_t = struct_post_compaction_facts_compaction_result_t;
pub const hook_option_f64_t = extern struct {
    is_some: bool = false,
    val: f64 = 0,
};
pub const struct_pre_llm_call_facts_llm_call_t = extern struct {
    provider: hook_string_t = @import("std").mem.zeroes(hook_string_t),
    model: hook_string_t = @import("std").mem.zeroes(hook_string_t),
    attempt: u32 = 0,
    messages: u32 = 0,
    tools: u32 = 0,
    estimated_tokens: u64 = 0,
    temperature: hook_option_f64_t = @import("std").mem.zeroes(hook_option_f64_t),
    max_output_tokens: hook_option_u32_t = @import("std").mem.zeroes(hook_option_u32_t),
    pub const pre_llm_call_facts_facts = __root.pre_llm_call_facts_facts;
    pub const facts = __root.pre_llm_call_facts_facts;
};
pub const pre_llm_call_facts_llm_call_t = struct_pre_llm_call_facts_llm_call_t;
pub const pre_llm_call_answer_content_part_t = pc_content_part_t;
pub const pre_llm_call_answer_message_edit_t = pc_message_edit_t;
pub const pre_llm_call_answer_stop_reason_t = pc_stop_reason_t;
pub const pre_llm_call_answer_usage_t = pc_usage_t;
pub const hook_list_string_t = extern struct {
    ptr: [*c]hook_string_t = null,
    len: usize = 0,
    pub const post_llm_call_facts_tool_calls = __root.post_llm_call_facts_tool_calls;
    pub const llm_error_facts_providers = __root.llm_error_facts_providers;
    pub const state_changed_facts_keys = __root.state_changed_facts_keys;
    pub const turn_suspended_facts_pending = __root.turn_suspended_facts_pending;
    pub const turn_resumed_facts_resolved = __root.turn_resumed_facts_resolved;
    pub const pc_state_keys = __root.pc_state_keys;
    pub const pc_tool_catalog_names = __root.pc_tool_catalog_names;
    pub const pc_prompt_queries = __root.pc_prompt_queries;
    pub const calls = __root.post_llm_call_facts_tool_calls;
    pub const providers = __root.llm_error_facts_providers;
    pub const keys = __root.state_changed_facts_keys;
    pub const pending = __root.turn_suspended_facts_pending;
    pub const resolved = __root.turn_resumed_facts_resolved;
    pub const names = __root.pc_tool_catalog_names;
    pub const queries = __root.pc_prompt_queries;
};
pub const hook_option_list_string_t = extern struct {
    is_some: bool = false,
    val: hook_list_string_t = @import("std").mem.zeroes(hook_list_string_t),
};
pub const pre_llm_call_answer_list_message_edit_t = extern struct {
    ptr: [*c]pre_llm_call_answer_message_edit_t = null,
    len: usize = 0,
};
pub const struct_pre_llm_call_answer_llm_call_edit_t = extern struct {
    model: hook_option_string_t = @import("std").mem.zeroes(hook_option_string_t),
    temperature: hook_option_f64_t = @import("std").mem.zeroes(hook_option_f64_t),
    max_output_tokens: hook_option_u32_t = @import("std").mem.zeroes(hook_option_u32_t),
    tools: hook_option_list_string_t = @import("std").mem.zeroes(hook_option_list_string_t),
    messages: pre_llm_call_answer_list_message_edit_t = @import("std").mem.zeroes(pre_llm_call_answer_list_message_edit_t),
    pub const pre_llm_call_answer_transform = __root.pre_llm_call_answer_transform;
    pub const pre_llm_call_answer_replace = __root.pre_llm_call_answer_replace;
    pub const transform = __root.pre_llm_call_answer_transform;
    pub const replace = __root.pre_llm_call_answer_replace;
};
pub const pre_llm_call_answer_llm_call_edit_t = struct_pre_llm_call_answer_llm_call_edit_t;
pub const pre_llm_call_answer_list_content_part_t = extern struct {
    ptr: [*c]pre_llm_call_answer_content_part_t = null,
    len: usize = 0,
};
pub const struct_pre_llm_call_answer_llm_response_t = extern struct {
    content: pre_llm_call_answer_list_content_part_t = @import("std").mem.zeroes(pre_llm_call_answer_list_content_part_t),
    stop: pre_llm_call_answer_stop_reason_t = @import("std").mem.zeroes(pre_llm_call_answer_stop_reason_t),
    usage: pre_llm_call_answer_usage_t = @import("std").mem.zeroes(pre_llm_call_answer_usage_t),
    pub const pre_llm_call_answer_answer = __root.pre_llm_call_answer_answer;
    pub const answer = __root.pre_llm_call_answer_answer;
};
pub const pre_llm_call_answer_llm_response_t = struct_pre_llm_call_answer_llm_response_t;
pub const post_llm_call_facts_stop_reason_t = pc_stop_reason_t;
pub const post_llm_call_facts_token_usage_t = pc_usage_t;
pub const struct_post_llm_call_facts_llm_result_t = extern struct {
    provider: hook_string_t = @import("std").mem.zeroes(hook_string_t),
    model: hook_string_t = @import("std").mem.zeroes(hook_string_t),
    attempt: u32 = 0,
    stop: post_llm_call_facts_stop_reason_t = @import("std").mem.zeroes(post_llm_call_facts_stop_reason_t),
    usage: post_llm_call_facts_token_usage_t = @import("std").mem.zeroes(post_llm_call_facts_token_usage_t),
    text_bytes: u32 = 0,
    tool_calls: hook_list_string_t = @import("std").mem.zeroes(hook_list_string_t),
    elapsed_us: u64 = 0,
    pub const post_llm_call_facts_facts = __root.post_llm_call_facts_facts;
    pub const facts = __root.post_llm_call_facts_facts;
};
pub const post_llm_call_facts_llm_result_t = struct_post_llm_call_facts_llm_result_t;
pub const post_llm_call_answer_content_part_t = pc_content_part_t;
pub const post_llm_call_answer_list_content_part_t = extern struct {
    ptr: [*c]post_llm_call_answer_content_part_t = null,
    len: usize = 0,
    pub const post_llm_call_answer_transform = __root.post_llm_call_answer_transform;
    pub const post_llm_call_answer_replace = __root.post_llm_call_answer_replace;
    pub const transform = __root.post_llm_call_answer_transform;
    pub const replace = __root.post_llm_call_answer_replace;
};
pub const llm_error_facts_provider_error_kind_t = u8;
pub const struct_llm_error_facts_llm_failure_t = extern struct {
    provider: hook_string_t = @import("std").mem.zeroes(hook_string_t),
    model: hook_string_t = @import("std").mem.zeroes(hook_string_t),
    attempt: u32 = 0,
    kind: llm_error_facts_provider_error_kind_t = 0,
    status: hook_option_u16_t = @import("std").mem.zeroes(hook_option_u16_t),
    message: hook_string_t = @import("std").mem.zeroes(hook_string_t),
    retry_after_ms: hook_option_u32_t = @import("std").mem.zeroes(hook_option_u32_t),
    providers: hook_list_string_t = @import("std").mem.zeroes(hook_list_string_t),
    pub const llm_error_facts_facts = __root.llm_error_facts_facts;
    pub const facts = __root.llm_error_facts_facts;
};
pub const llm_error_facts_llm_failure_t = struct_llm_error_facts_llm_failure_t;
pub const llm_delta_facts_delta_kind_t = u8;
pub const struct_llm_delta_facts_delta_t = extern struct {
    kind: llm_delta_facts_delta_kind_t = 0,
    index: u32 = 0,
    bytes: u32 = 0,
    last: bool = false,
    pub const llm_delta_facts_facts = __root.llm_delta_facts_facts;
    pub const facts = __root.llm_delta_facts_facts;
};
pub const llm_delta_facts_delta_t = struct_llm_delta_facts_delta_t;
pub const llm_delta_answer_stop_kind_t = pc_stop_kind_t;
pub const struct_state_changed_facts_state_change_t = extern struct {
    tool: hook_string_t = @import("std").mem.zeroes(hook_string_t),
    call_id: hook_string_t = @import("std").mem.zeroes(hook_string_t),
    keys: hook_list_string_t = @import("std").mem.zeroes(hook_list_string_t),
    pub const state_changed_facts_facts = __root.state_changed_facts_facts;
    pub const facts = __root.state_changed_facts_facts;
};
pub const state_changed_facts_state_change_t = struct_state_changed_facts_state_change_t;
pub const message_added_facts_message_role_t = pc_role_t;
pub const struct_message_added_facts_added_message_t = extern struct {
    index: u32 = 0,
    role: message_added_facts_message_role_t = 0,
    parts: u32 = 0,
    text_bytes: u32 = 0,
    pub const message_added_facts_facts = __root.message_added_facts_facts;
    pub const facts = __root.message_added_facts_facts;
};
pub const message_added_facts_added_message_t = struct_message_added_facts_added_message_t;
pub const struct_prompt_policy_facts_turn_facts_t = extern struct {
    text_bytes: u32 = 0,
    messages: u32 = 0,
    tools: u32 = 0,
    policies: u32 = 0,
    pub const prompt_policy_facts_facts = __root.prompt_policy_facts_facts;
    pub const facts = __root.prompt_policy_facts_facts;
};
pub const prompt_policy_facts_turn_facts_t = struct_prompt_policy_facts_turn_facts_t;
pub const struct_prompt_context_facts_context_set_t = extern struct {
    text_bytes: u32 = 0,
    policies: u32 = 0,
    items: u32 = 0,
    pub const prompt_context_facts_facts = __root.prompt_context_facts_facts;
    pub const facts = __root.prompt_context_facts_facts;
};
pub const prompt_context_facts_context_set_t = struct_prompt_context_facts_context_set_t;
pub const struct_prompt_recall_facts_recall_plan_t = extern struct {
    queries: u32 = 0,
    max_items: u32 = 0,
    max_tokens: u64 = 0,
    fallback: bool = false,
    items: u32 = 0,
    pub const prompt_recall_facts_facts = __root.prompt_recall_facts_facts;
    pub const facts = __root.prompt_recall_facts_facts;
};
pub const prompt_recall_facts_recall_plan_t = struct_prompt_recall_facts_recall_plan_t;
pub const struct_prompt_tools_facts_tool_set_t = extern struct {
    tools: u32 = 0,
    bundles: u32 = 0,
    pub const prompt_tools_facts_facts = __root.prompt_tools_facts_facts;
    pub const facts = __root.prompt_tools_facts_facts;
};
pub const prompt_tools_facts_tool_set_t = struct_prompt_tools_facts_tool_set_t;
pub const prompt_tools_answer_tool_bundle_t = pc_tool_bundle_t;
pub const struct_prompt_compile_facts_prompt_draft_t = extern struct {
    sections: u32 = 0,
    items: u32 = 0,
    tokens: u64 = 0,
    budget_tokens: u64 = 0,
    pub const prompt_compile_facts_facts = __root.prompt_compile_facts_facts;
    pub const facts = __root.prompt_compile_facts_facts;
};
pub const prompt_compile_facts_prompt_draft_t = struct_prompt_compile_facts_prompt_draft_t;
pub const prompt_compile_answer_prompt_section_t = pc_prompt_section_t;
pub const struct_prompt_compile_answer_named_schema_t = extern struct {
    name: hook_string_t = @import("std").mem.zeroes(hook_string_t),
    schema: hook_string_t = @import("std").mem.zeroes(hook_string_t),
};
pub const prompt_compile_answer_named_schema_t = struct_prompt_compile_answer_named_schema_t;
const union_unnamed_24 = extern union {
    schema: prompt_compile_answer_named_schema_t,
};
pub const struct_prompt_compile_answer_response_format_t = extern struct {
    tag: u8 = 0,
    val: union_unnamed_24 = @import("std").mem.zeroes(union_unnamed_24),
};
pub const prompt_compile_answer_response_format_t = struct_prompt_compile_answer_response_format_t;
pub const prompt_compile_answer_option_response_format_t = extern struct {
    is_some: bool = false,
    val: prompt_compile_answer_response_format_t = @import("std").mem.zeroes(prompt_compile_answer_response_format_t),
};
pub const prompt_compile_answer_list_prompt_section_t = extern struct {
    ptr: [*c]prompt_compile_answer_prompt_section_t = null,
    len: usize = 0,
};
pub const prompt_compile_answer_option_list_prompt_section_t = extern struct {
    is_some: bool = false,
    val: prompt_compile_answer_list_prompt_section_t = @import("std").mem.zeroes(prompt_compile_answer_list_prompt_section_t),
};
pub const struct_prompt_compile_answer_prompt_edit_t = extern struct {
    system: hook_option_string_t = @import("std").mem.zeroes(hook_option_string_t),
    response_format: prompt_compile_answer_option_response_format_t = @import("std").mem.zeroes(prompt_compile_answer_option_response_format_t),
    sections: prompt_compile_answer_option_list_prompt_section_t = @import("std").mem.zeroes(prompt_compile_answer_option_list_prompt_section_t),
    pub const prompt_compile_answer_transform = __root.prompt_compile_answer_transform;
    pub const transform = __root.prompt_compile_answer_transform;
};
pub const prompt_compile_answer_prompt_edit_t = struct_prompt_compile_answer_prompt_edit_t;
pub const struct_session_start_facts_session_info_t = extern struct {
    provider: hook_string_t = @import("std").mem.zeroes(hook_string_t),
    model: hook_string_t = @import("std").mem.zeroes(hook_string_t),
    tools: u32 = 0,
    pub const session_start_facts_facts = __root.session_start_facts_facts;
    pub const facts = __root.session_start_facts_facts;
};
pub const session_start_facts_session_info_t = struct_session_start_facts_session_info_t;
pub const session_end_facts_token_usage_t = pc_usage_t;
pub const session_end_facts_end_reason_t = u8;
pub const struct_session_end_facts_session_summary_t = extern struct {
    reason: session_end_facts_end_reason_t = 0,
    turns: u32 = 0,
    usage: session_end_facts_token_usage_t = @import("std").mem.zeroes(session_end_facts_token_usage_t),
    pub const session_end_facts_facts = __root.session_end_facts_facts;
    pub const facts = __root.session_end_facts_facts;
};
pub const session_end_facts_session_summary_t = struct_session_end_facts_session_summary_t;
pub const pre_step_facts_token_usage_t = pc_usage_t;
pub const struct_pre_step_facts_step_state_t = extern struct {
    messages: u32 = 0,
    estimated_tokens: u64 = 0,
    steps: u32 = 0,
    usage: pre_step_facts_token_usage_t = @import("std").mem.zeroes(pre_step_facts_token_usage_t),
    elapsed_us: u64 = 0,
    pub const pre_step_facts_facts = __root.pre_step_facts_facts;
    pub const facts = __root.pre_step_facts_facts;
};
pub const pre_step_facts_step_state_t = struct_pre_step_facts_step_state_t;
pub const pre_step_answer_message_edit_t = pc_message_edit_t;
pub const pre_step_answer_stop_kind_t = pc_stop_kind_t;
pub const pre_step_answer_list_message_edit_t = extern struct {
    ptr: [*c]pre_step_answer_message_edit_t = null,
    len: usize = 0,
    pub const pre_step_answer_transform = __root.pre_step_answer_transform;
    pub const transform = __root.pre_step_answer_transform;
};
pub const post_step_facts_stop_reason_t = pc_stop_reason_t;
pub const post_step_facts_token_usage_t = pc_usage_t;
pub const struct_post_step_facts_step_report_t = extern struct {
    stop: post_step_facts_stop_reason_t = @import("std").mem.zeroes(post_step_facts_stop_reason_t),
    tool_calls: u32 = 0,
    step_usage: post_step_facts_token_usage_t = @import("std").mem.zeroes(post_step_facts_token_usage_t),
    usage: post_step_facts_token_usage_t = @import("std").mem.zeroes(post_step_facts_token_usage_t),
    elapsed_us: u64 = 0,
    pub const post_step_facts_facts = __root.post_step_facts_facts;
    pub const facts = __root.post_step_facts_facts;
};
pub const post_step_facts_step_report_t = struct_post_step_facts_step_report_t;
pub const post_step_answer_stop_kind_t = pc_stop_kind_t;
pub const struct_pre_subagent_facts_subagent_spec_t = extern struct {
    call_id: hook_string_t = @import("std").mem.zeroes(hook_string_t),
    agent: hook_string_t = @import("std").mem.zeroes(hook_string_t),
    task_bytes: u32 = 0,
    depth: u32 = 0,
    pub const pre_subagent_facts_facts = __root.pre_subagent_facts_facts;
    pub const facts = __root.pre_subagent_facts_facts;
};
pub const pre_subagent_facts_subagent_spec_t = struct_pre_subagent_facts_subagent_spec_t;
pub const post_subagent_facts_token_usage_t = pc_usage_t;
pub const struct_post_subagent_facts_subagent_result_t = extern struct {
    call_id: hook_string_t = @import("std").mem.zeroes(hook_string_t),
    agent: hook_string_t = @import("std").mem.zeroes(hook_string_t),
    session_id: hook_option_string_t = @import("std").mem.zeroes(hook_option_string_t),
    is_error: bool = false,
    output_bytes: u32 = 0,
    steps: u32 = 0,
    usage: post_subagent_facts_token_usage_t = @import("std").mem.zeroes(post_subagent_facts_token_usage_t),
    elapsed_us: u64 = 0,
    pub const post_subagent_facts_facts = __root.post_subagent_facts_facts;
    pub const facts = __root.post_subagent_facts_facts;
};
pub const post_subagent_facts_subagent_result_t = struct_post_subagent_facts_subagent_result_t;
pub const struct_pre_tool_call_facts_execution_grant_t = extern struct {
    working_dir: hook_option_string_t = @import("std").mem.zeroes(hook_option_string_t),
    timeout_ms: u32 = 0,
    pub const pre_tool_call_facts_grant = __root.pre_tool_call_facts_grant;
    pub const grant = __root.pre_tool_call_facts_grant;
};
pub const pre_tool_call_facts_execution_grant_t = struct_pre_tool_call_facts_execution_grant_t;
pub const struct_pre_tool_call_facts_tool_request_t = extern struct {
    call_id: hook_string_t = @import("std").mem.zeroes(hook_string_t),
    name: hook_string_t = @import("std").mem.zeroes(hook_string_t),
    arguments_bytes: u32 = 0,
    grant: pre_tool_call_facts_execution_grant_t = @import("std").mem.zeroes(pre_tool_call_facts_execution_grant_t),
    pub const pre_tool_call_facts_facts = __root.pre_tool_call_facts_facts;
    pub const facts = __root.pre_tool_call_facts_facts;
};
pub const pre_tool_call_facts_tool_request_t = struct_pre_tool_call_facts_tool_request_t;
pub const struct_post_tool_call_facts_tool_outcome_t = extern struct {
    call_id: hook_string_t = @import("std").mem.zeroes(hook_string_t),
    name: hook_string_t = @import("std").mem.zeroes(hook_string_t),
    output_bytes: u32 = 0,
    is_error: bool = false,
    elapsed_us: u64 = 0,
    pub const post_tool_call_facts_facts = __root.post_tool_call_facts_facts;
    pub const facts = __root.post_tool_call_facts_facts;
};
pub const post_tool_call_facts_tool_outcome_t = struct_post_tool_call_facts_tool_outcome_t;
pub const struct_tool_update_facts_tool_progress_t = extern struct {
    call_id: hook_string_t = @import("std").mem.zeroes(hook_string_t),
    name: hook_string_t = @import("std").mem.zeroes(hook_string_t),
    index: u32 = 0,
    text_bytes: u32 = 0,
    pub const tool_update_facts_facts = __root.tool_update_facts_facts;
    pub const facts = __root.tool_update_facts_facts;
};
pub const tool_update_facts_tool_progress_t = struct_tool_update_facts_tool_progress_t;
pub const struct_tool_update_sent_facts_tool_progress_t = extern struct {
    call_id: hook_string_t = @import("std").mem.zeroes(hook_string_t),
    name: hook_string_t = @import("std").mem.zeroes(hook_string_t),
    index: u32 = 0,
    text_bytes: u32 = 0,
    pub const tool_update_sent_facts_facts = __root.tool_update_sent_facts_facts;
    pub const facts = __root.tool_update_sent_facts_facts;
};
pub const tool_update_sent_facts_tool_progress_t = struct_tool_update_sent_facts_tool_progress_t;
pub const struct_pre_turn_facts_turn_input_t = extern struct {
    text_bytes: u32 = 0,
    parts: u32 = 0,
    pub const pre_turn_facts_facts = __root.pre_turn_facts_facts;
    pub const facts = __root.pre_turn_facts_facts;
};
pub const pre_turn_facts_turn_input_t = struct_pre_turn_facts_turn_input_t;
pub const pre_turn_answer_content_part_t = pc_content_part_t;
pub const pre_turn_answer_list_content_part_t = extern struct {
    ptr: [*c]pre_turn_answer_content_part_t = null,
    len: usize = 0,
    pub const pre_turn_answer_transform = __root.pre_turn_answer_transform;
    pub const pre_turn_answer_replace = __root.pre_turn_answer_replace;
    pub const pre_turn_answer_answer = __root.pre_turn_answer_answer;
    pub const transform = __root.pre_turn_answer_transform;
    pub const replace = __root.pre_turn_answer_replace;
    pub const answer = __root.pre_turn_answer_answer;
};
pub const post_turn_facts_stop_reason_t = pc_stop_reason_t;
pub const post_turn_facts_token_usage_t = pc_usage_t;
pub const struct_post_turn_facts_turn_output_t = extern struct {
    text_bytes: u32 = 0,
    steps: u32 = 0,
    stop: post_turn_facts_stop_reason_t = @import("std").mem.zeroes(post_turn_facts_stop_reason_t),
    usage: post_turn_facts_token_usage_t = @import("std").mem.zeroes(post_turn_facts_token_usage_t),
    elapsed_us: u64 = 0,
    pub const post_turn_facts_facts = __root.post_turn_facts_facts;
    pub const facts = __root.post_turn_facts_facts;
};
pub const post_turn_facts_turn_output_t = struct_post_turn_facts_turn_output_t;
pub const post_turn_answer_content_part_t = pc_content_part_t;
pub const post_turn_answer_list_content_part_t = extern struct {
    ptr: [*c]post_turn_answer_content_part_t = null,
    len: usize = 0,
    pub const post_turn_answer_transform = __root.post_turn_answer_transform;
    pub const post_turn_answer_replace = __root.post_turn_answer_replace;
    pub const transform = __root.post_turn_answer_transform;
    pub const replace = __root.post_turn_answer_replace;
};
pub const turn_error_facts_error_kind_t = u8;
pub const struct_turn_error_facts_failure_t = extern struct {
    kind: turn_error_facts_error_kind_t = 0,
    message: hook_string_t = @import("std").mem.zeroes(hook_string_t),
    pub const turn_error_facts_facts = __root.turn_error_facts_facts;
    pub const facts = __root.turn_error_facts_facts;
};
pub const turn_error_facts_failure_t = struct_turn_error_facts_failure_t;
pub const turn_error_answer_content_part_t = pc_content_part_t;
pub const turn_error_answer_list_content_part_t = extern struct {
    ptr: [*c]turn_error_answer_content_part_t = null,
    len: usize = 0,
    pub const turn_error_answer_replace = __root.turn_error_answer_replace;
    pub const replace = __root.turn_error_answer_replace;
};
pub const turn_stopping_facts_stop_signal_t = pc_stop_signal_t;
pub const turn_stopping_facts_stop_reason_t = pc_stop_reason_t;
pub const turn_stopping_facts_token_usage_t = pc_usage_t;
const union_unnamed_25 = extern union {
    model: turn_stopping_facts_stop_reason_t,
    tool: hook_string_t,
    signal: turn_stopping_facts_stop_signal_t,
};
pub const struct_turn_stopping_facts_turn_ending_t = extern struct {
    tag: u8 = 0,
    val: union_unnamed_25 = @import("std").mem.zeroes(union_unnamed_25),
    pub const turn_stopping_facts_ending = __root.turn_stopping_facts_ending;
    pub const ending = __root.turn_stopping_facts_ending;
};
pub const turn_stopping_facts_turn_ending_t = struct_turn_stopping_facts_turn_ending_t;
pub const struct_turn_stopping_facts_stopping_t = extern struct {
    ending: turn_stopping_facts_turn_ending_t = @import("std").mem.zeroes(turn_stopping_facts_turn_ending_t),
    steps: u32 = 0,
    usage: turn_stopping_facts_token_usage_t = @import("std").mem.zeroes(turn_stopping_facts_token_usage_t),
    kept_going: u32 = 0,
    may_keep_going: bool = false,
    pub const turn_stopping_facts_facts = __root.turn_stopping_facts_facts;
    pub const facts = __root.turn_stopping_facts_facts;
};
pub const turn_stopping_facts_stopping_t = struct_turn_stopping_facts_stopping_t;
pub const turn_suspended_facts_suspend_reason_t = u8;
pub const struct_turn_suspended_facts_suspension_t = extern struct {
    reason: turn_suspended_facts_suspend_reason_t = 0,
    checkpoint: hook_string_t = @import("std").mem.zeroes(hook_string_t),
    pending: hook_list_string_t = @import("std").mem.zeroes(hook_list_string_t),
    partial: bool = false,
    steps: u32 = 0,
    pub const turn_suspended_facts_facts = __root.turn_suspended_facts_facts;
    pub const facts = __root.turn_suspended_facts_facts;
};
pub const turn_suspended_facts_suspension_t = struct_turn_suspended_facts_suspension_t;
pub const struct_turn_resumed_facts_resumption_t = extern struct {
    checkpoint: hook_string_t = @import("std").mem.zeroes(hook_string_t),
    resolved: hook_list_string_t = @import("std").mem.zeroes(hook_list_string_t),
    waited_ms: u64 = 0,
    steps: u32 = 0,
    pub const turn_resumed_facts_facts = __root.turn_resumed_facts_facts;
    pub const facts = __root.turn_resumed_facts_facts;
};
pub const turn_resumed_facts_resumption_t = struct_turn_resumed_facts_resumption_t;
pub const workspace_opened_facts_workspace_t = pc_workspace_t;
pub const workspace_closed_facts_workspace_t = pc_workspace_t;
pub const workspace_evicted_facts_workspace_t = pc_workspace_t;
pub const workspace_eviction_retried_facts_workspace_info_t = pc_workspace_t;
pub const struct_workspace_eviction_retried_facts_eviction_retry_t = extern struct {
    workspace: workspace_eviction_retried_facts_workspace_info_t = @import("std").mem.zeroes(workspace_eviction_retried_facts_workspace_info_t),
    attempt: u32 = 0,
    pub const workspace_eviction_retried_facts_facts = __root.workspace_eviction_retried_facts_facts;
    pub const facts = __root.workspace_eviction_retried_facts_facts;
};
pub const workspace_eviction_retried_facts_eviction_retry_t = struct_workspace_eviction_retried_facts_eviction_retry_t;
pub const workspace_snapshotted_facts_workspace_info_t = pc_workspace_t;
pub const struct_workspace_snapshotted_facts_snapshot_t = extern struct {
    workspace: workspace_snapshotted_facts_workspace_info_t = @import("std").mem.zeroes(workspace_snapshotted_facts_workspace_info_t),
    path: hook_string_t = @import("std").mem.zeroes(hook_string_t),
    bytes: u64 = 0,
    pub const workspace_snapshotted_facts_facts = __root.workspace_snapshotted_facts_facts;
    pub const facts = __root.workspace_snapshotted_facts_facts;
};
pub const workspace_snapshotted_facts_snapshot_t = struct_workspace_snapshotted_facts_snapshot_t;
pub const pc_logging_level_t = u8;
const union_unnamed_26 = extern union {
    upstream: hook_string_t,
    io: hook_string_t,
};
pub const struct_pc_config_error_t = extern struct {
    tag: u8 = 0,
    val: union_unnamed_26 = @import("std").mem.zeroes(union_unnamed_26),
};
pub const pc_config_error_t = struct_pc_config_error_t;
const union_unnamed_27 = extern union {
    ok: hook_option_string_t,
    err: pc_config_error_t,
};
pub const pc_config_result_option_string_error_t = extern struct {
    is_err: bool = false,
    val: union_unnamed_27 = @import("std").mem.zeroes(union_unnamed_27),
};
pub const hook_tuple2_string_string_t = extern struct {
    f0: hook_string_t = @import("std").mem.zeroes(hook_string_t),
    f1: hook_string_t = @import("std").mem.zeroes(hook_string_t),
};
pub const hook_list_tuple2_string_string_t = extern struct {
    ptr: [*c]hook_tuple2_string_string_t = null,
    len: usize = 0,
    pub const pc_config_get_all = __root.pc_config_get_all;
    pub const pc_session_metadata = __root.pc_session_metadata;
    pub const all = __root.pc_config_get_all;
    pub const metadata = __root.pc_session_metadata;
};
const union_unnamed_28 = extern union {
    ok: hook_list_tuple2_string_string_t,
    err: pc_config_error_t,
};
pub const pc_config_result_list_tuple2_string_string_error_t = extern struct {
    is_err: bool = false,
    val: union_unnamed_28 = @import("std").mem.zeroes(union_unnamed_28),
};
pub const pc_state_state_error_t = pc_state_error_t;
pub const hook_option_list_u8_t = extern struct {
    is_some: bool = false,
    val: hook_list_u8_t = @import("std").mem.zeroes(hook_list_u8_t),
};
const union_unnamed_29 = extern union {
    err: pc_state_state_error_t,
};
pub const pc_state_result_void_state_error_t = extern struct {
    is_err: bool = false,
    val: union_unnamed_29 = @import("std").mem.zeroes(union_unnamed_29),
};
const union_unnamed_30 = extern union {
    ok: i64,
    err: pc_state_state_error_t,
};
pub const pc_state_result_s64_state_error_t = extern struct {
    is_err: bool = false,
    val: union_unnamed_30 = @import("std").mem.zeroes(union_unnamed_30),
};
const union_unnamed_31 = extern union {
    ok: bool,
    err: pc_state_state_error_t,
};
pub const pc_state_result_bool_state_error_t = extern struct {
    is_err: bool = false,
    val: union_unnamed_31 = @import("std").mem.zeroes(union_unnamed_31),
};
pub const pc_shared_state_state_error_t = pc_state_error_t;
const union_unnamed_32 = extern union {
    ok: hook_option_list_u8_t,
    err: pc_shared_state_state_error_t,
};
pub const pc_shared_state_result_option_list_u8_state_error_t = extern struct {
    is_err: bool = false,
    val: union_unnamed_32 = @import("std").mem.zeroes(union_unnamed_32),
};
const union_unnamed_33 = extern union {
    err: pc_shared_state_state_error_t,
};
pub const pc_shared_state_result_void_state_error_t = extern struct {
    is_err: bool = false,
    val: union_unnamed_33 = @import("std").mem.zeroes(union_unnamed_33),
};
const union_unnamed_34 = extern union {
    ok: hook_list_string_t,
    err: pc_shared_state_state_error_t,
};
pub const pc_shared_state_result_list_string_state_error_t = extern struct {
    is_err: bool = false,
    val: union_unnamed_34 = @import("std").mem.zeroes(union_unnamed_34),
};
const union_unnamed_35 = extern union {
    ok: i64,
    err: pc_shared_state_state_error_t,
};
pub const pc_shared_state_result_s64_state_error_t = extern struct {
    is_err: bool = false,
    val: union_unnamed_35 = @import("std").mem.zeroes(union_unnamed_35),
};
const union_unnamed_36 = extern union {
    ok: bool,
    err: pc_shared_state_state_error_t,
};
pub const pc_shared_state_result_bool_state_error_t = extern struct {
    is_err: bool = false,
    val: union_unnamed_36 = @import("std").mem.zeroes(union_unnamed_36),
};
pub const pc_model_stop_reason_t = pc_stop_reason_t;
pub const pc_model_usage_t = pc_usage_t;
pub const struct_pc_model_completion_t = extern struct {
    text: hook_string_t = @import("std").mem.zeroes(hook_string_t),
    stop: pc_model_stop_reason_t = @import("std").mem.zeroes(pc_model_stop_reason_t),
    usage: pc_model_usage_t = @import("std").mem.zeroes(pc_model_usage_t),
};
pub const pc_model_completion_t = struct_pc_model_completion_t;
const union_unnamed_37 = extern union {
    no_model: hook_string_t,
    budget: hook_string_t,
    too_long: u64,
    provider: hook_string_t,
};
pub const struct_pc_model_model_error_t = extern struct {
    tag: u8 = 0,
    val: union_unnamed_37 = @import("std").mem.zeroes(union_unnamed_37),
};
pub const pc_model_model_error_t = struct_pc_model_model_error_t;
const union_unnamed_38 = extern union {
    ok: pc_model_completion_t,
    err: pc_model_model_error_t,
};
pub const pc_model_result_completion_model_error_t = extern struct {
    is_err: bool = false,
    val: union_unnamed_38 = @import("std").mem.zeroes(union_unnamed_38),
};
pub const pc_content_content_part_t = pc_content_part_t;
pub const pc_content_list_content_part_t = extern struct {
    ptr: [*c]pc_content_content_part_t = null,
    len: usize = 0,
    pub const pc_content_parts = __root.pc_content_parts;
    pub const parts = __root.pc_content_parts;
};
pub const pc_conversation_message_t = pc_message_t;
pub const pc_conversation_option_message_t = extern struct {
    is_some: bool = false,
    val: pc_conversation_message_t = @import("std").mem.zeroes(pc_conversation_message_t),
};
pub const pc_conversation_list_message_t = extern struct {
    ptr: [*c]pc_conversation_message_t = null,
    len: usize = 0,
};
pub const pc_tool_catalog_tool_spec_t = pc_tool_spec_t;
pub const pc_tool_catalog_option_tool_spec_t = extern struct {
    is_some: bool = false,
    val: pc_tool_catalog_tool_spec_t = @import("std").mem.zeroes(pc_tool_catalog_tool_spec_t),
};
pub const pc_prompt_domain_policy_t = pc_domain_policy_t;
pub const pc_prompt_context_item_t = pc_context_item_t;
pub const pc_prompt_prompt_section_t = pc_prompt_section_t;
pub const pc_prompt_list_domain_policy_t = extern struct {
    ptr: [*c]pc_prompt_domain_policy_t = null,
    len: usize = 0,
    pub const pc_prompt_policies = __root.pc_prompt_policies;
    pub const policies = __root.pc_prompt_policies;
};
pub const pc_prompt_option_domain_policy_t = extern struct {
    is_some: bool = false,
    val: pc_prompt_domain_policy_t = @import("std").mem.zeroes(pc_prompt_domain_policy_t),
};
pub const pc_prompt_list_context_item_t = extern struct {
    ptr: [*c]pc_prompt_context_item_t = null,
    len: usize = 0,
    pub const pc_prompt_context_items = __root.pc_prompt_context_items;
    pub const items = __root.pc_prompt_context_items;
};
pub const pc_prompt_list_prompt_section_t = extern struct {
    ptr: [*c]pc_prompt_prompt_section_t = null,
    len: usize = 0,
    pub const pc_prompt_sections = __root.pc_prompt_sections;
    pub const sections = __root.pc_prompt_sections;
};
const union_unnamed_39 = extern union {
    denied: hook_string_t,
    full: hook_string_t,
    invalid: hook_string_t,
};
pub const struct_pc_agent_state_edit_edit_error_t = extern struct {
    tag: u8 = 0,
    val: union_unnamed_39 = @import("std").mem.zeroes(union_unnamed_39),
};
pub const pc_agent_state_edit_edit_error_t = struct_pc_agent_state_edit_edit_error_t;
const union_unnamed_40 = extern union {
    err: pc_agent_state_edit_edit_error_t,
};
pub const pc_agent_state_edit_result_void_edit_error_t = extern struct {
    is_err: bool = false,
    val: union_unnamed_40 = @import("std").mem.zeroes(union_unnamed_40),
};
pub const pc_verdict_rejection_t = pc_rejection_t;
pub const struct_pc_verdict_hook_failure_t = extern struct {
    cause: hook_string_t = @import("std").mem.zeroes(hook_string_t),
    message: hook_string_t = @import("std").mem.zeroes(hook_string_t),
};
pub const pc_verdict_hook_failure_t = struct_pc_verdict_hook_failure_t;
const union_unnamed_41 = extern union {
    rejected: pc_verdict_rejection_t,
    stopped: hook_string_t,
    failed: pc_verdict_hook_failure_t,
};
pub const struct_pc_verdict_decision_t = extern struct {
    tag: u8 = 0,
    val: union_unnamed_41 = @import("std").mem.zeroes(union_unnamed_41),
};
pub const pc_verdict_decision_t = struct_pc_verdict_decision_t;
pub const struct_pc_verdict_chain_verdict_t = extern struct {
    decision: pc_verdict_decision_t = @import("std").mem.zeroes(pc_verdict_decision_t),
    decided_by: hook_option_string_t = @import("std").mem.zeroes(hook_option_string_t),
    changed_by: hook_list_string_t = @import("std").mem.zeroes(hook_list_string_t),
    pub const pc_verdict_current = __root.pc_verdict_current;
    pub const current = __root.pc_verdict_current;
};
pub const pc_verdict_chain_verdict_t = struct_pc_verdict_chain_verdict_t;
pub const pc_verdict_option_chain_verdict_t = extern struct {
    is_some: bool = false,
    val: pc_verdict_chain_verdict_t = @import("std").mem.zeroes(pc_verdict_chain_verdict_t),
};
pub const exports_describe_failure_policy_t = u8;
pub const exports_describe_execution_policy_t = u8;
pub const hook_option_s32_t = extern struct {
    is_some: bool = false,
    val: i32 = 0,
};
pub const exports_describe_option_failure_policy_t = extern struct {
    is_some: bool = false,
    val: exports_describe_failure_policy_t = 0,
};
pub const struct_exports_describe_descriptor_t = extern struct {
    id: hook_string_t = @import("std").mem.zeroes(hook_string_t),
    version: hook_string_t = @import("std").mem.zeroes(hook_string_t),
    kind: hook_string_t = @import("std").mem.zeroes(hook_string_t),
    description: hook_string_t = @import("std").mem.zeroes(hook_string_t),
    points: hook_list_string_t = @import("std").mem.zeroes(hook_list_string_t),
    priority: hook_option_s32_t = @import("std").mem.zeroes(hook_option_s32_t),
    failure: exports_describe_option_failure_policy_t = @import("std").mem.zeroes(exports_describe_option_failure_policy_t),
    deadline_ms: hook_option_u32_t = @import("std").mem.zeroes(hook_option_u32_t),
    execution: exports_describe_execution_policy_t = 0,
    after: hook_list_string_t = @import("std").mem.zeroes(hook_list_string_t),
    pub const exports_describe_describe = __root.exports_describe_describe;
    pub const describe = __root.exports_describe_describe;
};
pub const exports_describe_descriptor_t = struct_exports_describe_descriptor_t;
pub extern fn pc_io_error_method_error_to_debug_string(self: pc_io_error_borrow_error_t, ret: [*c]hook_string_t) void;
pub extern fn pc_io_poll_method_pollable_block(self: pc_io_poll_borrow_pollable_t) void;
pub extern fn pc_io_poll_poll(in: [*c]pc_io_poll_list_borrow_pollable_t, ret: [*c]hook_list_u32_t) void;
pub extern fn pc_io_streams_method_input_stream_read(self: pc_io_streams_borrow_input_stream_t, len: u64, ret: [*c]hook_list_u8_t, err: [*c]pc_io_streams_stream_error_t) bool;
pub extern fn pc_io_streams_method_input_stream_blocking_read(self: pc_io_streams_borrow_input_stream_t, len: u64, ret: [*c]hook_list_u8_t, err: [*c]pc_io_streams_stream_error_t) bool;
pub extern fn pc_io_streams_method_input_stream_subscribe(self: pc_io_streams_borrow_input_stream_t) pc_io_streams_own_pollable_t;
pub extern fn pc_io_streams_method_output_stream_check_write(self: pc_io_streams_borrow_output_stream_t, ret: [*c]u64, err: [*c]pc_io_streams_stream_error_t) bool;
pub extern fn pc_io_streams_method_output_stream_write(self: pc_io_streams_borrow_output_stream_t, contents: [*c]hook_list_u8_t, err: [*c]pc_io_streams_stream_error_t) bool;
pub extern fn pc_io_streams_method_output_stream_subscribe(self: pc_io_streams_borrow_output_stream_t) pc_io_streams_own_pollable_t;
pub extern fn pc_io_streams_method_output_stream_blocking_write_and_flush(self: pc_io_streams_borrow_output_stream_t, contents: [*c]hook_list_u8_t, err: [*c]pc_io_streams_stream_error_t) bool;
pub extern fn pc_http_types_static_fields_from_list(entries: [*c]hook_list_tuple2_string_list_u8_t, ret: [*c]pc_http_types_own_fields_t, err: [*c]pc_http_types_header_error_t) bool;
pub extern fn pc_http_types_method_fields_entries(self: pc_http_types_borrow_fields_t, ret: [*c]hook_list_tuple2_string_list_u8_t) void;
pub extern fn pc_http_types_constructor_outgoing_request(headers: pc_http_types_own_fields_t) pc_http_types_own_outgoing_request_t;
pub extern fn pc_http_types_method_outgoing_request_body(self: pc_http_types_borrow_outgoing_request_t, ret: [*c]pc_http_types_own_outgoing_body_t) bool;
pub extern fn pc_http_types_method_outgoing_request_set_method(self: pc_http_types_borrow_outgoing_request_t, method: [*c]pc_http_types_method_t) bool;
pub extern fn pc_http_types_method_outgoing_request_set_path_with_query(self: pc_http_types_borrow_outgoing_request_t, maybe_path_with_query: [*c]hook_string_t) bool;
pub extern fn pc_http_types_method_outgoing_request_set_scheme(self: pc_http_types_borrow_outgoing_request_t, maybe_scheme: [*c]pc_http_types_scheme_t) bool;
pub extern fn pc_http_types_method_outgoing_request_set_authority(self: pc_http_types_borrow_outgoing_request_t, maybe_authority: [*c]hook_string_t) bool;
pub extern fn pc_http_types_constructor_request_options() pc_http_types_own_request_options_t;
pub extern fn pc_http_types_method_request_options_set_connect_timeout(self: pc_http_types_borrow_request_options_t, maybe_duration: [*c]u64) bool;
pub extern fn pc_http_types_method_request_options_set_first_byte_timeout(self: pc_http_types_borrow_request_options_t, maybe_duration: [*c]u64) bool;
pub extern fn pc_http_types_method_request_options_set_between_bytes_timeout(self: pc_http_types_borrow_request_options_t, maybe_duration: [*c]u64) bool;
pub extern fn pc_http_types_method_incoming_response_status(self: pc_http_types_borrow_incoming_response_t) u16;
pub extern fn pc_http_types_method_incoming_response_headers(self: pc_http_types_borrow_incoming_response_t) pc_http_types_own_fields_t;
pub extern fn pc_http_types_method_incoming_response_consume(self: pc_http_types_borrow_incoming_response_t, ret: [*c]pc_http_types_own_incoming_body_t) bool;
pub extern fn pc_http_types_method_incoming_body_stream(self: pc_http_types_borrow_incoming_body_t, ret: [*c]pc_http_types_own_input_stream_t) bool;
pub extern fn pc_http_types_method_outgoing_body_write(self: pc_http_types_borrow_outgoing_body_t, ret: [*c]pc_http_types_own_output_stream_t) bool;
pub extern fn pc_http_types_static_outgoing_body_finish(this_: pc_http_types_own_outgoing_body_t, maybe_trailers: [*c]pc_http_types_own_fields_t, err: [*c]pc_http_types_error_code_t) bool;
pub extern fn pc_http_types_method_future_incoming_response_subscribe(self: pc_http_types_borrow_future_incoming_response_t) pc_http_types_own_pollable_t;
pub extern fn pc_http_types_method_future_incoming_response_get(self: pc_http_types_borrow_future_incoming_response_t, ret: [*c]pc_http_types_result_result_own_incoming_response_error_code_void_t) bool;
pub extern fn pc_http_types_http_error_code(err_: pc_http_types_borrow_io_error_t, ret: [*c]pc_http_types_error_code_t) bool;
pub extern fn pc_http_outgoing_handler_handle(request: pc_http_outgoing_handler_own_outgoing_request_t, maybe_options: [*c]pc_http_outgoing_handler_own_request_options_t, ret: [*c]pc_http_outgoing_handler_own_future_incoming_response_t, err: [*c]pc_http_outgoing_handler_error_code_t) bool;
pub extern fn pc_call_session_id(ret: [*c]hook_string_t) void;
pub extern fn pc_call_agent(ret: [*c]hook_string_t) void;
pub extern fn pc_call_turn() u32;
pub extern fn pc_call_step() u32;
pub extern fn pc_call_context(ret: [*c]pc_call_call_context_t) void;
pub extern fn pc_failure_bad_config(message: [*c]hook_string_t) void;
pub extern fn pc_failure_fail(message: [*c]hook_string_t) void;
pub extern fn pre_compaction_facts_limit() u64;
pub extern fn pre_compaction_facts_used() u64;
pub extern fn pre_compaction_facts_messages() u32;
pub extern fn pre_compaction_facts_facts(ret: [*c]pre_compaction_facts_token_budget_t) void;
pub extern fn pre_compaction_answer_transform(keep: [*c]hook_list_u32_t, maybe_instructions: [*c]hook_string_t) void;
pub extern fn pre_compaction_answer_reject(code: [*c]hook_string_t, reason: [*c]hook_string_t, maybe_details: [*c]hook_string_t) void;
pub extern fn post_compaction_facts_removed() u32;
pub extern fn post_compaction_facts_messages() u32;
pub extern fn post_compaction_facts_summary_bytes() u32;
pub extern fn post_compaction_facts_facts(ret: [*c]post_compaction_facts_compaction_result_t) void;
pub extern fn pre_llm_call_facts_provider(ret: [*c]hook_string_t) void;
pub extern fn pre_llm_call_facts_model(ret: [*c]hook_string_t) void;
pub extern fn pre_llm_call_facts_attempt() u32;
pub extern fn pre_llm_call_facts_messages() u32;
pub extern fn pre_llm_call_facts_tools() u32;
pub extern fn pre_llm_call_facts_estimated_tokens() u64;
pub extern fn pre_llm_call_facts_temperature(ret: [*c]f64) bool;
pub extern fn pre_llm_call_facts_max_output_tokens(ret: [*c]u32) bool;
pub extern fn pre_llm_call_facts_facts(ret: [*c]pre_llm_call_facts_llm_call_t) void;
pub extern fn pre_llm_call_answer_transform(edit: [*c]pre_llm_call_answer_llm_call_edit_t) void;
pub extern fn pre_llm_call_answer_reject(code: [*c]hook_string_t, reason: [*c]hook_string_t, maybe_details: [*c]hook_string_t) void;
pub extern fn pre_llm_call_answer_replace(edit: [*c]pre_llm_call_answer_llm_call_edit_t) void;
pub extern fn pre_llm_call_answer_answer(response: [*c]pre_llm_call_answer_llm_response_t) void;
pub extern fn post_llm_call_facts_provider(ret: [*c]hook_string_t) void;
pub extern fn post_llm_call_facts_model(ret: [*c]hook_string_t) void;
pub extern fn post_llm_call_facts_attempt() u32;
pub extern fn post_llm_call_facts_stop(ret: [*c]post_llm_call_facts_stop_reason_t) void;
pub extern fn post_llm_call_facts_usage(ret: [*c]post_llm_call_facts_token_usage_t) void;
pub extern fn post_llm_call_facts_text_bytes() u32;
pub extern fn post_llm_call_facts_tool_calls(ret: [*c]hook_list_string_t) void;
pub extern fn post_llm_call_facts_elapsed_us() u64;
pub extern fn post_llm_call_facts_facts(ret: [*c]post_llm_call_facts_llm_result_t) void;
pub extern fn post_llm_call_answer_transform(content: [*c]post_llm_call_answer_list_content_part_t) void;
pub extern fn post_llm_call_answer_reject(code: [*c]hook_string_t, reason: [*c]hook_string_t, maybe_details: [*c]hook_string_t) void;
pub extern fn post_llm_call_answer_replace(content: [*c]post_llm_call_answer_list_content_part_t) void;
pub extern fn llm_error_facts_provider(ret: [*c]hook_string_t) void;
pub extern fn llm_error_facts_model(ret: [*c]hook_string_t) void;
pub extern fn llm_error_facts_attempt() u32;
pub extern fn llm_error_facts_kind() llm_error_facts_provider_error_kind_t;
pub extern fn llm_error_facts_status(ret: [*c]u16) bool;
pub extern fn llm_error_facts_message(ret: [*c]hook_string_t) void;
pub extern fn llm_error_facts_retry_after_ms(ret: [*c]u32) bool;
pub extern fn llm_error_facts_providers(ret: [*c]hook_list_string_t) void;
pub extern fn llm_error_facts_facts(ret: [*c]llm_error_facts_llm_failure_t) void;
pub extern fn llm_error_answer_retry(after_ms: u32) void;
pub extern fn llm_error_answer_switch_provider(provider: [*c]hook_string_t, maybe_model: [*c]hook_string_t) void;
pub extern fn llm_error_answer_give_up() void;
pub extern fn llm_delta_facts_kind() llm_delta_facts_delta_kind_t;
pub extern fn llm_delta_facts_index() u32;
pub extern fn llm_delta_facts_bytes() u32;
pub extern fn llm_delta_facts_last() bool;
pub extern fn llm_delta_facts_facts(ret: [*c]llm_delta_facts_delta_t) void;
pub extern fn llm_delta_answer_transform(text: [*c]hook_string_t) void;
pub extern fn llm_delta_answer_reject(code: [*c]hook_string_t, reason: [*c]hook_string_t, maybe_details: [*c]hook_string_t) void;
pub extern fn llm_delta_answer_stop(kind: [*c]llm_delta_answer_stop_kind_t, message: [*c]hook_string_t) void;
pub extern fn state_changed_facts_tool(ret: [*c]hook_string_t) void;
pub extern fn state_changed_facts_call_id(ret: [*c]hook_string_t) void;
pub extern fn state_changed_facts_keys(ret: [*c]hook_list_string_t) void;
pub extern fn state_changed_facts_facts(ret: [*c]state_changed_facts_state_change_t) void;
pub extern fn message_added_facts_index() u32;
pub extern fn message_added_facts_role() message_added_facts_message_role_t;
pub extern fn message_added_facts_parts() u32;
pub extern fn message_added_facts_text_bytes() u32;
pub extern fn message_added_facts_facts(ret: [*c]message_added_facts_added_message_t) void;
pub extern fn prompt_policy_facts_text_bytes() u32;
pub extern fn prompt_policy_facts_messages() u32;
pub extern fn prompt_policy_facts_tools() u32;
pub extern fn prompt_policy_facts_policies() u32;
pub extern fn prompt_policy_facts_facts(ret: [*c]prompt_policy_facts_turn_facts_t) void;
pub extern fn prompt_policy_answer_add_policy(domain: [*c]hook_string_t, rules: [*c]hook_string_t) void;
pub extern fn prompt_policy_answer_add_note(code: [*c]hook_string_t, data: [*c]hook_string_t) void;
pub extern fn prompt_policy_answer_add_job(name: [*c]hook_string_t, input: [*c]hook_string_t) void;
pub extern fn prompt_context_facts_text_bytes() u32;
pub extern fn prompt_context_facts_policies() u32;
pub extern fn prompt_context_facts_items() u32;
pub extern fn prompt_context_facts_facts(ret: [*c]prompt_context_facts_context_set_t) void;
pub extern fn prompt_context_answer_add_context(kind: [*c]hook_string_t, text: [*c]hook_string_t, maybe_data: [*c]hook_string_t) void;
pub extern fn prompt_context_answer_add_note(code: [*c]hook_string_t, data: [*c]hook_string_t) void;
pub extern fn prompt_context_answer_add_job(name: [*c]hook_string_t, input: [*c]hook_string_t) void;
pub extern fn prompt_recall_facts_queries() u32;
pub extern fn prompt_recall_facts_max_items() u32;
pub extern fn prompt_recall_facts_max_tokens() u64;
pub extern fn prompt_recall_facts_fallback() bool;
pub extern fn prompt_recall_facts_items() u32;
pub extern fn prompt_recall_facts_facts(ret: [*c]prompt_recall_facts_recall_plan_t) void;
pub extern fn prompt_recall_answer_add_context(kind: [*c]hook_string_t, text: [*c]hook_string_t, maybe_data: [*c]hook_string_t) void;
pub extern fn prompt_recall_answer_add_note(code: [*c]hook_string_t, data: [*c]hook_string_t) void;
pub extern fn prompt_recall_answer_add_job(name: [*c]hook_string_t, input: [*c]hook_string_t) void;
pub extern fn prompt_tools_facts_tools() u32;
pub extern fn prompt_tools_facts_bundles() u32;
pub extern fn prompt_tools_facts_facts(ret: [*c]prompt_tools_facts_tool_set_t) void;
pub extern fn prompt_tools_answer_add_tools(bundle: [*c]prompt_tools_answer_tool_bundle_t) void;
pub extern fn prompt_tools_answer_add_note(code: [*c]hook_string_t, data: [*c]hook_string_t) void;
pub extern fn prompt_tools_answer_add_job(name: [*c]hook_string_t, input: [*c]hook_string_t) void;
pub extern fn prompt_compile_facts_sections() u32;
pub extern fn prompt_compile_facts_items() u32;
pub extern fn prompt_compile_facts_tokens() u64;
pub extern fn prompt_compile_facts_budget_tokens() u64;
pub extern fn prompt_compile_facts_facts(ret: [*c]prompt_compile_facts_prompt_draft_t) void;
pub extern fn prompt_compile_answer_transform(edit: [*c]prompt_compile_answer_prompt_edit_t) void;
pub extern fn prompt_compile_answer_add_section(section: [*c]prompt_compile_answer_prompt_section_t) void;
pub extern fn prompt_compile_answer_add_note(code: [*c]hook_string_t, data: [*c]hook_string_t) void;
pub extern fn prompt_compile_answer_add_job(name: [*c]hook_string_t, input: [*c]hook_string_t) void;
pub extern fn session_start_facts_provider(ret: [*c]hook_string_t) void;
pub extern fn session_start_facts_model(ret: [*c]hook_string_t) void;
pub extern fn session_start_facts_tools() u32;
pub extern fn session_start_facts_facts(ret: [*c]session_start_facts_session_info_t) void;
pub extern fn session_start_answer_reject(code: [*c]hook_string_t, reason: [*c]hook_string_t, maybe_details: [*c]hook_string_t) void;
pub extern fn session_end_facts_reason() session_end_facts_end_reason_t;
pub extern fn session_end_facts_turns() u32;
pub extern fn session_end_facts_usage(ret: [*c]session_end_facts_token_usage_t) void;
pub extern fn session_end_facts_facts(ret: [*c]session_end_facts_session_summary_t) void;
pub extern fn pre_step_facts_messages() u32;
pub extern fn pre_step_facts_estimated_tokens() u64;
pub extern fn pre_step_facts_steps() u32;
pub extern fn pre_step_facts_usage(ret: [*c]pre_step_facts_token_usage_t) void;
pub extern fn pre_step_facts_elapsed_us() u64;
pub extern fn pre_step_facts_facts(ret: [*c]pre_step_facts_step_state_t) void;
pub extern fn pre_step_answer_transform(edits: [*c]pre_step_answer_list_message_edit_t) void;
pub extern fn pre_step_answer_reject(code: [*c]hook_string_t, reason: [*c]hook_string_t, maybe_details: [*c]hook_string_t) void;
pub extern fn pre_step_answer_stop(kind: [*c]pre_step_answer_stop_kind_t, message: [*c]hook_string_t) void;
pub extern fn post_step_facts_stop(ret: [*c]post_step_facts_stop_reason_t) void;
pub extern fn post_step_facts_tool_calls() u32;
pub extern fn post_step_facts_step_usage(ret: [*c]post_step_facts_token_usage_t) void;
pub extern fn post_step_facts_usage(ret: [*c]post_step_facts_token_usage_t) void;
pub extern fn post_step_facts_elapsed_us() u64;
pub extern fn post_step_facts_facts(ret: [*c]post_step_facts_step_report_t) void;
pub extern fn post_step_answer_stop(kind: [*c]post_step_answer_stop_kind_t, message: [*c]hook_string_t) void;
pub extern fn pre_subagent_facts_call_id(ret: [*c]hook_string_t) void;
pub extern fn pre_subagent_facts_agent(ret: [*c]hook_string_t) void;
pub extern fn pre_subagent_facts_task_bytes() u32;
pub extern fn pre_subagent_facts_depth() u32;
pub extern fn pre_subagent_facts_facts(ret: [*c]pre_subagent_facts_subagent_spec_t) void;
pub extern fn pre_subagent_answer_transform(task: [*c]hook_string_t) void;
pub extern fn pre_subagent_answer_reject(code: [*c]hook_string_t, reason: [*c]hook_string_t, maybe_details: [*c]hook_string_t) void;
pub extern fn pre_subagent_answer_replace(task: [*c]hook_string_t) void;
pub extern fn pre_subagent_answer_answer(content: [*c]hook_string_t, is_error: bool) void;
pub extern fn post_subagent_facts_call_id(ret: [*c]hook_string_t) void;
pub extern fn post_subagent_facts_agent(ret: [*c]hook_string_t) void;
pub extern fn post_subagent_facts_session_id(ret: [*c]hook_string_t) bool;
pub extern fn post_subagent_facts_is_error() bool;
pub extern fn post_subagent_facts_output_bytes() u32;
pub extern fn post_subagent_facts_steps() u32;
pub extern fn post_subagent_facts_usage(ret: [*c]post_subagent_facts_token_usage_t) void;
pub extern fn post_subagent_facts_elapsed_us() u64;
pub extern fn post_subagent_facts_facts(ret: [*c]post_subagent_facts_subagent_result_t) void;
pub extern fn post_subagent_answer_transform(text: [*c]hook_string_t) void;
pub extern fn pre_tool_call_facts_call_id(ret: [*c]hook_string_t) void;
pub extern fn pre_tool_call_facts_name(ret: [*c]hook_string_t) void;
pub extern fn pre_tool_call_facts_arguments_bytes() u32;
pub extern fn pre_tool_call_facts_grant(ret: [*c]pre_tool_call_facts_execution_grant_t) void;
pub extern fn pre_tool_call_facts_facts(ret: [*c]pre_tool_call_facts_tool_request_t) void;
pub extern fn pre_tool_call_answer_transform(arguments: [*c]hook_string_t) void;
pub extern fn pre_tool_call_answer_reject(code: [*c]hook_string_t, reason: [*c]hook_string_t, maybe_details: [*c]hook_string_t) void;
pub extern fn pre_tool_call_answer_replace(arguments: [*c]hook_string_t) void;
pub extern fn pre_tool_call_answer_answer(content: [*c]hook_string_t, is_error: bool) void;
pub extern fn pre_tool_call_answer_ask(question: [*c]hook_string_t, maybe_details: [*c]hook_string_t) void;
pub extern fn post_tool_call_facts_call_id(ret: [*c]hook_string_t) void;
pub extern fn post_tool_call_facts_name(ret: [*c]hook_string_t) void;
pub extern fn post_tool_call_facts_output_bytes() u32;
pub extern fn post_tool_call_facts_is_error() bool;
pub extern fn post_tool_call_facts_elapsed_us() u64;
pub extern fn post_tool_call_facts_facts(ret: [*c]post_tool_call_facts_tool_outcome_t) void;
pub extern fn post_tool_call_answer_transform(content: [*c]hook_string_t, is_error: bool) void;
pub extern fn post_tool_call_answer_reject(code: [*c]hook_string_t, reason: [*c]hook_string_t, maybe_details: [*c]hook_string_t) void;
pub extern fn post_tool_call_answer_replace(content: [*c]hook_string_t, is_error: bool) void;
pub extern fn tool_update_facts_call_id(ret: [*c]hook_string_t) void;
pub extern fn tool_update_facts_name(ret: [*c]hook_string_t) void;
pub extern fn tool_update_facts_index() u32;
pub extern fn tool_update_facts_text_bytes() u32;
pub extern fn tool_update_facts_facts(ret: [*c]tool_update_facts_tool_progress_t) void;
pub extern fn tool_update_answer_reject(code: [*c]hook_string_t, reason: [*c]hook_string_t, maybe_details: [*c]hook_string_t) void;
pub extern fn tool_update_sent_facts_call_id(ret: [*c]hook_string_t) void;
pub extern fn tool_update_sent_facts_name(ret: [*c]hook_string_t) void;
pub extern fn tool_update_sent_facts_index() u32;
pub extern fn tool_update_sent_facts_text_bytes() u32;
pub extern fn tool_update_sent_facts_facts(ret: [*c]tool_update_sent_facts_tool_progress_t) void;
pub extern fn pre_turn_facts_text_bytes() u32;
pub extern fn pre_turn_facts_parts() u32;
pub extern fn pre_turn_facts_facts(ret: [*c]pre_turn_facts_turn_input_t) void;
pub extern fn pre_turn_answer_transform(content: [*c]pre_turn_answer_list_content_part_t) void;
pub extern fn pre_turn_answer_reject(code: [*c]hook_string_t, reason: [*c]hook_string_t, maybe_details: [*c]hook_string_t) void;
pub extern fn pre_turn_answer_replace(content: [*c]pre_turn_answer_list_content_part_t) void;
pub extern fn pre_turn_answer_answer(content: [*c]pre_turn_answer_list_content_part_t) void;
pub extern fn post_turn_facts_text_bytes() u32;
pub extern fn post_turn_facts_steps() u32;
pub extern fn post_turn_facts_stop(ret: [*c]post_turn_facts_stop_reason_t) void;
pub extern fn post_turn_facts_usage(ret: [*c]post_turn_facts_token_usage_t) void;
pub extern fn post_turn_facts_elapsed_us() u64;
pub extern fn post_turn_facts_facts(ret: [*c]post_turn_facts_turn_output_t) void;
pub extern fn post_turn_answer_transform(content: [*c]post_turn_answer_list_content_part_t) void;
pub extern fn post_turn_answer_reject(code: [*c]hook_string_t, reason: [*c]hook_string_t, maybe_details: [*c]hook_string_t) void;
pub extern fn post_turn_answer_replace(content: [*c]post_turn_answer_list_content_part_t) void;
pub extern fn post_turn_answer_add_note(code: [*c]hook_string_t, data: [*c]hook_string_t) void;
pub extern fn post_turn_answer_add_job(name: [*c]hook_string_t, input: [*c]hook_string_t) void;
pub extern fn turn_error_facts_kind() turn_error_facts_error_kind_t;
pub extern fn turn_error_facts_message(ret: [*c]hook_string_t) void;
pub extern fn turn_error_facts_facts(ret: [*c]turn_error_facts_failure_t) void;
pub extern fn turn_error_answer_replace(content: [*c]turn_error_answer_list_content_part_t) void;
pub extern fn turn_stopping_facts_ending(ret: [*c]turn_stopping_facts_turn_ending_t) void;
pub extern fn turn_stopping_facts_steps() u32;
pub extern fn turn_stopping_facts_usage(ret: [*c]turn_stopping_facts_token_usage_t) void;
pub extern fn turn_stopping_facts_kept_going() u32;
pub extern fn turn_stopping_facts_may_keep_going() bool;
pub extern fn turn_stopping_facts_facts(ret: [*c]turn_stopping_facts_stopping_t) void;
pub extern fn turn_stopping_answer_keep_going(message: [*c]hook_string_t) void;
pub extern fn turn_suspended_facts_reason() turn_suspended_facts_suspend_reason_t;
pub extern fn turn_suspended_facts_checkpoint(ret: [*c]hook_string_t) void;
pub extern fn turn_suspended_facts_pending(ret: [*c]hook_list_string_t) void;
pub extern fn turn_suspended_facts_partial() bool;
pub extern fn turn_suspended_facts_steps() u32;
pub extern fn turn_suspended_facts_facts(ret: [*c]turn_suspended_facts_suspension_t) void;
pub extern fn turn_resumed_facts_checkpoint(ret: [*c]hook_string_t) void;
pub extern fn turn_resumed_facts_resolved(ret: [*c]hook_list_string_t) void;
pub extern fn turn_resumed_facts_waited_ms() u64;
pub extern fn turn_resumed_facts_steps() u32;
pub extern fn turn_resumed_facts_facts(ret: [*c]turn_resumed_facts_resumption_t) void;
pub extern fn workspace_opened_facts_name(ret: [*c]hook_string_t) void;
pub extern fn workspace_opened_facts_path(ret: [*c]hook_string_t) void;
pub extern fn workspace_opened_facts_reason(ret: [*c]hook_string_t) void;
pub extern fn workspace_opened_facts_facts(ret: [*c]workspace_opened_facts_workspace_t) void;
pub extern fn workspace_closed_facts_name(ret: [*c]hook_string_t) void;
pub extern fn workspace_closed_facts_path(ret: [*c]hook_string_t) void;
pub extern fn workspace_closed_facts_reason(ret: [*c]hook_string_t) void;
pub extern fn workspace_closed_facts_facts(ret: [*c]workspace_closed_facts_workspace_t) void;
pub extern fn workspace_evicted_facts_name(ret: [*c]hook_string_t) void;
pub extern fn workspace_evicted_facts_path(ret: [*c]hook_string_t) void;
pub extern fn workspace_evicted_facts_reason(ret: [*c]hook_string_t) void;
pub extern fn workspace_evicted_facts_facts(ret: [*c]workspace_evicted_facts_workspace_t) void;
pub extern fn workspace_eviction_retried_facts_workspace(ret: [*c]workspace_eviction_retried_facts_workspace_info_t) void;
pub extern fn workspace_eviction_retried_facts_attempt() u32;
pub extern fn workspace_eviction_retried_facts_facts(ret: [*c]workspace_eviction_retried_facts_eviction_retry_t) void;
pub extern fn workspace_snapshotted_facts_workspace(ret: [*c]workspace_snapshotted_facts_workspace_info_t) void;
pub extern fn workspace_snapshotted_facts_path(ret: [*c]hook_string_t) void;
pub extern fn workspace_snapshotted_facts_bytes() u64;
pub extern fn workspace_snapshotted_facts_facts(ret: [*c]workspace_snapshotted_facts_snapshot_t) void;
pub extern fn pc_logging_log(level: pc_logging_level_t, context: [*c]hook_string_t, message: [*c]hook_string_t) void;
pub extern fn pc_config_get(key: [*c]hook_string_t, ret: [*c]hook_option_string_t, err: [*c]pc_config_error_t) bool;
pub extern fn pc_config_get_all(ret: [*c]hook_list_tuple2_string_string_t, err: [*c]pc_config_error_t) bool;
pub extern fn pc_state_get(key: [*c]hook_string_t, ret: [*c]hook_list_u8_t) bool;
pub extern fn pc_state_set(key: [*c]hook_string_t, value: [*c]hook_list_u8_t, err: [*c]pc_state_state_error_t) bool;
pub extern fn pc_state_delete(key: [*c]hook_string_t) void;
pub extern fn pc_state_keys(ret: [*c]hook_list_string_t) void;
pub extern fn pc_state_increment(key: [*c]hook_string_t, delta: i64, ret: [*c]i64, err: [*c]pc_state_state_error_t) bool;
pub extern fn pc_state_swap(key: [*c]hook_string_t, maybe_expected: [*c]hook_list_u8_t, maybe_new_: [*c]hook_list_u8_t, ret: [*c]bool, err: [*c]pc_state_state_error_t) bool;
pub extern fn pc_shared_state_get(namespace_: [*c]hook_string_t, key: [*c]hook_string_t, ret: [*c]hook_option_list_u8_t, err: [*c]pc_shared_state_state_error_t) bool;
pub extern fn pc_shared_state_set(namespace_: [*c]hook_string_t, key: [*c]hook_string_t, value: [*c]hook_list_u8_t, err: [*c]pc_shared_state_state_error_t) bool;
pub extern fn pc_shared_state_delete(namespace_: [*c]hook_string_t, key: [*c]hook_string_t, err: [*c]pc_shared_state_state_error_t) bool;
pub extern fn pc_shared_state_keys(namespace_: [*c]hook_string_t, ret: [*c]hook_list_string_t, err: [*c]pc_shared_state_state_error_t) bool;
pub extern fn pc_shared_state_increment(namespace_: [*c]hook_string_t, key: [*c]hook_string_t, delta: i64, ret: [*c]i64, err: [*c]pc_shared_state_state_error_t) bool;
pub extern fn pc_shared_state_swap(namespace_: [*c]hook_string_t, key: [*c]hook_string_t, maybe_expected: [*c]hook_list_u8_t, maybe_new_: [*c]hook_list_u8_t, ret: [*c]bool, err: [*c]pc_shared_state_state_error_t) bool;
pub extern fn pc_events_emit(name: [*c]hook_string_t, data: [*c]hook_string_t) void;
pub extern fn pc_secrets_get(name: [*c]hook_string_t, ret: [*c]hook_string_t) bool;
pub extern fn pc_model_complete(instructions: [*c]hook_string_t, prompt: [*c]hook_string_t, maybe_max_tokens: [*c]u32, ret: [*c]pc_model_completion_t, err: [*c]pc_model_model_error_t) bool;
pub extern fn pc_model_tokens_left() u64;
pub extern fn pc_content_parts(ret: [*c]pc_content_list_content_part_t) void;
pub extern fn pc_content_text(ret: [*c]hook_string_t) void;
pub extern fn pc_conversation_len() u32;
pub extern fn pc_conversation_last(ret: [*c]pc_conversation_message_t) bool;
pub extern fn pc_conversation_get(index: u32, ret: [*c]pc_conversation_message_t) bool;
pub extern fn pc_conversation_slice(start: u32, end: u32, ret: [*c]pc_conversation_list_message_t) void;
pub extern fn pc_conversation_turn_start() u32;
pub extern fn pc_tool_data_input(ret: [*c]hook_string_t) void;
pub extern fn pc_tool_data_output(ret: [*c]hook_string_t) bool;
pub extern fn pc_tool_catalog_names(ret: [*c]hook_list_string_t) void;
pub extern fn pc_tool_catalog_get(name: [*c]hook_string_t, ret: [*c]pc_tool_catalog_tool_spec_t) bool;
pub extern fn pc_prompt_policies(ret: [*c]pc_prompt_list_domain_policy_t) void;
pub extern fn pc_prompt_policy(domain: [*c]hook_string_t, ret: [*c]pc_prompt_domain_policy_t) bool;
pub extern fn pc_prompt_context_items(ret: [*c]pc_prompt_list_context_item_t) void;
pub extern fn pc_prompt_sections(ret: [*c]pc_prompt_list_prompt_section_t) void;
pub extern fn pc_prompt_queries(ret: [*c]hook_list_string_t) void;
pub extern fn pc_agent_state_get(key: [*c]hook_string_t, ret: [*c]hook_string_t) bool;
pub extern fn pc_agent_state_diff(ret: [*c]hook_string_t) void;
pub extern fn pc_agent_state_changed_by(ret: [*c]hook_string_t) bool;
pub extern fn pc_agent_state_edit_set(key: [*c]hook_string_t, value: [*c]hook_string_t, err: [*c]pc_agent_state_edit_edit_error_t) bool;
pub extern fn pc_agent_state_edit_remove(key: [*c]hook_string_t, err: [*c]pc_agent_state_edit_edit_error_t) bool;
pub extern fn pc_session_user(ret: [*c]hook_string_t) bool;
pub extern fn pc_session_working_dir(ret: [*c]hook_string_t) bool;
pub extern fn pc_session_parent(ret: [*c]hook_string_t) bool;
pub extern fn pc_session_metadata(ret: [*c]hook_list_tuple2_string_string_t) void;
pub extern fn pc_verdict_current(ret: [*c]pc_verdict_chain_verdict_t) bool;
pub extern fn exports_describe_describe(ret: [*c]exports_describe_descriptor_t) void;
pub extern fn exports_pre_compaction_handle() bool;
pub extern fn exports_post_compaction_handle() bool;
pub extern fn exports_pre_llm_call_handle() bool;
pub extern fn exports_post_llm_call_handle() bool;
pub extern fn exports_llm_error_handle() bool;
pub extern fn exports_llm_delta_handle() bool;
pub extern fn exports_state_changed_handle() bool;
pub extern fn exports_message_added_handle() bool;
pub extern fn exports_prompt_policy_handle() bool;
pub extern fn exports_prompt_context_handle() bool;
pub extern fn exports_prompt_recall_handle() bool;
pub extern fn exports_prompt_tools_handle() bool;
pub extern fn exports_prompt_compile_handle() bool;
pub extern fn exports_session_start_handle() bool;
pub extern fn exports_session_end_handle() bool;
pub extern fn exports_pre_step_handle() bool;
pub extern fn exports_post_step_handle() bool;
pub extern fn exports_pre_subagent_handle() bool;
pub extern fn exports_post_subagent_handle() bool;
pub extern fn exports_pre_tool_call_handle() bool;
pub extern fn exports_post_tool_call_handle() bool;
pub extern fn exports_tool_update_handle() bool;
pub extern fn exports_tool_update_sent_handle() bool;
pub extern fn exports_pre_turn_handle() bool;
pub extern fn exports_post_turn_handle() bool;
pub extern fn exports_turn_error_handle() bool;
pub extern fn exports_turn_stopping_handle() bool;
pub extern fn exports_turn_suspended_handle() bool;
pub extern fn exports_turn_resumed_handle() bool;
pub extern fn exports_workspace_opened_handle() bool;
pub extern fn exports_workspace_closed_handle() bool;
pub extern fn exports_workspace_evicted_handle() bool;
pub extern fn exports_workspace_eviction_retried_handle() bool;
pub extern fn exports_workspace_snapshotted_handle() bool;
pub const pc_string_t = hook_string_t;
pub const pc_strings_t = hook_list_string_t;
pub const PC_FAIL_DEFAULT: c_int = 0;
pub const PC_FAIL_OPEN: c_int = 1;
pub const PC_FAIL_CLOSED: c_int = 2;
pub const pc_failure = c_uint;
pub const PC_BLOCKING: c_int = 0;
pub const PC_DEADLINE: c_int = 1;
pub const PC_FIRE_AND_RECORD: c_int = 2;
pub const PC_BACKGROUND: c_int = 3;
pub const pc_execution = c_uint;
pub const pc_priority = extern struct {
    is_set: bool = false,
    value: i32 = 0,
};
pub const pc_descriptor = extern struct {
    id: [*c]const u8 = null,
    description: [*c]const u8 = null,
    version: [*c]const u8 = null,
    kind: [*c]const u8 = null,
    priority: pc_priority = @import("std").mem.zeroes(pc_priority),
    failure: pc_failure = @import("std").mem.zeroes(pc_failure),
    deadline_ms: u32 = 0,
    execution: pc_execution = @import("std").mem.zeroes(pc_execution),
    after: [*c]const [*c]const u8 = null,
};
pub extern const pc_hook: pc_descriptor;
pub const pc_points: [*c]const [*c]const u8 = @extern([*c]const [*c]const u8, .{
    .name = "pc_points",
});
pub extern fn pc_fail(message: pc_string_t) bool;
pub extern fn pc_bad_config(message: pc_string_t) bool;
pub fn pc_text(arg_text: [*c]const u8) callconv(.c) pc_string_t {
    var text = arg_text;
    _ = &text;
    var whole: pc_string_t = pc_string_t{
        .ptr = @ptrCast(@alignCast(@constCast(text))),
        .len = __builtin.strlen(text),
    };
    _ = &whole;
    return whole;
}
pub extern fn pc_format(format: [*c]const u8, ...) pc_string_t;
pub extern fn pc_equals(text: pc_string_t, other: pc_string_t) bool;
pub extern fn pc_contains(text: pc_string_t, part: pc_string_t) bool;
pub extern fn pc_alloc(size: usize) ?*anyopaque;
pub const struct_pc_chunk_42 = opaque {};
pub const pc_mark_t = extern struct {
    chunk: ?*struct_pc_chunk_42 = null,
    at: [*c]u8 = null,
    pub const pc_release = __root.pc_release;
    pub const release = __root.pc_release;
};
pub extern fn pc_mark() pc_mark_t;
pub extern fn pc_release(mark: pc_mark_t) void;
pub extern fn pc_debug(message: pc_string_t) void;
pub extern fn pc_info(message: pc_string_t) void;
pub extern fn pc_warn(message: pc_string_t) void;
pub extern fn pc_config_text(key: pc_string_t, value: [*c]pc_string_t) bool;
pub extern fn pc_config_number(key: pc_string_t, fallback: i64, value: [*c]i64) bool;
pub extern fn pc_config_list(key: pc_string_t, list: [*c]pc_strings_t) bool;
pub extern fn pc_recall(key: pc_string_t, value: [*c]pc_string_t) bool;
pub extern fn pc_remember(key: pc_string_t, value: pc_string_t) bool;
pub extern fn pc_forget(key: pc_string_t) void;
pub extern fn pc_count(key: pc_string_t, by: i64, sum: [*c]i64) bool;
pub const pc_http_header_t = extern struct {
    name: pc_string_t = @import("std").mem.zeroes(pc_string_t),
    value: pc_string_t = @import("std").mem.zeroes(pc_string_t),
};
pub const pc_http_headers_t = extern struct {
    ptr: [*c]pc_http_header_t = null,
    len: usize = 0,
};
pub const pc_http_request_t = extern struct {
    method: [*c]const u8 = null,
    url: pc_string_t = @import("std").mem.zeroes(pc_string_t),
    headers: pc_http_headers_t = @import("std").mem.zeroes(pc_http_headers_t),
    body: pc_string_t = @import("std").mem.zeroes(pc_string_t),
    timeout_ms: u32 = 0,
    pub const pc_http_request = __root.pc_http_request;
    pub const request = __root.pc_http_request;
};
pub const PC_HTTP_INVALID: c_int = 0;
pub const PC_HTTP_REFUSED: c_int = 1;
pub const PC_HTTP_TIMED_OUT: c_int = 2;
pub const PC_HTTP_FAILED: c_int = 3;
pub const pc_http_error = c_uint;
pub const pc_http_response_t = extern struct {
    status: u16 = 0,
    headers: pc_http_headers_t = @import("std").mem.zeroes(pc_http_headers_t),
    body: pc_string_t = @import("std").mem.zeroes(pc_string_t),
    @"error": pc_http_error = @import("std").mem.zeroes(pc_http_error),
    why: pc_string_t = @import("std").mem.zeroes(pc_string_t),
    pub const pc_http_header = __root.pc_http_header;
    pub const header = __root.pc_http_header;
};
pub extern fn pc_http_request(request: [*c]const pc_http_request_t, response: [*c]pc_http_response_t) bool;
pub extern fn pc_http_header(response: [*c]const pc_http_response_t, name: pc_string_t, value: [*c]pc_string_t) bool;
pub extern fn pc_begin_call() void;
pub extern fn pc_end_call() void;

pub const __VERSION__ = "Aro aro-zig";
pub const __Aro__ = "";
pub const __STDC__ = @as(c_int, 1);
pub const __STDC_HOSTED__ = @as(c_int, 1);
pub const __STDC_UTF_16__ = @as(c_int, 1);
pub const __STDC_UTF_32__ = @as(c_int, 1);
pub const __STDC_EMBED_NOT_FOUND__ = @as(c_int, 0);
pub const __STDC_EMBED_FOUND__ = @as(c_int, 1);
pub const __STDC_EMBED_EMPTY__ = @as(c_int, 2);
pub const __STDC_VERSION__ = @as(c_long, 201710);
pub const __GNUC__ = @as(c_int, 4);
pub const __GNUC_MINOR__ = @as(c_int, 2);
pub const __GNUC_PATCHLEVEL__ = @as(c_int, 1);
pub const __ARO_EMULATE_NO__ = @as(c_int, 0);
pub const __ARO_EMULATE_CLANG__ = @as(c_int, 1);
pub const __ARO_EMULATE_GCC__ = @as(c_int, 2);
pub const __ARO_EMULATE_MSVC__ = @as(c_int, 3);
pub const __ARO_EMULATE__ = __ARO_EMULATE_CLANG__;
pub inline fn __building_module(x: anytype) @TypeOf(@as(c_int, 0)) {
    _ = &x;
    return @as(c_int, 0);
}
pub const TARGET_OS_WIN32 = @as(c_int, 0);
pub const TARGET_OS_WINDOWS = @as(c_int, 0);
pub const TARGET_OS_LINUX = @as(c_int, 0);
pub const TARGET_OS_UNIX = @as(c_int, 0);
pub const TARGET_OS_MAC = @as(c_int, 0);
pub const TARGET_OS_OSX = @as(c_int, 0);
pub const TARGET_OS_IPHONE = @as(c_int, 0);
pub const TARGET_OS_IOS = @as(c_int, 0);
pub const TARGET_OS_TV = @as(c_int, 0);
pub const TARGET_OS_WATCH = @as(c_int, 0);
pub const TARGET_OS_VISION = @as(c_int, 0);
pub const TARGET_OS_DRIVERKIT = @as(c_int, 0);
pub const TARGET_OS_MACCATALYST = @as(c_int, 0);
pub const TARGET_OS_SIMULATOR = @as(c_int, 0);
pub const TARGET_OS_EMBEDDED = @as(c_int, 0);
pub const TARGET_OS_NANO = @as(c_int, 0);
pub const TARGET_IPHONE_SIMULATOR = @as(c_int, 0);
pub const TARGET_OS_UIKITFORMAC = @as(c_int, 0);
pub const TARGET_OS_UEFI = @as(c_int, 0);
pub const __wasi__ = @as(c_int, 1);
pub const __wasm = @as(c_int, 1);
pub const __wasm__ = @as(c_int, 1);
pub const __wasm32 = @as(c_int, 1);
pub const __wasm32__ = @as(c_int, 1);
pub const __wasm_bulk_memory_opt__ = @as(c_int, 1);
pub const __wasm_call_indirect_overlong__ = @as(c_int, 1);
pub const __wasm_extended_const__ = @as(c_int, 1);
pub const __wasm_multivalue__ = @as(c_int, 1);
pub const __wasm_mutable_globals__ = @as(c_int, 1);
pub const __wasm_nontrapping_fptoint__ = @as(c_int, 1);
pub const __wasm_sign_ext__ = @as(c_int, 1);
pub const _ILP32 = @as(c_int, 1);
pub const __ILP32__ = @as(c_int, 1);
pub const __FLOAT128__ = @as(c_int, 1);
pub const __ORDER_LITTLE_ENDIAN__ = @as(c_int, 1234);
pub const __ORDER_BIG_ENDIAN__ = @as(c_int, 4321);
pub const __ORDER_PDP_ENDIAN__ = @as(c_int, 3412);
pub const __BYTE_ORDER__ = __ORDER_LITTLE_ENDIAN__;
pub const __LITTLE_ENDIAN__ = @as(c_int, 1);
pub const __ATOMIC_RELAXED = @as(c_int, 0);
pub const __ATOMIC_CONSUME = @as(c_int, 1);
pub const __ATOMIC_ACQUIRE = @as(c_int, 2);
pub const __ATOMIC_RELEASE = @as(c_int, 3);
pub const __ATOMIC_ACQ_REL = @as(c_int, 4);
pub const __ATOMIC_SEQ_CST = @as(c_int, 5);
pub const __ATOMIC_BOOL_LOCK_FREE = @as(c_int, 1);
pub const __ATOMIC_CHAR_LOCK_FREE = @as(c_int, 1);
pub const __ATOMIC_CHAR16_T_LOCK_FREE = @as(c_int, 1);
pub const __ATOMIC_CHAR32_T_LOCK_FREE = @as(c_int, 1);
pub const __ATOMIC_WCHAR_T_LOCK_FREE = @as(c_int, 1);
pub const __ATOMIC_WINT_T_LOCK_FREE = @as(c_int, 1);
pub const __ATOMIC_SHORT_LOCK_FREE = @as(c_int, 1);
pub const __ATOMIC_INT_LOCK_FREE = @as(c_int, 1);
pub const __ATOMIC_LONG_LOCK_FREE = @as(c_int, 1);
pub const __ATOMIC_LLONG_LOCK_FREE = @as(c_int, 1);
pub const __ATOMIC_POINTER_LOCK_FREE = @as(c_int, 1);
pub const __CHAR_BIT__ = @as(c_int, 8);
pub const __BOOL_WIDTH__ = @as(c_int, 8);
pub const __SCHAR_MAX__ = @as(c_int, 127);
pub const __SCHAR_WIDTH__ = @as(c_int, 8);
pub const __SHRT_MAX__ = @as(c_int, 32767);
pub const __SHRT_WIDTH__ = @as(c_int, 16);
pub const __INT_MAX__ = __helpers.promoteIntLiteral(c_int, 2147483647, .decimal);
pub const __INT_WIDTH__ = @as(c_int, 32);
pub const __LONG_MAX__ = @as(c_long, 2147483647);
pub const __LONG_WIDTH__ = @as(c_int, 32);
pub const __LONG_LONG_MAX__ = @as(c_longlong, 9223372036854775807);
pub const __LONG_LONG_WIDTH__ = @as(c_int, 64);
pub const __WCHAR_MAX__ = __helpers.promoteIntLiteral(c_int, 2147483647, .decimal);
pub const __WCHAR_WIDTH__ = @as(c_int, 32);
pub const __WINT_MAX__ = __helpers.promoteIntLiteral(c_int, 2147483647, .decimal);
pub const __WINT_WIDTH__ = @as(c_int, 32);
pub const __INTMAX_MAX__ = @as(c_longlong, 9223372036854775807);
pub const __INTMAX_WIDTH__ = @as(c_int, 64);
pub const __SIZE_MAX__ = @as(c_ulong, 4294967295);
pub const __SIZE_WIDTH__ = @as(c_int, 32);
pub const __UINTMAX_MAX__ = @as(c_ulonglong, 18446744073709551615);
pub const __UINTMAX_WIDTH__ = @as(c_int, 64);
pub const __PTRDIFF_MAX__ = @as(c_long, 2147483647);
pub const __PTRDIFF_WIDTH__ = @as(c_int, 32);
pub const __INTPTR_MAX__ = @as(c_long, 2147483647);
pub const __INTPTR_WIDTH__ = @as(c_int, 32);
pub const __UINTPTR_MAX__ = @as(c_ulong, 4294967295);
pub const __UINTPTR_WIDTH__ = @as(c_int, 32);
pub const __SIG_ATOMIC_MAX__ = @as(c_long, 2147483647);
pub const __SIG_ATOMIC_WIDTH__ = @as(c_int, 32);
pub const __BITINT_MAXWIDTH__ = __helpers.promoteIntLiteral(c_int, 65535, .decimal);
pub const __SIZEOF_FLOAT__ = @as(c_int, 4);
pub const __SIZEOF_DOUBLE__ = @as(c_int, 8);
pub const __SIZEOF_LONG_DOUBLE__ = @as(c_int, 16);
pub const __SIZEOF_SHORT__ = @as(c_int, 2);
pub const __SIZEOF_INT__ = @as(c_int, 4);
pub const __SIZEOF_LONG__ = @as(c_int, 4);
pub const __SIZEOF_LONG_LONG__ = @as(c_int, 8);
pub const __SIZEOF_POINTER__ = @as(c_int, 4);
pub const __SIZEOF_PTRDIFF_T__ = @as(c_int, 4);
pub const __SIZEOF_SIZE_T__ = @as(c_int, 4);
pub const __SIZEOF_WCHAR_T__ = @as(c_int, 4);
pub const __SIZEOF_WINT_T__ = @as(c_int, 4);
pub const __SIZEOF_INT128__ = @as(c_int, 16);
pub const __INTPTR_TYPE__ = c_long;
pub const __UINTPTR_TYPE__ = c_ulong;
pub const __INTMAX_TYPE__ = c_longlong;
pub const __INTMAX_C_SUFFIX__ = @compileError("unable to translate macro: undefined identifier `L`");
// <builtin>:123:9
pub const __INTMAX_C = __helpers.L_SUFFIX;
pub const __UINTMAX_TYPE__ = c_ulonglong;
pub const __UINTMAX_C_SUFFIX__ = @compileError("unable to translate macro: undefined identifier `UL`");
// <builtin>:126:9
pub const __UINTMAX_C = __helpers.UL_SUFFIX;
pub const __PTRDIFF_TYPE__ = c_long;
pub const __SIZE_TYPE__ = c_ulong;
pub const __WCHAR_TYPE__ = c_int;
pub const __WINT_TYPE__ = c_int;
pub const __CHAR16_TYPE__ = c_ushort;
pub const __CHAR32_TYPE__ = c_uint;
pub const __INT8_TYPE__ = i8;
pub const __INT8_FMTd__ = "hhd";
pub const __INT8_FMTi__ = "hhi";
pub const __INT8_C_SUFFIX__ = "";
pub inline fn __INT8_C(c: anytype) @TypeOf(c) {
    _ = &c;
    return c;
}
pub const __INT16_TYPE__ = c_short;
pub const __INT16_FMTd__ = "hd";
pub const __INT16_FMTi__ = "hi";
pub const __INT16_C_SUFFIX__ = "";
pub inline fn __INT16_C(c: anytype) @TypeOf(c) {
    _ = &c;
    return c;
}
pub const __INT32_TYPE__ = c_int;
pub const __INT32_FMTd__ = "d";
pub const __INT32_FMTi__ = "i";
pub const __INT32_C_SUFFIX__ = "";
pub inline fn __INT32_C(c: anytype) @TypeOf(c) {
    _ = &c;
    return c;
}
pub const __INT64_TYPE__ = c_longlong;
pub const __INT64_FMTd__ = "lld";
pub const __INT64_FMTi__ = "lli";
pub const __INT64_C_SUFFIX__ = @compileError("unable to translate macro: undefined identifier `LL`");
// <builtin>:152:9
pub const __INT64_C = __helpers.LL_SUFFIX;
pub const __UINT8_TYPE__ = u8;
pub const __UINT8_FMTo__ = "hho";
pub const __UINT8_FMTu__ = "hhu";
pub const __UINT8_FMTx__ = "hhx";
pub const __UINT8_FMTX__ = "hhX";
pub const __UINT8_C_SUFFIX__ = "";
pub inline fn __UINT8_C(c: anytype) @TypeOf(c) {
    _ = &c;
    return c;
}
pub const __UINT8_MAX__ = @as(c_int, 255);
pub const __INT8_MAX__ = @as(c_int, 127);
pub const __UINT16_TYPE__ = c_ushort;
pub const __UINT16_FMTo__ = "ho";
pub const __UINT16_FMTu__ = "hu";
pub const __UINT16_FMTx__ = "hx";
pub const __UINT16_FMTX__ = "hX";
pub const __UINT16_C_SUFFIX__ = "";
pub inline fn __UINT16_C(c: anytype) @TypeOf(c) {
    _ = &c;
    return c;
}
pub const __UINT16_MAX__ = __helpers.promoteIntLiteral(c_int, 65535, .decimal);
pub const __INT16_MAX__ = @as(c_int, 32767);
pub const __UINT32_TYPE__ = c_uint;
pub const __UINT32_FMTo__ = "o";
pub const __UINT32_FMTu__ = "u";
pub const __UINT32_FMTx__ = "x";
pub const __UINT32_FMTX__ = "X";
pub const __UINT32_C_SUFFIX__ = @compileError("unable to translate macro: undefined identifier `U`");
// <builtin>:177:9
pub const __UINT32_C = __helpers.U_SUFFIX;
pub const __UINT32_MAX__ = __helpers.promoteIntLiteral(c_uint, 4294967295, .decimal);
pub const __INT32_MAX__ = __helpers.promoteIntLiteral(c_int, 2147483647, .decimal);
pub const __UINT64_TYPE__ = c_ulonglong;
pub const __UINT64_FMTo__ = "llo";
pub const __UINT64_FMTu__ = "llu";
pub const __UINT64_FMTx__ = "llx";
pub const __UINT64_FMTX__ = "llX";
pub const __UINT64_C_SUFFIX__ = @compileError("unable to translate macro: undefined identifier `ULL`");
// <builtin>:186:9
pub const __UINT64_C = __helpers.ULL_SUFFIX;
pub const __UINT64_MAX__ = @as(c_ulonglong, 18446744073709551615);
pub const __INT64_MAX__ = @as(c_longlong, 9223372036854775807);
pub const __INT_LEAST8_TYPE__ = i8;
pub const __INT_LEAST8_MAX__ = @as(c_int, 127);
pub const __INT_LEAST8_WIDTH__ = @as(c_int, 8);
pub const INT_LEAST8_FMTd__ = "hhd";
pub const INT_LEAST8_FMTi__ = "hhi";
pub const __UINT_LEAST8_TYPE__ = u8;
pub const __UINT_LEAST8_MAX__ = @as(c_int, 255);
pub const UINT_LEAST8_FMTo__ = "hho";
pub const UINT_LEAST8_FMTu__ = "hhu";
pub const UINT_LEAST8_FMTx__ = "hhx";
pub const UINT_LEAST8_FMTX__ = "hhX";
pub const __INT_FAST8_TYPE__ = i8;
pub const __INT_FAST8_MAX__ = @as(c_int, 127);
pub const __INT_FAST8_WIDTH__ = @as(c_int, 8);
pub const INT_FAST8_FMTd__ = "hhd";
pub const INT_FAST8_FMTi__ = "hhi";
pub const __UINT_FAST8_TYPE__ = u8;
pub const __UINT_FAST8_MAX__ = @as(c_int, 255);
pub const UINT_FAST8_FMTo__ = "hho";
pub const UINT_FAST8_FMTu__ = "hhu";
pub const UINT_FAST8_FMTx__ = "hhx";
pub const UINT_FAST8_FMTX__ = "hhX";
pub const __INT_LEAST16_TYPE__ = c_short;
pub const __INT_LEAST16_MAX__ = @as(c_int, 32767);
pub const __INT_LEAST16_WIDTH__ = @as(c_int, 16);
pub const INT_LEAST16_FMTd__ = "hd";
pub const INT_LEAST16_FMTi__ = "hi";
pub const __UINT_LEAST16_TYPE__ = c_ushort;
pub const __UINT_LEAST16_MAX__ = __helpers.promoteIntLiteral(c_int, 65535, .decimal);
pub const UINT_LEAST16_FMTo__ = "ho";
pub const UINT_LEAST16_FMTu__ = "hu";
pub const UINT_LEAST16_FMTx__ = "hx";
pub const UINT_LEAST16_FMTX__ = "hX";
pub const __INT_FAST16_TYPE__ = c_short;
pub const __INT_FAST16_MAX__ = @as(c_int, 32767);
pub const __INT_FAST16_WIDTH__ = @as(c_int, 16);
pub const INT_FAST16_FMTd__ = "hd";
pub const INT_FAST16_FMTi__ = "hi";
pub const __UINT_FAST16_TYPE__ = c_ushort;
pub const __UINT_FAST16_MAX__ = __helpers.promoteIntLiteral(c_int, 65535, .decimal);
pub const UINT_FAST16_FMTo__ = "ho";
pub const UINT_FAST16_FMTu__ = "hu";
pub const UINT_FAST16_FMTx__ = "hx";
pub const UINT_FAST16_FMTX__ = "hX";
pub const __INT_LEAST32_TYPE__ = c_int;
pub const __INT_LEAST32_MAX__ = __helpers.promoteIntLiteral(c_int, 2147483647, .decimal);
pub const __INT_LEAST32_WIDTH__ = @as(c_int, 32);
pub const INT_LEAST32_FMTd__ = "d";
pub const INT_LEAST32_FMTi__ = "i";
pub const __UINT_LEAST32_TYPE__ = c_uint;
pub const __UINT_LEAST32_MAX__ = __helpers.promoteIntLiteral(c_uint, 4294967295, .decimal);
pub const UINT_LEAST32_FMTo__ = "o";
pub const UINT_LEAST32_FMTu__ = "u";
pub const UINT_LEAST32_FMTx__ = "x";
pub const UINT_LEAST32_FMTX__ = "X";
pub const __INT_FAST32_TYPE__ = c_int;
pub const __INT_FAST32_MAX__ = __helpers.promoteIntLiteral(c_int, 2147483647, .decimal);
pub const __INT_FAST32_WIDTH__ = @as(c_int, 32);
pub const INT_FAST32_FMTd__ = "d";
pub const INT_FAST32_FMTi__ = "i";
pub const __UINT_FAST32_TYPE__ = c_uint;
pub const __UINT_FAST32_MAX__ = __helpers.promoteIntLiteral(c_uint, 4294967295, .decimal);
pub const UINT_FAST32_FMTo__ = "o";
pub const UINT_FAST32_FMTu__ = "u";
pub const UINT_FAST32_FMTx__ = "x";
pub const UINT_FAST32_FMTX__ = "X";
pub const __INT_LEAST64_TYPE__ = c_longlong;
pub const __INT_LEAST64_MAX__ = @as(c_longlong, 9223372036854775807);
pub const __INT_LEAST64_WIDTH__ = @as(c_int, 64);
pub const INT_LEAST64_FMTd__ = "lld";
pub const INT_LEAST64_FMTi__ = "lli";
pub const __UINT_LEAST64_TYPE__ = c_ulonglong;
pub const __UINT_LEAST64_MAX__ = @as(c_ulonglong, 18446744073709551615);
pub const UINT_LEAST64_FMTo__ = "llo";
pub const UINT_LEAST64_FMTu__ = "llu";
pub const UINT_LEAST64_FMTx__ = "llx";
pub const UINT_LEAST64_FMTX__ = "llX";
pub const __INT_FAST64_TYPE__ = c_longlong;
pub const __INT_FAST64_MAX__ = @as(c_longlong, 9223372036854775807);
pub const __INT_FAST64_WIDTH__ = @as(c_int, 64);
pub const INT_FAST64_FMTd__ = "lld";
pub const INT_FAST64_FMTi__ = "lli";
pub const __UINT_FAST64_TYPE__ = c_ulonglong;
pub const __UINT_FAST64_MAX__ = @as(c_ulonglong, 18446744073709551615);
pub const UINT_FAST64_FMTo__ = "llo";
pub const UINT_FAST64_FMTu__ = "llu";
pub const UINT_FAST64_FMTx__ = "llx";
pub const UINT_FAST64_FMTX__ = "llX";
pub const __FLT_DENORM_MIN__ = @as(f32, 1.40129846e-45);
pub const __FLT_HAS_DENORM__ = "";
pub const __FLT_DIG__ = @as(c_int, 6);
pub const __FLT_DECIMAL_DIG__ = @as(c_int, 9);
pub const __FLT_EPSILON__ = @as(f32, 1.19209290e-7);
pub const __FLT_HAS_INFINITY__ = "";
pub const __FLT_HAS_QUIET_NAN__ = "";
pub const __FLT_MANT_DIG__ = @as(c_int, 24);
pub const __FLT_MAX_10_EXP__ = @as(c_int, 38);
pub const __FLT_MAX_EXP__ = @as(c_int, 128);
pub const __FLT_MAX__ = @as(f32, 3.40282347e+38);
pub const __FLT_MIN_10_EXP__ = -@as(c_int, 37);
pub const __FLT_MIN_EXP__ = -@as(c_int, 125);
pub const __FLT_MIN__ = @as(f32, 1.17549435e-38);
pub const __DBL_DENORM_MIN__ = @as(f64, 4.9406564584124654e-324);
pub const __DBL_HAS_DENORM__ = "";
pub const __DBL_DIG__ = @as(c_int, 15);
pub const __DBL_DECIMAL_DIG__ = @as(c_int, 17);
pub const __DBL_EPSILON__ = @as(f64, 2.2204460492503131e-16);
pub const __DBL_HAS_INFINITY__ = "";
pub const __DBL_HAS_QUIET_NAN__ = "";
pub const __DBL_MANT_DIG__ = @as(c_int, 53);
pub const __DBL_MAX_10_EXP__ = @as(c_int, 308);
pub const __DBL_MAX_EXP__ = @as(c_int, 1024);
pub const __DBL_MAX__ = @as(f64, 1.7976931348623157e+308);
pub const __DBL_MIN_10_EXP__ = -@as(c_int, 307);
pub const __DBL_MIN_EXP__ = -@as(c_int, 1021);
pub const __DBL_MIN__ = @as(f64, 2.2250738585072014e-308);
pub const __LDBL_DENORM_MIN__ = @as(c_longdouble, 6.47517511943802511092443895822764655e-4966);
pub const __LDBL_HAS_DENORM__ = "";
pub const __LDBL_DIG__ = @as(c_int, 33);
pub const __LDBL_DECIMAL_DIG__ = @as(c_int, 36);
pub const __LDBL_EPSILON__ = @as(c_longdouble, 1.92592994438723585305597794258492732e-34);
pub const __LDBL_HAS_INFINITY__ = "";
pub const __LDBL_HAS_QUIET_NAN__ = "";
pub const __LDBL_MANT_DIG__ = @as(c_int, 113);
pub const __LDBL_MAX_10_EXP__ = @as(c_int, 4932);
pub const __LDBL_MAX_EXP__ = @as(c_int, 16384);
pub const __LDBL_MAX__ = @as(c_longdouble, 1.18973149535723176508575932662800702e+4932);
pub const __LDBL_MIN_10_EXP__ = -@as(c_int, 4931);
pub const __LDBL_MIN_EXP__ = -@as(c_int, 16381);
pub const __LDBL_MIN__ = @as(c_longdouble, 3.36210314311209350626267781732175260e-4932);
pub const __FLT_EVAL_METHOD__ = @as(c_int, 0);
pub const __FLT_RADIX__ = @as(c_int, 2);
pub const __DECIMAL_DIG__ = __LDBL_DECIMAL_DIG__;
pub const @"bool" = bool;
pub const @"true" = @as(c_int, 1);
pub const @"false" = @as(c_int, 0);
pub const __bool_true_false_are_defined = @as(c_int, 1);
pub const __STDC_VERSION_STDDEF_H__ = @as(c_long, 202311);
pub const NULL = __helpers.cast(?*anyopaque, @as(c_int, 0));
pub const offsetof = @compileError("unable to translate macro: undefined identifier `__builtin_offsetof`");
// /work/wt/merged/target/toolchains/python/ziglang0171-7ea474c7/lib/python3.11/site-packages/ziglang/lib/compiler/aro/include/stddef.h:18:9
pub const __CLANG_STDINT_H = "";
pub const _STDINT_H = "";
pub const __NEED_int8_t = "";
pub const __NEED_int16_t = "";
pub const __NEED_int32_t = "";
pub const __NEED_int64_t = "";
pub const __NEED_uint8_t = "";
pub const __NEED_uint16_t = "";
pub const __NEED_uint32_t = "";
pub const __NEED_uint64_t = "";
pub const __NEED_intptr_t = "";
pub const __NEED_uintptr_t = "";
pub const __NEED_intmax_t = "";
pub const __NEED_uintmax_t = "";
pub const __BYTE_ORDER = __BYTE_ORDER__;
pub const __LONG_MAX = __LONG_MAX__;
pub const __LITTLE_ENDIAN = @as(c_int, 1234);
pub const __BIG_ENDIAN = @as(c_int, 4321);
pub const __USE_TIME_BITS64 = @as(c_int, 1);
pub const __DEFINED_uintptr_t = "";
pub const __DEFINED_intptr_t = "";
pub const __DEFINED_int8_t = "";
pub const __DEFINED_int16_t = "";
pub const __DEFINED_int32_t = "";
pub const __DEFINED_int64_t = "";
pub const __DEFINED_intmax_t = "";
pub const __DEFINED_uint8_t = "";
pub const __DEFINED_uint16_t = "";
pub const __DEFINED_uint32_t = "";
pub const __DEFINED_uint64_t = "";
pub const __DEFINED_uintmax_t = "";
pub const __wasilibc___struct_timeval_h = "";
pub const __wasilibc___typedef_time_t_h = "";
pub const __wasilibc___typedef_suseconds_t_h = "";
pub const __wasilibc___struct_timespec_h = "";
pub const __wasilibc___struct_iovec_h = "";
pub const __need_size_t = "";
pub const INT8_MIN = -@as(c_int, 1) - @as(c_int, 0x7f);
pub const INT16_MIN = -@as(c_int, 1) - @as(c_int, 0x7fff);
pub const INT32_MIN = -@as(c_int, 1) - __helpers.promoteIntLiteral(c_int, 0x7fffffff, .hex);
pub const INT64_MIN = -@as(c_int, 1) - __helpers.promoteIntLiteral(c_int, 0x7fffffffffffffff, .hex);
pub const INT8_MAX = @as(c_int, 0x7f);
pub const INT16_MAX = @as(c_int, 0x7fff);
pub const INT32_MAX = __helpers.promoteIntLiteral(c_int, 0x7fffffff, .hex);
pub const INT64_MAX = __helpers.promoteIntLiteral(c_int, 0x7fffffffffffffff, .hex);
pub const UINT8_MAX = @as(c_int, 0xff);
pub const UINT16_MAX = __helpers.promoteIntLiteral(c_int, 0xffff, .hex);
pub const UINT32_MAX = __helpers.promoteIntLiteral(c_uint, 0xffffffff, .hex);
pub const UINT64_MAX = __helpers.promoteIntLiteral(c_uint, 0xffffffffffffffff, .hex);
pub const INT_FAST8_MIN = INT8_MIN;
pub const INT_FAST64_MIN = INT64_MIN;
pub const INT_LEAST8_MIN = INT8_MIN;
pub const INT_LEAST16_MIN = INT16_MIN;
pub const INT_LEAST32_MIN = INT32_MIN;
pub const INT_LEAST64_MIN = INT64_MIN;
pub const INT_FAST8_MAX = INT8_MAX;
pub const INT_FAST64_MAX = INT64_MAX;
pub const INT_LEAST8_MAX = INT8_MAX;
pub const INT_LEAST16_MAX = INT16_MAX;
pub const INT_LEAST32_MAX = INT32_MAX;
pub const INT_LEAST64_MAX = INT64_MAX;
pub const UINT_FAST8_MAX = UINT8_MAX;
pub const UINT_FAST64_MAX = UINT64_MAX;
pub const UINT_LEAST8_MAX = UINT8_MAX;
pub const UINT_LEAST16_MAX = UINT16_MAX;
pub const UINT_LEAST32_MAX = UINT32_MAX;
pub const UINT_LEAST64_MAX = UINT64_MAX;
pub const INTMAX_MIN = INT64_MIN;
pub const INTMAX_MAX = INT64_MAX;
pub const UINTMAX_MAX = UINT64_MAX;
pub const WINT_MIN = @as(c_uint, 0);
pub const WINT_MAX = UINT32_MAX;
pub const WCHAR_MAX = __helpers.promoteIntLiteral(c_int, 0x7fffffff, .hex) + '\x00';
pub const WCHAR_MIN = (-@as(c_int, 1) - __helpers.promoteIntLiteral(c_int, 0x7fffffff, .hex)) + '\x00';
pub const SIG_ATOMIC_MIN = INT32_MIN;
pub const SIG_ATOMIC_MAX = INT32_MAX;
pub const INT_FAST16_MIN = INT16_MIN;
pub const INT_FAST32_MIN = INT32_MIN;
pub const INT_FAST16_MAX = INT16_MAX;
pub const INT_FAST32_MAX = INT32_MAX;
pub const UINT_FAST16_MAX = UINT16_MAX;
pub const UINT_FAST32_MAX = UINT32_MAX;
pub const INTPTR_MIN = INT32_MIN;
pub const INTPTR_MAX = INT32_MAX;
pub const UINTPTR_MAX = UINT32_MAX;
pub const PTRDIFF_MIN = INT32_MIN;
pub const PTRDIFF_MAX = INT32_MAX;
pub const SIZE_MAX = UINT32_MAX;
pub inline fn INT8_C(c: anytype) @TypeOf(c) {
    _ = &c;
    return c;
}
pub inline fn INT16_C(c: anytype) @TypeOf(c) {
    _ = &c;
    return c;
}
pub inline fn INT32_C(c: anytype) @TypeOf(c) {
    _ = &c;
    return c;
}
pub inline fn UINT8_C(c: anytype) @TypeOf(c) {
    _ = &c;
    return c;
}
pub inline fn UINT16_C(c: anytype) @TypeOf(c) {
    _ = &c;
    return c;
}
pub const UINT32_C = __helpers.U_SUFFIX;
pub const INT64_C = __helpers.LL_SUFFIX;
pub const UINT64_C = __helpers.ULL_SUFFIX;
pub const INTMAX_C = __helpers.LL_SUFFIX;
pub const UINTMAX_C = __helpers.ULL_SUFFIX;
pub const __BINDINGS_HOOK_H = "";
pub const PC_IO_STREAMS_STREAM_ERROR_LAST_OPERATION_FAILED = @as(c_int, 0);
pub const PC_IO_STREAMS_STREAM_ERROR_CLOSED = @as(c_int, 1);
pub const PC_HTTP_TYPES_METHOD_GET = @as(c_int, 0);
pub const PC_HTTP_TYPES_METHOD_HEAD = @as(c_int, 1);
pub const PC_HTTP_TYPES_METHOD_POST = @as(c_int, 2);
pub const PC_HTTP_TYPES_METHOD_PUT = @as(c_int, 3);
pub const PC_HTTP_TYPES_METHOD_DELETE = @as(c_int, 4);
pub const PC_HTTP_TYPES_METHOD_CONNECT = @as(c_int, 5);
pub const PC_HTTP_TYPES_METHOD_OPTIONS = @as(c_int, 6);
pub const PC_HTTP_TYPES_METHOD_TRACE = @as(c_int, 7);
pub const PC_HTTP_TYPES_METHOD_PATCH = @as(c_int, 8);
pub const PC_HTTP_TYPES_METHOD_OTHER = @as(c_int, 9);
pub const PC_HTTP_TYPES_SCHEME_HTTP = @as(c_int, 0);
pub const PC_HTTP_TYPES_SCHEME_HTTPS = @as(c_int, 1);
pub const PC_HTTP_TYPES_SCHEME_OTHER = @as(c_int, 2);
pub const PC_HTTP_TYPES_ERROR_CODE_DNS_TIMEOUT = @as(c_int, 0);
pub const PC_HTTP_TYPES_ERROR_CODE_DNS_ERROR = @as(c_int, 1);
pub const PC_HTTP_TYPES_ERROR_CODE_DESTINATION_NOT_FOUND = @as(c_int, 2);
pub const PC_HTTP_TYPES_ERROR_CODE_DESTINATION_UNAVAILABLE = @as(c_int, 3);
pub const PC_HTTP_TYPES_ERROR_CODE_DESTINATION_IP_PROHIBITED = @as(c_int, 4);
pub const PC_HTTP_TYPES_ERROR_CODE_DESTINATION_IP_UNROUTABLE = @as(c_int, 5);
pub const PC_HTTP_TYPES_ERROR_CODE_CONNECTION_REFUSED = @as(c_int, 6);
pub const PC_HTTP_TYPES_ERROR_CODE_CONNECTION_TERMINATED = @as(c_int, 7);
pub const PC_HTTP_TYPES_ERROR_CODE_CONNECTION_TIMEOUT = @as(c_int, 8);
pub const PC_HTTP_TYPES_ERROR_CODE_CONNECTION_READ_TIMEOUT = @as(c_int, 9);
pub const PC_HTTP_TYPES_ERROR_CODE_CONNECTION_WRITE_TIMEOUT = @as(c_int, 10);
pub const PC_HTTP_TYPES_ERROR_CODE_CONNECTION_LIMIT_REACHED = @as(c_int, 11);
pub const PC_HTTP_TYPES_ERROR_CODE_TLS_PROTOCOL_ERROR = @as(c_int, 12);
pub const PC_HTTP_TYPES_ERROR_CODE_TLS_CERTIFICATE_ERROR = @as(c_int, 13);
pub const PC_HTTP_TYPES_ERROR_CODE_TLS_ALERT_RECEIVED = @as(c_int, 14);
pub const PC_HTTP_TYPES_ERROR_CODE_HTTP_REQUEST_DENIED = @as(c_int, 15);
pub const PC_HTTP_TYPES_ERROR_CODE_HTTP_REQUEST_LENGTH_REQUIRED = @as(c_int, 16);
pub const PC_HTTP_TYPES_ERROR_CODE_HTTP_REQUEST_BODY_SIZE = @as(c_int, 17);
pub const PC_HTTP_TYPES_ERROR_CODE_HTTP_REQUEST_METHOD_INVALID = @as(c_int, 18);
pub const PC_HTTP_TYPES_ERROR_CODE_HTTP_REQUEST_URI_INVALID = @as(c_int, 19);
pub const PC_HTTP_TYPES_ERROR_CODE_HTTP_REQUEST_URI_TOO_LONG = @as(c_int, 20);
pub const PC_HTTP_TYPES_ERROR_CODE_HTTP_REQUEST_HEADER_SECTION_SIZE = @as(c_int, 21);
pub const PC_HTTP_TYPES_ERROR_CODE_HTTP_REQUEST_HEADER_SIZE = @as(c_int, 22);
pub const PC_HTTP_TYPES_ERROR_CODE_HTTP_REQUEST_TRAILER_SECTION_SIZE = @as(c_int, 23);
pub const PC_HTTP_TYPES_ERROR_CODE_HTTP_REQUEST_TRAILER_SIZE = @as(c_int, 24);
pub const PC_HTTP_TYPES_ERROR_CODE_HTTP_RESPONSE_INCOMPLETE = @as(c_int, 25);
pub const PC_HTTP_TYPES_ERROR_CODE_HTTP_RESPONSE_HEADER_SECTION_SIZE = @as(c_int, 26);
pub const PC_HTTP_TYPES_ERROR_CODE_HTTP_RESPONSE_HEADER_SIZE = @as(c_int, 27);
pub const PC_HTTP_TYPES_ERROR_CODE_HTTP_RESPONSE_BODY_SIZE = @as(c_int, 28);
pub const PC_HTTP_TYPES_ERROR_CODE_HTTP_RESPONSE_TRAILER_SECTION_SIZE = @as(c_int, 29);
pub const PC_HTTP_TYPES_ERROR_CODE_HTTP_RESPONSE_TRAILER_SIZE = @as(c_int, 30);
pub const PC_HTTP_TYPES_ERROR_CODE_HTTP_RESPONSE_TRANSFER_CODING = @as(c_int, 31);
pub const PC_HTTP_TYPES_ERROR_CODE_HTTP_RESPONSE_CONTENT_CODING = @as(c_int, 32);
pub const PC_HTTP_TYPES_ERROR_CODE_HTTP_RESPONSE_TIMEOUT = @as(c_int, 33);
pub const PC_HTTP_TYPES_ERROR_CODE_HTTP_UPGRADE_FAILED = @as(c_int, 34);
pub const PC_HTTP_TYPES_ERROR_CODE_HTTP_PROTOCOL_ERROR = @as(c_int, 35);
pub const PC_HTTP_TYPES_ERROR_CODE_LOOP_DETECTED = @as(c_int, 36);
pub const PC_HTTP_TYPES_ERROR_CODE_CONFIGURATION_ERROR = @as(c_int, 37);
pub const PC_HTTP_TYPES_ERROR_CODE_INTERNAL_ERROR = @as(c_int, 38);
pub const PC_HTTP_TYPES_HEADER_ERROR_INVALID_SYNTAX = @as(c_int, 0);
pub const PC_HTTP_TYPES_HEADER_ERROR_FORBIDDEN = @as(c_int, 1);
pub const PC_HTTP_TYPES_HEADER_ERROR_IMMUTABLE = @as(c_int, 2);
pub const PC_ROLE_SYSTEM = @as(c_int, 0);
pub const PC_ROLE_USER = @as(c_int, 1);
pub const PC_ROLE_ASSISTANT = @as(c_int, 2);
pub const PC_ROLE_TOOL = @as(c_int, 3);
pub const PC_IMAGE_SOURCE_URL = @as(c_int, 0);
pub const PC_IMAGE_SOURCE_BYTES = @as(c_int, 1);
pub const PC_CONTENT_PART_TEXT = @as(c_int, 0);
pub const PC_CONTENT_PART_THINKING = @as(c_int, 1);
pub const PC_CONTENT_PART_IMAGE = @as(c_int, 2);
pub const PC_CONTENT_PART_TOOL_CALL = @as(c_int, 3);
pub const PC_CONTENT_PART_TOOL_RESULT = @as(c_int, 4);
pub const PC_STOP_REASON_END_TURN = @as(c_int, 0);
pub const PC_STOP_REASON_MAX_TOKENS = @as(c_int, 1);
pub const PC_STOP_REASON_STOP_SEQUENCE = @as(c_int, 2);
pub const PC_STOP_REASON_TOOL_USE = @as(c_int, 3);
pub const PC_STOP_REASON_REFUSAL = @as(c_int, 4);
pub const PC_STOP_REASON_OTHER = @as(c_int, 5);
pub const PC_MESSAGE_EDIT_INSERT = @as(c_int, 0);
pub const PC_MESSAGE_EDIT_SET = @as(c_int, 1);
pub const PC_MESSAGE_EDIT_REMOVE = @as(c_int, 2);
pub const PC_STOP_KIND_STEPS_LIMIT = @as(c_int, 0);
pub const PC_STOP_KIND_TOKEN_LIMIT = @as(c_int, 1);
pub const PC_STOP_KIND_TIME_LIMIT = @as(c_int, 2);
pub const PC_STOP_KIND_FINISH_REASON = @as(c_int, 3);
pub const PC_STOP_KIND_OTHER = @as(c_int, 4);
pub const PC_TOOL_ROUTE_AGENT = @as(c_int, 0);
pub const PC_TOOL_ROUTE_HOOK = @as(c_int, 1);
pub const PC_STATE_ERROR_DENIED = @as(c_int, 0);
pub const PC_STATE_ERROR_FULL = @as(c_int, 1);
pub const PC_STATE_ERROR_NOT_A_NUMBER = @as(c_int, 2);
pub const LLM_ERROR_FACTS_PROVIDER_ERROR_KIND_TIMEOUT = @as(c_int, 0);
pub const LLM_ERROR_FACTS_PROVIDER_ERROR_KIND_RATE_LIMITED = @as(c_int, 1);
pub const LLM_ERROR_FACTS_PROVIDER_ERROR_KIND_OVERLOADED = @as(c_int, 2);
pub const LLM_ERROR_FACTS_PROVIDER_ERROR_KIND_AUTH = @as(c_int, 3);
pub const LLM_ERROR_FACTS_PROVIDER_ERROR_KIND_BAD_REQUEST = @as(c_int, 4);
pub const LLM_ERROR_FACTS_PROVIDER_ERROR_KIND_CONTEXT_LENGTH = @as(c_int, 5);
pub const LLM_ERROR_FACTS_PROVIDER_ERROR_KIND_NETWORK = @as(c_int, 6);
pub const LLM_ERROR_FACTS_PROVIDER_ERROR_KIND_SERVER = @as(c_int, 7);
pub const LLM_ERROR_FACTS_PROVIDER_ERROR_KIND_OTHER = @as(c_int, 8);
pub const LLM_DELTA_FACTS_DELTA_KIND_TEXT = @as(c_int, 0);
pub const LLM_DELTA_FACTS_DELTA_KIND_THINKING = @as(c_int, 1);
pub const PROMPT_COMPILE_ANSWER_RESPONSE_FORMAT_TEXT = @as(c_int, 0);
pub const PROMPT_COMPILE_ANSWER_RESPONSE_FORMAT_JSON = @as(c_int, 1);
pub const PROMPT_COMPILE_ANSWER_RESPONSE_FORMAT_SCHEMA = @as(c_int, 2);
pub const SESSION_END_FACTS_END_REASON_CLOSED = @as(c_int, 0);
pub const SESSION_END_FACTS_END_REASON_REJECTED = @as(c_int, 1);
pub const SESSION_END_FACTS_END_REASON_CANCELLED = @as(c_int, 2);
pub const SESSION_END_FACTS_END_REASON_FAILED = @as(c_int, 3);
pub const TURN_ERROR_FACTS_ERROR_KIND_PROVIDER = @as(c_int, 0);
pub const TURN_ERROR_FACTS_ERROR_KIND_REJECTED = @as(c_int, 1);
pub const TURN_ERROR_FACTS_ERROR_KIND_HOOK = @as(c_int, 2);
pub const TURN_ERROR_FACTS_ERROR_KIND_LIMIT = @as(c_int, 3);
pub const TURN_ERROR_FACTS_ERROR_KIND_INTERNAL = @as(c_int, 4);
pub const TURN_STOPPING_FACTS_TURN_ENDING_MODEL = @as(c_int, 0);
pub const TURN_STOPPING_FACTS_TURN_ENDING_TOOL = @as(c_int, 1);
pub const TURN_STOPPING_FACTS_TURN_ENDING_SIGNAL = @as(c_int, 2);
pub const TURN_SUSPENDED_FACTS_SUSPEND_REASON_HUMAN = @as(c_int, 0);
pub const TURN_SUSPENDED_FACTS_SUSPEND_REASON_CLIENT_TOOL = @as(c_int, 1);
pub const TURN_SUSPENDED_FACTS_SUSPEND_REASON_CHILDREN = @as(c_int, 2);
pub const PC_LOGGING_LEVEL_TRACE = @as(c_int, 0);
pub const PC_LOGGING_LEVEL_DEBUG = @as(c_int, 1);
pub const PC_LOGGING_LEVEL_INFO = @as(c_int, 2);
pub const PC_LOGGING_LEVEL_WARN = @as(c_int, 3);
pub const PC_LOGGING_LEVEL_ERROR = @as(c_int, 4);
pub const PC_LOGGING_LEVEL_CRITICAL = @as(c_int, 5);
pub const PC_CONFIG_ERROR_UPSTREAM = @as(c_int, 0);
pub const PC_CONFIG_ERROR_IO = @as(c_int, 1);
pub const PC_MODEL_MODEL_ERROR_NO_MODEL = @as(c_int, 0);
pub const PC_MODEL_MODEL_ERROR_BUDGET = @as(c_int, 1);
pub const PC_MODEL_MODEL_ERROR_TOO_LONG = @as(c_int, 2);
pub const PC_MODEL_MODEL_ERROR_PROVIDER = @as(c_int, 3);
pub const PC_AGENT_STATE_EDIT_EDIT_ERROR_DENIED = @as(c_int, 0);
pub const PC_AGENT_STATE_EDIT_EDIT_ERROR_FULL = @as(c_int, 1);
pub const PC_AGENT_STATE_EDIT_EDIT_ERROR_INVALID = @as(c_int, 2);
pub const PC_VERDICT_DECISION_PASSED = @as(c_int, 0);
pub const PC_VERDICT_DECISION_REJECTED = @as(c_int, 1);
pub const PC_VERDICT_DECISION_ANSWERED = @as(c_int, 2);
pub const PC_VERDICT_DECISION_STOPPED = @as(c_int, 3);
pub const PC_VERDICT_DECISION_FAILED = @as(c_int, 4);
pub const EXPORTS_DESCRIBE_FAILURE_POLICY_FAIL_OPEN = @as(c_int, 0);
pub const EXPORTS_DESCRIBE_FAILURE_POLICY_FAIL_CLOSED = @as(c_int, 1);
pub const EXPORTS_DESCRIBE_EXECUTION_POLICY_BLOCKING = @as(c_int, 0);
pub const EXPORTS_DESCRIBE_EXECUTION_POLICY_DEADLINE = @as(c_int, 1);
pub const EXPORTS_DESCRIBE_EXECUTION_POLICY_FIRE_AND_RECORD = @as(c_int, 2);
pub const EXPORTS_DESCRIBE_EXECUTION_POLICY_BACKGROUND = @as(c_int, 3);
pub const PC_SHOW = @compileError("unable to translate C expr: unexpected token 'const'");
// /work/wt/merged/tests/polyglot/zig/../../../guest-sdk/c/core.h:74:9
pub const timeval = struct_timeval;
pub const timespec = struct_timespec;
pub const iovec = struct_iovec;
