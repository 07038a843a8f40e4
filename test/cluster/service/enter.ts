import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { binaries } from '../binaries.ts'

/**
 * `npm run test:service`: the suites of this folder, in a network namespace of their own, where API server and pods have
 * addresses as in production. What comes from the network, or takes long, is built before; inside there is no network.
 * Words after it go to vitest.
 */
const ENTER = [...(process.getuid?.() === 0 ? [] : ['--user', '--map-root-user']), '--net', '--mount']
const INSIDE = 'ip link set lo up && exec "$@"'
const VITEST = ['node_modules/vitest/vitest.mjs', 'run', '--config', '.config/vitest.service.ts']

const missing = missingTools()
if (missing === undefined) process.exitCode = await enter()
else {
  process.stderr.write(`The suites by Service need a network namespace of their own: ${missing}\n`)
  process.exitCode = 1
}

async function enter(): Promise<number> {
  await binaries()
  const built = spawnSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' }) // what an image would run
  if (built.status !== 0) return 1
  const command = [process.execPath, ...VITEST, ...process.argv.slice(2)]
  const child = spawn('unshare', [...ENTER, 'sh', '-c', INSIDE, 'sh', ...command], { stdio: 'inherit' })
  // Ctrl-C reaches vitest by itself, which then has much to end.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal))
  const [code] = await once(child, 'exit')
  return code ?? 1
}

function missingTools(): string | undefined {
  if (process.platform !== 'linux') return `this is ${process.platform}, and only Linux has them.`
  const ip = spawnSync('ip', ['-V'])
  if (ip.error !== undefined) return 'there is no `ip` (install iproute2).'
  const unshare = spawnSync('unshare', [...ENTER, 'sh', '-c', 'ip link set lo up && mount -t tmpfs pod /run'])
  if (unshare.error !== undefined) return 'there is no `unshare` (install util-linux).'
  if (unshare.status === 0) return undefined
  return `this machine does not let us make one (${unshare.stderr.toString().trim()}). Run it as root, or allow
unprivileged user namespaces: sysctl kernel.unprivileged_userns_clone=1, kernel.apparmor_restrict_unprivileged_userns=0.`
}
