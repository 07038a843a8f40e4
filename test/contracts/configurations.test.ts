import { describe, expect, it } from 'vitest'
import { keepBundles } from '../../certs/ca-bundle.ts'
import type { Door } from '../../src/admission/door.ts'
import type { Gvr, Ref } from '../../src/cluster/port.ts'
import { configFrom } from '../../src/commands/settings.ts'
import { certificatesFound } from '../../src/diagnosis/certs-found.ts'
import { pathThrough } from '../../src/diagnosis/path.ts'
import type { Kind } from '../../src/kind.ts'
import { configurations } from '../../src/print/configurations.ts'
import { rbac } from '../../src/print/rbac.ts'
import { registeredConfigurations } from '../../src/process/configurations.ts'
import { aGadget, aKind } from '../support/builders/gadgets.ts'
import { treesOf } from '../support/builders/trees.ts'
import { ManualClock } from '../support/fakes/clock.ts'
import { kinds } from '../support/kinds.ts'
import { notes } from '../support/notes.ts'

/** At webhooks, paths and configurations of its own. */
const apart = (door: Door): Door => ({
  ...door,
  name: `apart.${door.name}`,
  path: `/apart${door.path}`,
  configuration: `apart-${door.phase}`,
})
const usual = aKind()
const own = aKind({ doors: usual.doors.map(apart) })
const USUAL = ['tars-admission-mutating', 'tars-admission-validating']
const ALL = ['apart-mutate', 'apart-validate', ...USUAL]

const printed = (of: readonly Kind[]) => configurations(of, { namespace: 'ns', kubeMinor: 33 })
const sorted = (names: readonly unknown[]) => names.map(String).sort()

describe('the configurations that the doors name, and no others,', () => {
  it('are printed, each with its own webhooks', () => {
    const names = printed([usual, own]).map(({ metadata, webhooks }) => [
      treesOf([metadata]).map(({ name }) => name),
      treesOf(webhooks).map(({ name }) => name),
    ])
    expect(names).toEqual([
      [['tars-admission-mutating'], ['mutating.test']],
      [['apart-mutate'], ['apart.mutating.test']],
      [['tars-admission-validating'], ['validating.test']],
      [['apart-validate'], ['apart.validating.test']],
    ])
    expect(printed([own])).toHaveLength(2)
    expect(printed(kinds).map(({ metadata }) => treesOf([metadata])[0]?.name)).toEqual(expect.arrayContaining(USUAL))
  })

  it('are those that the service account may read and patch', () => {
    const namedBy = (of: readonly Kind[]) =>
      rbac({ kinds: of, controllers: [], namespace: 'ns' })
        .filter(({ kind }) => kind === 'ClusterRole')
        .flatMap(({ rules }) => treesOf(rules))
        .flatMap(({ resources, resourceNames }) => [[resources, resourceNames].flat()])
        .filter(([resource]) => String(resource).endsWith('webhookconfigurations'))
    expect(namedBy([usual, own])).toEqual([
      ['mutatingwebhookconfigurations', 'tars-admission-mutating', 'apart-mutate'],
      ['validatingwebhookconfigurations', 'tars-admission-validating', 'apart-validate'],
    ])
    expect(namedBy([own]).flat()).not.toContain(USUAL[0])
    expect(namedBy([])).toEqual([])
  })

  it('are made to trust the CA', () => {
    const followed: string[] = []
    const cluster = {
      follow: (_: Gvr, { name }: Ref) => {
        followed.push(name)
        return { stop: () => {} }
      },
      patch: () => Promise.reject(new Error('there is none')),
      watch: () => ({ stop: () => {} }),
    }
    const source = { current: () => ({ cert: '', key: '', ca: '', notAfter: new Date(0) }), onRenewed: () => {} }
    const ours = { service: { namespace: 'ns', name: 'tars-webhook-service' } }
    const parts = { ours, source, cluster, clock: new ManualClock(new Date(0)), log: notes() }
    keepBundles({ configurations: registeredConfigurations([usual, own]), ...parts }).stop()
    expect(sorted(followed)).toEqual(ALL)
  })

  it('are looked at by certs status', async () => {
    const looked: string[] = []
    const look = async (_: Gvr, { name }: Ref) => {
      looked.push(name)
      return 'absent' as const
    }
    const config = configFrom({ args: [], env: {}, names: ['namespace', 'certs', 'server'], readFile: () => ({}) })
    const { troubles } = await certificatesFound(config, registeredConfigurations([usual, own]), async () => look)
    expect(sorted(looked.filter((name) => name !== 'tars-webhook-certs'))).toEqual(ALL)
    expect(troubles.map(({ what }) => what)).toContain('MutatingWebhookConfiguration apart-mutate does not exist')
  })

  it.each([
    { name: 'the usual', kind: usual, says: 'MutatingWebhookConfiguration tars-admission-mutating does not exist' },
    { name: 'another', kind: own, says: 'MutatingWebhookConfiguration apart-mutate does not exist' },
  ])('are named by check: $name', async ({ kind, says }) => {
    const completed = { object: aGadget(), isDone: () => false, by: 'XX-M1' }
    const probe = () => ({ completed, refused: { object: aGadget(), by: 'XX-V1' } })
    const api = {
      tryOut: async () => ({ object: aGadget(), warning: '' }),
      look: async () => 'absent' as const,
      ready: async () => undefined,
    }
    const { trouble } = await pathThrough(api, { kinds: [{ ...kind, probe }], namespace: 'demo', name: 'x' })
    expect(trouble?.what).toBe(says)
  })

  it.each([
    { there: ALL, says: undefined },
    { there: USUAL, says: 'MutatingWebhookConfiguration apart-mutate does not exist' },
    { there: ['barred'], says: undefined },
  ])('are looked at by check, where $there are there', async ({ there, says }) => {
    const completed = { object: aGadget(), isDone: () => true, by: 'XX-M1' }
    const probe = () => ({ completed, refused: { object: aGadget(), by: 'XX-V1' } })
    const seen = (name: string) => (there.includes(name) ? { metadata: { name } } : ('absent' as const))
    const api = {
      tryOut: async () => ({ object: aGadget(), warning: '(XX-V1)' }),
      look: async (_: Gvr, { name }: Ref) => (there.includes('barred') ? ('barred' as const) : seen(name)),
      ready: async () => undefined,
    }
    const { works, trouble } = await pathThrough(api, {
      kinds: [{ ...usual, probe }, own],
      namespace: 'demo',
      name: 'x',
    })
    expect(works).toHaveLength(2)
    expect(trouble?.what).toBe(says)
  })
})
