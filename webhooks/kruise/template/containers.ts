import { isMoreThan } from '../../../src/kube/quantities.ts'
import { isTree, type Tree } from '../../kit/schema.ts'
import { specOf, treeIn, treesIn, valueIn } from '../list/touched.ts'
import {
  containersOf,
  type PlacedTree,
  placedIn,
  repeated,
  type TemplateCheck,
  type TemplateProblem,
  touchedContainers,
} from './problem.ts'

/** Of each container by itself. */
type ContainerCheck = (container: PlacedTree) => readonly TemplateProblem[]

const NAME = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/

const atLeastOne: TemplateCheck = (template) =>
  treesIn(specOf(template), 'containers').length > 0
    ? []
    : [{ at: ['spec', 'containers'], text: 'a pod has at least one container' }]

const wellNamed: ContainerCheck = ({ at, value: { name } }) =>
  typeof name === 'string' && NAME.test(name)
    ? []
    : [{ at: [...at, 'name'], text: 'must be a DNS label of at most 63 characters' }]

const namedOnce: TemplateCheck = (template, isTouched) => {
  if (touchedContainers(template, isTouched).length === 0) return []
  return repeated(containersOf(template), ({ value }) => value.name).map(({ at }) => ({
    at: [...at, 'name'],
    text: 'another container has this name',
  }))
}

export const NO_IMAGE = 'a container needs an image'
const withImage: ContainerCheck = ({ at, value: { image } }) =>
  typeof image === 'string' && image.trim() !== '' ? [] : [{ at: [...at, 'image'], text: NO_IMAGE }]

const isGiven = (value: unknown) => value !== undefined && value !== null

const eitherValue: ContainerCheck = (container) =>
  placedIn(container, 'env').flatMap(({ at, value: { value, valueFrom } }) =>
    isGiven(valueFrom) && isGiven(value) && value !== ''
      ? [{ at, text: 'has both value and valueFrom; the patch sets the other to null, or names one in $retainKeys' }]
      : [],
  )

const OF_PROBE = ['exec', 'httpGet', 'tcpSocket', 'grpc']
const OF_HOOK = ['exec', 'httpGet', 'tcpSocket', 'sleep']

const oneHandler: ContainerCheck = ({ at, value }) => [
  ...['livenessProbe', 'readinessProbe', 'startupProbe'].flatMap((key) =>
    handlerProblems(value, [...at, key], OF_PROBE),
  ),
  ...['postStart', 'preStop'].flatMap((key) =>
    handlerProblems(treeIn(value, 'lifecycle'), [...at, 'lifecycle', key], OF_HOOK),
  ),
]

function handlerProblems(
  holder: Tree,
  at: TemplateProblem['at'],
  handlers: readonly string[],
): readonly TemplateProblem[] {
  const handler = holder[`${at.at(-1)}`]
  if (!isTree(handler)) return []
  const found = handlers.filter((key) => isGiven(handler[key]))
  if (found.length === 1) return []
  const text =
    found.length === 0
      ? 'needs a handler'
      : `has ${found.join(' and ')}; a patch of another handler says $patch: replace`
  return [{ at, text }]
}

const mountsOfVolumes: TemplateCheck = (template, isTouched) => {
  const spec = specOf(template)
  const volumes = new Set(treesIn(spec, 'volumes').map(({ name }) => name))
  const mounting = isTouched(valueIn(spec, 'volumes')) ? containersOf(template) : touchedContainers(template, isTouched)
  return ['volumeMounts', 'volumeDevices'].flatMap((list) =>
    mounting
      .flatMap((container) => placedIn(container, list))
      .filter(({ value }) => !volumes.has(value.name))
      .map(({ at, value }) => ({ at: [...at, 'name'], text: `no volume is named ${JSON.stringify(value.name)}` })),
  )
}

const mountedOnce: ContainerCheck = (container) =>
  repeated(placedIn(container, 'volumeMounts'), ({ value }) => value.mountPath).map(({ at }) => ({
    at: [...at, 'mountPath'],
    text: 'another volume is mounted here',
  }))

const isPort = (value: unknown) => typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= 65_535

const portsInRange: ContainerCheck = (container) =>
  placedIn(container, 'ports').flatMap(({ at, value: { containerPort, hostPort = 0 } }) => [
    ...(isPort(containerPort) ? [] : [{ at: [...at, 'containerPort'], text: 'must be between 1 and 65535' }]),
    ...(hostPort === 0 || isPort(hostPort) ? [] : [{ at: [...at, 'hostPort'], text: 'must be between 1 and 65535' }]),
  ])

const portsNamedOnce: ContainerCheck = (container) =>
  repeated(placedIn(container, 'ports'), ({ value }) => value.name).map(({ at }) => ({
    at: [...at, 'name'],
    text: 'another port has this name',
  }))

const portsOfHost: TemplateCheck = (template) =>
  specOf(template).hostNetwork !== true
    ? []
    : containersOf(template)
        .flatMap((container) => placedIn(container, 'ports'))
        .filter(({ value: { hostPort = 0, containerPort } }) => hostPort !== 0 && hostPort !== containerPort)
        .map(({ at }) => ({
          at: [...at, 'hostPort'],
          text: 'must equal containerPort, for the pod is in the network of its node',
        }))

const requestsWithinLimits: ContainerCheck = ({ at, value }) => {
  const resources = treeIn(value, 'resources')
  const [requests, limits] = [treeIn(resources, 'requests'), treeIn(resources, 'limits')]
  return Object.entries(requests).flatMap(([name, request]) =>
    Object.hasOwn(limits, name) && isMoreThan(request, limits[name])
      ? [{ at: [...at, 'resources', 'requests', name], text: `must be at most the limit of ${name}` }]
      : [],
  )
}

const EACH: readonly ContainerCheck[] = [
  wellNamed,
  withImage,
  eitherValue,
  oneHandler,
  mountedOnce,
  portsInRange,
  portsNamedOnce,
  requestsWithinLimits,
]
const eachByItself: TemplateCheck = (template, isTouched) => {
  const touched = touchedContainers(template, isTouched)
  return EACH.flatMap((check) => touched.flatMap(check))
}

export const containerChecks: readonly TemplateCheck[] = [
  atLeastOne,
  eachByItself,
  namedOnce,
  mountsOfVolumes,
  portsOfHost,
]
