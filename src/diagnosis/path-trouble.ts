import type { Status } from '../kube/status.ts'

/** A defect of the path, and its remedy. */
export interface PathTrouble {
  /** `barred`: these rights do not suffice to say. */
  readonly is: 'broken' | 'barred'
  readonly what: string
  readonly remedy: string
  /** The API server's own message, if any. */
  readonly apiMessage?: string
  /** A Service that may have no ready endpoint. */
  readonly service?: Service
}
export interface Service {
  readonly namespace: string
  readonly name: string
}

export interface Tried {
  readonly namespace: string
  /** The resource with its group: ttemplates.k8s.tars.io. */
  readonly resource: string
  /** The names of our webhooks. */
  readonly ours: readonly string[]
}

/** Explains a Status of the API server. */
export function troubleIn(status: Status, tried: Tried): PathTrouble {
  const words = wordsOn(status, tried)
  const service = serviceIn(status.message)
  return { is: 'broken', ...words, apiMessage: status.message, ...(service && { service }) }
}

type TroubleWords = Pick<PathTrouble, 'what' | 'remedy'> & { readonly is?: 'barred' }

function wordsOn(status: Status, tried: Tried): TroubleWords {
  const [, called] = /failed calling webhook "([^"]+)"/.exec(status.message) ?? []
  if (called !== undefined) return tried.ours.includes(called) ? uncalled(status.message, called) : foreign(called)
  const [, refuser] = /^admission webhook "([^"]+)" denied the request/.exec(status.message) ?? []
  if (refuser !== undefined) return tried.ours.includes(refuser) ? undecided(refuser) : other(refuser)
  return answered(status, tried)
}

/** Matches error texts of Go's net/http and crypto/tls; the first match counts. */
const CALLS: readonly (TroubleWords & { readonly says: RegExp })[] = [
  {
    says: /remote error: tls|in your certificate/,
    what: 'our webhook does not take the certificate of the API server, or it shows none',
    remedy: 'with --client-ca the API server needs one; docs/operations.md, "Who may ask", says how',
  },
  {
    says: /closed network connection|connection reset|broken pipe|EOF/, // often a result of the above
    what: 'our webhook hung up on the API server',
    remedy: 'with --client-ca the API server has to show a certificate; otherwise the log of the webhook may say why',
  },
  {
    says: /nothing is served here/,
    what: 'our webhook takes no reviews at the path that the configuration names',
    remedy: 'print the configurations with the --secret-path that the webhook has',
  },
  {
    says: /x509|tls:|certificate/,
    what: 'the configuration does not trust the certificate of our webhook',
    remedy: '"tars-admission certs status" says which; the webhook writes its CA with --manage-configurations',
  },
  {
    says: /service "[^"]+" not found/,
    what: 'the Service that the configuration names does not exist',
    remedy: 'tars-admission manifests | kubectl apply -f - brings it',
  },
  {
    says: /no endpoints available/,
    what: 'no endpoint of our webhook is ready',
    remedy: 'kubectl get pods and kubectl logs say why; its /readyz?verbose names what is missing',
  },
  {
    says: /connection refused|no route to host/,
    what: 'our webhook refused the connection: nobody listens there',
    remedy: 'is it running (kubectl get pods), and at the address that the configuration names?',
  },
  {
    says: /deadline exceeded|[Tt]imeout|timed out/,
    what: 'our webhook did not answer in time',
    remedy: 'may the API server reach it (network policies, firewalls to port 9443)? does its log say anything?',
  },
  {
    says: /no such host/,
    what: 'the address in the configuration is not known to the API server',
    remedy: 'is --webhook-url a name that the API server can look up?',
  },
]

function uncalled(message: string, name: string): TroubleWords {
  const why = message.replace(/https:\/\/[^"]*/, '') // the URL contains ?timeout=
  const { what, remedy } = CALLS.find(({ says }) => says.test(why)) ?? UNCALLED
  return { what: `${what} (${name})`, remedy }
}
const UNCALLED = {
  what: 'the API server cannot call our webhook',
  remedy: 'its words say why; does the log of the webhook say more?',
}

function foreign(name: string): TroubleWords {
  const remedy = 'see to that one first: as long as it fails, no object comes through to ours'
  return { what: `another webhook, ${name}, cannot be called`, remedy }
}
function undecided(name: string): TroubleWords {
  return { what: `our webhook ${name} answers, but not as it should`, remedy: 'its log has the same ref, and says why' }
}
function other(name: string): TroubleWords {
  const remedy = 'allow it there, or try another namespace with --namespace'
  return { what: `another webhook, ${name}, refuses what is tried`, remedy }
}

function answered({ code, reason, details, message }: Status, { namespace, resource }: Tried): TroubleWords {
  switch (code) {
    case 401:
      return {
        is: 'barred',
        what: 'the API server does not know who asks',
        remedy: 'name a kubeconfig with --kubeconfig',
      }
    case 403:
      return {
        is: 'barred',
        what: `you may not create ${resource} in namespace ${namespace}, and a dry run needs that right too`,
        remedy: `ask for it (kubectl auth can-i create ${resource} -n ${namespace}), or name another --namespace`,
      }
    case 404:
      return details?.kind === 'namespaces'
        ? { what: `namespace ${namespace} does not exist`, remedy: 'name one that does with --namespace' }
        : { what: `the API server does not know ${resource}`, remedy: `${CRDS} brings the CustomResourceDefinition` }
    default:
      return {
        what: `the API server answers ${code} ${reason}`.trim(),
        remedy: message === '' ? 'look at its log' : WORDS,
      }
  }
}
const CRDS = 'tars-admission manifests --set crds | kubectl apply -f -'
const WORDS = 'its words say why'

/** The API server calls a Service by this name. */
function serviceIn(message: string): Service | undefined {
  const [, name, namespace] = /https:\/\/([a-z0-9-]+)\.([a-z0-9-]+)\.svc[:/]/.exec(message) ?? []
  return name === undefined || namespace === undefined ? undefined : { name, namespace }
}
