/** The output files of the pipeline as resources, each within the ceiling that its header names, as /api/files has them. */
import { text } from 'node:stream/consumers'
import type { Readable } from 'node:stream'
import type { ListResourcesResult, ReadResourceResult } from '@modelcontextprotocol/server'
import { LIMITS, ServiceError } from '../../contracts/index.ts'
import type { Caller, Service } from '../../runtime/index.ts'
import { emit } from '../emit.ts'

const BASE = 'wherefore://files/'

export const RESOURCE_TEMPLATES = [
  {
    uriTemplate: `${BASE}{+path}`,
    name: 'output file',
    description: 'a file that the phases wrote: ontology, shapes, mapping, reports',
  },
]

export async function listFiles(service: Service, caller: Caller): Promise<ListResourcesResult> {
  const files = emit(await service.files.list(caller), caller)
  return {
    resources: files.map(({ path, name, media_type: mimeType, bytes: size, ceiling }) => ({
      uri: BASE + path, name, mimeType, size, description: `output of the pipeline, up to tier ${ceiling}`,
    })),
  }
}

/** One file whole. A large one is left to HTTP, which can stream it. */
export async function readFileResource(uri: string, service: Service, caller: Caller): Promise<ReadResourceResult> {
  if (!uri.startsWith(BASE)) throw new ServiceError('not_found', 'nothing here by that name')
  const { body, bytes, media_type: mimeType } = emit(await service.files.read(uri.slice(BASE.length), caller), caller)
  const stream = body as Readable
  if (bytes > LIMITS.resource_bytes) {
    stream.destroy()
    throw new ServiceError('payload_too_large', 'the file is too large for a resource', {
      hint: 'GET /api/files/{name} streams it',
    })
  }
  return { contents: [{ uri, mimeType, text: await text(stream) }] }
}
