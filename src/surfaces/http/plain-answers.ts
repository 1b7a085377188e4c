/** For answers of plain JSON values: the schema alone decides what leaves, without writing and reading them once more before it. */
import type { FastifySerializerCompiler } from 'fastify'
import type { z } from 'zod'
import { writeJson } from '../emit.ts'

/** A route's option. Its type wants a compiler for the whole description of the route, and gets the schema of the answer all the same. */
export const plainAnswers: FastifySerializerCompiler<unknown> = ({ schema }) => (data) => writeJson((schema as z.ZodType).parse(data))
