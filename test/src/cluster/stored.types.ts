import type { Built, ClusterReader, ClusterWriter, Stored } from '../../../src/cluster/port.ts'
import { GADGET } from '../../support/builders/gadget.ts'

// Checked by tsc alone: without the error, the comment above a line is one.

type Replace = ClusterWriter['replace']

export async function ofWhatWasFound(reader: ClusterReader, replace: Replace): Promise<void> {
  const found = await reader.get(GADGET, { namespace: 'demo', name: 'g' })
  // @ts-expect-error an object of a cache has lost fields
  if (found !== undefined) await replace(GADGET, found)
}

export async function ofWhatWasMade(replace: Replace, built: Built): Promise<void> {
  // @ts-expect-error what a plan makes is created or applied
  await replace(GADGET, built)
}

export async function ofTheAnswerOfAMerge(replace: Replace, merge: ClusterWriter['merge']): Promise<void> {
  // @ts-expect-error it may be metadata alone
  await replace(GADGET, await merge(GADGET, { namespace: 'demo', name: 'g' }, {}))
}

export async function ofTheAnswerOfAWrite(writer: ClusterWriter, stored: Stored): Promise<void> {
  const { metadata, ...body } = await writer.replace(GADGET, stored)
  await writer.replace(GADGET, { ...body, metadata: { ...metadata, labels: { team: 'edge' } } })
}
