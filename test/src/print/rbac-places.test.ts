import { describe, expect, it } from 'vitest'
import { rbac } from '../../../src/print/rbac.ts'
import type { Controller } from '../../../src/reconcile/controller.ts'
import type { Tree } from '../../../src/schema.ts'
import { GADGET } from '../../support/builders/gadget.ts'
import { at, treesOf } from '../../support/builders/trees.ts'
import { controllers } from '../../support/controllers.ts'
import { kinds } from '../../support/kinds.ts'

const BOLT = { ...GADGET, kind: 'Bolt', plural: 'bolts' }

describe('what is needed in one other namespace alone', () => {
  const controller: Controller = {
    ...{ name: 'gadget', of: GADGET, watches: [], refersTo: () => [], turn: async () => undefined },
    reads: [{ resource: BOLT, asks: ['get'], within: { namespace: 'there' } }],
    writes: [{ resource: BOLT, verbs: ['create'], within: { namespace: 'there' } }],
  }
  const granted = (namespace: string) =>
    rbac({ kinds: [], controllers: [controller], namespace })
      .filter((each) => 'rules' in each && JSON.stringify(each.rules).includes('bolts'))
      .map((each) => [each.kind, at(each, 'metadata.namespace'), treesOf(each.rules).map(({ verbs }) => verbs)])
  it('is a right of a Role there', () => {
    expect(granted('tars-system')).toEqual([['Role', 'there', [['get', 'create']]]])
  })
  it('and of the one Role where that is the namespace of the installation', () => {
    const lease = ['get', 'create', 'update']
    expect(granted('there')).toEqual([['Role', 'there', [lease, ['get', 'create']]]])
  })
})

describe('Secrets, of all kinds and controllers that there are', () => {
  const printed = rbac({ kinds, controllers, namespace: 'ns' })
  const rights = printed.flatMap(({ rules }) => treesOf(rules))
  it('are read by name, and those of credentials in one namespace (CF-CRD-07)', () => {
    const areSecrets = ({ resources }: Tree) => [resources].flat().includes('secrets')
    expect(rights.filter((right) => areSecrets(right) && !right.resourceNames)).toEqual([
      { apiGroups: [''], resources: ['secrets'], verbs: ['get'] },
    ])
    const roles = printed.filter(({ rules }) => treesOf(rules).some(areSecrets))
    expect(roles.map(({ kind }) => kind)).toEqual(['Role', 'Role'])
  })
})
