import {
  assignGroup,
  type CatalogEntry,
  gitea,
  github,
  gitlab,
  gitTagsOf,
  jsonOf,
  unprefixedVersionPattern,
  vPrefixedVersionPattern,
} from './catalog-entry.ts';

/** Software that builds, deploys, secures, and monitors other software. */
export const operationsCatalog: readonly CatalogEntry[] = [
  ...assignGroup('Monitoring', [
    {
      name: 'Prometheus',
      vulnerability_packages: ['Bitnami/prometheus', 'Go/github.com/prometheus/prometheus'],
      ...github('prometheus/prometheus', vPrefixedVersionPattern),
      description: 'Metrics and their alerts.',
    },
    {
      name: 'Grafana',
      vulnerability_packages: ['Bitnami/grafana', 'Go/github.com/grafana/grafana'],
      ...github('grafana/grafana', vPrefixedVersionPattern),
      description: 'Dashboards.',
    },
    {
      name: 'Grafana Mimir',
      ...github('grafana/mimir', String.raw`^mimir-(\d+\.\d+\.\d+.*)$`),
      description: 'Long-term store of metrics. The repository also releases its chart.',
    },
    {
      name: 'VictoriaMetrics',
      ...github('VictoriaMetrics/VictoriaMetrics', String.raw`^v\d+\.\d+\.\d+$`),
      description: 'Store of metrics.',
    },
    {
      name: 'OpenTelemetry Collector',
      vulnerability_packages: ['Bitnami/opentelemetry-collector'],
      ...github('open-telemetry/opentelemetry-collector-releases', vPrefixedVersionPattern),
      description: 'Receives, changes and passes on telemetry. The repository also releases its builder.',
    },
    {
      name: 'Uptime Kuma',
      ...github('louislam/uptime-kuma', unprefixedVersionPattern),
      description: 'Watches services from outside.',
    },
  ]),
  ...assignGroup('Logging', [
    {
      name: 'Grafana Loki',
      ...github('grafana/loki', vPrefixedVersionPattern),
      description: 'Store of logs. The repository also releases charts and an operator.',
    },
    {
      name: 'Fluent Bit',
      vulnerability_packages: ['Bitnami/fluent-bit'],
      ...github('fluent/fluent-bit', vPrefixedVersionPattern),
      description: 'Collects and passes on logs.',
    },
  ]),
  ...assignGroup('CI and CD', [
    {
      name: 'Jenkins LTS',
      vulnerability_packages: ['Bitnami/jenkins'],
      lifecycle_product: 'jenkins',
      ...gitTagsOf('jenkinsci/jenkins', String.raw`^jenkins-(\d+\.\d+\.\d+)$`),
      description: 'The long-term line, which has three numbers.',
    },
    {
      name: 'Jenkins weekly',
      vulnerability_packages: ['Bitnami/jenkins'],
      lifecycle_product: 'jenkins',
      ...gitTagsOf('jenkinsci/jenkins', String.raw`^jenkins-(\d+\.\d+)$`),
      description: 'The weekly line, which has two numbers.',
    },
    {
      name: 'GitLab',
      vulnerability_packages: ['Bitnami/gitlab'],
      lifecycle_product: 'gitlab',
      ...gitlab('gitlab-org/gitlab', String.raw`^v(\d+\.\d+\.\d+)-ee$`),
      description: 'v18.0.1-ee is 18.0.1, the same number in both editions.',
    },
    {
      name: 'GitLab Runner',
      vulnerability_packages: ['Bitnami/gitlab-runner'],
      lifecycle_product: 'gitlab-runner',
      ...gitlab('gitlab-org/gitlab-runner', vPrefixedVersionPattern),
      description: 'Runs the jobs of GitLab.',
    },
    {
      name: 'Gitea',
      vulnerability_packages: ['Bitnami/gitea', 'Go/code.gitea.io/gitea'],
      ...github('go-gitea/gitea', vPrefixedVersionPattern),
      description: 'Git server.',
    },
    {
      name: 'Forgejo',
      lifecycle_product: 'forgejo',
      ...gitea('codeberg.org/forgejo/forgejo', vPrefixedVersionPattern),
      description: 'Git server.',
    },
    {
      name: 'Forgejo Runner',
      ...gitea('code.forgejo.org/forgejo/runner', vPrefixedVersionPattern),
      description: 'Runs the actions of Forgejo.',
    },
    {
      name: 'GitHub Actions runner',
      ...github('actions/runner', vPrefixedVersionPattern),
      description: 'Runs jobs on machines of your own.',
    },
  ]),
  ...assignGroup('GitOps and provisioning', [
    {
      name: 'Argo CD',
      vulnerability_packages: ['Bitnami/argo-cd', 'Go/github.com/argoproj/argo-cd'],
      ...github('argoproj/argo-cd', vPrefixedVersionPattern),
      description: 'Keeps clusters in sync with Git.',
    },
    {
      name: 'Flux',
      vulnerability_packages: ['Bitnami/flux', 'Go/github.com/fluxcd/flux2'],
      lifecycle_product: 'flux',
      ...github('fluxcd/flux2', vPrefixedVersionPattern),
      description: 'Keeps clusters in sync with Git.',
    },
    {
      name: 'Terraform',
      ...github('hashicorp/terraform', vPrefixedVersionPattern),
      description: 'Infrastructure as code.',
    },
    {
      name: 'OpenTofu',
      ...github('opentofu/opentofu', vPrefixedVersionPattern),
      description: 'Infrastructure as code.',
    },
    {
      name: 'Ansible',
      vulnerability_packages: ['PyPI/ansible'],
      lifecycle_product: 'ansible',
      ...jsonOf('https://pypi.org/pypi/ansible/json', {
        version_path: '.releases',
        date_path: '.releases[*][0].upload_time_iso_8601',
      }),
      description: 'The package ansible of the Python Package Index.',
    },
  ]),
  ...assignGroup('Certificates, secrets and identity', [
    {
      name: 'cert-manager',
      vulnerability_packages: ['Bitnami/cert-manager', 'Go/github.com/cert-manager/cert-manager'],
      lifecycle_product: 'cert-manager',
      ...github('cert-manager/cert-manager', vPrefixedVersionPattern),
      description: 'Certificates in Kubernetes.',
    },
    {
      name: 'Vault',
      vulnerability_packages: ['Bitnami/vault', 'Go/github.com/hashicorp/vault'],
      lifecycle_product: 'hashicorp-vault',
      ...github('hashicorp/vault', vPrefixedVersionPattern),
      description: 'Secrets.',
    },
    {
      name: 'External Secrets Operator',
      ...github('external-secrets/external-secrets', vPrefixedVersionPattern),
      description: 'Secrets from outside in Kubernetes. The repository also releases its chart.',
    },
    {
      name: 'Keycloak',
      ...github('keycloak/keycloak', String.raw`^\d+\.\d+\.\d+$`),
      description: 'Identity provider. The moving nightly release is excluded.',
    },
    {
      name: 'authentik',
      vulnerability_packages: ['Bitnami/authentik', 'Go/goauthentik.io'],
      ...github('goauthentik/authentik', String.raw`^version/(\d+\.\d+\.\d+.*)$`),
      description: 'Identity provider: version/2025.4.1 is 2025.4.1.',
    },
    {
      name: 'OpenSSL',
      lifecycle_product: 'openssl',
      ...github('openssl/openssl', String.raw`^openssl-(\d+\.\d+\.\d+(?:-(?:alpha|beta)\d+)?)$`),
      description: 'All lines since 3.0.',
    },
  ]),
];
