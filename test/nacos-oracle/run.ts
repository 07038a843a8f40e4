import { spawnSync } from 'node:child_process'
import { isJavaInstalled, jarsOf } from './java.ts'

// npm run test:nacos-oracle [-- --if-installed]: our reading of properties beside that of Java and of Spring Boot.
const say = (line: string) => process.stdout.write(`${line}\n`)

const ORACLES = [
  { asked: 'Spring Boot', project: 'pom.xml', jars: 'SPRING_JARS', suite: 'spring.test' },
  { asked: 'a Nacos server (NC-TST-33)', project: 'server/pom.xml', jars: 'NACOS_JARS', suite: 'server.test' },
]

if (isJavaInstalled()) runSuites()
else {
  say(
    'There is no JDK here, so the vectors alone show how Java reads properties (Debian: default-jdk-headless, maven).',
  )
  process.exitCode = process.argv.includes('--if-installed') ? 0 : 1
}

function runSuites(): void {
  const found = ORACLES.map((oracle) => ({ ...oracle, ...jarsOf(oracle.project) }))
  for (const { asked, absence } of found) if (absence !== undefined) say(`${absence}, so ${asked} is not asked.`)
  const there = found.filter(({ path }) => path !== undefined)
  const args = ['run', '--config', '.config/vitest.nacos-oracle.ts', 'java.test', ...there.map(({ suite }) => suite)]
  const env = { ...process.env, ...Object.fromEntries(there.map(({ jars, path }) => [jars, path])) }
  process.exitCode = spawnSync('vitest', args, { stdio: 'inherit', env }).status ?? 1
}
