import { setTimeout as sleep } from 'node:timers/promises'
import type { Container, Probe } from './pod.ts'

/** Asks in the probe's own rhythm, until the signal, and tells what it comes to: one success, or failures enough. */
export async function probing(
  { probe, url, tell }: { readonly probe: Probe; readonly url: string; readonly tell: (holds: boolean) => void },
  until: AbortSignal,
): Promise<void> {
  let failures = 0
  while (!until.aborted) {
    failures = (await answers(url, probe.timeoutSeconds)) ? 0 : failures + 1
    if (until.aborted) return
    if (failures === 0) tell(true)
    if (failures === probe.failureThreshold) tell(false)
    await sleep(probe.periodSeconds * 1_000, undefined, { signal: until }).catch(() => undefined)
  }
}

export function urlOf({ httpGet: { path, port } }: Probe, address: string, { ports = [] }: Container): string {
  const number = ports.find(({ name }) => name === port)?.containerPort ?? port
  return `http://${address}:${number}${path}`
}

async function answers(url: string, seconds: number): Promise<boolean> {
  try {
    // A kubelet too asks on a new connection each time.
    const { ok, body } = await fetch(url, {
      signal: AbortSignal.timeout(seconds * 1_000),
      headers: { connection: 'close' },
    })
    await body?.cancel()
    return ok
  } catch {
    return false
  }
}
