import { describe, expect, it } from 'vitest'
import { VERSION } from '../../../src/config.ts'
import { fileOf, folderOf } from '../../support/folders.ts'
import { ran } from '../../support/world.ts'

const ROOT = `
apiVersion: k8s.tars.io/v1beta2
kind: TTemplate
metadata: { name: root }
spec: { parent: root, content: '' }
`
const ORPHAN = ROOT.replace('parent: root', 'parent: nowhere')

describe('the words of a command line', () => {
  it.each([{ words: [] }, { words: ['--help'] }, { words: ['-h'] }])(
    '$words names the commands and the exit codes',
    async ({ words }) => {
      const { code, out, err } = await ran(words)
      expect({ code, err }).toEqual({ code: 0, err: '' })
      expect(out).toContain('usage: tars-admission COMMAND [FLAGS]')
      expect(out).toMatch(/^ {2}webhook {8}serves reviews to an API server, over TLS$/m)
      expect(out).toContain('3 could not say')
    },
  )

  it.each([
    { words: ['config'], names: ['config print'] },
    { words: ['certs'], names: ['certs status'] },
    { words: ['help', 'certs'], names: ['certs status'] },
    { words: ['daemonset-patches', '-h'], names: ['daemonset-patches crd-check', 'daemonset-patches explain'] },
  ])('$words names those that begin so, and no others', async ({ words, names }) => {
    const { code, out, err } = await ran(words)
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toContain(`usage: tars-admission ${names[0]?.split(' ')[0]} COMMAND [FLAGS]`)
    expect([...out.matchAll(/^ {2}(\S+ \S+) /gm)].map(([, name]) => name)).toEqual(names)
  })

  it.each([
    { words: ['help'], like: ['--help'] },
    { words: ['help', 'review'], like: ['review', '--help'] },
    { words: ['help', 'certs', 'status'], like: ['certs', 'status', '--help'] },
    { words: ['help', 'sync'], like: ['sync', '--help'] },
    { words: ['help', 'help'], like: ['--help'] },
  ])('$words is as $like', async ({ words, like }) => {
    const { out, ...rest } = await ran(words)
    expect({ out, ...rest }).toEqual(await ran(like))
    expect(out + rest.err).toContain('-')
  })

  it('--version tells it alone', async () => {
    expect(await ran(['--version'])).toEqual({ code: 0, out: `${VERSION}\n`, err: '' })
  })

  it.each([
    { words: ['reveiw'], says: 'there is no command "reveiw"; --help names the commands' },
    { words: ['help', 'reveiw'], says: 'there is no command "reveiw"; --help names the commands' },
    { words: ['config', 'show'], says: 'there is no command "config"; there is "config print"' },
    { words: ['--port', '1', 'webhook'], says: 'a command goes before --port; --help names the commands' },
    { words: ['toString'], says: 'there is no command "toString"; --help names the commands' },
    { words: ['review', '--prot'], says: '--prot is no flag of this command; --help names its flags' },
  ])('$words is wrong usage', async ({ words, says }) => {
    expect(await ran(words)).toEqual({ code: 2, out: '', err: `tars-admission: ${says}\n` })
  })

  it.each(['webhook', 'worker', 'demo', 'review', 'manifests', 'certs status', 'check', 'config print'])(
    '%s --help says what it is for and names its flags, whatever else is said',
    async (name) => {
      const { code, out, err } = await ran([...name.split(' '), '--nonsense', '--help'])
      expect({ code, err }).toEqual({ code: 0, err: '' })
      expect(out).toMatch(new RegExp(`^usage: tars-admission ${name} \\[FLAGS\\]\n[a-z].+\n\n {2}.*--`))
      expect(out).toContain('TARS_ADMISSION_LOG_LEVEL')
      expect(out.match(/^ .*--config FILE/gm)).toHaveLength(1)
    },
  )

  it('--help says what a setting means to this very command', async () => {
    expect((await ran(['review', '--help'])).out).toMatch(
      /--namespace NAMESPACE +of objects that name none; of a cluster, the only one to review \(default: default\)$/m,
    )
    expect((await ran(['webhook', '--help'])).out).toMatch(
      /--namespace NAMESPACE +namespace of the installation \(default: tars-system\)$/m,
    )
  })
})

describe('the exit code', () => {
  it.each([
    { name: '0 when all is well', content: ROOT, args: [], code: 0 },
    { name: '1 when an object is refused', content: ORPHAN, args: [], code: 1 },
    { name: '2 when the usage is wrong', content: ROOT, args: ['--output=xml'], code: 2 },
    { name: '2 when a file cannot be read', content: '{', args: [], code: 2 },
    { name: '3 when it could not be said', content: ROOT, args: ['--server=https://127.0.0.1:1'], code: 3 },
  ])('is $name', async ({ content, args, code }) => {
    expect((await ran(['review', '-f', fileOf(content), ...args])).code).toBe(code)
  })
  it('is 2 when there is no cluster to talk to, and the way out is said', async () => {
    const { code, err } = await ran(['webhook', '--kubeconfig', fileOf('{}')])
    expect(code).toBe(2)
    expect(err).toMatch(/^tars-admission: .*kubeconfig.*\n$/m)
  })
})

describe('the file of --config', () => {
  const printed = async (content: string, ...args: string[]) =>
    (await ran(['config', 'print', '--config', fileOf(content, 'settings.yaml'), ...args])).out
  it('is read, and a version is no number', async () => {
    expect(await printed('kube-version: 1.30\nport: 10\n')).toMatch(/^port: 10\n(?:.*\n)*kube-version: "1.30"$/m)
  })
  it('may be named by the environment', async () => {
    const env = { TARS_ADMISSION_CONFIG: fileOf('user: ann\n') }
    expect((await ran(['config', 'print'], env)).out).toMatch(/^user: ann$/m)
  })
  it('may be empty', async () => {
    expect(await printed('# nothing yet\n')).toMatch(/^port: 9443$/m)
  })
  it('that is not there is named, with the reason', async () => {
    const path = `${folderOf()}/none.yaml`
    const says = `tars-admission: ${path} cannot be read: there is no such file or folder\n`
    expect(await ran(['review', '--config', path])).toEqual({ code: 2, out: '', err: says })
  })
  it('that is no YAML is named with the line', async () => {
    const path = fileOf('port: 1\nport: 2\n')
    expect((await ran(['config', 'print', '--config', path])).err).toBe(
      `tars-admission: ${path}:2: Map keys must be unique\n`,
    )
  })
})
