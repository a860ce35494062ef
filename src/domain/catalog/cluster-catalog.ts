import {
  assignGroup,
  type CatalogEntry,
  github,
  gitTagsOf,
  helmChart,
  officialImage,
  threePartVersionPattern,
  unprefixedVersionPattern,
  vPrefixedVersionPattern,
} from './catalog-entry.ts';

/** Kubernetes and the components in and around a cluster. */
export const clusterCatalog: readonly CatalogEntry[] = [
  ...assignGroup('Kubernetes', [
    {
      name: 'Kubernetes',
      vulnerability_packages: ['Go/k8s.io/kubernetes'],
      ...github('kubernetes/kubernetes'),
      description: 'Control plane, kubelet and kubectl.',
    },
    {
      name: 'etcd',
      vulnerability_packages: ['Bitnami/etcd', 'Go/go.etcd.io/etcd'],
      ...github('etcd-io/etcd', vPrefixedVersionPattern),
      description: 'The store behind the control plane.',
    },
    // The pattern excludes the first releases, v001 to v011, which would compare as higher than all later
    // ones.
    {
      name: 'CoreDNS',
      ...github('coredns/coredns', vPrefixedVersionPattern),
      description: 'DNS of the cluster.',
    },
    {
      name: 'metrics-server',
      ...github('kubernetes-sigs/metrics-server', vPrefixedVersionPattern),
      description: 'Use of CPU and memory for autoscaling and kubectl top.',
    },
    {
      name: 'Cluster Autoscaler',
      ...github('kubernetes/autoscaler', String.raw`^cluster-autoscaler-(\d+\.\d+\.\d+.*)$`),
      description: 'Adds and removes nodes. The repository also releases other autoscalers and charts.',
    },
    {
      name: 'ExternalDNS',
      ...github('kubernetes-sigs/external-dns', vPrefixedVersionPattern),
      description: 'Writes DNS records for services and ingresses.',
    },
    {
      name: 'Helm',
      vulnerability_packages: ['Bitnami/helm', 'Go/helm.sh/helm'],
      ...github('helm/helm', vPrefixedVersionPattern),
      description: 'The package manager.',
    },
    {
      name: 'K3s',
      ...github('k3s-io/k3s', vPrefixedVersionPattern),
      description: 'A small Kubernetes distribution.',
    },
    {
      name: 'Calico',
      ...github('projectcalico/calico', vPrefixedVersionPattern),
      description: 'Network and network policy.',
    },
    {
      name: 'Cilium',
      vulnerability_packages: ['Bitnami/cilium', 'Go/github.com/cilium/cilium'],
      ...github('cilium/cilium', vPrefixedVersionPattern),
      description: 'Network and network policy with eBPF.',
    },
  ]),
  ...assignGroup('Containers', [
    {
      name: 'containerd',
      lifecycle_product: 'containerd',
      ...github('containerd/containerd', vPrefixedVersionPattern),
      description: 'Container runtime. The repository also releases its API as api/v….',
    },
    {
      name: 'Docker Engine',
      vulnerability_packages: ['Go/github.com/docker/docker', 'Go/github.com/moby/moby'],
      lifecycle_product: 'docker-engine',
      ...github('moby/moby', String.raw`^(?:docker-)?(v\d+\.\d+\.\d+.*)$`),
      description: 'The Docker daemon: v28.5.2, since 29 docker-v29.0.0.',
    },
    {
      name: 'Docker Compose',
      ...github('docker/compose', String.raw`^v?\d+\.\d+.*$`),
      description: 'Several containers from one file.',
    },
    {
      name: 'Podman',
      lifecycle_product: 'podman',
      ...github('containers/podman', vPrefixedVersionPattern),
      description: 'Containers without a daemon.',
    },
    {
      name: 'Harbor',
      vulnerability_packages: ['Bitnami/harbor', 'Go/github.com/goharbor/harbor'],
      ...github('goharbor/harbor', vPrefixedVersionPattern),
      description: 'Registry for images and charts.',
    },
  ]),
  ...assignGroup('Proxies and mesh', [
    {
      name: 'ingress-nginx',
      vulnerability_packages: ['Go/k8s.io/ingress-nginx', 'Go/github.com/kubernetes/ingress-nginx'],
      ...github('kubernetes/ingress-nginx', String.raw`^controller-(v\d+\.\d+\.\d+.*)$`),
      description: "The Kubernetes project's ingress controller. Its chart has a separate entry.",
    },
    {
      name: 'Traefik',
      ...github('traefik/traefik', vPrefixedVersionPattern),
      description: 'Proxy and ingress controller.',
    },
    {
      name: 'Envoy',
      vulnerability_packages: ['Bitnami/envoy'],
      ...github('envoyproxy/envoy', vPrefixedVersionPattern),
      description: 'Proxy for services and meshes.',
    },
    { name: 'Istio', ...github('istio/istio', unprefixedVersionPattern), description: 'Service mesh.' },
    {
      name: 'Linkerd (edge)',
      ...github('linkerd/linkerd2', String.raw`^edge-(\d+\.\d+\.\d+)$`),
      description: 'Service mesh. Since 2024 the project itself publishes edge releases only.',
    },
    {
      name: 'Caddy',
      ...github('caddyserver/caddy', vPrefixedVersionPattern),
      description: 'Web server with automatic certificates.',
    },
    {
      name: 'nginx (stable)',
      vulnerability_packages: ['Bitnami/nginx'],
      ...gitTagsOf('nginx/nginx', String.raw`^release-(\d+\.\d*[02468]\.\d+)$`),
      description: 'Web server and proxy. The second number of a stable line is even.',
    },
    {
      name: 'nginx (mainline)',
      vulnerability_packages: ['Bitnami/nginx'],
      ...gitTagsOf('nginx/nginx', String.raw`^release-(\d+\.\d*[13579]\.\d+)$`),
      description: 'Web server and proxy. The second number of a mainline release is odd.',
    },
    {
      name: 'HAProxy',
      vulnerability_packages: ['Bitnami/haproxy'],
      lifecycle_product: 'haproxy',
      ...officialImage('haproxy', threePartVersionPattern),
      project_url: 'https://github.com/haproxy/haproxy',
      description:
        'Proxy. Its repository has no tags of maintained lines, so the official image is followed.',
    },
    {
      name: 'Apache HTTP Server',
      vulnerability_packages: ['Bitnami/apache'],
      lifecycle_product: 'apache-http-server',
      ...officialImage('httpd', threePartVersionPattern),
      project_url: 'https://github.com/apache/httpd',
      description: 'Web server.',
    },
  ]),
  ...assignGroup('Storage', [
    {
      name: 'Longhorn',
      ...github('longhorn/longhorn', vPrefixedVersionPattern),
      description: 'Block storage in Kubernetes.',
    },
    {
      name: 'Ceph',
      vulnerability_packages: ['Bitnami/ceph'],
      ...gitTagsOf('ceph/ceph', String.raw`^v(\d+\.2\.\d+)$`),
      description: 'Storage cluster. Its second number is 2 in stable releases.',
    },
    {
      name: 'Velero',
      ...github('vmware-tanzu/velero', vPrefixedVersionPattern),
      description: 'Backups of clusters and volumes.',
    },
  ]),
  ...assignGroup('Helm charts', [
    {
      name: 'cert-manager chart',
      vulnerability_packages: ['Bitnami/cert-manager', 'Go/github.com/cert-manager/cert-manager'],
      lifecycle_product: 'cert-manager',
      ...helmChart('charts.jetstack.io/cert-manager'),
      description: 'Chart of cert-manager.',
    },
    {
      name: 'ingress-nginx chart',
      vulnerability_packages: ['Go/k8s.io/ingress-nginx', 'Go/github.com/kubernetes/ingress-nginx'],
      ...helmChart('kubernetes.github.io/ingress-nginx/ingress-nginx'),
      description: 'Chart of the ingress controller.',
    },
    {
      name: 'kube-prometheus-stack chart',
      ...helmChart('prometheus-community.github.io/helm-charts/kube-prometheus-stack'),
      description: 'Prometheus, Alertmanager, Grafana and rules in one chart.',
    },
    {
      name: 'Argo CD chart',
      vulnerability_packages: ['Bitnami/argo-cd', 'Go/github.com/argoproj/argo-cd'],
      lifecycle_product: 'argo-cd',
      ...helmChart('argoproj.github.io/argo-helm/argo-cd'),
      description: 'Chart of Argo CD.',
    },
    {
      name: 'Longhorn chart',
      lifecycle_product: 'longhorn',
      ...helmChart('charts.longhorn.io/longhorn'),
      description: 'Chart of Longhorn.',
    },
    {
      name: 'Jenkins chart',
      lifecycle_product: 'jenkins',
      ...helmChart('charts.jenkins.io/jenkins'),
      description: 'Chart of Jenkins.',
    },
    {
      name: 'CloudNativePG chart',
      ...helmChart('cloudnative-pg.github.io/charts/cloudnative-pg'),
      description: 'Chart of the PostgreSQL operator.',
    },
  ]),
];
