import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Tree } from '../../src/schema.ts'
import { cached } from './go-modules.ts'

const NAME = 'merge-oracle'
const SOURCE = {
  folder: join(import.meta.dirname, NAME),
  what: 'the strategic merge of the Kubernetes library, about half a minute the first time',
}

export interface MergeAsked {
  readonly original: unknown
  readonly patch: unknown
}
export interface MergeAnswer {
  readonly expected?: Tree
  /** The library refuses, or panics. */
  readonly error?: string
}
export interface MergeOracle {
  answersTo(asked: readonly MergeAsked[]): Promise<readonly MergeAnswer[]>
  stop(): Promise<void>
}

export const mergeOracleFolder = () =>
  cached(SOURCE, (into, go) => go('build', '-trimpath', '-ldflags=-s -w', '-o', into, '.'))

/** The Go library itself, at the version of the control plane. */
export async function mergeOracle(): Promise<MergeOracle> {
  const built = await mergeOracleFolder()
  const child = spawn(join(built, NAME), { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const ended = once(child, 'exit')
  return {
    async answersTo(asked) {
      child.stdin.write(asked.map((each) => `${JSON.stringify(each)}\n`).join(''))
      const answers: MergeAnswer[] = []
      while (answers.length < asked.length) {
        const { value, done } = await lines.next()
        if (done) throw new Error('the oracle has ended')
        answers.push(JSON.parse(value))
      }
      return answers
    },
    async stop() {
      child.stdin.end()
      await ended
    },
  }
}
