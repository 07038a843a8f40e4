import { globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { breachesIn } from '../../.config/breaches.ts'
import { IMPORTS } from '../../.config/imports.ts'

const FILES = globSync('{src,webhooks,certs}/**/*.{ts,js}')

describe('imports point one way, and .config/imports.ts says which', () => {
  it('every file keeps to its row', () => {
    const breaches = FILES.flatMap((file) =>
      breachesIn(file, readFileSync(file, 'utf8')).map((what) => `${file} ${what}`),
    )
    expect(FILES.length).toBeGreaterThan(200)
    expect(breaches).toEqual([])
  })

  it('fifty rows are enough, and each is of a file that exists', () => {
    expect(IMPORTS.length).toBeLessThanOrEqual(50)
    expect(IMPORTS.filter(({ of }) => !FILES.some((file) => isOf(file, of)))).toEqual([])
  })

  it('a file without a row is found', () => {
    expect(breachesIn('src/elsewhere.ts', '')).toHaveLength(1)
  })

  it.each([
    { file: 'src/reconcile/apply.ts', planted: '../http/observer.ts' },
    { file: 'src/reconcile/apply.ts', planted: 'fastify' },
    { file: 'src/timing/clock.ts', planted: '../cluster/port.ts' },
    { file: 'src/timing/clock.ts', planted: 'node:fs' },
    { file: 'src/remote/passwords/pool.ts', planted: '../../config.ts' },
    { file: 'src/kube/labels.ts', planted: '../faults.ts' },
    { file: 'src/schema.ts', planted: './kind.ts' },
    { file: 'src/admission/rule.ts', planted: '../http/observer.ts' },
    { file: 'src/admission/rule.ts', planted: 'node:https' },
    { file: 'src/kind.ts', planted: '../webhooks/index.ts' },
    { file: 'src/commands/webhook.ts', planted: '../../webhooks/index.ts' },
    { file: 'webhooks/index.ts', planted: './tars/tserver/kind.ts' },
    { file: 'src/http/observer.ts', planted: '../cluster/kube/client.ts' },
    { file: 'src/http/observer.ts', planted: '@kubernetes/client-node' },
    { file: 'src/cluster/kube/client.ts', planted: '../memory/life.ts' },
    { file: 'src/process/reviews.ts', planted: '../commands/run.ts' },
    { file: 'src/bin/tars-admission.ts', planted: '../kind.ts' },
    { file: 'certs/authority.ts', planted: '../src/http/observer.ts' },
    { file: 'webhooks/tars/ttemplate/validate.ts', planted: '../tserver/mutate.ts' },
    { file: 'webhooks/tars/ttemplate/validate.ts', planted: '../../nacos/nacos/schema.ts' },
    { file: 'webhooks/tars/ttemplate/validate.ts', planted: '../../../src/faults.ts' },
    { file: 'webhooks/tars/ttemplate/validate.ts', planted: 'node:fs' },
    { file: 'webhooks/tars/names.ts', planted: './tserver/schema.ts' },
  ])('$planted planted in $file is found', ({ file, planted }) => {
    expect(breachesIn(file, `import '${planted}'\n`)).toEqual([planted])
    expect(breachesIn(file, `export type { X } from '${planted}'\n`)).toEqual([planted])
    expect(breachesIn(file, `  const { x } = await import('${planted}')\n`)).toEqual([planted])
    expect(breachesIn(file, `import {\n  type X,\n  y,\n} from '${planted}'\n`)).toEqual([planted])
    expect(breachesIn(file, `import {\n  x, // that's it; \n  /* and */ y,\n} from '${planted}'\n`)).toEqual([planted])
    expect(breachesIn(file, `  const { x } = await import(\`${planted}\`)\n`)).toEqual([planted])
    expect(breachesIn(file, `import { x } from "${planted}"\n`)).toEqual([planted])
  })

  it('what a comment names is no import, and a glob is no comment', () => {
    const file = 'src/timing/clock.ts'
    const glob = "const glob = 'src/**/*.ts'\nimport('node:fs')\nconst other = '**/x'\n"
    expect(breachesIn(file, "/* import('node:fs') */\n// import('node:fs')\n")).toEqual([])
    expect(breachesIn(file, glob)).toEqual(['node:fs'])
  })

  it.each([
    { file: 'webhooks/tars/ttemplate/validate.ts', allowed: '../tserver/schema.ts' },
    { file: 'webhooks/tars/ttemplate/validate.ts', allowed: './shape.ts' },
    { file: 'webhooks/tars/ttemplate/validate.ts', allowed: '../../../src/kube/labels.ts' },
    { file: 'src/commands/run.ts', allowed: '../../webhooks/index.ts' },
    { file: 'src/cluster/kube/client.ts', allowed: '@kubernetes/client-node/dist/config.js' },
  ])('$allowed in $file passes', ({ file, allowed }) => {
    expect(breachesIn(file, `import '${allowed}'\n`)).toEqual([])
  })
})

describe('what a kind sees of the machine stays small', () => {
  it.each(FILES.filter((file) => file.startsWith('webhooks/kit/')))('%s hands on 35 names at most', (file) => {
    const lists = [...readFileSync(file, 'utf8').matchAll(/^export (?:type )?\{([^}]*)\} from /gm)]
    const names = lists.flatMap(([, list = '']) => list.split(',').filter((name) => name.trim() !== ''))
    expect(names.length).toBeGreaterThan(0)
    expect(names.length).toBeLessThanOrEqual(35)
  })
})

function isOf(file: string, of: string): boolean {
  return new RegExp(`^${of.replaceAll('*', '[^/]+')}${of.endsWith('/') ? '' : '$'}`).test(file)
}
