import type { MissingListPart } from '../domain/runs/list-completeness.ts';
import type { SourceOptions } from '../domain/source-types/source-type.ts';
import type { GatheredSourceTypeId } from '../domain/source-types/source-types.ts';
import type { ReadBody } from './body-reader.ts';
import type { SourceBody } from './source-body.ts';
import type { SourceHttp } from './source-http.ts';

/**
 * Interface of release sources, which read the releases of one source type. `sources.ts` lists the sources,
 * and one test suite verifies this contract for each of them against a real local server. The names, options,
 * and descriptions of source types are in `domain/source-types/`.
 */
export interface ReleaseSource {
  /** Value of `source_type` in the API. */
  readonly sourceType: GatheredSourceTypeId;
  /** Returns every invalid option of the source type, or an empty list if all options are valid. */
  checkOptions?(sourceOptions: SourceOptions): OptionProblem[];
  /**
   * Returns a key: the URL of the first request, in a form that doesn't distinguish http from https. Jobs
   * with the same key send the same requests, so they can run one after another with one
   * `shareResponses(http)`. The key doesn't include the credential: callers add the organization and the
   * credential.
   */
  sharedRequestKey(artifact: SourceArtifact): string;
  /**
   * Requests the list and yields its releases part by part, so that memory use stays bounded regardless of
   * the length of the list. Each release occurs once, in any order. Drafts are excluded. Sources don't parse
   * response bodies: they pass them to `context.read`, which can exclude releases that the job doesn't need.
   * Throws a RunError for any response, however malformed, or the reason of `context.signal` if the signal
   * aborts.
   */
  gather(
    request: GatherRequest,
    context: SourceContext,
  ): AsyncGenerator<GatherPart, GatherSummary, undefined>;
}

export interface OptionProblem {
  option: keyof SourceOptions;
  message: string;
}

export interface SourceArtifact {
  /** Name as returned by `normalizeArtifactName` of the source type. */
  artifactName: string;
  sourceOptions: SourceOptions;
}

export interface GatherRequest extends SourceArtifact {
  /** Validators for a conditional request. Null for an unconditional request. */
  validators: Validators | null;
  /** Tags of the stored releases. Reading stops at the first page without a newer release. */
  knownTags: readonly string[];
  /**
   * True to read the whole list regardless of known tags. Sources with many pages then ignore the validators.
   */
  isFull: boolean;
  /**
   * True to also check that no release was missed because others were deleted while pages were read. This can
   * take another request if there are several pages. Only with `isFull`.
   */
  checksComplete?: boolean;
  /**
   * True to also check whether the repository is archived, which takes another request. Only with `isFull`.
   */
  checksArchived?: boolean;
  /**
   * Stored tags without a date, whose dates are requested again. Only for registries. They're few, because each
   * takes two or three requests.
   */
  undatedTags?: readonly string[];
  /**
   * True to also read the digests of new tags among the highest tags, or of all of the highest tags with
   * `isFull`.
   */
  readsDigests?: boolean;
  /** True to also read the commits of the tags, which takes further requests to forges. Only with `isFull`. */
  readsCommits?: boolean;
}

/** Validators of the first response, exactly as the host sent them. */
export interface Validators {
  etag: string | null;
  lastModified: string | null;
}

export interface SourceContext {
  http: SourceHttp;
  git: SourceGit;
  /** Parses response bodies in isolation. */
  read: ReadBody;
  /** Cancels the work. */
  signal: AbortSignal;
  /** Time of the Pacekeeper server when the task was claimed. */
  now: Date;
}

/**
 * Git operations that `git_tags` requires. The agent implements this interface. Like `http`, each instance is
 * bound to the job and its credential.
 */
export interface SourceGit {
  /** Lists the tags without a clone, in the format that `read-git-tags.ts` parses. */
  listTags(url: string, options: { signal: AbortSignal }): Promise<SourceBody>;
}

/** One part of the list: at most 1,000 releases and 1 MiB of JSON. */
export interface GatherPart {
  releases: GatheredRelease[];
}

/** One release in the form that agents submit. The version pattern adds `version`. */
export interface GatheredRelease {
  /** Tag of 1 to 500 characters. */
  tag: string;
  app_version: string | null;
  /** RFC 3339 timestamp in UTC. */
  released_at: string | null;
  is_prerelease: boolean;
  is_yanked: boolean;
  /** URL with the scheme http or https. */
  url: string | null;
  /** Release notes of at most 64 KiB of UTF-8. */
  notes: string | null;
  /**
   * Digest of the manifest, or of the index of an image with several platforms. For a chart of a Helm repository, the
   * digest of its archive. Omitted if unknown.
   */
  digest?: string;
  /** Commit that the tag points to, never the ID of an annotated tag itself. Omitted if unknown. */
  commit?: string;
}

export interface GatherSummary {
  /**
   * True if the list hasn't changed since the response that the validators came from. In that case, no parts
   * were yielded.
   */
  isNotModified: boolean;
  /**
   * True if the parts contain the whole list. Releases that are missing from the parts no longer exist
   * upstream.
   */
  isCompleteList: boolean;
  /**
   * Part of the list that couldn't be read. Omitted if nothing was cut, and by runs that read only the newest
   * part on purpose.
   */
  listCut?: MissingListPart;
  validators: Validators | null;
  /** Number of releases in all parts. */
  found: number;
  skipped: number;
  /** At most 10 examples of skipped items. */
  skippedExamples: SkippedItem[];
  /** At most 10 warnings, as sentences for the user. */
  warnings: string[];
  /** Repository of the software. Omitted by sources that read the repository itself. */
  project?: FoundProject | null;
  /** True if the repository is archived. Null if the forge didn't report it. Omitted if it wasn't checked. */
  isArchived?: boolean | null;
  /**
   * True if the latest version of the chart is deprecated. Omitted if it wasn't read, and by sources without
   * charts.
   */
  isDeprecated?: boolean;
}

/** Repository of the software in an artifact, and the kind of metadata that contained the repository. */
export interface FoundProject {
  url: string;
  source: 'annotation' | 'label' | 'chart';
}

export interface SkippedItem {
  /** Name of the tag or chart, if it has one. */
  name: string;
  reason: string;
}
