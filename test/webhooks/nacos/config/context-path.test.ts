import { expect, it } from 'vitest'
import { contextPathIn } from '../../../../webhooks/nacos/config/context-path.ts'

const KEY = 'server.servlet.contextPath'

it.each([
  { name: 'of no text', text: '', path: '/nacos' },
  { name: 'that is not set', text: 'a=\\u0041', path: '/nacos' },
  { name: 'that is set', text: `${KEY}=/x/y`, path: '/x/y' },
  { name: 'that is set twice is the last', text: `${KEY}=/x\n${KEY}=/y`, path: '/y' },
  { name: 'whose key has an escape', text: 'server.servlet.context\\u0050ath=/x', path: '/x' },
  { name: 'that is empty', text: `${KEY}=`, path: '' },
  { name: 'that is the root', text: `${KEY}=/`, path: '' },
  { name: 'with a slash at the end', text: `${KEY}=/x/`, path: '/x' },
  { name: 'with white space around it', text: `${KEY}=/x \n`, path: '/x' },
  { name: 'of a placeholder is not known', text: `${KEY}=\${CONTEXT_PATH:/x}`, path: '/nacos' },
  { name: 'that no server takes', text: `${KEY}=x`, path: '/nacos' },
  { name: 'that is too long', text: `${KEY}=/${'x'.repeat(300)}`, path: '/nacos' },
])('NC-STS-30 a context path $name', ({ text, path }) => {
  expect(contextPathIn(text)).toBe(path)
})
