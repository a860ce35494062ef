import type { Reason } from './reasons.ts';

export type ExtractorName =
  | 'argocd'
  | 'flux'
  | 'helm_chart'
  | 'helm_values'
  | 'helm_release'
  | 'helmfile'
  | 'kustomize'
  | 'kubernetes'
  | 'dockerfile'
  | 'compose'
  | 'docker'
  | 'terraform'
  | 'github_actions'
  | 'tool_versions';

export type VersionState = 'exact' | 'range' | 'floating' | 'digest' | 'commit' | 'templated' | 'overridden';

export type ArtifactKind =
  | 'chart'
  | 'image'
  | 'git'
  | 'action'
  | 'terraform_provider'
  | 'terraform_module'
  | 'tool';

/** A position in a file. `field` never contains a list index if the entry has a name. */
export interface FactPlace {
  /** Counted from 1. */
  line: number;
  /** Position of the document in the file, counted from 0. */
  document: number;
  kind: string | null;
  namespace: string | null;
  name: string | null;
  field: string;
}

/** Where the artifact is published, as far as the file shows it. */
export type Origin =
  | { type: 'helm'; url: string }
  | { type: 'oci'; reference: string }
  | { type: 'git'; url: string }
  | { type: 'terraform'; host: string }
  | { type: 'tool' }
  /** A Flux source object, in this file or another one. */
  | { type: 'flux_source'; kind: string; name: string; namespace: string | null }
  /** The chart of a HelmRelease in another file, which this one patches. */
  | { type: 'flux_release'; name: string; namespace: string | null }
  /** A repository that a helmfile names, in this document or another one. */
  | { type: 'helmfile_repository'; name: string }
  /** A service of a Compose file, which the service extends. The path is relative to the directory of the file. */
  | { type: 'compose_service'; file: string; service: string }
  /** A part of the same repository. */
  | { type: 'local' }
  /** A place that Pacekeeper can't read, such as a bucket. */
  | { type: 'unsupported' }
  | { type: 'unknown' };

/** One deployed version in one file, before files are linked with each other. */
export interface Fact {
  extractor: ExtractorName;
  place: FactPlace;
  artifact: { kind: ArtifactKind; name: string };
  origin: Origin;
  /** As written; null if none is. */
  version: string | null;
  state: VersionState;
  digest: string | null;
  /** How the version was found, where that isn't obvious. */
  note: string | null;
  /** Why it can't be proposed as it is. */
  reason: Reason | null;
  /** The source repository of the software in a chart, from the chart's metadata. */
  projectUrl?: string | null;
  /** The image as written, if it has variables that a `.env` file can set. */
  written?: string;
}

/** What one file defines for others. */
export type Link =
  | {
      type: 'flux_source';
      kind: string;
      name: string;
      namespace: string | null;
      url: string | null;
      isOci: boolean;
    }
  | { type: 'helmfile_repository'; name: string; url: string; isOci: boolean }
  | { type: 'chart'; name: string; version: string | null; appVersion: string | null }
  | { type: 'chart_lock'; versions: [chart: string, version: string][] }
  | { type: 'provider_lock'; versions: [address: string, version: string][] }
  | {
      type: 'compose_services';
      /** Services with an image, or that are built. */
      complete: string[];
      /** Services with neither, in a file that is used on its own unless it's merged with another one. */
      incomplete: [service: string, line: number][];
      /** Images of a file that is no Compose file by its name, so they're deployed only where a service extends them. */
      images: Fact[];
    }
  | {
      type: 'kustomization';
      resources: string[];
      images: string[];
      namespace: string | null;
      /** Whether all images that it can deploy are in its resources. Those of a component are in other kustomizations. */
      isClosed: boolean;
    }
  /** A Flux Kustomization: its path is relative to the root of the repository. */
  | { type: 'flux_kustomization'; path: string; images: string[] };

/** A part of a file that can't be read, or isn't. */
export interface FileProblem {
  line: number;
  reason: Reason;
  message: string;
}

/** A problem that shows only when files are linked. */
export interface LinkProblem extends FileProblem {
  file: string;
}

export interface Extracted {
  facts: Fact[];
  links: Link[];
  problems: FileProblem[];
}

export function nothing(): Extracted {
  return { facts: [], links: [], problems: [] };
}
