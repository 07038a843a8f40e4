import { describe, expect, it } from 'vitest'
import type { Tree } from '../../../../src/schema.ts'
import { configHash } from '../../../../webhooks/cloudflare/aggregation/merge.ts'
import {
  type SyncGiven,
  type SyncSeen,
  syncDecision,
} from '../../../../webhooks/cloudflare/aggregation/sync-decision.ts'
import { patchOf, stateIn } from '../../../../webhooks/cloudflare/aggregation/sync-state.ts'
import { aSource, merged } from '../../../support/builders/tunnel-sources.ts'

const AT = new Date('2026-01-01T12:00:00Z')
const ago = (seconds: number) => new Date(AT.getTime() - seconds * 1_000)
const SOURCES = { 'Ingress/a/a': aSource('a.b'), 'Ingress/a/b': aSource('c.d') }
const { config } = merged(SOURCES)
const hash = configHash('t', 'acc', config)
const SENT = { hash, status: 'Synced', time: ago(60), version: 3 } as const
const remote = (of: Tree | null, version = 3) => ({ config: of, version, source: 'cloudflare' })
const rule = (hostname: string) => ({ hostname, service: 'http://a' })
const LAST = { service: 'http_status:404' }

function decision(seen: Partial<SyncSeen>, given: Partial<SyncGiven> = {}) {
  return syncDecision(
    {
      tunnelId: 't',
      accountId: 'acc',
      content: JSON.stringify({ sources: SOURCES }),
      state: {},
      isComplete: true,
      isRecorded: true,
      isTakenOver: false,
      overwritesForeign: false,
      ignoresDrift: false,
      ...seen,
    },
    { at: AT, driftSeconds: 600, merging: { maxRules: 1_000, crossNamespace: 'deny' }, ...given },
  )
}

describe('CF-AGG-12 a configuration is sent when it changed', () => {
  it.each([
    { name: 'nothing was sent yet', seen: { remote: remote(null, 0) }, does: 'put' },
    { name: 'Cloudflare has not been asked', seen: {}, does: 'look' },
    { name: 'it was sent a minute ago', seen: { state: SENT }, does: 'rest' },
    {
      name: 'it was sent, and then an error came',
      seen: { state: { ...SENT, status: 'Error' as const } },
      does: 'look',
    },
    {
      name: 'another one was sent',
      seen: { state: { ...SENT, hash: 'x' }, remote: remote({ ingress: [LAST] }) },
      does: 'put',
    },
    { name: 'it is there although nobody wrote that down', seen: { remote: remote({ ...config }) }, does: 'note' },
  ])('$name: $does', ({ seen, does }) => expect(decision(seen).do).toBe(does))
  it('the body is what was merged', () => {
    expect(decision({ remote: remote(null, 0) })).toMatchObject({ do: 'put', hash, merged: { config } })
  })
})

describe('CF-AGG-17 what was changed at Cloudflare is sent again', () => {
  const state = { ...SENT, time: ago(600) }
  const changed = remote({ ...config, ingress: [rule('a.b'), rule('x.y'), LAST] }, 4)
  it.each([
    { name: 'it is time to look', seen: { state }, does: 'look' },
    { name: 'the version is the one that was sent', seen: { state, remote: remote({ ingress: [] }) }, does: 'note' },
    { name: 'another version says the same', seen: { state, remote: remote({ ...config }, 4) }, does: 'note' },
    { name: 'another version says something else', seen: { state, remote: changed }, does: 'put' },
    { name: 'the tunnel says to leave it', seen: { state, remote: changed, ignoresDrift: true }, does: 'note' },
  ])('$name: $does', ({ seen, does }) => expect(decision(seen).do).toBe(does))
  it('with a word on the hostnames', () => {
    expect(decision({ state, remote: changed })).toMatchObject({
      notice: { reason: 'DriftDetected', message: expect.stringContaining('added: x.y; removed: c.d') },
    })
  })
})

