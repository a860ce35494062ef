import { RunError } from '../domain/runs/run-error.ts';
import { readWhole, stopReading } from './body-reader.ts';
import type { ReleasePages } from './paged-releases.ts';
import type { GatheredRelease, SourceContext } from './release-source.ts';
import type { SourceGetOptions } from './source-http.ts';

/**
 * Maximum number of pages of tags to read. At 100 tags per page, this is the number of releases that GitHub
 * lists at most. Without a limit, a full read of a repository with many more tags would take dozens of
 * requests each day.
 */
const maxTagPages = 10;

/**
 * Returns the commits of a repository's tags, by tag. Failures don't fail the run: a tag without a commit keeps the
 * stored one.
 */
export async function readTagCommits(
  { http, read, signal }: Pick<SourceContext, 'http' | 'read' | 'signal'>,
  { tagsUrl, pageSize, what, nextUrl }: Pick<ReleasePages, 'tagsUrl' | 'pageSize' | 'what' | 'nextUrl'>,
  options: SourceGetOptions,
): Promise<ReadonlyMap<string, string>> {
  const commits = new Map<string, string>();
  const seenPages = new Set<string>();
  let entries = 0;
  try {
    let answer = await http.get(tagsUrl, options);
    for (let page = 1; ; page += 1) {
      const origin = { host: new URL(answer.url).host, what: `the tags of ${what}` };
      const found = await readWhole(read('tag_commit_page', origin, answer.body));
      if (seenPages.has(found.key)) break;
      seenPages.add(found.key);
      entries += found.entries;
      for (const { tag, commit } of found.commits) commits.set(tag, commit);
      const next = nextUrl(answer, { page, size: pageSize, count: found.entries, read: entries });
      // Without a link, the response doesn't show whether another page follows. Reading can stop here,
      // because releases have the newest tags, which are on the first pages.
      if (next === null || next === undefined || page >= maxTagPages) break;
      answer = await http.get(next, { ...options, from: answer });
    }
  } catch (error) {
    if (signal.aborted || !(error instanceof RunError)) throw error;
  }
  return commits;
}

/** Adds the commit of its tag to each release that a reader yields. */
export async function* addTagCommits<Output>(
  reading: AsyncGenerator<GatheredRelease[], Output, undefined>,
  commits: ReadonlyMap<string, string>,
): AsyncGenerator<GatheredRelease[], Output, undefined> {
  try {
    for (;;) {
      const { done, value } = await reading.next();
      if (done) return value;
      yield value.map((release) => {
        const commit = commits.get(release.tag);
        return commit === undefined ? release : { ...release, commit };
      });
    }
  } finally {
    // Frees the memory of the reader if the caller stops early. After the last item, this has no effect.
    await stopReading(reading);
  }
}
