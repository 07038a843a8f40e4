import { startControlPlane } from './control-plane.ts'
import { install, type Product } from './product.ts'

/** `npm run cluster`: a real control plane with the product installed, for people; Ctrl-C ends it. */
const cluster = await startControlPlane()
const ended = new Promise<void>((end) => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => end())
})
let product: Product | undefined
try {
  product = await install(cluster)
  const { address } = await product.webhook.ready()
  process.stdout.write(`export KUBECONFIG=${cluster.kubeconfig('admin')}\n`)
  process.stderr.write(
    [
      `API server at ${cluster.url}, webhook at ${address}, logs in ${cluster.logs}`,
      'In another terminal, with that line:',
      '  kubectl apply -f manifests/samples/good/tframeworkconfig.yaml -f manifests/samples/good/tservers.yaml',
      '  kubectl apply -f manifests/samples/bad/tserver-servant-names.yaml   # the server is refused (TS-V8)',
      '  kubectl delete ttemplate tars.default                               # is refused (TT-V3)',
      '  kubectl get pods --namespace tars-system                            # Pending',
      'The pods of Deployment tars-admission stay Pending, for there are no nodes here; the webhook runs as a process.',
      'Ctrl-C ends it all.\n',
    ].join('\n'),
  )
  await ended
} finally {
  await product?.close()
  await cluster.stop()
}
