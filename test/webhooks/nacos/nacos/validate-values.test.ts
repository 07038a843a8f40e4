import { describe } from 'vitest'
import { itSaysOfOld, refused } from './admitting.ts'

describe('NC-ADM-22 values are what they stand for', () => {
  const says = (path: string, text: string) => refused(`${path}: ${text}; correct it, or leave it out (NC-ADM-22)`)
  const sized = (persistentVolumeSize: string) => ({ volume: { persistentVolumeSize } })
  const expiring = (token_expire_seconds: string) => ({ certification: { token_expire_seconds } })
  const env = (...names: readonly string[]) => ({ env: names.map((name) => ({ name, value: 'x' })) })
  const annotated = (key: string, value: string) => ({ annotations: { [`nacos.io/${key}`]: value } })
  const bad = (key: string, text: string) => says(`metadata.annotations[nacos.io/${key}]`, text)
  const seconds = 'spec.certification.token_expire_seconds'

  itSaysOfOld([
    { name: 'a quantity passes', spec: sized('10Gi') },
    { name: 'no size passes', spec: sized('') },
    {
      name: 'another size is refused',
      spec: sized('10 GB'),
      says: says('spec.volume.persistentVolumeSize', '"10 GB" is no quantity'),
    },
    { name: 'variables of different names pass', spec: env('A', 'B') },
    {
      name: 'a repeated one is refused',
      spec: env('A', 'B', 'A'),
      says: says('spec.env[2].name', '"A" stands there already'),
    },
    { name: 'variables like members of objects pass', spec: env('__proto__', 'constructor') },
    { name: 'seconds pass', spec: expiring('18000') },
    ...['0', '-1', '1.5', 'x', '1e3', '9'.repeat(30)].map((value) => ({
      name: `${value.slice(0, 4)} seconds are refused`,
      spec: expiring(value),
      says: says(seconds, `"${value}" is no positive integer`),
    })),
    { name: 'a pause passes', metadata: annotated('reconcile-paused', 'true') },
    {
      name: 'a pause of another word',
      metadata: annotated('reconcile-paused', 'yes'),
      says: bad('reconcile-paused', 'must be "true" or "false", not "yes"'),
    },
    { name: 'a paused rollout passes', metadata: annotated('config-rollout', 'paused') },
    {
      name: 'a rollout of another word',
      metadata: annotated('config-rollout', 'off'),
      says: bad('config-rollout', 'must be "auto" or "paused", not "off"'),
    },
    { name: 'the longest settle time passes', metadata: annotated('config-settle-seconds', '600') },
    {
      name: 'a longer one',
      metadata: annotated('config-settle-seconds', '601'),
      says: bad('config-settle-seconds', 'must be an integer 0..600, not "601"'),
    },
    {
      name: 'a settle time with its unit',
      metadata: annotated('config-settle-seconds', '5s'),
      says: bad('config-settle-seconds', 'must be an integer 0..600, not "5s"'),
    },
    {
      name: 'an adoption of another word',
      metadata: annotated('adopt-final-config', ''),
      says: bad('adopt-final-config', 'must be "true" or "false", not ""'),
    },
    {
      name: 'a protection of another word',
      metadata: annotated('deletion-protection', 'True'),
      says: bad('deletion-protection', 'must be "true" or "false", not "True"'),
    },
  ])
})
