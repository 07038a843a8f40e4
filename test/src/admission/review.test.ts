import { describe, expect, it } from 'vitest'
import { reviewOf } from '../../../src/admission/review.ts'
import { FAULTS, Fault } from '../../../src/faults.ts'
import type { Tree } from '../../../src/schema.ts'
import { GADGET } from '../../support/builders/gadget.ts'
import { aGadget } from '../../support/builders/gadgets.ts'
import { reviewsOf, UID, withRequest } from '../../support/reviews.ts'

const { creationOf, updateOf, deletionOf } = reviewsOf(GADGET)
const gadget = aGadget()
const body = creationOf(gadget)
const having = (parts: Tree) => withRequest(body, parts)

function faultOf(arrived: unknown): unknown {
  try {
    return reviewOf(arrived)
  } catch (fault) {
    return fault
  }
}

describe('a review is decoded strictly (SV-2, W-1)', () => {
  it.each([
    ['a text', 'x', 'REVIEW_KIND', 'the body is no AdmissionReview but another JSON value'],
    ['a number', 7, 'REVIEW_KIND', 'the body is no AdmissionReview but another JSON value'],
    ['null', null, 'REVIEW_KIND', 'the body is no AdmissionReview but another JSON value'],
    ['a list', [body], 'REVIEW_KIND', 'the body is no AdmissionReview but another JSON value'],
    ['another kind', { ...body, kind: 'Pod' }, 'REVIEW_KIND', 'kind must be AdmissionReview'],
    ['no kind', { ...body, kind: undefined }, 'REVIEW_KIND', 'kind must be AdmissionReview'],
    [
      'version v1beta1',
      { ...body, apiVersion: 'admission.k8s.io/v1beta1' },
      'REVIEW_VERSION',
      'apiVersion must be admission.k8s.io/v1, the only one spoken here',
    ],
    ['request null', { ...body, request: null }, 'REQUEST_MISSING', 'request must be an object'],
    ['request a list', { ...body, request: [] }, 'REQUEST_MISSING', 'request must be an object'],
    ['uid missing', having({ uid: undefined }), 'UID_MISSING', 'request.uid must be a text that is not empty'],
    ['uid a number', having({ uid: 7 }), 'UID_MISSING', 'request.uid must be a text that is not empty'],
    ['uid empty', having({ uid: '' }), 'UID_MISSING', 'request.uid must be a text that is not empty'],
    [
      'uid of 10 KB',
      having({ uid: 'u'.repeat(10_240) }),
      'UID_MISSING',
      'request.uid must not be longer than 256 characters',
    ],
    [
      'operation unknown',
      having({ operation: 'PATCH' }),
      'OPERATION_UNKNOWN',
      'request.operation must be one of CREATE, UPDATE, DELETE, CONNECT',
    ],
    [
      'operation of the prototype',
      having({ operation: 'constructor' }),
      'OPERATION_UNKNOWN',
      'request.operation must be one of CREATE, UPDATE, DELETE, CONNECT',
    ],
    ['object null on CREATE', creationOf(null), 'OBJECT_MISSING', 'request.object must be an object on CREATE'],
    ['object a list', creationOf([]), 'OBJECT_MISSING', 'request.object must be an object on CREATE'],
    ['object null on UPDATE', updateOf(gadget, null), 'OBJECT_MISSING', 'request.object must be an object on UPDATE'],
    [
      'oldObject null on UPDATE',
      updateOf(null, gadget),
      'OLD_OBJECT_MISSING',
      'request.oldObject must be an object on UPDATE',
    ],
    [
      'oldObject null on DELETE',
      deletionOf(null),
      'OLD_OBJECT_MISSING',
      'request.oldObject must be an object on DELETE',
    ],
    ['kind missing', having({ kind: null }), 'REQUEST_MALFORMED', 'request.kind.group must be a text'],
    [
      'kind without kind',
      having({ kind: { group: '', version: 'v1' } }),
      'REQUEST_MALFORMED',
      'request.kind.kind must be a text',
    ],
    [
      'resource without version',
      having({ resource: { group: '', resource: 'pods' } }),
      'REQUEST_MALFORMED',
      'request.resource.version must be a text',
    ],
    [
      'resource without resource',
      having({ resource: { group: '', version: 'v1' } }),
      'REQUEST_MALFORMED',
      'request.resource.resource must be a text',
    ],
    ['userInfo missing', having({ userInfo: null }), 'REQUEST_MALFORMED', 'request.userInfo.username must be a text'],
    ['name a number', having({ name: 7 }), 'REQUEST_MALFORMED', 'request.name must be a text'],
    ['namespace a list', having({ namespace: [] }), 'REQUEST_MALFORMED', 'request.namespace must be a text'],
    ['subResource a flag', having({ subResource: true }), 'REQUEST_MALFORMED', 'request.subResource must be a text'],
    ['dryRun a text', having({ dryRun: 'yes' }), 'REQUEST_MALFORMED', 'request.dryRun must be true or false'],
  ] as const)('%s', (_, arrived, code, message) => {
    const fault = faultOf(arrived)
    expect(fault).toBeInstanceOf(Fault)
    expect(fault).toMatchObject({ code, message })
    expect(FAULTS[code].status).toBe(400)
  })

  it('a uid of 256 characters is taken', () => {
    expect(reviewOf(having({ uid: 'u'.repeat(256) })).uid).toHaveLength(256)
  })
})

