import { APPS_DAEMONSET } from '../../../webhooks/kruise/daemonsets.ts'
import { VALIDATE } from '../../../webhooks/kruise/doors.ts'
import { aDaemonSet, anEntry } from '../../support/builders/patched-daemonsets.ts'
import { reviewsOf } from '../../support/reviews.ts'
import { asWritten, lists, many, table } from './entry.ts'

const { creationOf } = reviewsOf(APPS_DAEMONSET)
const listed = (annotation: unknown) => asWritten(creationOf(aDaemonSet({ annotation })), undefined, VALIDATE.path)
const patched = (patch: string) => listed(`[{"selector":{"matchLabels":{"a":"b"}},"patch":${patch}}]`)
/** Ten patches on a template that its API server would refuse. */
const crowded = asWritten(
  creationOf(
    aDaemonSet({
      annotation: many(10, (at) => anEntry({ metadata: { annotations: { [`a${at}`]: 'x' } } })),
      template: {
        metadata: { labels: { app: 'agent' } },
        spec: { containers: many(20_000, (at) => ({ name: `c${at}` })) },
      },
    }),
  ),
  undefined,
  VALIDATE.path,
)
/** Without a Node. */
const unmatched = (at: number) =>
  `…ta.annotations[daemonset.kruise.io/patches][${at}].selector: matches no current node; see kubectl get nodes … (PATCH-V-23d)`

export const PATCHES = table`
  Invalid metadata.annotations[daemonset.kruise.io/patches]{}
    an annotation of 100,000 levels | ${listed(lists(100_000))} | [0]: expected an object; write an object with selector and patch (PATCH-V-04)
    a patch of 5,000 levels, in lists | ${patched(`{"spec":${lists(5_000)}}`)} | [0].patch: nested deeper than 200 levels; write an object with selector and patch (PATCH-V-04)
    a patch of 20,000 levels, in objects | ${patched(`${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`)} | [0].patch: nested deeper than 200 levels; write an object with selector and patch (PATCH-V-04)
    10,000 patches without anything | ${listed(many(10_000, () => ({})))} | : too many patches: 10000, at most 10 are allowed; join those with one selector, or use a second DaemonSet (PATCH-V-03); metadata.annotations[daemonset … es][31].selector: selector is required; select nodes by matchLabels or matchExpressions (PATCH-V-06) (9172 characters)
    a patch of 200 KB | ${listed([anEntry({ metadata: { annotations: { a: 'x'.repeat(200_000) } } })])} | [0].patch: patch is 200037 bytes as compact JSON, at most 1024 are allowed; move what all nodes share to spec.template, or the values to a ConfigMap (PATCH-V-05)
    a number of 1e400 | ${patched('{"metadata":{"annotations":{"a":1e400}}}')} | [0].patch.metadata.annotations.a: number out of range; write it as a string, or take a smaller one (PATCH-V-19); metadata.annotations[daemonset.kruise.io/patches][0].patch.metadata.annotations.a: expected string, got number; write a value of that type (PATCH-V-15)
    a key that is written twice | ${patched('{"spec":{},"spec":{}}')} | : not a JSON array: duplicate key "spec"; write a JSON array, no YAML, each key once (PATCH-V-02)
    YAML | ${listed('- patch: {}')} | : not a JSON array: No number after minus sign in JSON at position 1 (line 1 column 2); write a JSON array, no YAML, each key once (PATCH-V-02)
    __proto__ for a field | ${patched('{"__proto__":{"polluted":true}}')} | [0].patch.__proto__: unknown field "__proto__"; write the fields of a pod template, in their case (PATCH-V-12)
  allowed ${many(10, unmatched).join('\n  ')}
    ten patches on 20,000 containers without an image | ${crowded}
`
