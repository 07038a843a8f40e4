import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { fileOf } from '../../support/folders.ts'
import { ran } from '../../support/world.ts'

const isThere = (shell: string) =>
  (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, shell)))

/** As the overview names them; the last two read their words themselves. */
const NAMES = [...(await ran(['help'])).out.matchAll(/^ {2}(\S+(?: \S+)?) +[a-z]/gm)].map(([, name = '']) => name)
const COMMANDS = NAMES.filter((name) => !['sync', 'completion'].includes(name))
/** Each as in its help. */
async function flagsOf(command: string): Promise<readonly string[]> {
  const { out } = await ran(['help', ...command.split(' ')])
  return [...out.matchAll(/^ {2}(?: {4}|(-\w), )(--\S+)/gm)].flatMap(([, short, long]) => [short, long]).filter(isText)
}
const isText = (word: string | undefined) => word !== undefined

describe('completion bash, read by a bash', () => {
  /** What is offered for the last of these words; readline takes `=` for a word. */
  async function offered(...words: readonly string[]): Promise<readonly string[]> {
    const script = fileOf((await ran(['completion', 'bash'])).out, 'completion.bash')
    const typed = ['tars-admission', ...words]
    const asks = `source '${script}'; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _tars_admission; printf '%s\n' "\${COMPREPLY[@]}"`
    const { stdout, stderr } = await promisify(execFile)('bash', ['-c', asks, 'bash', ...typed])
    expect(stderr).toBe('')
    return stdout.split('\n').filter(Boolean)
  }

  it.each([
    { words: ['rev'], offers: ['review'] },
    { words: ['co'], offers: ['completion', 'config'] },
    { words: ['certs', ''], offers: ['status'] },
    { words: ['help', 'work'], offers: ['worker'] },
    { words: ['completion', ''], offers: ['bash', 'zsh', 'fish', '--help'] },
    { words: ['certs', 'status', '--cert'], offers: ['--certs', '--cert-dir'] },
    { words: ['review', '-o', ''], offers: ['text', 'json', 'yaml', 'html'] },
    { words: ['review', '-f', 'a', '--output', 'j'], offers: ['json'] },
    { words: ['review', '--output', '='], offers: ['text', 'json', 'yaml', 'html'] },
    { words: ['review', '--output', '=', 'y'], offers: ['yaml'] },
    { words: ['webhook', '--families', 'k'], offers: ['kruise'] },
    { words: ['webhook', '--pod-failure-policy', ''], offers: ['Closed', 'Open'] },
    { words: ['review', '-f', ''], offers: [] },
    { words: ['sync', '-onet'], offers: ['-onetime'] },
    { words: ['nonsense', '--'], offers: [] },
  ])('$words', async ({ words, offers }) => {
    expect(await offered(...words)).toEqual(offers)
  })

  it('offers all commands', async () => {
    const single = [...NAMES.map((name) => name.split(' ')[0]), 'help']
    expect([...(await offered(''))].sort()).toEqual([...new Set(single)].sort())
  })

  it.each(COMMANDS)('offers the flags that the help of %s names', async (command) => {
    const flags = await flagsOf(command)
    expect(flags.length).toBeGreaterThan(3)
    expect(await offered(...command.split(' '), '-')).toEqual([...flags, '--help'])
  })
})

describe.each([
  { shell: 'zsh', asks: (script: string) => ['-n', script] },
  { shell: 'fish', asks: (script: string) => ['--no-execute', script] },
])('completion $shell', ({ shell, asks }) => {
  it('names each flag with what it means, and what it takes', async () => {
    const { out } = await ran(['completion', shell])
    for (const flag of (await flagsOf('review')).filter((each) => each.startsWith('--')))
      expect(out).toContain(shell === 'fish' ? `-l ${flag.slice(2)} ` : `${flag}[`)
    for (const part of ['text json yaml html', 'which cluster and who we are there', 'crd-check', 'backend'])
      expect(out).toContain(part)
  })

  it('is read by that shell', async ({ skip }) => {
    if (!isThere(shell)) skip(`there is no ${shell}`)
    const script = fileOf((await ran(['completion', shell])).out, `completion.${shell}`)
    expect(await promisify(execFile)(shell, asks(script))).toEqual({ stdout: '', stderr: '' })
  })
})

describe('completion', () => {
  it.each([{ words: [] }, { words: ['tcsh'] }, { words: ['toString'] }, { words: ['bash', 'more'] }])(
    '$words is wrong usage',
    async ({ words }) => {
      const err = 'tars-admission: completion takes bash, zsh, fish\n'
      expect(await ran(['completion', ...words])).toEqual({ code: 2, out: '', err })
    },
  )
  it('says how each shell reads it', async () => {
    const { code, out } = await ran(['completion', '--help'])
    expect(code).toBe(0)
    expect(out).toContain('source <(tars-admission completion bash)')
  })
})
