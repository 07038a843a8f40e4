package main

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"
)

type defaulter struct{}

var _ admission.Defaulter[*TServer] = defaulter{}

// Default completes what an object says by itself. What asks for bounds or for another object (TS-M8 to M10, M12) is
// left out.
func (defaulter) Default(_ context.Context, server *TServer) error {
	label(server)
	if server.Spec.SubType == subTypeTars {
		server.Spec.K8S.ReadinessGate = "tars.io/active"
	}
	if len(server.Spec.K8S.HostPorts) > 0 || server.Spec.K8S.HostIPC {
		server.Spec.K8S.NotStacked = true
	}
	release(&server.Spec)
	return nil
}

func label(server *TServer) {
	if server.Labels == nil {
		server.Labels = map[string]string{}
	}
	server.Labels["tars.io/ServerApp"] = server.Spec.App
	server.Labels["tars.io/ServerName"] = server.Spec.Server
	server.Labels["tars.io/SubType"] = server.Spec.SubType
	delete(server.Labels, "tars.io/ServerID")
	if server.Spec.Tars != nil {
		server.Labels["tars.io/Template"] = server.Spec.Tars.Template
	} else {
		delete(server.Labels, "tars.io/Template")
	}
}

func release(spec *TServerSpec) {
	if spec.Release == nil {
		spec.K8S.Replicas = 0
		return
	}
	if spec.Release.Time == nil {
		spec.Release.Time = ptr.To(metav1.Now())
	}
	if spec.SubType == subTypeNormal {
		spec.Release.NodeImage, spec.Release.NodeSecret = "", ""
	}
}
