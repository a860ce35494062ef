import type { SourceTypeId } from '../source-types/source-types.ts';
import type { AnsiblePlay } from './ansible-plays.ts';
import type { WrittenService } from './managed-services.ts';
import type { VersionNotation } from './read-version.ts';
import type { Reason } from './reasons.ts';
import type { FileKind } from './silent-files.ts';
import type { VersionedSoftware } from './versioned-software.ts';

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
  | 'execution_environment'
  | 'compose'
  | 'docker'
  | 'terraform'
  | 'terragrunt'
  | 'cloudformation'
  | 'nomad'
  | 'quadlet'
  | 'ansible'
  | 'traefik'
  | 'annotated'
  | 'github_actions'
  | 'gitlab_ci'
  | 'ci_pipelines'
  | 'pre_commit'
  | 'devcontainer'
  | 'tool_versions'
  | 'commands'
  | 'custom';

export type VersionState = 'exact' | 'range' | 'floating' | 'digest' | 'commit' | 'templated' | 'overridden';

export type ArtifactKind =
  | 'chart'
  | 'image'
  | 'git'
  | 'action'
  | 'terraform_provider'
  | 'terraform_module'
  | 'tool'
  | 'service';

/** A position in a file. `field` never contains a list index if the entry has a name. */
export interface FactLocation {
  /** Line number, counted from 1. */
  line: number;
  /** Position of the document in the file, counted from 0. */
  document: number;
  kind: string | null;
  namespace: string | null;
  name: string | null;
  field: string;
}

/** Location where the artifact is published, if the file shows it. */
export type Origin =
  | { type: 'helm'; url: string }
  | { type: 'oci'; reference: string }
  | { type: 'git'; url: string }
  | { type: 'terraform'; host: string }
  | { type: 'tool' }
  /** A managed service, which has support dates and no releases. */
  | { type: 'lifecycle'; product: string }
  /** A Flux source object, in this file or another one. */
  | { type: 'flux_source'; kind: string; name: string; namespace: string | null }
  /** The chart of a HelmRelease in another file. The object in this file patches that HelmRelease. */
  | { type: 'flux_release'; name: string; namespace: string | null }
  /** A repository that a helmfile declares, in this document or another one. */
  | { type: 'helmfile_repository'; name: string }
  /**
   * A Compose service that this service extends. The path is relative to the directory of the current file.
   */
  | { type: 'compose_service'; file: string; service: string }
  /**
   * The image of a base, which is in another file, because the current file sets only the tag. If the current
   * file names the directory of a chart, `base` contains that directory and the field of the image in the
   * values of that chart.
   */
  | { type: 'overlay'; base?: { directory: string; field: string } }
  /** A package of the Python Package Index, or a package of Conda as `channel/name`. */
  | { type: 'package'; index: 'pypi' | 'conda'; name: string }
  /** A source that a custom pattern specifies. */
  | { type: 'stated'; sourceType: SourceTypeId; name: string; why: string }
  /** A part of the same repository. */
  | { type: 'local' }
  /** A location that Pacekeeper can't read, such as a bucket. */
  | { type: 'unsupported' }
  | { type: 'unknown' };

/** One deployed version in one file, before files are linked to each other. */
export interface Fact {
  extractor: ExtractorName;
  place: FactLocation;
  artifact: { kind: ArtifactKind; name: string };
  origin: Origin;
  /** Version as written in the file, or null if the file contains none. */
  version: string | null;
  state: VersionState;
  digest: string | null;
  /** Note about how the version was found, if that isn't obvious. */
  note: string | null;
  /** Reason why the fact can't be proposed as it is. */
  reason: Reason | null;
  /** The source repository of the software in a chart, from the chart's metadata. */
  projectUrl?: string | null;
  /** Image as written in the file, if it contains variables that a `.env` file can set. */
  written?: string;
  /** Image as written in a unit of systemd, if it contains variables, and the files that can set them. */
  inEnvironment?: { written: string; files: string[] };
  /** Version, image, or download as written in a file of Terraform, Ansible, Helmfile, or GitLab, if it refers to variables. */
  expression?: string;
  /** The artifact and its version as written in a manifest, if they contain variables that Flux can replace. */
  template?: FluxTemplate;
  /** Template in a helmfile that decides whether the release is installed. */
  condition?: string;
  /** A Helm release as written in a Terraform file, if it refers to variables or local values. */
  release?: { chart: string; repository: string | null; version: string | null };
  /** A managed service as written in a Terraform file, if it refers to variables or local values. */
  service?: WrittenService;
  /** Pattern of the tags that are ordered together with the version, if the repository defines one. */
  tagPattern?: string;
  /** True if a patch sets only the version, so the image comes from the patched object. */
  isVersionPatch?: true;
  /** The only environment in which the artifact is deployed, if a file declares it. */
  environment?: string;
  /** Labels that a custom pattern finds. */
  labels?: Record<string, string>;
  /** True if the origin follows from a convention and not from the file. */
  isOriginGuessed?: boolean;
}

