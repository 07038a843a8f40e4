import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Metafile } from 'esbuild'

interface Package {
  readonly folder: string
  readonly name: string
  readonly version: string
  readonly license: string
  readonly integrity: string
}

/** Lists the packages in the bundle, from the bundler's output and the lock file (SC-4). */
export function writeBillOfMaterials({ outputs }: Metafile, out: string): void {
  const inputs = Object.values(outputs).flatMap(({ inputs }) => Object.entries(inputs))
  const folders = inputs.flatMap(([path, { bytesInOutput }]) => (bytesInOutput === 0 ? [] : folderOf(path)))
  const packages = [...new Set(folders)].sort().map(locked)
  writeFileSync(join(out, 'sbom.json'), `${JSON.stringify(bomOf(packages), undefined, 1)}\n`)
  writeFileSync(join(out, 'licenses.txt'), packages.map(notice).join(`\n${'-'.repeat(80)}\n`))
}

/** The innermost package; none for our own files, and for what stands in for a file. */
function folderOf(path: string): readonly string[] {
  return /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path) ?? []
}

function locked(folder: string): Package {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
  const { version, license, integrity } = packages[folder.replace(/^.*?(?=node_modules\/)/, '')] // node_modules may be linked from elsewhere
  return { folder, name: folder.replace(/^.*node_modules\//, ''), version, license, integrity }
}

/** CycloneDX. The same for the same bundle: without a time, or a number of its own. */
function bomOf(packages: readonly Package[]) {
  const { name, version, license } = JSON.parse(readFileSync('package.json', 'utf8'))
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: { type: 'application', name, version, licenses: [{ expression: license }] } },
    components: packages.map(componentOf),
  }
}

function componentOf({ name, version, license, integrity }: Package) {
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`
  const content = Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex')
  const hashes = [{ alg: 'SHA-512', content }]
  return { type: 'library', 'bom-ref': purl, name, version, purl, licenses: [{ expression: license }], hashes }
}

/** Most licences require that their text and copyright notice are included. */
function notice({ folder, name, version, license }: Package): string {
  const files = readdirSync(folder).filter((file) => /^licen[cs]e/i.test(file))
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim())
  return [`${name} ${version} (${license})`, ...texts, ''].join('\n\n')
}
