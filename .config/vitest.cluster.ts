import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The rights of the webhook are compared with what all suites before made it ask for. */
class RightsLast extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLast = ({ moduleId }: TestSpecification) => moduleId.endsWith('/rights.test.ts')
    const sorted = await super.sort(files)
    return [...sorted.filter((file) => !isLast(file)), ...sorted.filter(isLast)]
  }
}

// One control plane for all suites, so files run one after another.
export default defineConfig({
  test: {
    include: ['test/cluster/*.test.ts'],
    globalSetup: ['test/cluster/global-setup.ts'],
    fileParallelism: false,
    sequence: { sequencer: RightsLast },
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
