import { expect, it } from 'vitest'
import { isTree, type Tree } from '../../../src/schema.ts'
import { TTEMPLATE } from '../../../webhooks/tars/ttemplate/schema.ts'
import { GADGET } from '../../support/builders/gadget.ts'
import type { Bench } from './bench.ts'
import { objectCases } from './object-cases.ts'
import { outcomeOf } from './outcome.ts'

export function objects({ author, namespace }: Bench): void {
  it.each(objectCases())('$file: $title', async ({ before, object: written, outcome }) => {
    const send = (each: Tree) => {
      const metadata = isTree(each.metadata) ? each.metadata : {}
      const placed = { ...each, metadata: { ...metadata, namespace: namespace() } }
      return author().create(each.kind === 'Gadget' ? GADGET : TTEMPLATE, placed, { fieldValidation: 'Strict' })
    }
    for (const each of before) await send(each)
    const became = await outcomeOf(send(written), namespace())
    if ('stored' in outcome) expect(became).toEqual(outcome)
    else expect(became).toMatchObject(outcome)
  })
}