describe('CF-AGG-18 what is of others is not replaced', () => {
  const foreign = remote({ ...config, ingress: [rule('x.y'), LAST] }, 4)
  it.each([
    { name: 'a tunnel that we took over', seen: { remote: foreign, isTakenOver: true }, does: 'stop' },
    { name: 'one that we made', seen: { remote: foreign }, does: 'put' },
    {
      name: 'one that we have sent to before',
      seen: { remote: foreign, isTakenOver: true, state: { version: 3 } },
      does: 'put',
    },
    {
      name: 'one whose owner says to overwrite',
      seen: { remote: foreign, isTakenOver: true, overwritesForeign: true },
      does: 'put',
    },
    {
      name: 'one without rules of others',
      seen: { remote: remote({ ingress: [rule('a.b'), LAST] }), isTakenOver: true },
      does: 'put',
    },
    { name: 'one that has a file of its own', seen: { remote: { ...foreign, source: 'local' } }, does: 'stop' },
  ])('$name: $does', ({ seen, does }) => expect(decision(seen).do).toBe(does))
  it('they are listed with the way out, and a long list is cut', () => {
    const many = remote({ ingress: Array.from({ length: 12 }, (_, at) => rule(`h${at}.x`)) })
    expect(decision({ remote: many, isTakenOver: true })).toEqual({
      do: 'stop',
      status: 'Blocked',
      message: expect.stringMatching(
        /^the tunnel has rules of others: h0\.x, .*h9\.x and 2 more; set annotation .*=overwrite/,
      ),
    })
  })
  it('a tunnel that is gone keeps its sources', () => {
    expect(decision({ remote: 'gone' })).toMatchObject({ do: 'stop', status: 'TunnelGone' })
  })
})

describe('CF-AGG-23 a doubt sends nothing', () => {
  const hosts = Array.from({ length: 50 }, (_, at) => rule(`h${at}.x`))
  const full = remote({ ingress: [...hosts, LAST] })
  it('not before all sources have said their part', () => {
    expect(decision({ isComplete: false, remote: full })).toEqual({ do: 'wait' })
  })
  it.each(['{', '{"sources":{"a":1}}', '{"sources":[]}'])('CF-AGG-03 nonsense: %s', (content) => {
    expect(decision({ content, remote: full })).toMatchObject({ do: 'stop', status: 'Error' })
  })
  it('a removal of many hostnames has to come out the same ten seconds later', () => {
    const first = decision({ remote: full })
    expect(first).toMatchObject({ do: 'hold', held: { hash, since: AT }, notice: { reason: 'MassRemoval' } })
    const held = (seconds: number, of = hash) => decision({ remote: full }, { held: { hash: of, since: ago(seconds) } })
    expect(held(9)).toMatchObject({ do: 'hold', held: { since: ago(9) } })
    expect(held(10)).toMatchObject({ do: 'put' })
    expect(held(10, 'another')).toMatchObject({ do: 'hold', held: { since: AT } })
  })
  it('nor does it end drift at once', () => {
    expect(decision({ state: { ...SENT, time: ago(600) }, remote: { ...full, version: 4 } }).do).toBe('hold')
  })
})

describe('CF-AGG-14 the state stands in annotations', () => {
  const annotation = (name: string) => `cloudflare-operator.io/${name}`
  it('and comes back as it was written', () => {
    const patch = patchOf({ ...SENT, message: 'm', rules: 2, quarantined: ['a.b', 'c.d'] })
    expect(patch).toEqual({
      metadata: {
        annotations: {
          [annotation('last-hash')]: hash,
          [annotation('sync-status')]: 'Synced',
          [annotation('last-sync-time')]: SENT.time.toISOString(),
          [annotation('config-version')]: '3',
          [annotation('sync-message')]: 'm',
          [annotation('rule-count')]: '2',
          [annotation('quarantined')]: 'a.b; c.d',
        },
      },
    })
    const { annotations } = Object(patch.metadata)
    expect(stateIn({ annotations })).toEqual(SENT)
  })
  it('what is absent goes, and texts are cut', () => {
    const { annotations } = Object(patchOf({ message: '\u{1f600}'.repeat(2_000) }).metadata)
    expect([...annotations[annotation('sync-message')]]).toHaveLength(1_024)
    expect(Object.values(annotations).filter((value) => value === null)).toHaveLength(6)
  })
  it('nonsense in it counts as absent', () => {
    const values = { 'last-hash': '', 'sync-status': 'Fine', 'last-sync-time': 'now', 'config-version': '-1' }
    const annotations = Object.fromEntries(Object.entries(values).map(([name, value]) => [annotation(name), value]))
    expect(stateIn({ annotations })).toEqual({})
    expect(stateIn({ annotations: null })).toEqual({})
  })
})
