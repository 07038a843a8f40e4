import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { issueAuthority, issueLeaf } from '../../certs/authority.ts'
import type { Laid } from '../../certs/folder.ts'
import { kubeletWrites } from '../support/kubelet.ts'

export const DAY = 86_400_000
export const SECOND = 1_000

export async function pairOf(issued: Date): Promise<Laid> {
  const authority = await issueAuthority(issued)
  return { ...(await issueLeaf(authority, ['localhost'], issued)), ca: authority.cert }
}
export const filesOf = ({ cert, key, ca }: Laid) => ({ 'tls.crt': cert, 'tls.key': key, 'ca.crt': ca })

/** Those who lay down a pair, each in its way. */
export const WAYS: readonly { readonly name: string; readonly lay: (folder: string, laid: Laid) => void }[] = [
  { name: 'kubelet exchanges', lay: (folder, laid) => kubeletWrites(folder, filesOf(laid)) },
  { name: 'are written over', lay: overwrite },
  {
    name: 'are renamed into place',
    lay: (folder, laid) =>
      each(laid, (file, text) => {
        writeFileSync(join(folder, `.${file}`), text)
        renameSync(join(folder, `.${file}`), join(folder, file))
      }),
  },
]
export function overwrite(folder: string, laid: Laid): void {
  mkdirSync(folder, { recursive: true })
  each(laid, (file, text) => writeFileSync(join(folder, file), text))
}
function each(laid: Laid, write: (file: string, text: string) => void): void {
  for (const [file, text] of Object.entries(filesOf(laid))) write(file, text)
}
