import { ansible, ansibleVariables } from './extractors/ansible.ts';
import { iniInventory } from './extractors/ansible-inventory.ts';
import { argocd } from './extractors/argocd.ts';
import { atlantis } from './extractors/atlantis.ts';
import { chartObjects } from './extractors/chart-objects.ts';
import { ciPipelines } from './extractors/ci-pipelines.ts';
import { cloudformation } from './extractors/cloudformation.ts';
import { compose } from './extractors/compose.ts';
import { devcontainer } from './extractors/devcontainer.ts';
import { dockerfile } from './extractors/dockerfile.ts';
import { executionEnvironment } from './extractors/execution-environment.ts';
import type { TextExtractor, YamlExtractor } from './extractors/extractor.ts';
import { flux } from './extractors/flux.ts';
import { fluxVariables } from './extractors/flux-variables.ts';
import { githubActions } from './extractors/github-actions.ts';
import { gitlabCi } from './extractors/gitlab-ci.ts';
import { gitlabVariables } from './extractors/gitlab-variables.ts';
import { helmChart } from './extractors/helm-chart.ts';
import { helmValues } from './extractors/helm-values.ts';
import { helmfile } from './extractors/helmfile.ts';
import { jenkins } from './extractors/jenkins.ts';
import { jenkinsPlugins } from './extractors/jenkins-plugins.ts';
import { kubernetes } from './extractors/kubernetes.ts';
import { kustomize } from './extractors/kustomize.ts';
import { managedObjects } from './extractors/managed-objects.ts';
import { nomad } from './extractors/nomad.ts';
import { objectVersions } from './extractors/object-versions.ts';
import { operatorSubscriptions } from './extractors/operator-subscriptions.ts';
import { preCommit } from './extractors/pre-commit.ts';
import { quadlet } from './extractors/quadlet.ts';
import { terraform } from './extractors/terraform.ts';
import { terragrunt } from './extractors/terragrunt.ts';
import { toolVersions } from './extractors/tool-versions.ts';
import { environmentValues } from './helmfile-environment-values.ts';

export const yamlExtractors: readonly YamlExtractor[] = [
  argocd,
  flux,
  fluxVariables,
  kustomize,
  kubernetes,
  chartObjects,
  objectVersions,
  operatorSubscriptions,
  jenkinsPlugins,
  managedObjects,
  cloudformation,
  helmChart,
  helmValues,
  helmfile,
  compose,
  executionEnvironment,
  ansible,
  ansibleVariables,
  githubActions,
  gitlabCi,
  gitlabVariables,
  ciPipelines,
  preCommit,
  atlantis,
  environmentValues,
];

export const textExtractors: readonly TextExtractor[] = [
  dockerfile,
  terraform,
  terragrunt,
  nomad,
  quadlet,
  toolVersions,
  jenkins,
  devcontainer,
  iniInventory,
];
