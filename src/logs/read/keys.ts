/** The names under which loggers put the same five things. */
import { WordTable } from './bytes.ts'

export type Role = 'time' | 'level' | 'service' | 'trace' | 'message' | 'ignored'

/** In order of preference: a key further left wins over one further right. */
const KEYS: Readonly<Record<Role, string>> = {
  time: `ts timestamp time @timestamp datetime eventTime date event_time asctime __realtime_timestamp _source_realtime_timestamp
    t @t timeMillis log_time timeUnixNano observedTimeUnixNano`,
  level: 'level severity lvl log.level loglevel levelname severityText log_level @l priority severityNumber severity_text',
  service: `service service.name serviceName service_name logger app component logger_name loggerName application program
    syslog_identifier _systemd_unit _comm log.logger name source category unit appname`,
  trace: `trace_id traceId trace trace.id traceID correlation_id correlationId request_id requestId req_id x-request-id
    dd.trace_id otelTraceID transaction.id`,
  message: 'msg message log body event text @m @mt messageText short_message full_message error.message',
  // said elsewhere or about the logger itself: no part of what happened
  ignored: `span_id spanId parent_id parentSpanId hostname pid stream _p v flags traceFlags level_value @version log.offset
    __cursor __monotonic_timestamp _boot_id _machine_id _hostname _pid _uid _gid _transport _cap_effective _selinux_context
    _systemd_cgroup _systemd_slice _systemd_invocation_id _exe _cmdline _audit_session _audit_loginuid _systemd_owner_uid
    _systemd_session _systemd_user_slice syslog_facility syslog_pid syslog_timestamp syslog_raw _stream_id _runtime_scope
    __seqnum __seqnum_id code_file code_line code_func invocation_id message_id _systemd_user_unit tid observed_timestamp`,
}

export interface RankedRole {
  readonly role: Role
  /** smaller is preferred */
  readonly rank: number
}

const TABLE = new WordTable<RankedRole>(
  (Object.entries(KEYS) as [Role, string][]).flatMap(([role, keys]) =>
    [...new Set(keys.split(/\s+/).map((key) => key.toLowerCase()))].map((key, rank) => [key, { role, rank }] as const),
  ),
)

export const rankedRole = (bytes: Uint8Array, from: number, end: number): RankedRole | undefined => TABLE.find(bytes, from, end)
export const roleOf = (bytes: Uint8Array, from: number, end: number): Role | undefined => TABLE.find(bytes, from, end)?.role
