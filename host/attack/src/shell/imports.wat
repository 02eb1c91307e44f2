;; logging
  (import "wasi:logging/logging@0.1.0-draft" (instance $logging
    (type $l (enum "trace" "debug" "info" "warn" "error" "critical"))
    (export "level" (type $level (eq $l)))
    (export "log" (func
      (param "level" $level) (param "context" string) (param "message" string)))))
  (core func $log' (canon lower (func $logging "log") (memory $memory)))
;; core
    (export "log" (func $log'))
;; main
    (import "host" "log" (func $log (param i32 i32 i32 i32 i32)))

;; config
  (import "wasi:config/store@0.2.0-rc.1" (instance $config
    (type $e (variant (case "upstream" string) (case "io" string)))
    (export "error" (type $error (eq $e)))
    (export "get" (func
      (param "key" string) (result (result (option string) (error $error)))))))
  (core func $config-get' (canon lower (func $config "get") (memory $memory) (realloc $realloc)))
;; core
    (export "config-get" (func $config-get'))
;; main
    (import "host" "config-get" (func $config-get (param i32 i32 i32)))

;; state
  (import "portcullis:hooks/state@0.2.0" (instance $state
    (type $e (variant (case "denied" string) (case "full" string) (case "not-a-number")))
    (export "state-error" (type $error (eq $e)))
    (export "get" (func (param "key" string) (result (option (list u8)))))
    (export "set" (func
      (param "key" string) (param "value" (list u8)) (result (result (error $error)))))))
  (core func $state-get' (canon lower (func $state "get") (memory $memory) (realloc $realloc)))
  (core func $state-set' (canon lower (func $state "set") (memory $memory) (realloc $realloc)))
;; core
    (export "state-get" (func $state-get'))
    (export "state-set" (func $state-set'))
;; main
    (import "host" "state-get" (func $state-get (param i32 i32 i32)))
    (import "host" "state-set" (func $state-set (param i32 i32 i32 i32 i32)))

;; shared-state
  (import "portcullis:hooks/shared-state@0.2.0" (instance $shared
    (type $e (variant (case "denied" string) (case "full" string) (case "not-a-number")))
    (export "state-error" (type $error (eq $e)))
    (export "get" (func
      (param "namespace" string) (param "key" string)
      (result (result (option (list u8)) (error $error)))))))
  (core func $shared-get' (canon lower (func $shared "get") (memory $memory) (realloc $realloc)))
;; core
    (export "shared-get" (func $shared-get'))
;; main
    (import "host" "shared-get" (func $shared-get (param i32 i32 i32 i32 i32)))

;; agent-state-edit
  (import "portcullis:hooks/agent-state-edit@0.2.0" (instance $state-edit
    (type $e (variant (case "denied" string) (case "full" string) (case "invalid" string)))
    (export "edit-error" (type $error (eq $e)))
    (export "set" (func
      (param "key" string) (param "value" string) (result (result (error $error)))))))
  (core func $state-edit' (canon lower (func $state-edit "set") (memory $memory) (realloc $realloc)))
;; core
    (export "state-edit" (func $state-edit'))
;; main
    (import "host" "state-edit" (func $state-edit (param i32 i32 i32 i32 i32)))

;; model
  (import "portcullis:hooks/model@0.2.0" (instance $model
    (export "tokens-left" (func (result u64)))))
  (core func $model-left' (canon lower (func $model "tokens-left")))
;; core
    (export "model-left" (func $model-left'))
;; main
    (import "host" "model-left" (func $model-left (result i64)))

;; events
  (import "portcullis:hooks/events@0.2.0" (instance $events
    (export "emit" (func (param "name" string) (param "data" string)))))
  (core func $emit' (canon lower (func $events "emit") (memory $memory)))
;; core
    (export "emit" (func $emit'))
;; main
    (import "host" "emit" (func $emit (param i32 i32 i32 i32)))

;; content
  (import "portcullis:hooks/content@0.2.0" (instance $content
    (export "text" (func (result string)))))
  (core func $content-text' (canon lower (func $content "text") (memory $memory) (realloc $realloc)))
;; core
    (export "content-text" (func $content-text'))
;; main
    (import "host" "content-text" (func $content-text (param i32)))

;; conversation
  (import "portcullis:hooks/conversation@0.2.0" (instance $conversation
    (export "len" (func (result u32)))))
  (core func $conversation-len' (canon lower (func $conversation "len")))
;; core
    (export "conversation-len" (func $conversation-len'))
;; main
    (import "host" "conversation-len" (func $conversation-len (result i32)))

;; random
  (import "wasi:random/random@0.2.0" (instance $random
    (export "get-random-bytes" (func (param "len" u64) (result (list u8))))))
  (core func $random' (canon lower (func $random "get-random-bytes") (memory $memory) (realloc $realloc)))
;; core
    (export "random" (func $random'))
;; main
    (import "host" "random" (func $random (param i64 i32)))

;; exit
  (import "wasi:cli/exit@0.2.0" (instance $cli-exit
    (export "exit" (func (param "status" (result))))))
  (core func $exit' (canon lower (func $cli-exit "exit")))
;; core
    (export "exit" (func $exit'))
;; main
    (import "host" "exit" (func $exit (param i32)))

;; now
  (import "wasi:clocks/monotonic-clock@0.2.0" (instance $now-clock
    (export "now" (func (result u64)))))
  (core func $now' (canon lower (func $now-clock "now")))
;; core
    (export "now" (func $now'))
;; main
    (import "host" "now" (func $now (result i64)))

;; sleep
  (import "wasi:io/poll@0.2.0" (instance $poll
    (export "pollable" (type $pollable (sub resource)))
    (export "[method]pollable.block" (func (param "self" (borrow $pollable))))
    (export "poll" (func (param "in" (list (borrow $pollable))) (result (list u32))))))
  (alias export $poll "pollable" (type $pollable))
  (import "wasi:clocks/monotonic-clock@0.2.0" (instance $clock
    (alias outer 1 $pollable (type $p))
    (export "pollable" (type $pollable' (eq $p)))
    (export "subscribe-duration" (func (param "when" u64) (result (own $pollable'))))))
  (core func $subscribe' (canon lower (func $clock "subscribe-duration")))
  (core func $block' (canon lower (func $poll "[method]pollable.block")))
  (core func $poll' (canon lower (func $poll "poll") (memory $memory) (realloc $realloc)))
  (core func $drop' (canon resource.drop $pollable))
;; core
    (export "subscribe" (func $subscribe'))
    (export "block" (func $block'))
    (export "poll" (func $poll'))
    (export "drop" (func $drop'))
;; main
    (import "host" "subscribe" (func $subscribe (param i64) (result i32)))
    (import "host" "block" (func $block (param i32)))
    (import "host" "poll" (func $poll (param i32 i32 i32)))
    (import "host" "drop" (func $drop (param i32)))

;; stdio
  (import "wasi:io/error@0.2.0" (instance $io-error (export "error" (type (sub resource)))))
  (alias export $io-error "error" (type $io-error'))
  (import "wasi:io/streams@0.2.0" (instance $streams
    (export "input-stream" (type $input-stream (sub resource)))
    (export "output-stream" (type $output-stream (sub resource)))
    (alias outer 1 $io-error' (type $e))
    (export "error" (type $error (eq $e)))
    (type $s (variant (case "last-operation-failed" (own $error)) (case "closed")))
    (export "stream-error" (type $stream-error (eq $s)))
    (export "[method]input-stream.blocking-read" (func
      (param "self" (borrow $input-stream)) (param "len" u64)
      (result (result (list u8) (error $stream-error)))))
    (export "[method]output-stream.blocking-write-and-flush" (func
      (param "self" (borrow $output-stream)) (param "contents" (list u8))
      (result (result (error $stream-error)))))
    (export "[method]output-stream.blocking-write-zeroes-and-flush" (func
      (param "self" (borrow $output-stream)) (param "len" u64)
      (result (result (error $stream-error)))))))
  (alias export $streams "input-stream" (type $input-stream))
  (alias export $streams "output-stream" (type $output-stream))
  (import "wasi:cli/stdin@0.2.0" (instance $stdin
    (alias outer 1 $input-stream (type $s))
    (export "input-stream" (type $input-stream' (eq $s)))
    (export "get-stdin" (func (result (own $input-stream'))))))
  (import "wasi:cli/stdout@0.2.0" (instance $stdout
    (alias outer 1 $output-stream (type $s))
    (export "output-stream" (type $output-stream' (eq $s)))
    (export "get-stdout" (func (result (own $output-stream'))))))
  (core func $get-stdin' (canon lower (func $stdin "get-stdin")))
  (core func $get-stdout' (canon lower (func $stdout "get-stdout")))
  (core func $read' (canon lower (func $streams "[method]input-stream.blocking-read")
    (memory $memory) (realloc $realloc)))
  (core func $write' (canon lower
    (func $streams "[method]output-stream.blocking-write-and-flush") (memory $memory)))
  (core func $write-zeroes' (canon lower
    (func $streams "[method]output-stream.blocking-write-zeroes-and-flush") (memory $memory)))
;; core
    (export "get-stdin" (func $get-stdin'))
    (export "get-stdout" (func $get-stdout'))
    (export "read" (func $read'))
    (export "write" (func $write'))
    (export "write-zeroes" (func $write-zeroes'))
;; main
    (import "host" "get-stdin" (func $get-stdin (result i32)))
    (import "host" "get-stdout" (func $get-stdout (result i32)))
    (import "host" "read" (func $read (param i32 i64 i32)))
    (import "host" "write" (func $write (param i32 i32 i32 i32)))
    (import "host" "write-zeroes" (func $write-zeroes (param i32 i64 i32)))

;; http
  (import "wasi:http/outgoing-handler@0.2.12" (instance))
;; core
    ;; Nothing: without a grant it does not load.
;; main
    ;; Nothing.
