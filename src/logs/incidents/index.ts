/** Which service is at fault when something goes wrong: lines, spans and measurements of the incident against those before it. */
export { type Day, type EventLine, type Recorded, type Request, dayOf, requestsOf } from './day.ts'
export { IncidentRanker, SETTINGS, type Setting, type Suspect } from './rank.ts'
export { SETTLING_MS, WINDOW_MS, isQuiet } from './segments.ts'
export * from './read/index.ts'
