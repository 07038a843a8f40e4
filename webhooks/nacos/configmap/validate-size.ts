import type { Findings, Rule } from '../../kit/admission.ts'
import type { ClusterReader } from '../../kit/schema.ts'
import { bytesOver, MOST_BYTES, mergedText, tooLarge } from '../config/merge.ts'
import { normalised } from '../config/normalise.ts'
import type { ConfigMap } from '../kubernetes.ts'
import { OWNERS, sourcesOf } from '../nacos/shape.ts'
import {
  type ConfigMapUpdate,
  changedUses,
  isSameData,
  isSource,
  pathOf,
  type SourceUse,
  sourceNamed,
  textOf,
} from './uses.ts'

/** Of two parts that are too large together one has about half of it, so that small ones need no look at the others. */
const MUCH = MOST_BYTES / 2 - 100

/** E6: the API server takes a source that the worker cannot merge with the other one. */
export const sizeRule: Rule<ConfigMap> = {
  id: 'NC-MRG-48',
  field: 'data',
  on: 'update',
  always: true,
  when: (given) => isSource(given) && !isSameData(given),
  check: oversizedMerges,
  message: ({ value, by = [] }) => `${tooLarge(Number(value))} (used by Nacos "${by.join()}")`,
  examples: [{ path: 'data', value: MOST_BYTES + 1, by: ['<nacos>'] }],
  remedy: 'make one of its sources smaller',
}

async function oversizedMerges(given: ConfigMapUpdate, cluster: ClusterReader): Promise<Findings> {
  const uses = (await changedUses(given, cluster)).filter(({ key }) => isLarge(textOf(given.next, key)))
  const found = await Promise.all(
    uses.map(async (use) => {
      const bytes = bytesOver(await mergedFor(use, given, cluster))
      return bytes === undefined ? [] : [{ path: pathOf(use.key), value: bytes, by: [use.nacos.metadata.name] }]
    }),
  )
  return found.flat()
}

const isLarge = (text: string) => Buffer.byteLength(normalised(text)) > MUCH

async function mergedFor({ nacos }: SourceUse, given: ConfigMapUpdate, cluster: ClusterReader): Promise<string> {
  const [internal = '', user = ''] = await Promise.all(
    OWNERS.map(async (owner) => {
      const source = sourcesOf(nacos).find((each) => each.owner === owner)
      return source === undefined ? '' : normalised(textOf(await sourceNamed(source.name, given, cluster), source.key))
    }),
  )
  return mergedText(internal, user)
}
