import { execFileSync } from 'node:child_process'

/** Addresses of the network namespace that a run has to itself. All are on its own loopback, as long as they are held. */
export const API_SERVER = '10.1.0.1'
export const PODS = '10.1'

export const hold = (address: string) => void execFileSync('ip', ['addr', 'add', `${address}/32`, 'dev', 'lo'])
/** Then nobody is there: whoever calls it has no route. */
export const release = (address: string) => void execFileSync('ip', ['addr', 'del', `${address}/32`, 'dev', 'lo'])

/** Never one twice: whoever still calls a pod that is gone must not reach its successor. */
export function podAddresses(network: string): () => string {
  let taken = 10
  return () => {
    taken += 1
    return `${network}.${Math.floor(taken / 250)}.${taken % 250}`
  }
}