describe('a review tells', () => {
  it('all that was sent', () => {
    expect(reviewOf(updateOf(gadget, gadget, { user: 'eve', dryRun: true, subResource: 'scale' }))).toEqual({
      uid: UID,
      operation: 'UPDATE',
      kind: { group: 'test.tars.io', version: 'v1', kind: 'Gadget' },
      resource: { group: 'test.tars.io', version: 'v1', plural: 'gadgets' },
      subresource: 'scale',
      name: 'g',
      namespace: 'demo',
      username: 'eve',
      dryRun: true,
      object: gadget,
      oldObject: gadget,
    })
  })

  it('the version that was really sent, not the one requested (W-2)', () => {
    const other = { group: 'test.tars.io', version: 'v2', kind: 'Gizmo', resource: 'gizmos' }
    const { kind, resource } = reviewOf(having({ requestKind: other, requestResource: other }))
    expect([kind.version, resource.version]).toEqual(['v1', 'v1'])
  })

  it.each([
    { case: 'the request', arrived: having({ name: 'sent' }), name: 'sent' },
    { case: 'oldObject, when a collection is deleted (AP-14)', arrived: deletionOf(gadget), name: 'g' },
    { case: 'the object', arrived: creationOf(gadget), name: 'g' },
    { case: 'nobody, with generateName', arrived: creationOf({ metadata: { generateName: 'g-' } }), name: '' },
    { case: 'nobody, where metadata is no object', arrived: creationOf({ metadata: 'x' }), name: '' },
    { case: 'nobody, where the name is no text', arrived: creationOf({ metadata: { name: 7 } }), name: '' },
  ])('the name as it comes from $case', ({ arrived, name }) => {
    expect(reviewOf(arrived).name).toBe(name)
  })

  it.each([
    { shown: undefined, dryRun: false },
    { shown: null, dryRun: false },
    { shown: false, dryRun: false },
    { shown: true, dryRun: true },
  ])('a dryRun of $shown is $dryRun', ({ shown, dryRun }) => {
    expect(reviewOf(having({ dryRun: shown })).dryRun).toBe(dryRun)
  })

  it.each([undefined, null, ''])('a namespace and subresource of %s are none', (nothing) => {
    const review = reviewOf(having({ namespace: nothing, subResource: nothing }))
    expect(review).toMatchObject({ namespace: '', subresource: undefined })
  })

  it('CONNECT, which need not carry an object', () => {
    const arrived = having({ operation: 'CONNECT', object: null })
    expect(reviewOf(arrived)).toMatchObject({ operation: 'CONNECT', object: null, name: '' })
  })
})
