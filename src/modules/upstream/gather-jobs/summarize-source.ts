import { compareKeys } from '../../../domain/versions/precedence.ts';
import { versionScheme } from '../../../domain/versions/versions.ts';
import { summarizeTags, type TagsSummary, type TagsToSummarize } from './summarize-tags.ts';

/** Releases that a preview read from a source. */
export interface SourceToSummarize extends Omit<TagsToSummarize, 'rows' | 'pattern'> {
  readonly rows: readonly SourceRow[];
}

type SourceRow = TagsToSummarize['rows'][number] & { readonly url: string | null };

export interface SourceSummary {
  readonly summary: TagsSummary;
  /** Releases in descending order of version, followed by releases whose tags aren't versions. */
  readonly releases: readonly SourceRow[];
}

const maxReleases = 1_000;

/** Summarizes the releases as a new gather job would parse them. Runs in the sandbox. */
export function summarizeSource({ rows, ...input }: SourceToSummarize): SourceSummary {
  const { parse, sortKey } = versionScheme(input.scheme, input.platformWords);
  const sorted = rows
    .map((row) => {
      const version = parse(row.version);
      return { row, key: version === null ? '' : sortKey(version) };
    })
    .toSorted((a, b) => compareKeys(b.key, a.key));
  return {
    summary: summarizeTags({ ...input, rows, pattern: undefined }),
    releases: sorted.slice(0, maxReleases).map(({ row }) => row),
  };
}
