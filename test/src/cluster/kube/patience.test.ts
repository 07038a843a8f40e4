import { expect, it } from 'vitest'
import { unlessAborted } from '../../../../src/cluster/kube/patience.ts'

it('what fails after nobody waits for it any more is no unhandled rejection', async () => {
  const unhandled: unknown[] = []
  const note = (reason: unknown) => unhandled.push(reason)
  process.on('unhandledRejection', note)
  const failing = Promise.reject(new Error('later'))
  await expect(unlessAborted(failing, AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone')
  await new Promise((resolve) => setImmediate(resolve))
  process.off('unhandledRejection', note)
  expect(unhandled).toEqual([])
})
