import { startControlPlane } from './control-plane.ts'
import { install, type Product } from './product.ts'
import { type SimulatedNodes, simulatedNodes } from './simulated-nodes.ts'

/** `npm run cluster`: a real control plane with the product installed and simulated nodes, for people; Ctrl-C ends it. */
const RELEASE = '{"spec":{"release":{"id":"v1","image":"registry.example/gate:v1"}}}'
const cluster = await startControlPlane()
const ended = new Promise<void>((end) => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => end())
})
let product: Product | undefined
let nodes: SimulatedNodes | undefined
try {
  product = await install(cluster)
  const { identity } = await product.worker().start()
  const { address } = await product.webhook.ready()
  nodes = await simulatedNodes(cluster, ['node-1', 'node-2', 'node-3'])
  process.stdout.write(`export KUBECONFIG=${cluster.kubeconfig('admin')}\n`)
  process.stderr.write(
    [
      `API server at ${cluster.url}, webhook at ${address}, worker ${identity}, logs in ${cluster.logs}`,
      'In another terminal, with that line:',
      '  kubectl apply -f manifests/samples/good/tframeworkconfig.yaml -f manifests/samples/good/tservers.yaml',
      '  kubectl label nodes --all tars.io/node.default=                     # labeled',
      `  kubectl patch tserver demo-gate --type=merge -p '${RELEASE}'`,
      '  kubectl scale tserver/demo-gate --replicas=3                        # scaled',
      "  kubectl wait tserver/demo-gate --for=jsonpath='{.status.readyReplicas}'=3 --timeout=50s",
      '  kubectl get service,statefulset,pod,tendpoint -l tars.io/ServerName=Gate   # pod/demo-gate-2',
      '  kubectl apply -f manifests/samples/bad/tserver-servant-names.yaml   # the server is refused (TS-V8)',
      '  kubectl delete ttemplate tars.default                               # is refused (TT-V3)',
      'A TServer gets its pods with its release. Nodes and pods are simulated: nothing runs, not the pods of namespace',
      'tars-system either; webhook and worker run as processes. Ctrl-C ends it all.\n',
    ].join('\n'),
  )
  await ended
} finally {
  await nodes?.stop()
  await product?.close()
  await cluster.stop()
}
