// The webhook that PF-18 measures ours beside: a typed one for TServers, as a team that works in Go writes it with
// controller-runtime. It answers at the doors of ours, and has fewer rules.
package main

import (
	"crypto/tls"
	"flag"
	"os"

	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	"sigs.k8s.io/controller-runtime/pkg/webhook"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"
)

func main() {
	certDir := flag.String("cert-dir", "", "folder with tls.crt and tls.key")
	port := flag.Int("port", webhook.DefaultPort, "where it listens")
	flag.Parse()
	ctrl.SetLogger(zap.New()) // for production: it writes nothing of a review that is admitted
	server := webhook.NewServer(webhook.Options{
		Host:    "127.0.0.1",
		Port:    *port,
		CertDir: *certDir,
		TLSOpts: []func(*tls.Config){withoutHTTP2},
	})
	scheme := schemeOf()
	server.Register("/mutating", admission.WithDefaulter(scheme, defaulter{}))
	server.Register("/validating", admission.WithValidator(scheme, validator{}))
	if err := server.Start(ctrl.SetupSignalHandler()); err != nil {
		ctrl.Log.Error(err, "the webhook server ended")
		os.Exit(1)
	}
}

// HTTP/2 is off, as kubebuilder leaves it since CVE-2023-44487.
func withoutHTTP2(config *tls.Config) {
	config.NextProtos = []string{"http/1.1"}
}
