/** Entity tags: how they stand in headers, and whether a header names one. */
export const quoted = (etag: string): string => (/^(W\/)?".*"$/.test(etag) ? etag : `"${etag}"`)

const bare = (tag: string): string => tag.trim().replace(/^W\//, '')

/** Whether an If-None-Match header names this ETag; the comparison is weak (RFC 9110, 13.1.2). */
export function namesWeakly(header: string | undefined, etag: string): boolean {
  return header !== undefined && (header.trim() === '*' || header.split(',').some((tag) => bare(tag) === bare(quoted(etag))))
}

/** Whether an If-Match header lets a write through; a weak tag never does (RFC 9110, 13.1.1). */
export function permits(header: string | undefined, etag: string): boolean {
  return header === undefined || header.trim() === '*' || header.split(',').some((tag) => tag.trim() === quoted(etag))
}
