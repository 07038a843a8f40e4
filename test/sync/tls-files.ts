import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { issueAuthority, issueLeaf } from '../../certs/authority.ts'
import { clientPair } from '../support/client-certificates.ts'
import { folderOf } from '../support/folders.ts'
import type { ServedTls } from './etcd.ts'

export interface TlsFiles extends ServedTls {
  /** Everything from another CA, in the same files. */
  exchange(): Promise<void>
}

/** A CA, a pair of the server and one of its client, `app`. */
export async function tlsFiles(): Promise<TlsFiles> {
  const folder = folderOf()
  const file = (name: string) => join(folder, name)
  const client = { ca: file('ca.crt'), cert: file('client.crt'), key: file('client.key') }

  async function exchange(): Promise<void> {
    const authority = await issueAuthority(new Date())
    const server = await issueLeaf(authority, ['127.0.0.1'], new Date())
    const pair = await clientPair(authority, 'app')
    const files = {
      'ca.crt': authority.cert,
      'server.crt': server.cert,
      'server.key': server.key,
      'client.crt': pair.cert,
      'client.key': pair.key,
    }
    for (const [name, content] of Object.entries(files)) writeFileSync(file(name), content)
  }
  await exchange()
  const flags = [
    `--cert-file=${file('server.crt')}`,
    `--key-file=${file('server.key')}`,
    `--trusted-ca-file=${client.ca}`,
    '--client-cert-auth',
    // for its JSON gateway, which calls the server as a client does
    `--client-cert-file=${client.cert}`,
    `--client-key-file=${client.key}`,
  ]
  return { flags, client, exchange }
}
