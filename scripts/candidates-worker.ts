/** A process that asks the questions of one database after another; scripts/candidates.ts hands them out. */
import { candidatesOf } from '../src/evaluation/candidates.ts'
import { type Question, databaseFile } from '../src/evaluation/question-set.ts'

export interface Job {
  readonly folder: string
  readonly questions: readonly Question[]
}

process.on('message', (job: Job) => {
  candidatesOf(databaseFile(job.folder, job.questions[0]?.db ?? ''), job.questions).then(
    (found) => process.send?.({ found }),
    (error: unknown) => process.send?.({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
  )
})
