import { besideOurs } from './beside.ts'
import type { Caller } from './caller.ts'
import type { Contender } from './child.ts'
import { config } from './objects.ts'
import { PEPR_PATHS, type PeprVersion, peprServer } from './pepr.ts'
import { CONNECTIONS, cpuOf, cpuWords, ratesOf, rateWords } from './race.ts'
import { creation, recorded, sized, smallCreation } from './reviews.ts'
import type { Measurement, Setting } from './setting.ts'
import { notMeasured, quotients, type Row, spreadOf } from './table.ts'

interface Case {
  readonly what: string
  readonly goals: Readonly<Record<PeprVersion, string>>
  readonly calls: (caller: Caller) => Promise<readonly Buffer[]>
}

const CASES: readonly Case[] = [
  {
    what: 'mutate of a TServer CREATE of 4 KB',
    goals: { '1.1.4': '≥ 14 ×', '20.0.0': '≥ 7 ×' },
    calls: (caller) => caller.calls(smallCreation(), { mutateOnly: true }),
  },
  {
    what: 'mutate + validate of a TServer UPDATE that a real API server sent, 5.5 KB',
    goals: { '1.1.4': '≥ 10 ×', '20.0.0': '≥ 6 ×' },
    calls: (caller) => caller.calls(recorded('04-tserver-update-json-patch.mutate'), { uncompleted: true }),
  },
  {
    what: 'mutate of a TConfig CREATE of 66 KB, nearly all of it one text',
    goals: { '1.1.4': '≥ 1.7 ×', '20.0.0': '≥ 1.7 ×' },
    calls: (caller) =>
      caller.calls(
        sized(66_000, (filling) => creation(config('large', { program: 'Large', filling }))),
        { mutateOnly: true },
      ),
  },
]

/** Beside the published admission server that does the same in general: labels, a default and a rule, all of ours beside it. */
export const besidePepr: Measurement = {
  ids: ['PF-7'],
  async measure(setting) {
    const versions: readonly PeprVersion[] = setting.quick ? ['1.1.4'] : ['1.1.4', '20.0.0']
    const rows: Row[] = []
    for (const version of versions) rows.push(...(await beside(version, setting)))
    return rows
  },
}

async function beside(version: PeprVersion, setting: Setting): Promise<readonly Row[]> {
  let peer: Contender
  try {
    peer = await peprServer(version, setting)
  } catch (cause) {
    return [notMeasured('PF-7', cause, `beside pepr ${version}`)] // it comes from the registry, which may be out of reach
  }
  const { quick, ca } = setting
  const pace = quick ? { ca, rounds: 1, seconds: 1, warmUp: 1 } : { ca, rounds: 9, seconds: 2, warmUp: 5 }
  const raced = await besideOurs({ peer, paths: PEPR_PATHS }, CASES, setting, pace)
  return raced.map(({ of: { what, goals }, us, them }) => ({
    id: 'PF-7',
    what: `reviews/s, ${what}, ${CONNECTIONS} connections, by those of pepr ${version} with an equal rule`,
    goal: goals[version],
    measured: spreadOf(quotients(ratesOf(us), ratesOf(them)), 1, ' ×'),
    beside: `${rateWords(us)}, ${cpuWords(us)}; pepr ${rateWords(them)}, ${cpuWords(them)}; by CPU ${spreadOf(quotients(cpuOf(them), cpuOf(us)), 1, ' ×')}`,
  }))
}
