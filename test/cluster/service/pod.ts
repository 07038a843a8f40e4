/** What we read of a pod; the API server has filled in all defaults. */
export interface Pod {
  readonly metadata: {
    readonly namespace: string
    readonly name: string
    readonly uid: string
    readonly deletionTimestamp?: string
    readonly deletionGracePeriodSeconds?: number
  }
  readonly spec: {
    readonly nodeName: string
    readonly serviceAccountName: string
    readonly terminationGracePeriodSeconds: number
    readonly containers: readonly [Container]
    readonly volumes?: readonly Volume[]
  }
  readonly status: { readonly phase: string }
}

export interface Container {
  readonly name: string
  readonly image: string
  readonly args?: readonly string[]
  readonly env?: readonly Variable[]
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[]
  readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string }[]
  readonly livenessProbe?: Probe
  readonly readinessProbe?: Probe
}

interface Variable {
  readonly name: string
  readonly value?: string
  readonly valueFrom?: { readonly secretKeyRef: { readonly name: string; readonly key: string } }
}

export interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string | number }
  readonly periodSeconds: number
  readonly timeoutSeconds: number
  readonly failureThreshold: number
}

export interface Volume {
  readonly name: string
  readonly emptyDir?: object
  readonly secret?: { readonly secretName: string }
  readonly configMap?: { readonly name: string }
  readonly projected?: { readonly sources: readonly Source[] }
}

export interface Source {
  readonly serviceAccountToken?: { readonly path: string; readonly expirationSeconds: number }
  readonly configMap?: {
    readonly name: string
    readonly items: readonly { readonly key: string; readonly path: string }[]
  }
  readonly downwardAPI?: {
    readonly items: readonly { readonly path: string; readonly fieldRef: { readonly fieldPath: string } }[]
  }
}

export const pathOf = ({ metadata: { namespace, name } }: Pod) => `/api/v1/namespaces/${namespace}/pods/${name}`
