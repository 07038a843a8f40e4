import { Fault } from '../../../faults.ts'
import { isOf, type Key } from '../../keys.ts'
import type { Snapshot } from '../../store.ts'
import { type Found, foundIn, txnOf } from './messages.ts'
import { type Range, rangesOf } from './ranges.ts'
import { says } from './troubles.ts'
import { WireError } from './wire.ts'

/** Asks for a transaction; what `decode` makes of the answer may be that it makes no sense. */
export type Ask = <T>(request: Buffer, decode: (answer: Buffer) => T) => Promise<T>

/** What a server takes in one transaction, unless it is told otherwise. */
const MOST_OPERATIONS = 128
const RESTARTS = 3
const MOST_BYTES = 64 * 1024 * 1024

/** All values at one revision (SY-ETCD-3). */
export async function snapshotOf(keys: readonly Key[], ask: Ask): Promise<Snapshot> {
  const ranges = rangesOf(keys)
  let perTxn = MOST_OPERATIONS
  let restarts = 0
  for (;;) {
    try {
      return await readAll(chunked(ranges, perTxn), ask)
    } catch (error) {
      if (says(error, 'too many operations') && perTxn > 1) perTxn /= 2
      else if (!says(error, 'has been compacted') || restarts++ === RESTARTS) throw error
    }
  }
}

async function readAll(chunks: readonly (readonly Range[])[], ask: Ask): Promise<Snapshot> {
  const values = new Map<string, string>()
  let revision = 0n
  let bytes = 0
  for (const ranges of chunks) {
    const found = await ask(txnOf(ranges, revision), (answer) => foundFor(ranges, foundIn(answer)))
    if (revision === 0n) revision = found.revision
    for (const [key, value] of found.values) {
      bytes += key.length + value.length
      values.set(key, value)
    }
    if (bytes > MOST_BYTES) throw tooMuch()
  }
  return { values, revision: String(revision) }
}

/** A range holds neighbours that do not belong to its key. */
function foundFor(asked: readonly Range[], { header, ranges }: Found) {
  if (ranges.length !== asked.length) throw new WireError('it answers other ranges than those asked for')
  const values = asked.flatMap(({ key }, index) => (ranges[index] ?? []).filter(([path]) => isOf(key, path)))
  return { revision: header.revision, values }
}

function chunked(ranges: readonly Range[], size: number): readonly (readonly Range[])[] {
  const many = Math.ceil(ranges.length / size)
  return Array.from({ length: many }, (_, chunk) => ranges.slice(chunk * size, (chunk + 1) * size))
}

const tooMuch = () =>
  new Fault('STORE_ANSWER', 'the values below the keys of the resources take more than 64 MiB: read fewer of them')
