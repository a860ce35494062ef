import {
  type CatalogueEntry,
  gitea,
  github,
  gitlab,
  gitTagsOf,
  inGroup,
  jsonOf,
  numberTags,
  vTags,
} from './catalogue-entry.ts';

/** What builds, rolls out, guards and watches everything else. */
export const operationsCatalogue: readonly CatalogueEntry[] = [
  ...inGroup('Monitoring', [
    {
      name: 'Prometheus',
      ...github('prometheus/prometheus', vTags),
      description: 'Metrics and their alerts.',
    },
    { name: 'Grafana', ...github('grafana/grafana', vTags), description: 'Dashboards.' },
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
      ...github('open-telemetry/opentelemetry-collector-releases', vTags),
      description: 'Receives, changes and passes on telemetry. The repository also releases its builder.',
    },
    {
      name: 'Uptime Kuma',
      ...github('louislam/uptime-kuma', numberTags),
      description: 'Watches services from outside.',
    },
  ]),
  ...inGroup('Logging', [
    {
      name: 'Grafana Loki',
      ...github('grafana/loki', vTags),
      description: 'Store of logs. The repository also releases charts and an operator.',
    },
    {
      name: 'Fluent Bit',
      ...github('fluent/fluent-bit', vTags),
      description: 'Collects and passes on logs.',
    },
  ]),
  ...inGroup('CI and CD', [
    {
      name: 'Jenkins LTS',
      ...gitTagsOf('jenkinsci/jenkins', String.raw`^jenkins-(\d+\.\d+\.\d+)$`),
      description: 'The long-term line, which has three numbers.',
    },
    {
      name: 'Jenkins weekly',
      ...gitTagsOf('jenkinsci/jenkins', String.raw`^jenkins-(\d+\.\d+)$`),
      description: 'The weekly line, which has two numbers.',
    },
    {
      name: 'GitLab',
      ...gitlab('gitlab-org/gitlab', String.raw`^v(\d+\.\d+\.\d+)-ee$`),
      description: 'v18.0.1-ee is 18.0.1, the same number in both editions.',
    },
    {
      name: 'GitLab Runner',
      ...gitlab('gitlab-org/gitlab-runner', vTags),
      description: 'Runs the jobs of GitLab.',
    },
    { name: 'Gitea', ...github('go-gitea/gitea', vTags), description: 'Git server.' },
    { name: 'Forgejo', ...gitea('codeberg.org/forgejo/forgejo', vTags), description: 'Git server.' },
    {
      name: 'Forgejo Runner',
      ...gitea('code.forgejo.org/forgejo/runner', vTags),
      description: 'Runs the actions of Forgejo.',
    },
    {
      name: 'GitHub Actions runner',
      ...github('actions/runner', vTags),
      description: 'Runs jobs on machines of your own.',
    },
  ]),
  ...inGroup('GitOps and provisioning', [
    {
      name: 'Argo CD',
      ...github('argoproj/argo-cd', vTags),
      description: 'Brings clusters to what git says.',
    },
    { name: 'Flux', ...github('fluxcd/flux2', vTags), description: 'Brings clusters to what git says.' },
    { name: 'Terraform', ...github('hashicorp/terraform', vTags), description: 'Infrastructure as code.' },
    { name: 'OpenTofu', ...github('opentofu/opentofu', vTags), description: 'Infrastructure as code.' },
    {
      name: 'Ansible',
      ...jsonOf('https://pypi.org/pypi/ansible/json', {
        version_path: '.releases',
        date_path: '.releases[*][0].upload_time_iso_8601',
      }),
      description: 'The package ansible of the Python Package Index.',
    },
  ]),
  ...inGroup('Certificates, secrets and identity', [
    {
      name: 'cert-manager',
      ...github('cert-manager/cert-manager', vTags),
      description: 'Certificates in Kubernetes.',
    },
    { name: 'Vault', ...github('hashicorp/vault', vTags), description: 'Secrets.' },
    {
      name: 'External Secrets Operator',
      ...github('external-secrets/external-secrets', vTags),
      description: 'Secrets from outside in Kubernetes. The repository also releases its chart.',
    },
    {
      name: 'Keycloak',
      ...github('keycloak/keycloak', String.raw`^\d+\.\d+\.\d+$`),
      description: 'Identity provider. The moving nightly release is excluded.',
    },
    {
      name: 'authentik',
      ...github('goauthentik/authentik', String.raw`^version/(\d+\.\d+\.\d+.*)$`),
      description: 'Identity provider: version/2025.4.1 is 2025.4.1.',
    },
    {
      name: 'OpenSSL',
      ...github('openssl/openssl', String.raw`^openssl-(\d+\.\d+\.\d+(?:-(?:alpha|beta)\d+)?)$`),
      description: 'All lines since 3.0.',
    },
  ]),
];
