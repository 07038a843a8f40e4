import { goPeerFolder } from '../bench/go-peer.ts'
import { confd } from '../sync/confd.ts'
import { binaries, kwok } from './binaries.ts'
import { mergeOracleFolder } from './merge-oracle.ts'

/** Builds what the suites build otherwise when they need it, so that nothing is measured or timed beside a compiler. */
for (const build of [binaries, kwok, mergeOracleFolder, goPeerFolder, confd]) await build()
