import { overlayProblem } from '../objects/pod-spec.ts'
import type { Nacos } from '../schema.ts'
import { replicasOf } from '../shape.ts'
import { illegalNames } from '../source-names.ts'
import { badSize } from '../validate-values.ts'

/** The one variable that names all servers holds no more. */
const MOST_REPLICAS = 1_000
const LONGEST_NAME = 52

/** What keeps the worker from building children, where admission was away (NC-REC-12). */
export function specProblems(nacos: Nacos): readonly string[] {
  const problems = plainProblems(nacos)
  return problems.length > 0 ? problems : [overlayProblem(nacos)].filter((problem) => problem !== undefined)
}

function plainProblems(nacos: Nacos): readonly string[] {
  const { type = 'standalone' } = nacos.spec ?? {}
  const replicas = replicasOf(nacos)
  const checks = [
    [nacos.metadata.name.length > LONGEST_NAME, `metadata.name: must be at most ${LONGEST_NAME} characters`],
    [type !== 'standalone' && type !== 'cluster', 'spec.type: must be "standalone" or "cluster"'],
    [replicas < 1, 'spec.replicas: must be at least 1'],
    [replicas > MOST_REPLICAS, `spec.replicas: must be at most ${MOST_REPLICAS}`],
    [type === 'standalone' && replicas > 1, 'spec.replicas: must be 1 when type is standalone'],
  ] as const
  const values = [...illegalNames(nacos), ...badSize(nacos)].map(({ path, value }) => `${path}: ${value}`)
  return [...checks.flatMap(([isWrong, problem]) => (isWrong ? [problem] : [])), ...values]
}
