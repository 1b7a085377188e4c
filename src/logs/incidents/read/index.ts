/** Readers for what is recorded of a day: log lines, spans and series of measurements, out of tables, packed or not. */
export { type RowFaults, countFault } from './csv-rows.ts'
export { LineBook, type TracedLine } from './lines.ts'
export { type Series, SeriesBook } from './metrics.ts'
export { serviceOfPod } from './service-name.ts'
export { type Span, SpanBook } from './spans.ts'
export { type TarFile, tarFiles } from './tar.ts'
export { cellTimeMs } from './time.ts'
export { type Chunks, unpacked } from './unpack.ts'
