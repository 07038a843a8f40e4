#!/usr/bin/env node
// In a clone the sources run as they are; a packed package holds the bundle alone (Node strips no types under node_modules).
import { existsSync } from 'node:fs'

const sources = new URL('./tars-admission.ts', import.meta.url)
const bundle = new URL('../../dist/tars-admission.js', import.meta.url)
await import(existsSync(sources) ? sources.href : bundle.href)
