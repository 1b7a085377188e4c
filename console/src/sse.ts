/**
 * Server-sent events over a POST. The browser's EventSource can only GET and re-sends on its own; this reader does neither:
 * one request, one stream, cut wherever the network likes.
 */
export interface SseEvent {
  readonly id: string
  readonly event: string
  readonly data: string
}

/** An incremental parser: give it text as it comes, get the events that are complete. Follows the WHATWG grammar. */
export function sseParser(): (text: string) => SseEvent[] {
  let line = ''
  let afterCr = false // a CR ended the last line: an LF that follows belongs to it, also across chunks
  let id = ''
  let event = ''
  let data: string[] = []

  const endLine = (): SseEvent | null => {
    const whole = line
    line = ''
    if (whole === '') {
      const complete = data.length > 0 ? { id, event: event === '' ? 'message' : event, data: data.join('\n') } : null
      event = ''
      data = []
      return complete
    }
    const colon = whole.indexOf(':')
    if (colon === 0) return null // a comment
    const field = colon === -1 ? whole : whole.slice(0, colon)
    const value = colon === -1 ? '' : whole.slice(whole[colon + 1] === ' ' ? colon + 2 : colon + 1)
    if (field === 'data') data.push(value)
    else if (field === 'event') event = value
    else if (field === 'id' && !value.includes('\0')) id = value
    return null
  }

  return (text) => {
    const events: SseEvent[] = []
    for (const char of text) {
      const belongsToCr = afterCr && char === '\n'
      afterCr = char === '\r'
      if (belongsToCr) continue
      if (char !== '\r' && char !== '\n') {
        line += char
        continue
      }
      const complete = endLine()
      if (complete !== null) events.push(complete)
    }
    return events
  }
}

/** The events of a response body. An event that the end of the stream cuts short is not given out. */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<SseEvent> {
  const parse = sseParser()
  const decoder = new TextDecoder()
  const reader = body.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield* parse(decoder.decode(value, { stream: true }))
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}
