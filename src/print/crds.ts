import type { Column, Kind } from '../kind.ts'
import type { JsonSchema } from '../schema.ts'
import type { Manifest } from './objects.ts'

export type Crd = Manifest & { readonly metadata: { readonly name: string } }

export function crds(kinds: readonly Kind[]): readonly Crd[] {
  return kinds.flatMap(({ resource, definition }) => (definition ? [crd(resource, definition)] : []))
}

function crd(
  { group, version, kind, plural, scope, schema }: Kind['resource'],
  { description, shortNames, columns, subresources }: NonNullable<Kind['definition']>,
): Crd {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      names: {
        kind,
        listKind: `${kind}List`,
        plural,
        singular: kind.toLowerCase(),
        ...(shortNames.length > 0 && { shortNames }),
        categories: ['tars'],
      },
      scope,
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          additionalPrinterColumns: [...columns, AGE].map(columnOf),
          ...(subresources && { subresources: subresourcesOf(subresources) }),
          schema: { openAPIV3Schema: wholeOf(description, schema) },
        },
      ],
    },
  }
}

const AGE: Column = { name: 'Age', type: 'date', path: '.metadata.creationTimestamp' }
const columnOf = ({ name, type, path }: Column) => ({ name, type, jsonPath: path })

function subresourcesOf({ status, scale }: NonNullable<NonNullable<Kind['definition']>['subresources']>): Manifest {
  return {
    ...(status && { status: {} }),
    ...(scale && {
      scale: {
        specReplicasPath: scale.replicas,
        statusReplicasPath: scale.statusReplicas,
        labelSelectorPath: scale.selector,
      },
    }),
  }
}

/** What every object has is said once; the rest is the kind's own schema, field by field. */
function wholeOf(description: string, { properties = {}, ...schema }: JsonSchema): JsonSchema {
  const meta: Readonly<Record<string, JsonSchema>> = {
    apiVersion: { type: 'string', description: 'Version of the schema of this object.' },
    kind: { type: 'string', description: 'Kind of this object.' },
    metadata: { type: 'object' }, // the API server says the rest of it, and refuses any word here
  }
  return { ...schema, description, properties: { ...meta, ...properties } }
}
