import { X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createSecureContext } from 'node:tls'
import { Fault } from '../../faults.ts'
import type { StoreOptions } from '../store.ts'

/** What a TLS connection takes of the options. Files are read again for each connection, so a renewed pair is used. */
export interface ClientTls {
  readonly ca?: Buffer
  readonly cert?: Buffer
  readonly key?: Buffer
  readonly rejectUnauthorized: boolean
}

type TlsOptions = Pick<StoreOptions, 'clientCert' | 'clientKey' | 'clientCaKeys' | 'clientInsecure'>

export async function clientTls(options: TlsOptions): Promise<ClientTls> {
  const { clientCert, clientKey, clientCaKeys, clientInsecure } = options
  const ca = clientCaKeys === '' ? {} : { ca: await authorities(clientCaKeys) }
  const pair =
    clientCert === '' || clientKey === ''
      ? {}
      : { cert: await content('client_cert', clientCert), key: await content('client_key', clientKey) }
  const tls = { ...ca, ...pair, rejectUnauthorized: !clientInsecure }
  try {
    createSecureContext(tls)
  } catch (cause) {
    throw new Fault('CERTIFICATE', `${clientCert} and ${clientKey} are no pair of a certificate and its key`, { cause })
  }
  return tls
}

export async function passwordOf({ password, passwordFile }: StoreOptions): Promise<string> {
  if (passwordFile === '') return password
  return (await content('password_file', passwordFile)).toString().replace(/\r?\n$/, '')
}

/** TLS itself takes a file without certificates for one of none. */
async function authorities(file: string): Promise<Buffer> {
  const bundle = await content('client_cakeys', file)
  const blocks = bundle.toString().match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? []
  try {
    for (const block of blocks) new X509Certificate(block)
    if (blocks.length > 0) return bundle
  } catch (cause) {
    throw noAuthorities(file, { cause })
  }
  throw noAuthorities(file)
}

const noAuthorities = (file: string, options?: ErrorOptions) =>
  new Fault('CERTIFICATE', `client_cakeys: ${file} holds no certificates in PEM`, options)

async function content(option: string, file: string): Promise<Buffer> {
  try {
    return await readFile(file)
  } catch (cause) {
    throw new Fault('FILE_UNREADABLE', `${option}: ${file} cannot be read`, { cause })
  }
}
