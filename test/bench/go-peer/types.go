package main

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// The fields of a TServer as types. Optional ones are omitted when they are false, as the API conventions have it, and
// the types that TarsK8S itself has in Go. So the patch from raw would remove each false that the object spells out, and
// controller-runtime computes a second patch to keep them.

//go:generate go run sigs.k8s.io/controller-tools/cmd/controller-gen@v0.23.0 object paths=.

const (
	subTypeTars   = "tars"
	subTypeNormal = "normal"
)

var groupVersion = schema.GroupVersion{Group: "k8s.tars.io", Version: "v1beta2"}

// schemeOf holds the kinds that the webhooks decode.
func schemeOf() *runtime.Scheme {
	scheme := runtime.NewScheme()
	scheme.AddKnownTypes(groupVersion, &TServer{}, &TServerList{})
	metav1.AddToGroupVersion(scheme, groupVersion)
	return scheme
}

// +kubebuilder:object:root=true
type TServer struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   TServerSpec   `json:"spec"`
	Status TServerStatus `json:"status,omitzero"`
}

// +kubebuilder:object:root=true
type TServerList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []TServer `json:"items"`
}

// +kubebuilder:object:generate=true
type TServerSpec struct {
	App       string   `json:"app"`
	Server    string   `json:"server"`
	SubType   string   `json:"subType"`
	Important int32    `json:"important"`
	Tars      *Tars    `json:"tars,omitempty"`
	Normal    *Normal  `json:"normal,omitempty"`
	K8S       K8S      `json:"k8s"`
	Release   *Release `json:"release,omitempty"`
}

// +kubebuilder:object:generate=true
type TServerStatus struct {
	Replicas        int32  `json:"replicas"`
	ReadyReplicas   int32  `json:"readyReplicas"`
	CurrentReplicas int32  `json:"currentReplicas"`
	Selector        string `json:"selector"`
}

// +kubebuilder:object:generate=true
type Tars struct {
	Template    string    `json:"template"`
	Profile     string    `json:"profile"`
	AsyncThread int32     `json:"asyncThread"`
	Servants    []Servant `json:"servants"`
	Ports       []Port    `json:"ports,omitempty"`
}

// +kubebuilder:object:generate=true
type Normal struct {
	Ports []Port `json:"ports"`
}

type Servant struct {
	Name       string `json:"name"`
	Port       int32  `json:"port"`
	Thread     int32  `json:"thread"`
	Capacity   int32  `json:"capacity"`
	Connection int32  `json:"connection"`
	Timeout    int32  `json:"timeout"`
	IsTars     bool   `json:"isTars"`
	IsTCP      bool   `json:"isTcp"`
}

type Port struct {
	Name  string `json:"name"`
	Port  int32  `json:"port"`
	IsTCP bool   `json:"isTcp"`
}

type HostPort struct {
	NameRef string `json:"nameRef"`
	Port    int32  `json:"port"`
}

// +kubebuilder:object:generate=true
type K8S struct {
	Replicas            int32                            `json:"replicas"`
	AbilityAffinity     string                           `json:"abilityAffinity"`
	DaemonSet           bool                             `json:"daemonSet,omitempty"`
	HostIPC             bool                             `json:"hostIPC,omitempty"`
	HostNetwork         bool                             `json:"hostNetwork,omitempty"`
	NotStacked          bool                             `json:"notStacked"`
	Env                 []corev1.EnvVar                  `json:"env,omitempty"`
	EnvFrom             []corev1.EnvFromSource           `json:"envFrom,omitempty"`
	HostPorts           []HostPort                       `json:"hostPorts,omitempty"`
	ImagePullPolicy     corev1.PullPolicy                `json:"imagePullPolicy"`
	LauncherType        string                           `json:"launcherType"`
	Mounts              []Mount                          `json:"mounts,omitempty"`
	NodeSelector        []corev1.NodeSelectorRequirement `json:"nodeSelector"`
	PodManagementPolicy string                           `json:"podManagementPolicy"`
	ReadinessGate       string                           `json:"readinessGate,omitempty"`
	Resources           corev1.ResourceRequirements      `json:"resources"`
	ServiceAccount      string                           `json:"serviceAccount,omitempty"`
	UpdateStrategy      *UpdateStrategy                  `json:"updateStrategy,omitempty"`
}

// +kubebuilder:object:generate=true
type UpdateStrategy struct {
	Type          string         `json:"type,omitempty"`
	RollingUpdate *RollingUpdate `json:"rollingUpdate,omitempty"`
}

type RollingUpdate struct {
	Partition int32 `json:"partition"`
}

// +kubebuilder:object:generate=true
type Mount struct {
	Name             string                       `json:"name"`
	Source           Source                       `json:"source"`
	MountPath        string                       `json:"mountPath"`
	ReadOnly         bool                         `json:"readOnly,omitempty"`
	SubPath          string                       `json:"subPath,omitempty"`
	SubPathExpr      string                       `json:"subPathExpr,omitempty"`
	MountPropagation *corev1.MountPropagationMode `json:"mountPropagation,omitempty"`
}

// +kubebuilder:object:generate=true
type Source struct {
	ConfigMap                     *corev1.ConfigMapVolumeSource             `json:"configMap,omitempty"`
	Secret                        *corev1.SecretVolumeSource                `json:"secret,omitempty"`
	EmptyDir                      *corev1.EmptyDirVolumeSource              `json:"emptyDir,omitempty"`
	HostPath                      *corev1.HostPathVolumeSource              `json:"hostPath,omitempty"`
	PersistentVolumeClaim         *corev1.PersistentVolumeClaimVolumeSource `json:"persistentVolumeClaim,omitempty"`
	PersistentVolumeClaimTemplate *corev1.PersistentVolumeClaimTemplate     `json:"persistentVolumeClaimTemplate,omitempty"`
	TLocalVolume                  *TLocalVolume                             `json:"tLocalVolume,omitempty"`
}

type TLocalVolume struct {
	UID  string `json:"uid"`
	GID  string `json:"gid"`
	Mode string `json:"mode"`
}

// +kubebuilder:object:generate=true
type Release struct {
	ID         string       `json:"id"`
	Image      string       `json:"image"`
	Secret     string       `json:"secret,omitempty"`
	Time       *metav1.Time `json:"time,omitempty"`
	NodeImage  string       `json:"nodeImage,omitempty"`
	NodeSecret string       `json:"nodeSecret,omitempty"`
}
