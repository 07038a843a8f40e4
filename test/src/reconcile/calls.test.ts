import { describe, expect, it } from 'vitest'
import { Refused } from '../../../src/cluster/port.ts'
import { Fault } from '../../../src/faults.ts'
import { countedReader } from '../../../src/reconcile/calls.ts'
import { GADGET } from '../../support/builders/gadget.ts'
import { aGadget } from '../../support/builders/gadgets.ts'
import { clusterOf } from '../../support/clusters.ts'

const refused = new Refused({ status: 'Failure', code: 500, reason: 'InternalError', message: 'no' })

describe('live reads are counted by the code of the answer (OB-1)', () => {
  it.each([
    { name: 'an object', ref: 'g', codes: ['get gadgets 200'] },
    { name: 'no object', ref: 'h', codes: ['get gadgets 404'] },
    { name: 'an error', cause: new Fault('CLUSTER_UNREACHABLE', 'no', { cause: refused }), codes: ['get gadgets 500'] },
    { name: 'no answer', cause: new Fault('CLUSTER_UNREACHABLE', 'no'), codes: ['get gadgets CLUSTER_UNREACHABLE'] },
    { name: 'our own error', cause: new TypeError('no'), codes: ['get gadgets ERROR'] },
  ])('$name', async ({ ref = 'g', cause, codes }) => {
    const cluster = clusterOf(aGadget())
    const counted: string[] = []
    const get: typeof cluster.get = (of, ref) => (cause === undefined ? cluster.get(of, ref) : Promise.reject(cause))
    const list: typeof cluster.list = (of, where) => cluster.list(of, where)
    const dryRun: typeof cluster.dryRun = (...asked) => cluster.dryRun(...asked)
    const reader = countedReader({ get, list, dryRun }, (verb, { plural }, code) =>
      counted.push(`${verb} ${plural} ${code}`),
    )
    await reader.get(GADGET, { namespace: 'demo', name: ref }).catch(() => undefined)
    expect(counted).toEqual(codes)
    await reader.list(GADGET, { namespace: 'demo' })
    await reader.dryRun(GADGET, aGadget(), 'apply')
    expect(counted.slice(1)).toEqual(['list gadgets 200', 'dry-run apply gadgets 200'])
  })
})
