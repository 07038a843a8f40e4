import { isTerminating } from '../../../src/kube/metadata.ts'
import { all, type Watch } from '../../kit/controller.ts'
import type { ClusterReader, Draft, KubeObject, Resource } from '../../kit/schema.ts'
import type { CloudflareCredentials } from '../credentials/schema.ts'
import { newManagementInfo, ownerName } from '../ownership.ts'
import type { AccountDetails } from './accounts.ts'

/** A kind whose objects have something at Cloudflare for as long as they carry its finalizer. */
interface UsingKind<T extends KubeObject> {
  readonly resource: Resource<T>
  readonly finalizer: string
  readonly details: (object: Draft<T>) => AccountDetails
}
/** The same without its type. */
export interface CredentialUsers {
  /** The last one that goes wakes the credentials that it used. */
  readonly watch: Watch
  /** `DNSRecord/demo/a` */
  namesOf(credentials: Draft<CloudflareCredentials> & KubeObject, cached: ClusterReader): Promise<readonly string[]>
}

export function usersAmong<T extends KubeObject>({ resource, finalizer, details }: UsingKind<T>): CredentialUsers {
  const named = (object: KubeObject) =>
    (resource.isDraft(object) ? details(object) : undefined)?.credentialsRef?.name ?? ''
  return {
    watch: all(resource, (object, among) => {
      if (!isTerminating(object)) return []
      const name = named(object)
      return name === '' ? among.all('') : [{ namespace: '', name }]
    }),
    async namesOf({ metadata, spec }, cached) {
      const found = await cached.list(resource, { namespace: '' })
      const isUser = (object: KubeObject) =>
        (named(object) || (spec?.isDefault === true && metadata.name)) === metadata.name
      return found
        .filter((object) => object.metadata.finalizers?.includes(finalizer) === true && isUser(object))
        .map((object) => ownerName(newManagementInfo(object, resource.kind)))
    },
  }
}
