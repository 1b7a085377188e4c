/** Libraries are written over this base; a project with another one gets them through `withBase`. */
export const LIBRARY_BASE = 'https://enterprise.example/ontology#'
