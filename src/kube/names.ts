/** A subdomain of RFC 1123, as kube-apiserver checks it. */
export const SUBDOMAIN = '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*'
export const SUBDOMAIN_LENGTH = 253
export const SUBDOMAIN_OR_EMPTY = `^(${SUBDOMAIN})?$`
export const SUBDOMAIN_ONLY = `^${SUBDOMAIN}$`

/** The user name of a service account. */
export const accountName = (namespace: string, name: string) => `system:serviceaccount:${namespace}:${name}`

/** Every namespace carries this label with its name. */
export const NAMESPACE_NAME = 'kubernetes.io/metadata.name'
