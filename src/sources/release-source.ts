import type { ArtifactSourceType } from '../domain/artifacts/artifact-names.ts';
import type { ArtifactNameResult } from '../domain/artifacts/artifact-result.ts';
import type { ReadBody } from './body-reader.ts';
import type { SourceBody } from './source-body.ts';
import type { SourceHttp } from './source-http.ts';

/**
 * What a release source promises. A source knows how one kind of platform lists its releases; `sources.ts`
 * lists the sources, and one suite holds each of them to these sentences against a real local server.
 */
export interface ReleaseSource {
  /** The value of `source_type` in the API. */
  readonly sourceType: ReleaseSourceType;
  /** How versions of this source are read when the job does not say. */
  readonly defaultVersionScheme: 'auto' | 'semver';
  /**
   * The one spelling under which an artifact is stored, of whatever people paste: without scheme (URLs apart), trailing
   * slash and spaces; a port is kept. Refuses user names and passwords. Pure: whether it exists is seen by the first run.
   * It is that of `domain/artifacts`, which the command line and the page use too.
   */
  normalizeArtifactName(name: string): ArtifactNameResult;
  /** What is wrong with the options; none when they can be used. Options of other source types are wrong. */
  checkOptions(sourceOptions: SourceOptions): OptionProblem[];
  /**
   * The address that is asked first, in a form that does not tell http from https. Jobs with the same key
   * ask for the same, so that they may be run one after another over one `shareAnswers(http)`. It does not
   * name the credential: whoever shares adds organization and credential to it.
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

export type ReleaseSourceType = ArtifactSourceType;

/** As in the API. */
export interface SourceOptions {
  version_field?: 'version' | 'app_version';
  version_path?: string;
  date_path?: string;
  version_regex?: string;
}

export interface OptionProblem {
  option: keyof SourceOptions;
  message: string;
}

export interface SourceArtifact {
  /** As `normalizeArtifactName` gave it. */
  artifactName: string;
  sourceOptions: SourceOptions;
}

export interface GatherRequest extends SourceArtifact {
  /** Makes the request conditional. Null: ask without condition. */
  validators: Validators | null;
  /** Tags that are known already: reading stops at the first page with nothing above them. */
  knownTags: readonly string[];
  /** Read the whole list whatever is known. Sources of many pages then ignore the validators. */
  isFull: boolean;
}

/** Of the first answer, as they were sent. */
export interface Validators {
  etag: string | null;
  lastModified: string | null;
}

export interface SourceContext {
  http: SourceHttp;
  git: SourceGit;
  /** Reads bodies where they can do no harm. */
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

/** One release in the shape in which agents hand it in; `version` is added by the version pattern. */
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
  /** Things that went well and yet should be looked at: sentences for the user, at most 10. */
  warnings: string[];
}

export interface SkippedItem {
  /** The tag or chart, as far as it has a name. */
  name: string;
  reason: string;
}
