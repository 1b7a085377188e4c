/** The wire formats of the providers as their SDKs read them: one text as a whole reply, and as the events of a stream. */

export interface Wire {
  readonly name: 'responses' | 'chat' | 'messages' | 'gemini'
  readonly streamed: boolean
  readonly whole: (text: string) => unknown
  /** the frames of a stream, the middle ones from the pieces */
  readonly frames: (pieces: Iterable<string>) => Iterable<string>
  /** the text that was sent to the model */
  readonly prompt: string
  /** the schema that the reply was asked to have, if any */
  readonly schema: unknown
}

type Body = Record<string, unknown>
const at = (value: unknown, ...keys: (string | number)[]): unknown =>
  keys.reduce<unknown>((inner, key) => (typeof inner === 'object' && inner !== null ? (inner as Body)[key] : undefined), value)
const data = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`
const event = (value: Body): string => `event: ${String(value['type'])}\n${data(value)}`

export function wireOf(path: string, body: Body): Wire | null {
  const [route = '', query = ''] = path.split('?')
  if (route.endsWith('/responses')) return responses(body)
  if (route.endsWith('/chat/completions')) return chat(body)
  if (route.endsWith('/messages')) return messages(body)
  if (/:(generateContent|streamGenerateContent)$/.test(route)) return gemini(body, route.includes(':stream') && query.includes('alt=sse'))
  return null
}

/** OpenAI and Azure: POST /responses */
function responses(body: Body): Wire {
  const usage = { input_tokens: 11, output_tokens: 7, total_tokens: 18 }
  const head = { id: 'resp_1', object: 'response', created_at: 1, model: body['model'], error: null, incomplete_details: null }
  const item = (text: string) => ({
    type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text, annotations: [] }],
  })
  return {
    name: 'responses', streamed: body['stream'] === true, prompt: JSON.stringify(body['input']), schema: at(body, 'text', 'format', 'schema'),
    whole: (text) => ({ ...head, status: 'completed', output: [item(text)], usage }),
    * frames(pieces) {
      const where = { output_index: 0, item_id: 'msg_1', content_index: 0 }
      yield event({ type: 'response.created', response: { ...head, status: 'in_progress', output: [] } })
      yield event({ type: 'response.output_item.added', output_index: 0, item: { type: 'message', id: 'msg_1', role: 'assistant', status: 'in_progress', content: [] } })
      for (const delta of pieces) yield event({ type: 'response.output_text.delta', ...where, delta })
      yield event({ type: 'response.output_item.done', output_index: 0, item: item('') })
      yield event({ type: 'response.completed', response: { ...head, status: 'completed', output: [], usage } })
    },
  }
}

/** Ollama, llama.cpp, vLLM, LM Studio: POST /chat/completions */
function chat(body: Body): Wire {
  const usage = { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 }
  const head = { id: 'chat_1', created: 1, model: body['model'] }
  return {
    name: 'chat', streamed: body['stream'] === true, prompt: JSON.stringify(body['messages']), schema: at(body, 'response_format', 'json_schema', 'schema'),
    whole: (content) => ({
      ...head, object: 'chat.completion', choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }], usage,
    }),
    * frames(pieces) {
      const chunk = (choice: Body) => data({ ...head, object: 'chat.completion.chunk', choices: [{ index: 0, ...choice }] })
      yield chunk({ delta: { role: 'assistant', content: '' } })
      for (const content of pieces) yield chunk({ delta: { content } })
      yield chunk({ delta: {}, finish_reason: 'stop' })
      yield data({ ...head, object: 'chat.completion.chunk', choices: [], usage })
      yield 'data: [DONE]\n\n'
    },
  }
}

/** Anthropic: POST /messages. A schema comes as output_config, or, for models that lack it, as a tool that must be called. */
function messages(body: Body): Wire {
  const usage = { input_tokens: 11, output_tokens: 7 }
  const tool = at(body, 'tools', 0, 'name')
  const head = { id: 'msg_1', type: 'message', role: 'assistant', model: body['model'] }
  const content = (text: string) => (tool === undefined ? { type: 'text', text } : { type: 'tool_use', id: 'tool_1', name: tool, input: parsed(text) })
  return {
    name: 'messages', streamed: body['stream'] === true, prompt: JSON.stringify([body['system'], body['messages']]),
    schema: at(body, 'output_config', 'format', 'schema') ?? at(body, 'tools', 0, 'input_schema'),
    whole: (text) => ({ ...head, content: [content(text)], stop_reason: tool === undefined ? 'end_turn' : 'tool_use', stop_sequence: null, usage }),
    * frames(pieces) {
      yield event({ type: 'message_start', message: { ...head, content: [], stop_reason: null, stop_sequence: null, usage } })
      yield event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } })
      for (const text of pieces) yield event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } })
      yield event({ type: 'content_block_stop', index: 0 })
      yield event({ type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 7 } })
      yield event({ type: 'message_stop' })
    },
  }
}

/** Vertex: POST /models/<model>:generateContent and :streamGenerateContent?alt=sse */
function gemini(body: Body, streamed: boolean): Wire {
  const usageMetadata = { promptTokenCount: 11, candidatesTokenCount: 7, totalTokenCount: 18 }
  const candidate = (text: string, end: boolean) => ({
    candidates: [{ index: 0, content: { role: 'model', parts: [{ text }] }, ...(end ? { finishReason: 'STOP' } : {}) }], usageMetadata,
  })
  return {
    name: 'gemini', streamed, prompt: JSON.stringify([body['systemInstruction'], body['contents']]),
    schema: at(body, 'generationConfig', 'responseJsonSchema') ?? at(body, 'generationConfig', 'responseSchema'),
    whole: (text) => candidate(text, true),
    * frames(pieces) {
      for (const text of pieces) yield data(candidate(text, false))
      yield data(candidate('', true))
    },
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
