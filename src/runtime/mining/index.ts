/** Mapping parts of logs needs no project: bytes in, a partial state out. A door of its own, as it is run by itself many times over. */
export { mapPaths as mapLogPaths, mapStream as mapLogStream } from '../../logs/index.ts'
