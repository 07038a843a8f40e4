import { readdirSync, readFileSync } from 'node:fs'
import { parseAllDocuments } from 'yaml'
import { valueAt } from '../../src/admission/patch.ts'
import type { Built } from '../../src/cluster/port.ts'
import { settingsOf } from '../../src/setting.ts'
import { objectsFor } from '../../webhooks/tars/tserver/objects/objects.ts'
import type { Subject } from '../../webhooks/tars/tserver/objects/subject.ts'
import { TSERVER, type TServer } from '../../webhooks/tars/tserver/schema.ts'
import { aTServer } from './builders/servers.ts'

const FOLDER = new URL('../fixtures/mapping/', import.meta.url)
const documentsIn = (file: string): readonly unknown[] =>
  parseAllDocuments(readFileSync(new URL(file, FOLDER), 'utf8')).map((document) => document.toJS())

/** The pairs of test/fixtures/mapping. */
export const goldens = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.given.yaml'))
  .map((file) => file.replace('.given.yaml', ''))

export const givenIn = (golden: string) => documentsIn(`${golden}.given.yaml`)
export const wantedIn = (golden: string) => documentsIn(`${golden}.wanted.yaml`)
export const storedIn = (golden: string) => documentsIn(`${golden}.stored.yaml`)

interface Around {
  readonly config?: Subject['config']
  readonly profile?: Subject['given']['profile']
  /** Over the defaults. */
  readonly settings?: Parameters<typeof settingsOf>[0]
}

/** The objects of a server by their kinds. */
export function mapped(server: unknown, { config, profile = 'seed', settings = {} }: Around = {}) {
  const objects = objectsFor(asServer(server), config, { profile, settings: settingsOf(settings) })
  return Object.fromEntries(objects.map(({ of, object }) => [of.kind, object]))
}

export function asServer(server: unknown): TServer {
  if (TSERVER.isOutline(server)) return server
  throw new TypeError(`no TServer: ${TSERVER.misfitIn(server)}`)
}

type Wishes = NonNullable<Parameters<typeof aTServer>[0]>

/** What stands at a JSON pointer of an object of a server. */
export function partOf(kind: string, pointer: string, wishes: Wishes, around?: Around): unknown {
  return valueAt(mapped(aTServer(wishes), around)[kind], pointer)
}

const TEMPLATE = '/spec/template'
const CONTAINER = `${TEMPLATE}/spec/containers/0`
/** Of the workload, whichever it is. */
export function templateOf(wishes: Wishes, around?: Around): unknown {
  return inWorkload(TEMPLATE, wishes, around)
}
export function podSpecOf(field: string, wishes: Wishes, around?: Around): unknown {
  return inWorkload(`${TEMPLATE}/spec/${field}`, wishes, around)
}
export function containerOf(field: string, wishes: Wishes, around?: Around): unknown {
  return inWorkload(`${CONTAINER}/${field}`, wishes, around)
}
function inWorkload(pointer: string, wishes: Wishes, around?: Around): unknown {
  return valueAt(workloadOf(wishes, around), pointer)
}
export function workloadOf(wishes: Wishes, around?: Around): Built | undefined {
  const { StatefulSet, DaemonSet } = mapped(aTServer(wishes), around)
  return StatefulSet ?? DaemonSet
}