/** A definition in one file that other files refer to. */
export type Link =
  | {
      type: 'flux_source';
      kind: string;
      name: string;
      namespace: string | null;
      url: string | null;
      isOci: boolean;
    }
  /** A Flux ImagePolicy, which orders the tags of an image. */
  | {
      type: 'image_policy';
      name: string;
      repository: { name: string; namespace: string | null };
      /**
       * Pattern of the tags, and the part that determines their order: a group such as `$ts`, or null for the
       * whole tag.
       */
      pattern: string;
      extract: string | null;
    }
  | { type: 'helmfile_repository'; name: string; url: string; isOci: boolean }
  | { type: 'chart'; name: string; version: string | null; appVersion: string | null }
  /**
   * The key of each dependency of a chart in the chart's values, and the directory of the dependency relative
   * to the chart.
   */
  | { type: 'subcharts'; directories: [key: string, directory: string][] }
  /**
   * The conditions and tags of each dependency of a chart, with the key of the dependency in the chart's
   * values.
   */
  | { type: 'chart_conditions'; dependencies: { key: string; conditions: string[]; tags: string[] }[] }
  /**
   * A chart of an Application in a template, whose version is in the values of the chart that contains the
   * template.
   */
  | {
      type: 'templated_chart';
      repository: TemplatePart;
      chart: TemplatePart;
      version: TemplatePart;
      /** Values that must be true for the Application to exist. */
      flags: string[];
    }
  /**
   * The directory that an Application deploys whose values files aren't known, because the Application is in a
   * template or the path of the directory contains templates. Marks replace these templates. The flags are the values
   * that must be true for the Application to exist.
   */
  | { type: 'templated_application'; directory: string; flags: string[] }
  /**
   * Values whose default is the `appVersion` of the chart, according to a template. If `isOpen` is true, it can
   * be the default of any value. Only the definitions of the helpers, which can be in another chart, show whether they
   * use it for the values that they get.
   */
  | {
      type: 'app_version_uses';
      paths: string[];
      isOpen: boolean;
      helpers: TemplateHelper[];
      definitions: TemplateDefinition[];
    }
  /** A version that an object in a template takes from the values of the chart. */
  | {
      type: 'templated_version';
      kind: string;
      name: string | null;
      field: string;
      path: string;
      software: VersionedSoftware;
    }
  /** An image that a template of a chart builds from values. */
  | {
      type: 'built_image';
      parts: ImagePart[];
      /** True if a condition of the template chooses between this image and others. */
      isAlternative?: true;
    }
  /** Values that templates of a chart can use as a version, or as a part of an image or a chart. */
  | { type: 'chart_values'; values: { path: string; text: string; line: number; document: number }[] }
  /** Values that can enable or disable a dependency of a chart. */
  | {
      type: 'value_flags';
      flags: [path: string, isEnabled: boolean][];
      /** True if the file has more of these values. */
      isCut?: true;
    }
  | { type: 'chart_lock'; versions: [chart: string, version: string][] }
  | { type: 'provider_lock'; versions: [address: string, version: string][] }
  /**
   * Values that the Terraform files of a directory can refer to, such as `var.tag` or `local.versions.web`.
   */
  | { type: 'terraform_values'; values: [name: string, value: string][] }
  /** Values of a `.tfvars` file, which a command can pass to Terraform, each with its line. */
  | { type: 'passed_values'; values: [name: string, value: string, line: number][] }
  /** Variables that other files of an Ansible role can refer to. */
  | { type: 'ansible_values'; values: [name: string, value: string][] }
  /** Variables that an inventory sets for hosts or groups. */
  | { type: 'ansible_inventory'; values: InventoryValue[] }
  /** Variables of a file that a playbook can name, and the versions in them. */
  | { type: 'ansible_variables'; facts: Fact[]; values: [name: string, value: string][] }
  /** Names of roles, paths of files, and variables that a file of Ansible refers to. */
  | {
      type: 'ansible_uses';
      /** True for playbooks. */
      isPlay: boolean;
      /** True if a variable contains the name of a role. */
      hasOpenRoles: boolean;
      /** True if a variable contains the path of a task file. */
      hasOpenFiles: boolean;
      /** True if the file can use variables whose names it doesn't contain. */
      hasOpenVariables: boolean;
      names: string[];
      files: string[];
      variables: string[];
      /** Plays of a playbook. Null if they aren't all known. */
      plays: AnsiblePlay[] | null;
    }
  /**
   * Global variables of a GitLab pipeline, and paths of the files in the repository that it includes and of those
   * whose child pipelines it triggers.
   */
  | {
      type: 'gitlab_pipeline';
      variables: [name: string, value: string][];
      includes: string[];
      triggers: string[];
    }
  /** Variables of a file with environment variables that can be part of an image, each with its line. */
  | { type: 'environment_file'; values: [name: string, value: string, line: number][] }
  /**
   * A rule of a pull-through cache: in an organization's ECR registries, the repositories with this prefix
   * are copies of those in another registry.
   */
  | { type: 'pull_through'; prefix: string; registry: string }
  | ValuesFilesLink
  /**
   * Files from which a helmfile inherits, such as one with its environments. Their paths are relative to the
   * helmfile.
   */
  | { type: 'helmfile_bases'; paths: string[] }
  /**
   * Values that the releases of a helmfile can refer to. Without `environment`, the current file contains
   * only values, and an environment of the helmfile refers to it. With `environment`, the current file is the
   * helmfile itself.
   */
  | { type: 'environment_values'; values: EnvironmentValue[]; environment?: string }
  /** Environments that a helmfile declares. */
  | { type: 'helmfile_environments'; names: string[] }
  /** An Application that deploys the chart in a directory. */
  | {
      type: 'application';
      directory: string;
      /** Fields of the images whose versions the Application itself sets. */
      fields: string[];
      /** Files with values, as paths from the root of the repository. Null if some of them aren't known. */
      valuesFiles: string[] | null;
      /** True if the Application also has inline values, or files that can be in another repository. */
      hasOtherValues?: true;
    }
  /**
   * Images of a file that doesn't have the name of a values file. They're deployed if an object references
   * the file.
   */
  | { type: 'possible_values'; images: Fact[] }
  | {
      type: 'compose_services';
      /** Services that have an image or are built. */
      complete: string[];
      /** Services with neither an image nor a build. Another Compose file can complete them. */
      incomplete: [service: string, line: number][];
      /**
       * Images of a file that isn't named like a Compose file. Unless the file is a stack, they're deployed
       * only by services that extend them.
       */
      images: Fact[];
      /** True if the file has the content of a complete Compose file, whatever its name. */
      isStack: boolean;
    }
  | {
      type: 'kustomization';
      resources: string[];
      /** Texts of the kustomization that can be paths of files or directories. */
      paths: string[];
      images: string[];
      /** Images that inline patches set in objects. */
      patches: PatchedImage[];
      /** Files with patches, and the object that each one patches if the kustomization specifies it. */
      patchFiles: { path: string; kind: string | null; name: string | null }[];
      namespace: string | null;
      /**
       * True if the resources of the kustomization contain all images that it can deploy. False for
       * components, whose images are in other kustomizations.
       */
      isClosed: boolean;
    }
  /**
   * Versions that an object, or a JSON patch, sets without their images. They're deployed if the file is a
   * patch of a kustomization.
   */
  | {
      type: 'version_patch';
      kind: string | null;
      namespace: string | null;
      name: string | null;
      /** True if the patch is written in the kustomization file itself, false if it's in a separate file. */
      isInline: boolean;
      versions: PatchedVersion[];
    }
  /** A Flux Kustomization. Its path is relative to the root of the repository. */
  | {
      type: 'flux_kustomization';
      namespace: string | null;
      path: string;
      images: string[];
      source: FluxSourceName | null;
    }
  /** The variables that a Flux Kustomization replaces in what it applies. */
  | {
      type: 'flux_substitution';
      namespace: string | null;
      name: string | null;
      line: number;
      document: number;
      source: FluxSourceName | null;
      /** Directories that it applies, as paths from the root of the repository. */
      paths: string[];
      variables: FluxVariable[];
      /** ConfigMaps and Secrets with more variables. A later one overrides an earlier one. */
      sources: { kind: string; name: string }[];
    }
  /** Variables of a ConfigMap or a Secret that a Flux Kustomization can name. */
  | {
      type: 'flux_variables';
      kind: string;
      namespace: string | null;
      name: string;
      document: number;
      variables: FluxVariable[];
    };

