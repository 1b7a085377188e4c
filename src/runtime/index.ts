/** The composition root and the SDK door. */
export { createService, packageVersion } from './create-service.ts'
export { type Project, openProject, packageRoot, searchEnabled } from './project.ts'
export { parseRequest } from './reasoning_search.ts'
export * from './service.ts'
