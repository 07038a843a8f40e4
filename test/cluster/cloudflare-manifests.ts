/** The manifests of the scenarios, as they stand; the API server asks for a `pathType` beside. */
export const CLASS = `
apiVersion: networking.k8s.io/v1
kind: IngressClass
metadata:
  name: cloudflare
spec:
  controller: cloudflare-operator.io/ingress-controller
`

export const anIngress = (name: string, host: string) => `
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: ${name}
spec:
  ingressClassName: cloudflare
  rules:
  - host: ${host}
    http:
      paths:
      - path: /
        pathType: Prefix
        backend:
          service:
            name: ${name}
            port:
              number: 80
`
export const TWO_INGRESSES = [anIngress('app-a', 'app-a.example.com'), anIngress('app-b', 'app-b.example.com')].join(
  '\n---\n',
)

export const MAIN_TUNNEL = `
apiVersion: networking.cloudflare-operator.io/v1alpha2
kind: ClusterTunnel
metadata:
  name: main-tunnel
spec:
  enableWarpRouting: true
`
/** The same for a tunnel that is there. */
export const EXISTING_TUNNEL = `${MAIN_TUNNEL}  existingTunnel:
    name: existing
`
export const WEB_APP = anIngress('web-app', 'web.example.com')

export const API_RECORD = `
apiVersion: networking.cloudflare-operator.io/v1alpha2
kind: DNSRecord
metadata:
  name: api-record
  namespace: default
spec:
  name: api.example.com
  type: CNAME
  content: tunnel.cfargotunnel.com
`