/** A variable that Flux replaces, and its line. The value is null if it isn't known. */
export type FluxVariable = [name: string, value: string | null, line: number];

/** An artifact and its version as written in a manifest. */
export interface FluxTemplate {
  name: string;
  version: string | null;
  digest: string | null;
  /** Notation of the version if it isn't the tag of an image. */
  notation?: VersionNotation;
  /** True if the URL of the chart's repository contains variables. */
  isSourceTemplated?: true;
}

/** A literal in a template, or a path in the values of the chart. */
export type TemplatePart = { text: string } | { path: string };

/** A part of the name or the tag of an image that a template builds. The first choice that isn't empty is used. */
export type ImagePart = ImageChoice[];

/** A named template that another one includes, and the paths of the values that it gets. */
export interface TemplateHelper {
  name: string;
  paths: string[];
}

/** A named template of a chart. */
export interface TemplateDefinition {
  name: string;
  /** True if it contains the `appVersion` of a chart. */
  usesAppVersion: boolean;
  /** Paths of the values whose default is the `appVersion`. */
  paths: string[];
  /** Names of the templates that it includes for images and tags, or to which it passes a chart. */
  includes: string[];
}

/** The source of a Flux Kustomization. Its namespace is null if it's that of the Kustomization. */
export interface FluxSourceName {
  kind: string;
  name: string;
  namespace: string | null;
}

