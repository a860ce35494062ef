import { argocd } from './extractors/argocd.ts';
import { compose } from './extractors/compose.ts';
import { dockerfile } from './extractors/dockerfile.ts';
import type { TextExtractor, YamlExtractor } from './extractors/extractor.ts';
import { flux } from './extractors/flux.ts';
import { githubActions } from './extractors/github-actions.ts';
import { helmChart } from './extractors/helm-chart.ts';
import { helmValues } from './extractors/helm-values.ts';
import { helmfile } from './extractors/helmfile.ts';
import { kubernetes } from './extractors/kubernetes.ts';
import { kustomize } from './extractors/kustomize.ts';
import { terraform } from './extractors/terraform.ts';
import { toolVersions } from './extractors/tool-versions.ts';

export const yamlExtractors: readonly YamlExtractor[] = [
  argocd,
  flux,
  kustomize,
  kubernetes,
  helmChart,
  helmValues,
  helmfile,
  compose,
  githubActions,
];

export const textExtractors: readonly TextExtractor[] = [dockerfile, terraform, toolVersions];
