package main

import (
	"context"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"
)

const nodePort = 19385 // tarsnode listens there

type validator struct{}

var _ admission.Validator[*TServer] = validator{}

func (validator) ValidateCreate(_ context.Context, server *TServer) (admission.Warnings, error) {
	return nil, invalid(server, append(validateName(server), validateSpec(&server.Spec)...))
}

func (validator) ValidateUpdate(_ context.Context, prev, next *TServer) (admission.Warnings, error) {
	return nil, invalid(next, append(validateIdentity(&prev.Spec, &next.Spec), validateSpec(&next.Spec)...))
}

func (validator) ValidateDelete(context.Context, *TServer) (admission.Warnings, error) {
	return nil, nil
}

func invalid(server *TServer, errs field.ErrorList) error {
	if len(errs) == 0 {
		return nil
	}
	return apierrors.NewInvalid(groupVersion.WithKind("TServer").GroupKind(), server.Name, errs)
}

// TS-V6
func validateName(server *TServer) field.ErrorList {
	if want := strings.ToLower(server.Spec.App + "-" + server.Spec.Server); server.Name != want {
		return field.ErrorList{field.Invalid(field.NewPath("metadata", "name"), server.Name, "must be "+want)}
	}
	return nil
}

// TS-V1, V2 and V3
func validateIdentity(prev, next *TServerSpec) (errs field.ErrorList) {
	path := field.NewPath("spec")
	for _, each := range []struct{ name, was, is string }{
		{"app", prev.App, next.App},
		{"server", prev.Server, next.Server},
		{"subType", prev.SubType, next.SubType},
	} {
		if each.was != each.is {
			errs = append(errs, field.Forbidden(path.Child(each.name), "field is immutable"))
		}
	}
	return errs
}

// TS-V5, V8, V9, V11, V14 and V23; the ports of normal servers are left out
func validateSpec(spec *TServerSpec) (errs field.ErrorList) {
	path := field.NewPath("spec")
	if (spec.Tars != nil) != (spec.SubType == subTypeTars) {
		errs = append(errs, field.Forbidden(path.Child("tars"), "only when spec.subType is tars"))
	}
	if (spec.Normal != nil) != (spec.SubType == subTypeNormal) {
		errs = append(errs, field.Forbidden(path.Child("normal"), "only when spec.subType is normal"))
	}
	errs = append(errs, validatePorts(spec, path)...)
	return append(errs, validateMounts(spec.K8S.Mounts, path.Child("k8s", "mounts"))...)
}

func validatePorts(spec *TServerSpec, path *field.Path) (errs field.ErrorList) {
	names, numbers := map[string]bool{}, map[int32]bool{}
	check := func(at *field.Path, name string, port int32) {
		if port == nodePort {
			errs = append(errs, field.Forbidden(at.Child("port"), "reserved for tarsnode"))
		}
		if lower := strings.ToLower(name); names[lower] {
			errs = append(errs, field.Duplicate(at.Child("name"), name))
		} else {
			names[lower] = true
		}
		if numbers[port] {
			errs = append(errs, field.Duplicate(at.Child("port"), port))
		}
		numbers[port] = true
	}
	if spec.Tars != nil {
		for i, servant := range spec.Tars.Servants {
			check(path.Child("tars", "servants").Index(i), servant.Name, servant.Port)
		}
		for i, port := range spec.Tars.Ports {
			check(path.Child("tars", "ports").Index(i), port.Name, port.Port)
		}
	}
	return errs
}

func validateMounts(mounts []Mount, path *field.Path) (errs field.ErrorList) {
	names, places := map[string]bool{}, map[string]bool{}
	for i, mount := range mounts {
		if names[mount.Name] {
			errs = append(errs, field.Duplicate(path.Index(i).Child("name"), mount.Name))
		}
		if places[mount.MountPath] {
			errs = append(errs, field.Duplicate(path.Index(i).Child("mountPath"), mount.MountPath))
		}
		names[mount.Name], places[mount.MountPath] = true, true
	}
	return errs
}
