import { afterEach, beforeEach, expect, it } from 'vitest'
import { createService, parseRequest } from '../src/runtime/index.ts'
import { openWorkspace } from '../src/store/index.ts'
import { type World, caller, newWorld } from './support.ts'

let world: World
beforeEach(() => {
  world = newWorld()
})
afterEach(() => world.close())

it('a changed schema is noticed: the change is named, rules that speak of it and answers given before it are marked', async () => {
  const service = createService(world.project, { keepRuns: true })
  try {
    const ask = async () => {
      for await (const { event } of service.search(parseRequest({ question: 'How many alarms are open?', flavor: 'network-ops' }), caller(), { requestId: 'r' })) void event
    }
    await ask()
    const first = await service.runPhase('2', {})
    expect(first[0]?.lines.join('\n')).not.toContain('stale')
    world.change('alter table alarm drop column severity')
    const [second] = await service.runPhase('2', {})
    expect(second?.lines.join('\n')).toMatch(/changed: .*Alarm\.severity/)
    expect(second?.lines.join('\n')).toContain('stale: the rule impaired')
    expect(second?.lines.join('\n')).toContain('1 stored answers were given before the schema changed')
    await ask()
    expect((await service.runPhase('2', {}))[0]?.lines.join('\n')).not.toContain('stored answers')
  } finally {
    await service.close()
  }
  const workspace = openWorkspace(world.project.config.store)
  expect(workspace.runs.all().map(({ body }) => (body as { stale: boolean }).stale)).toEqual([true, false])
  workspace.close()
})
