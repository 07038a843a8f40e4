import type { Tree } from '../../../kit/schema.ts'

const NUMBERS = { initialDelaySeconds: 10, periodSeconds: 10, timeoutSeconds: 3, failureThreshold: 6 }

/** NC-STS-30: without a probe every member counts as ready at once, and a rollout restarts the whole cluster. None where its path is not known. */
export function readinessProbe(image: string, contextPath: string | undefined): Tree | undefined {
  switch (majorOf(image)) {
    case 1:
    case 2:
      if (contextPath === undefined) return undefined
      return { httpGet: { path: `${contextPath}/v1/console/health/readiness`, port: 8848 }, ...NUMBERS }
    case 3:
      return { httpGet: { path: '/v3/console/health/readiness', port: 8080 }, ...NUMBERS }
    default:
      return { tcpSocket: { port: 8848 }, ...NUMBERS }
  }
}

/** The leading number of the tag; unknown without a tag, and with a digest alone. */
function majorOf(image: string): number | undefined {
  const [name = ''] = image.slice(image.lastIndexOf('/') + 1).split('@', 1)
  const [, major] = /^v?(\d+)/.exec(name.slice(name.lastIndexOf(':') + 1)) ?? []
  return name.includes(':') && major !== undefined ? Number(major) : undefined
}