/** A literal, a path in the values of the chart, or the `appVersion` of the chart. */
export type ImageChoice = { text: string } | { path: string } | { isAppVersion: true };

/** A value that a template such as `{{ .Values.web.version }}` refers to. */
export interface EnvironmentValue {
  /** Keys that lead to the value, separated by dots. */
  path: string;
  text: string;
  line: number;
  document: number;
}

/** A variable of an inventory of Ansible. */
export interface InventoryValue {
  name: string;
  text: string;
  line: number;
  document: number;
  /** Keys that lead to the variable, separated by dots. */
  field: string;
  /** True if the inventory sets the variable only for one host. */
  isOfOneHost: boolean;
  /** The group whose variable it is, if neither the path of the file nor the field names the group. */
  group?: string;
}

/** A version that a patch sets in an object. */
export interface PatchedVersion {
  /** Path to the map that contains the version. */
  field: string;
  key: string;
  text: string;
  line: number;
  document: number;
}

/** Files that a release or an environment references as its values. */
export interface ValuesFilesLink {
  type: 'values_files';
  /**
   * Paths that are relative to the file or to the root of the repository. Paths in a helmfile can contain
   * templates.
   */
  paths: string[];
  isFromRoot?: true;
  /** The release of a helmfile that the values belong to. */
  release?: Pick<FactLocation, 'namespace' | 'name'>;
  /** Chart of that release as written in the helmfile. */
  chart?: string;
  /** The only environment of a helmfile that uses the values. */
  environment?: string;
  /** False if the release isn't installed anywhere. */
  isInstalled?: false;
  /** True if the release also has values that aren't in these files. */
  hasOtherValues?: true;
}

/** An image that a patch sets in an object. */
export interface PatchedImage {
  kind: string | null;
  name: string | null;
  /** Name of the image, without its tag. */
  image: string;
}

/** A part of a file that can't be read or is skipped. */
export interface FileProblem {
  line: number;
  reason: Reason;
  message: string;
  /** True if everything else in the file was read, so an item that wasn't found isn't in the file. */
  isRestRead?: true;
  /**
   * True if the file was read except for some values, so it still counts as read. Unlike with `isRestRead`,
   * an item that wasn't found may be one of these values, so it keeps its version.
   */
  isFileRead?: true;
}

/** A problem that is detected only when files are linked. */
export interface LinkProblem extends FileProblem {
  file: string;
}

export interface Extracted {
  facts: Fact[];
  links: Link[];
  problems: FileProblem[];
  /** Kind of a file that yields no versions, if its content or its name shows the kind. */
  kind?: FileKind;
}

/** Yields the links of one type, each with the path of its file. */
export function* linksOf<T extends Link['type']>(
  files: readonly { path: string; links: readonly Link[] }[],
  type: T,
): Generator<[path: string, link: Extract<Link, { type: T }>], void> {
  for (const { path, links } of files)
    for (const link of links) if (link.type === type) yield [path, link as Extract<Link, { type: T }>];
}

export function emptyExtraction(): Extracted {
  return { facts: [], links: [], problems: [] };
}
