import type { SourceOptions } from '../domain/source-types/source-type.ts';
import type { GatheredSourceTypeId } from '../domain/source-types/source-types.ts';
import type { ReadBody } from './body-reader.ts';
import type { SourceBody } from './source-body.ts';
import type { SourceHttp } from './source-http.ts';

/**
 * The interface of release sources: how the releases of one source type are read. `sources.ts` lists them, and one test
 * suite verifies this contract for each of them against a real local server. Names, options, and texts of the type are
 * in `domain/source-types/`.
 */
export interface ReleaseSource {
  /** The value of `source_type` in the API. */
  readonly sourceType: GatheredSourceTypeId;
  /** Every invalid value of the type's own options; none if they can be used. */
  checkOptions?(sourceOptions: SourceOptions): OptionProblem[];
  /**
   * The address of the first request, in a form that doesn't distinguish http from https. Jobs with the same key
   * send the same requests, so they can run one after another with one `shareAnswers(http)`. It doesn't
   * include the credential: callers add organization and credential to it.
   */
  sharedRequestKey(artifact: SourceArtifact): string;
  /**
   * Asks for the list and has it read, part by part, each release once and in any order, so that memory stays
   * bounded however long the list is. Drafts are left out. Nothing that the other side sends is parsed here: that is
   * for `context.read`, which may leave out what a job does not want. Throws a RunError whatever the other side sends,
   * or the reason of `context.signal` when that ends it.
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
  /** As `normalizeArtifactName` of the source type returned it. */
  artifactName: string;
  sourceOptions: SourceOptions;
}

export interface GatherRequest extends SourceArtifact {
  /** Makes the request conditional. Null: unconditional. */
  validators: Validators | null;
  /** Tags that are known already: reading stops at the first page with nothing above them. */
  knownTags: readonly string[];
  /** Read the whole list regardless of known tags. Sources of many pages then ignore the validators. */
  isFull: boolean;
  /**
   * Also check that no release was missed because others were deleted while pages were read, which can take another
   * request if there are several pages. Only with `isFull`.
   */
  checksComplete?: boolean;
  /** Also find out whether the repository is archived, which takes another request. Only with `isFull`. */
  checksArchived?: boolean;
  /** Also find out the digests of the highest tags: of new ones, and with `isFull` of all of them. */
  readsDigests?: boolean;
}

/** Of the first answer, as they were sent. */
export interface Validators {
  etag: string | null;
  lastModified: string | null;
}

export interface SourceContext {
  http: SourceHttp;
  git: SourceGit;
  /** Reads bodies in isolation. */
  read: ReadBody;
  /** Ends the work early. */
  signal: AbortSignal;
  /** The time of the service when the task was claimed. */
  now: Date;
}

/** What `git_tags` needs of git; the agent has it. Like `http` it is bound to the job and its credential. */
export interface SourceGit {
  /** What git says of tags, without a clone and as `read-git-tags.ts` reads it. */
  listTags(url: string, options: { signal: AbortSignal }): Promise<SourceBody>;
}

/** At most 1,000 releases and 1 MiB of JSON. */
export interface GatherPart {
  releases: GatheredRelease[];
}

/** One release in the form that agents submit; the version pattern adds `version`. */
export interface GatheredRelease {
  /** 1 to 500 characters. */
  tag: string;
  app_version: string | null;
  /** RFC 3339 in UTC. */
  released_at: string | null;
  is_prerelease: boolean;
  is_yanked: boolean;
  /** http or https only. */
  url: string | null;
  /** At most 64 KiB of UTF-8. */
  notes: string | null;
  /** Of the manifest, or of the index of an image with several platforms. Omitted: unknown. */
  digest?: string;
}

export interface GatherSummary {
  /** Nothing changed since the validators were given; there were no parts. */
  isNotModified: boolean;
  /** The parts hold the whole list: what is missing from it is no longer there. */
  isCompleteList: boolean;
  validators: Validators | null;
  /** Releases in all parts. */
  found: number;
  skipped: number;
  /** At most 10. */
  skippedExamples: SkippedItem[];
  /** Warnings: sentences for the user, at most 10. */
  warnings: string[];
  /** Omitted by sources that read the repository itself. */
  project?: FoundProject | null;
  /** Whether the repository is archived. Null: the forge didn't say. Omitted if it wasn't checked. */
  isArchived?: boolean | null;
}

/** The repository of the software in an artifact, and which statement of the source named it. */
export interface FoundProject {
  url: string;
  source: 'annotation' | 'label' | 'chart';
}

export interface SkippedItem {
  /** The tag or chart, as far as it has a name. */
  name: string;
  reason: string;
}
