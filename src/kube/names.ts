/** RFC 1123, as kube-apiserver checks it. */
const SUBDOMAIN = '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*'
export const SUBDOMAIN_LENGTH = 253
export const SUBDOMAIN_OR_EMPTY = `^(${SUBDOMAIN})?$`

const WHOLE = new RegExp(`^${SUBDOMAIN}$`)
export function isSubdomain(name: string): boolean {
  return name.length <= SUBDOMAIN_LENGTH && WHOLE.test(name)
}
