import { besideOurs } from './beside.ts'
import { OUR_PATHS } from './caller.ts'
import { goPeer } from './go-peer.ts'
import { CONNECTIONS, cpuOf, cpuWords, paceOf, rateWords } from './race.ts'
import { smallCreation } from './reviews.ts'
import type { Measurement } from './setting.ts'
import { quotients, spreadOf } from './table.ts'

/** Beside a typed webhook in Go that answers the same reviews at the same doors, by fewer rules. */
export const besideGo: Measurement = {
  ids: ['PF-18'],
  async measure(setting) {
    const theirs = { peer: await goPeer(setting), paths: OUR_PATHS }
    const raced = await besideOurs(
      theirs,
      [{ calls: (caller) => caller.calls(smallCreation()) }],
      setting,
      paceOf(setting),
    )
    return raced.map(({ us, them }) => ({
      id: 'PF-18',
      what: `CPU of one review, mutate + validate of a TServer CREATE of 4 KB, ${CONNECTIONS} connections, by that of a typed webhook in Go (controller-runtime 0.25) with fewer rules`,
      goal: '≤ 0.25 ×',
      measured: spreadOf(quotients(cpuOf(us), cpuOf(them)), 2, ' ×'),
      beside: `${cpuWords(us)}, ${rateWords(us)}; in Go ${cpuWords(them)}, ${rateWords(them)}`,
    }))
  },
}
