import { type Built, type ClusterReader, type Gvr, Refused } from '../cluster/port.ts'
import { foundAs, isWanted, listedAs } from '../cluster/stored.ts'
import { type AuthoredDocument, placed } from './objects.ts'

/** Objects of files in place of a cluster. What names no namespace is in `namespace`. */
export function fileReader(written: readonly AuthoredDocument[], namespace: string): ClusterReader {
  const all = written.flatMap((each) => placed(each, namespace)).map(({ object }) => object)
  const objects = (of: Gvr, within: string) => all.filter((object) => isOf(of, object) && isIn(of, object, within))
  return {
    async get(of, { namespace, name }) {
      const found = objects(of, namespace).findLast((object) => object.metadata.name === name)
      return found && foundAs(of, found)
    },
    async list(of, where) {
      const found = objects(of, where.namespace).filter((object) => isWanted(object, where))
      return listedAs(of, found, where)
    },
    async dryRun() {
      throw new Refused({ code: 405, reason: 'MethodNotAllowed', message: 'files take no writes' })
    },
  }
}

function isOf({ group, version, kind }: Gvr, object: Built): boolean {
  return object.kind === kind && object.apiVersion === [group, version].filter(Boolean).join('/')
}

/** An empty namespace is all of them. */
function isIn({ scope }: Gvr, { metadata }: Built, namespace: string): boolean {
  return scope === 'Cluster' || namespace === '' || metadata.namespace === namespace
}
