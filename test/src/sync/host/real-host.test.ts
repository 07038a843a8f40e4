import { expect, it } from 'vitest'
import { realHost } from '../../../../src/sync/host/real-host.ts'
import { syncProcess } from '../../../support/sync/process.ts'

it('SY-PIPE-12 a token names this process, and no two are alike', () => {
  const [one, other] = [realHost.token(), realHost.token()]
  expect(one).toMatch(/^[\da-f]{12}$/)
  expect(Number.parseInt(one.slice(0, 6), 16)).toBe(process.pid)
  expect(one).not.toBe(other)
})

it('SY-PIPE-12 another process is one that runs and is not this one', async () => {
  const ended = syncProcess(['-version'])
  await ended.ended
  expect([process.ppid, 1, process.pid, ended.pid].map(realHost.isOther)).toEqual([true, true, false, false])
})
