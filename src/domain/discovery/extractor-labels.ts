import type { ExtractorName } from './fact.ts';

/** Display names of the extractors. */
export const extractorLabels: Readonly<Record<ExtractorName, string>> = {
  argocd: 'Argo CD',
  flux: 'Flux',
  helm_chart: 'Helm chart',
  helm_values: 'Helm values',
  helm_release: 'Helm release',
  helmfile: 'Helmfile',
  kustomize: 'Kustomize',
  kubernetes: 'Kubernetes',
  dockerfile: 'Dockerfile',
  compose: 'Docker Compose',
  docker: 'Container',
  terraform: 'Terraform',
  terragrunt: 'Terragrunt',
  cloudformation: 'CloudFormation',
  nomad: 'Nomad',
  quadlet: 'Podman Quadlet',
  ansible: 'Ansible',
  annotated: 'Renovate comments',
  github_actions: 'GitHub Actions',
  gitlab_ci: 'GitLab CI',
  ci_pipelines: 'Other CI pipelines',
  pre_commit: 'pre-commit',
  tool_versions: 'Tool versions',
  custom: 'Custom patterns',
};
