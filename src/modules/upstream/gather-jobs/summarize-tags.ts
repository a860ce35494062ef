import { prepareReleases, type ReleaseRow } from '../../../domain/rules/release-set.ts';
import { type ReleasesSummary, summarizeReleases } from '../../../domain/rules/summarize-releases.ts';
import type { VersionSchemeId } from '../../../domain/versions/version-scheme.ts';
import { versionScheme } from '../../../domain/versions/versions.ts';
import { findVersions } from '../releases/find-versions-job.ts';

/** Input of the sandbox job: tags, and the values with which a gather job would parse them. */
export interface TagsToSummarize {
  /** `version` is the stored version. It is used if `pattern` is `undefined`. */
  readonly rows: readonly (Omit<ReleaseRow, 'url'> & { readonly tag: string })[];
  readonly scheme: VersionSchemeId;
  readonly isImage: boolean;
  /** Platform words in the format that `joinPlatformWords` returns. */
  readonly platformWords: string;
  readonly ignoredVersions: readonly string[];
  readonly countedVersions: readonly string[];
  /** `null` if the tag is the version, `undefined` if the version is already known. */
  readonly pattern: string | null | undefined;
  readonly includePrereleases: boolean;
  readonly deployedVersion: string | null;
  readonly nowMs: number;
}

export interface TagsSummary extends ReleasesSummary {
  readonly unmatched: { readonly count: number; readonly examples: readonly string[] };
}

const maxExamples = 3;

export function summarizeTags(input: TagsToSummarize): TagsSummary {
  const { rows, scheme, isImage, platformWords } = input;
  const versions = versionsOf(input);
  const unmatched = rows.filter((_, index) => versions[index] === null).map(({ tag }) => tag);
  const matched = rows.flatMap((row, index): ReleaseRow[] => {
    const version = versions[index];
    return version == null ? [] : [{ ...row, version, url: null }];
  });
  const { parse } = versionScheme(scheme, platformWords);
  const isKept = (row: ReleaseRow) =>
    input.includePrereleases || !(row.isPrerelease || parse(row.version)?.isPrerelease);
  const set = prepareReleases(scheme, matched.filter(isKept), { isImage, platformWords });
  return {
    ...summarizeReleases(set, input),
    unmatched: { count: unmatched.length, examples: unmatched.slice(0, maxExamples) },
  };
}

function versionsOf({ rows, pattern }: TagsToSummarize): readonly (string | null)[] {
  if (pattern === undefined) return rows.map(({ version }) => version);
  const tags = rows.map(({ tag }) => tag);
  return pattern === null ? tags : findVersions({ pattern, tags });
}
