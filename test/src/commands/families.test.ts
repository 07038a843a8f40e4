import { describe, expect, it } from 'vitest'
import type { Family } from '../../../src/family.ts'
import { integer, text } from '../../../src/schema.ts'
import { setting } from '../../../src/setting.ts'
import { GADGET } from '../../support/builders/gadget.ts'
import { aGadget, aKind, aRule } from '../../support/builders/gadgets.ts'
import { scriptedApiServer } from '../../support/fakes/api-server.ts'
import { fileOf } from '../../support/folders.ts'
import { ran } from '../../support/world.ts'

const definition = { description: 'A toy.', writers: 'authors', shortNames: [], columns: [] } as const
/** Whose only kind has this name, and refuses every object. */
function aFamily(name: string, kind: string, more: Partial<Family> = {}): Family {
  const resource = { ...GADGET, kind, plural: `${kind.toLowerCase()}s` }
  const rule = aRule({ check: () => [{ path: 'spec' }], message: () => `no ${kind} is good enough` })
  return {
    name,
    kinds: () => [aKind({ resource, definition, validate: [rule] })],
    controllers: () => [],
    settings: [],
    ...more,
  }
}
const SPEED = setting('trainSpeed', integer({ doc: 'speed of trains', default: 5, minimum: 1, maximum: 9 }))
const FAMILIES = [
  aFamily('toys', 'Gadget', { category: 'toys' }),
  aFamily('trains', 'Train', { off: true, settings: [SPEED] }),
  aFamily('kites', 'Kite'),
]
const shown = (words: string, env = {}) => ran(words.split(' '), env, '', async () => FAMILIES)
/** Kinds whose CustomResourceDefinitions are printed. */
const defined = async (words: string, env?: Record<string, string>) => {
  const { out } = await shown(`manifests --set=crds ${words}`.trim(), env)
  return [...out.matchAll(/^ {4}kind: (.*)$/gm)].map(([, kind]) => kind)
}

describe('--families says which families run', () => {
  it.each([
    { words: '', kinds: ['Gadget', 'Kite'], name: 'all that are not off when it is absent' },
    { words: '--families=trains', kinds: ['Train'], name: 'one that is off' },
    {
      words: '--families kites,toys',
      kinds: ['Gadget', 'Kite'],
      name: 'several, in the order in which they stand in the list',
    },
    { words: '--families=all', kinds: ['Gadget', 'Train', 'Kite'], name: 'all of them' },
  ])('$name', async ({ words, kinds }) => {
    expect(await defined(words)).toEqual(kinds)
  })
  it('may stand in the environment and in the file', async () => {
    expect(await defined('', { TARS_ADMISSION_FAMILIES: 'trains' })).toEqual(['Train'])
    expect(await defined(`--config ${fileOf('families: [kites]\n')}`)).toEqual(['Kite'])
  })
  it.each([
    { words: '--families=cars', says: '--families takes one of toys, trains, kites, all, not "cars"' },
    { words: '--families=toys,cars', says: '--families takes one of toys, trains, kites, all, not "cars"' },
    { words: '--families=', says: 'no family runs: --families takes one of toys, trains, kites, all' },
  ])('$words is wrong usage', async ({ words, says }) => {
    expect(await shown(`manifests ${words}`)).toEqual({ code: 2, out: '', err: `tars-admission: ${says}\n` })
  })
  it.each(['webhook', 'worker', 'demo', 'review', 'manifests', 'certs status', 'check', 'config print'])(
    '%s takes it',
    async (command) => {
      expect((await shown(`${command} --help`)).out).toContain(
        '      --families toys|trains|kites|all…            families that run; the kinds of the others are left out (default: toys,kites)\n',
      )
    },
  )
})

describe('a family that does not run', () => {
  const review = (words: string) => {
    const train = fileOf(JSON.stringify({ ...aGadget(), kind: 'Train' }), 'train.json')
    return shown(`review -f ${train} ${words}`.trim())
  }
  it('has no CustomResourceDefinition, no webhook and no right', async () => {
    const [without, alone] = [(await shown('manifests')).out, (await shown('manifests --families=trains')).out]
    expect(without).not.toMatch(/\btrains?\b/i)
    expect(alone.match(/^ +- trains$/gm)?.length).toBeGreaterThan(1)
    expect(alone).not.toContain('gadgets')
  })
  it('reviews nothing', async () => {
    expect((await review('--families=trains')).out).toContain('no Train is good enough')
    expect((await review('')).out).not.toContain('no Train is good enough')
  })
  it('is known by its settings all the same, so that one file serves all processes', async () => {
    const config = `--config ${fileOf('train-speed: 7\n')}`
    expect((await shown(`config print ${config}`)).out).toMatch(/^train-speed: 7$/m)
    expect((await shown(`config print ${config}`)).out).toMatch(/^families:\n {2}- toys\n {2}- kites$/m)
  })
})

it('the printed pods run the families that the manifests are for', async () => {
  expect((await shown('manifests --families=trains,toys')).out).toContain('- --families=trains,toys\n')
  expect((await shown('manifests')).out).not.toContain('--families')
})

describe('a command of a family', () => {
  const GAUGE = setting('gauge', text({ doc: 'width of the track' }))
  const family = aFamily('trains', 'Train', {
    off: true,
    commands: [
      {
        name: 'trains depart',
        doc: 'says which train departs',
        words: 'NAMESPACE/NAME',
        flags: [GAUGE],
        async run({ words, settings, namespace }) {
          if (words.length !== 1) return { text: 'name one train', data: {}, code: 2 }
          return { text: `${words} from ${namespace} on ${settings.get(GAUGE)}\n`, data: { words }, code: 1 }
        },
      },
    ],
  })
  const said = async (...words: readonly string[]) => {
    const server = await scriptedApiServer()
    const { code, out, err } = await ran([...words, '--kubeconfig', server.kubeconfig()], {}, '', async () => [
      ...FAMILIES,
      family,
    ])
    await server.stop()
    return { code, said: out + err }
  }
  it.each([
    { words: 'trains depart demo/late --gauge=wide', code: 1, said: 'demo/late from tars-system on wide\n' },
    {
      words: 'trains depart --gauge wide demo/late -o json',
      code: 1,
      said: '{\n  "words": [\n    "demo/late"\n  ]\n}\n',
    },
    { words: 'trains depart --gauge=wide', code: 2, said: 'tars-admission: name one train\n' },
    { words: 'trains', code: 2, said: 'tars-admission: there is no command "trains"; there is "trains depart"\n' },
    {
      words: 'manifests --gauge=wide',
      code: 2,
      said: 'tars-admission: --gauge is no flag of this command; --help names its flags\n',
    },
  ])('$words', async ({ words, code, said: text }) => {
    expect(await said(...words.split(' '))).toEqual({ code, said: text })
  })
  it('has its words and flags in its help', async () => {
    const { said: help } = await said('trains', 'depart', '--help')
    expect(help).toMatch(/^usage: tars-admission trains depart NAMESPACE\/NAME \[FLAGS\]\nsays which train departs\n/)
    expect(help).toMatch(/--gauge TEXT +width of the track$/m)
  })
})
