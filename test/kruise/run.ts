import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cacheFolderOf } from '../cluster/go-modules.ts'
import { kruiseFolder } from './kruise.ts'

// npm run test:kruise [-- --if-built]: the suites beside OpenKruise, whose manager takes 11 minutes to build once.
const isBuilt = existsSync(cacheFolderOf({ folder: import.meta.dirname }))
if (process.argv.includes('--if-built') && !isBuilt) {
  process.stdout.write('OpenKruise is not built here, so its suites do not run; npm run test:kruise builds it.\n')
} else {
  await kruiseFolder() // a hook of the suites would run out of time
  const args = ['run', '--config', '.config/vitest.kruise.ts']
  process.exitCode = spawnSync('vitest', args, { stdio: 'inherit' }).status ?? 1
}
