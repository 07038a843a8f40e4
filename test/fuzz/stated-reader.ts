import type { Asked } from '../../src/cluster/needs.ts'
import type { ClusterReader, Gvr, Where, Words } from '../../src/cluster/port.ts'
import type { Kind } from '../../src/kind.ts'
import { must } from './target.ts'

/** Fails on what the printed rights do not allow, and on a look-up by labels of which none has an index. */
export function readingAsStated({ reads }: Kind, reader: ClusterReader): ClusterReader {
  const isIndexed = (labels: Words, byLabels: readonly string[]) =>
    Object.keys(labels).length === 0 || Object.keys(labels).some((key) => byLabels.includes(key))
  function mustBeStated(verb: Asked, of: Gvr, { labels = {}, by }: Partial<Where> = {}): void {
    const stated = reads.some(
      (read) =>
        read.resource.group === of.group &&
        read.resource.plural === of.plural &&
        (read.asks?.includes(verb) ||
          (read.keeps !== undefined &&
            (by === undefined
              ? isIndexed(labels, read.keeps.byLabels ?? [])
              : read.keeps.byField?.includes(by.index) === true))),
    )
    must(stated, `${verb} of ${of.plural} by ${JSON.stringify(labels)} is not stated`)
  }
  return {
    async get(of, ref) {
      mustBeStated('get', of)
      return reader.get(of, ref)
    },
    async list(of, where) {
      mustBeStated('list', of, where)
      return reader.list(of, where)
    },
    async dryRun(of, object, by) {
      mustBeStated(`dry-run ${by}`, of)
      return reader.dryRun(of, object, by)
    },
  }
}
