import { readFileSync, writeFileSync } from 'node:fs'

interface Place {
  readonly url: string
  readonly ca: string
}

/** JSON, which is YAML too. */
export function writeKubeconfig(file: string, { url, ca }: Place, token: string): void {
  const cluster = { server: url, 'certificate-authority-data': readFileSync(ca, 'base64') }
  const kubeconfig = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'test', cluster }],
    users: [{ name: 'test', user: { token } }],
    contexts: [{ name: 'test', context: { cluster: 'test', user: 'test' } }],
    'current-context': 'test',
  }
  writeFileSync(file, JSON.stringify(kubeconfig), { mode: 0o600 })
}
