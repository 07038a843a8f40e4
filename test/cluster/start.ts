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
      '  kubectl apply -f manifests/samples/good/tframeworkconfig.yaml -f manifests/samples/good/ttemplates.yaml',
      '  kubectl apply -f manifests/samples/good/tservers.yaml',
      '  kubectl apply -f manifests/samples/bad/tserver-servant-names.yaml   # is refused',
      '  kubectl delete ttemplate tars.default                               # so is this',
      'Ctrl-C ends it all.\n',
    ].join('\n'),
  )
  await ended
} finally {
  await product?.close()
  await cluster.stop()
}
