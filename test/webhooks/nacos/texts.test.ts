import { globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { mergePatched } from '../../../src/cluster/memory/merge-patch.ts'
import type { Built } from '../../../src/cluster/port.ts'
import { mergedText } from '../../../webhooks/nacos/config/merge.ts'
import { nacosConfigMap } from '../../../webhooks/nacos/configmap/kind.ts'
import { CONFIG_MAP } from '../../../webhooks/nacos/kubernetes.ts'
import { nacosKind } from '../../../webhooks/nacos/nacos/kind.ts'
import { NACOS } from '../../../webhooks/nacos/nacos/schema.ts'
import { CONFIG_MAP_TEXTS } from '../../support/nacos-texts/config-maps.ts'
import { NACOS_TEXTS, type RuleText } from '../../support/nacos-texts/rules.ts'
import { configMapsOnStage, NACOS_ON_STAGE } from '../../support/nacos-texts/stage.ts'
import { BRIEF_STATES, STATE_TEXTS } from '../../support/nacos-texts/states.ts'
import { TURN_TEXTS } from '../../support/nacos-texts/turns.ts'
import { nacosWorld, runningWorld } from '../../support/nacos-world.ts'
import { reviewsOf } from '../../support/reviews.ts'
import { saidIn } from '../../support/source-texts.ts'
import { wordsTo } from './nacos/admitting.ts'

const inDemo = (object: Built): Built => ({ ...object, metadata: { ...object.metadata, namespace: 'demo' } })
const STAGE = [...NACOS_ON_STAGE, ...configMapsOnStage((name) => `uid-of-${name}`)].map(inDemo)
const OPERATED = { there: STAGE, settings: { nacosProtectedKeys: ['db.*'] } }
const REVIEWS = { Nacos: reviewsOf(NACOS), ConfigMap: reviewsOf(CONFIG_MAP) }

function reviewFor({ of, name, create, patch }: RuleText) {
  const { creationOf, updateOf, deletionOf } = REVIEWS[of]
  if (create !== undefined) return creationOf(mergePatched(create, { metadata: { namespace: 'demo' } }))
  const stored = STAGE.find(({ kind, metadata }) => kind === of && metadata.name === name)
  return patch === undefined ? deletionOf(stored) : updateOf(stored, mergePatched(stored, patch))
}

const STATUS = { refused: '422 Invalid: ', forbidden: '403 Forbidden: ', warned: 'warning: ' }
const RULE_TEXTS = [...NACOS_TEXTS, ...CONFIG_MAP_TEXTS]
const STATES = [...STATE_TEXTS, ...BRIEF_STATES].map((text) => ({ ...text, name: text.nacos.metadata.name }))

describe('every text that a user reads, to its end', () => {
  it.each(RULE_TEXTS)('$effect: $says', async (text) => {
    const words = await wordsTo(reviewFor(text), OPERATED)
    expect(words.split('\n')).toContain(`${STATUS[text.effect]}${text.says.replace('<namespace>', 'demo')}`)
  })

  it.each(STATES)('of a new Nacos: $name', async ({ nacos, beside, name, conditions, events }) => {
    const world = nacosWorld(...beside.map(inDemo), inDemo({ ...nacos, metadata: { ...nacos.metadata, uid: 'n-1' } }))
    const { messages, notices } = await world.turn(0, name)
    expect(messages).toMatchObject(conditions)
    expect(notices).toEqual(expect.arrayContaining([...events]))
  })

  it.each(TURN_TEXTS)('of a Nacos that runs: $name', async ({ act, says }) => {
    expect(await act(await runningWorld())).toEqual(expect.arrayContaining([...says]))
  })
})

/** A new text has a row in test/support/nacos-texts. */
describe('no text is left out', () => {
  const asserted = [
    ...RULE_TEXTS.map(({ says }) => says),
    ...STATES.flatMap(({ conditions, events }) => [...Object.values(conditions), ...events]),
    ...TURN_TEXTS.flatMap(({ says }) => says),
  ]
  /** Documentation, names and settings, which have pages of their own. */
  const PRINTED = /(schema|settings|metrics|mutate|doors|kind|family|kubernetes|nacos\/names)\.ts$/
  /** For the machine, and for the server. */
  const NOT_TOLD = ['dry run', 'lone backslash', 'spec.userConfigRef, spec.internalConfigRef', mergedText('a=1', 'b=2')]
  const FILES = globSync('webhooks/nacos/**/*.ts').filter((file) => !PRINTED.test(file))
  const isToldOf = (text: RegExp) => !NOT_TOLD.some((each) => text.test(each))

  it.each(FILES)('of %s', (file) => {
    const said = saidIn(readFileSync(file, 'utf8')).filter(isToldOf)
    expect(said.filter((text) => !asserted.some((sentence) => text.test(sentence)))).toEqual([])
  })

  it('and no rule', () => {
    const rules = [nacosKind, nacosConfigMap].flatMap((kind) => kind.rules.map(({ id }) => id))
    expect(rules.filter((id) => !asserted.some((sentence) => sentence.includes(`(${id})`)))).toEqual([])
  })

  it.each(["const a: string = is ? 'a new text' : ''", ['const a = `', '{`another new`} text`'].join('$')])(
    'a planted one is found: %s',
    (code) => {
      expect(saidIn(code).filter((text) => !asserted.some((sentence) => text.test(sentence)))).toHaveLength(1)
    },
  )
})
