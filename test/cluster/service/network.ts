/** The addresses of the network namespace that the run has to itself; all are on its own loopback. */
export const API_SERVER = '10.1.0.1'
const POD_NETWORK = '10.1'

/** Never one twice in a run: whoever still calls a pod that is gone must not reach its successor. */
export function podAddresses(): () => string {
  let taken = 10
  return () => {
    taken += 1
    return `${POD_NETWORK}.${Math.floor(taken / 250)}.${(taken % 250) + 2}`
  }
}
