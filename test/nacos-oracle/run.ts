import { spawnSync } from 'node:child_process'
import { isJavaInstalled, springJars } from './java.ts'

// npm run test:nacos-oracle [-- --if-installed]: our reading of properties beside that of Java and of Spring Boot.
const say = (line: string) => process.stdout.write(`${line}\n`)

if (isJavaInstalled()) runSuites()
else {
  say(
    'There is no JDK here, so the vectors alone show how Java reads properties (Debian: default-jdk-headless, maven).',
  )
  process.exitCode = process.argv.includes('--if-installed') ? 0 : 1
}

function runSuites(): void {
  const { path, absence } = springJars()
  if (absence !== undefined) say(`${absence}, so Spring Boot is not asked.`)
  const args = ['run', '--config', '.config/vitest.nacos-oracle.ts', ...(path === undefined ? ['java.test'] : [])]
  const env = { ...process.env, ...(path !== undefined && { SPRING_JARS: path }) }
  process.exitCode = spawnSync('vitest', args, { stdio: 'inherit', env }).status ?? 1
}
