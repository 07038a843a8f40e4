import { describe, expect, it } from 'vitest'
import type { Family } from '../../../src/family.ts'
import { choice, flag, integer, list, text } from '../../../src/schema.ts'
import { setting } from '../../../src/setting.ts'
import { aGadget, aKind, aRule } from '../../support/builders/gadgets.ts'
import { fileOf } from '../../support/folders.ts'
import { ran } from '../../support/world.ts'

/** All that a kind would write: tokens beside its rules, and rules that ask for them. */
const TEETH = setting('gearTeeth', integer({ doc: 'teeth of a gear', default: 12, minimum: 3, maximum: 99 }))
const FORM = setting('gearForm', choice(['spur', 'worm'], { doc: 'form of a gear', default: 'spur' }))
const OILED = setting('gearOiled', flag({ doc: 'oil gears', default: true }))
const MAKERS = setting('gearMakers', list(text({ doc: 'name' }), { doc: 'makers of gears', default: [] }))
const rule = aRule({
  check: ({ settings }) => (settings.get(TEETH) > 20 ? [{ path: 'spec.count', value: settings.get(TEETH) }] : []),
  message: ({ value }) => `${value} teeth are too many`,
})
const definition = { description: 'A gadget.', writers: 'authors', shortNames: [], columns: [] } as const
const kind = aKind({ definition, validate: [rule] })
const gears: Family = {
  name: 'gears',
  kinds: () => [kind],
  controllers: () => [],
  settings: [TEETH, FORM, OILED, MAKERS],
}
const shown = (words: string, env = {}) => ran(words.split(' '), env, '', async () => [gears])
const printed = async (words: string, env?: Record<string, string>) =>
  (await shown(`config print ${words}`.trim(), env)).out.match(/^gear-.*$/gm)

describe('a setting that a made-up family declares', () => {
  it.each(['webhook', 'demo', 'review'])('has its line in the help of %s', async (command) => {
    const { out } = await shown(`${command} --help`)
    expect(out.match(/^.*--gear-.*$/gm)).toEqual([
      '      --gear-teeth NUMBER                          teeth of a gear (default: 12)',
      '      --gear-form spur|worm                        form of a gear (default: spur)',
      '      --gear-oiled                                 oil gears (default: true)',
      '      --gear-makers TEXT…                          makers of gears',
    ])
  })
  it('has its default in config print, beside what else rules are asked with', async () => {
    expect((await shown('config print')).out).toContain(`enforce: refuse
gear-teeth: 12
gear-form: spur
gear-oiled: true
gear-makers: []
controllers: []
`)
  })
  it('is set by its flag, its variable and its key, in this order', async () => {
    const file = fileOf('gear-teeth: 4\ngear-form: worm\ngear-makers: [ann, bob]\n')
    const env = { TARS_ADMISSION_GEAR_TEETH: '5', TARS_ADMISSION_GEAR_OILED: 'false' }
    expect(await printed(`--config ${file} --gear-teeth=6`, env)).toEqual([
      'gear-teeth: 6',
      'gear-form: worm',
      'gear-oiled: false',
      'gear-makers:',
    ])
    expect(await printed(`--config ${file}`, env)).toContain('gear-teeth: 5')
    expect(await printed(`--config ${file}`)).toContain('gear-teeth: 4')
  })
  it('is printed as --config reads it', async () => {
    const { out } = await shown('config print --gear-teeth=7 --gear-makers=ann,bob')
    expect((await shown(`config print --config ${fileOf(out)}`)).out).toBe(out)
  })
  it.each([
    { words: '--gear-teeth=2', says: '--gear-teeth takes a whole number from 3 to 99, not "2"' },
    { words: '--gear-form=flat', says: '--gear-form takes one of spur, worm, not "flat"' },
    { words: '--gear-oiled=1', says: '--gear-oiled takes true or false, not "1"' },
    { words: '--gear-makers', says: '--gear-makers takes a text, and nothing follows it' },
  ])('$words is refused with what it takes', async ({ words, says }) => {
    expect(await shown(`config print ${words}`)).toEqual({ code: 2, out: '', err: `tars-admission: ${says}\n` })
  })
  it('is no flag of a command that asks no rules, and its variable waits for one that does', async () => {
    expect((await shown('certs status --gear-teeth=4')).err).toContain('--gear-teeth is no flag of this command')
    expect((await shown('manifests', { TARS_ADMISSION_GEAR_TEETH: '4' })).code).toBe(0)
  })
  it('is asked by the rule beside it', async () => {
    const file = fileOf(JSON.stringify(aGadget()), 'gadget.json')
    expect((await shown(`review -f ${file}`)).code).toBe(0)
    const { code, out } = await shown(`review -f ${file} --gear-teeth=21`)
    expect(code).toBe(1)
    expect(out).toContain('21 teeth are too many')
  })
})
