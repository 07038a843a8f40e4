import { gzipSync } from 'node:zlib'
import type { Tree } from '../../../src/schema.ts'
import { TTEMPLATE } from '../../../webhooks/tars/ttemplate/schema.ts'
import { aTTemplate } from '../../support/builders/templates.ts'
import { posting } from '../../support/fakes/wire.ts'
import { reviewsOf, withRequest } from '../../support/reviews.ts'
import { allowed, type Group, lists, raw, refused, validated } from './entry.ts'

const { creationOf, updateOf, deletionOf } = reviewsOf(TTEMPLATE)
const root = aTTemplate({ name: 'new' })
const review = creationOf(root)
const GOOD = JSON.stringify(review)
const having = (parts: Tree) => posting(JSON.stringify({ ...review, ...parts }))
const request = (parts: Tree) => posting(JSON.stringify(withRequest(review, parts)))

const EXPECTED = 'an AdmissionReview in JSON is expected'
const TOO_DEEP = 'nested deeper than 100 levels'

/** Bodies that are no review, or one that nobody waits for. */
export const REVIEWS: readonly Group[] = [
  refused('BODY_EMPTY', `the body is empty; ${EXPECTED}`, {
    'an empty body': raw(''),
    'no length and no chunks': posting('', { length: '' }),
  }),
  refused('BODY_NOT_JSON', `the body is not JSON; ${EXPECTED}`, {
    'another text': raw('password=hunter2'),
    NUL: raw('\0'),
    YAML: raw('kind: AdmissionReview'),
    'a number that is none': raw('NaN'),
  }),
  refused('BODY_NOT_JSON', `the body is not JSON from its character 2 on; ${EXPECTED}`, {
    'JSON in UTF-16': posting(Buffer.from(GOOD, 'utf16le')),
  }),
  refused('BODY_NOT_JSON', `the body is not JSON from its character 19 on; ${EXPECTED}`, {
    'a comma too few': raw('{"kind":"Review"  "request":{}}'),
  }),
  refused('BODY_NOT_JSON', `the body ends too soon, after ${GOOD.length - 20} characters; ${EXPECTED}`, {
    'a review cut off': raw(GOOD.slice(0, -20)),
  }),
  refused('BODY_NOT_JSON', `the body begins with a byte order mark, which JSON does not have; ${EXPECTED}`, {
    'a byte order mark': raw(`\uFEFF${GOOD}`),
  }),
  refused('BODY_NOT_JSON', `the body is compressed, which is not taken; ${EXPECTED}`, {
    gzip: posting(gzipSync(GOOD), { head: ['Content-Encoding: gzip'] }),
    'gzip without a word of it': posting(gzipSync(GOOD)),
  }),
  refused('BODY_TOO_DEEP', TOO_DEEP, {
    '101 levels': having({ more: JSON.parse(lists(100)) }),
    '200,000 levels': raw(lists(200_000)),
    '200,000 levels in the object': raw(GOOD.replace('"spec":{', `"spec":{"deep":${lists(200_000)},`)),
  }),
  refused('REVIEW_KIND', 'the body is no AdmissionReview but another JSON value', {
    'a text': raw('"review"'),
    'a number': raw('1e400'),
    null: raw('null'),
    'a list': raw(`[${GOOD}]`),
  }),
  refused('REVIEW_KIND', 'kind must be AdmissionReview', { 'another kind of body': having({ kind: 'Pod' }) }),
  refused('REVIEW_VERSION', 'apiVersion must be admission.k8s.io/v1, the only one spoken here', {
    v1beta1: having({ apiVersion: 'admission.k8s.io/v1beta1' }),
    'no apiVersion': having({ apiVersion: null }),
  }),
  refused('REQUEST_MISSING', 'request must be an object', {
    'request null': having({ request: null }),
    'a request that is a list': having({ request: [] }),
  }),
  refused('UID_MISSING', 'request.uid must be a text that is not empty', {
    'no uid': request({ uid: undefined }),
    'an empty uid': request({ uid: '' }),
    'a number for a uid': request({ uid: 7 }),
  }),
  refused('UID_MISSING', 'request.uid must not be longer than 256 characters', {
    'a uid of 10 KB': request({ uid: 'u'.repeat(10_240) }),
  }),
  refused('OPERATION_UNKNOWN', 'request.operation must be one of CREATE, UPDATE, DELETE, CONNECT', {
    'operation PATCH': request({ operation: 'PATCH' }),
    'an operation that all objects have': request({ operation: 'constructor' }),
    'a list for an operation': request({ operation: ['CREATE'] }),
  }),
  refused('OBJECT_MISSING', 'request.object must be an object on CREATE', {
    'object null on CREATE': request({ object: null }),
    'a list for an object on CREATE': request({ object: [] }),
  }),
  refused('OBJECT_MISSING', 'request.object must be an object on UPDATE', {
    'object null on UPDATE': validated(updateOf(root, null)),
  }),
  refused('OLD_OBJECT_MISSING', 'request.oldObject must be an object on UPDATE', {
    'oldObject null on UPDATE': validated(updateOf(null, root)),
  }),
  refused('OLD_OBJECT_MISSING', 'request.oldObject must be an object on DELETE', {
    'oldObject null on DELETE': validated(deletionOf(null)),
  }),
  refused('REQUEST_MALFORMED', 'request.userInfo.username must be a text', {
    'no userInfo': request({ userInfo: undefined }),
    'userInfo null': request({ userInfo: null }),
    'a user without a name': request({ userInfo: {} }),
  }),
  refused('REQUEST_MALFORMED', 'request.dryRun must be true or false', { 'dryRun a text': request({ dryRun: 'yes' }) }),
  refused('REQUEST_MALFORMED', 'request.name must be a text', { 'a number for a name': request({ name: 7 }) }),
  refused('REQUEST_MALFORMED', 'request.namespace must be a text', {
    'a list for a namespace': request({ namespace: [] }),
  }),
  refused('REQUEST_MALFORMED', 'request.resource.group must be a text', { 'no resource': request({ resource: null }) }),
  refused('REQUEST_MALFORMED', 'request.kind.group must be a text', {
    'no kind in the request': request({ kind: 'Pod' }),
  }),
  allowed(
    { 'operation CONNECT': request({ operation: 'CONNECT', object: null }) },
    'no handler for CONNECT of ttemplates v1beta2 on /validating',
  ),
  allowed(
    { 'another kind': request({ resource: { group: '', version: 'v1', resource: 'pods' } }) },
    'no handler for CREATE of pods v1 on /validating',
  ),
  allowed(
    {
      'another version of our kind': request({
        resource: { group: 'k8s.tars.io', version: 'v1', resource: 'ttemplates' },
      }),
    },
    'no handler for CREATE of ttemplates v1 on /validating',
  ),
  allowed(
    { 'a status-only update': validated(updateOf(root, root, { subResource: 'status' })) },
    'no handler for UPDATE of ttemplates/status v1beta2 on /validating',
  ),
]
