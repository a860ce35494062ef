import type { GitSession } from './git-session.ts';

export interface GitTag {
  tag: string;
  /** RFC 3339 in UTC: of an annotated tag its own, else that of the commit; null when it is not known. */
  date: string | null;
}

/** Names and ids of 500,000 tags. */
const maxListBytes = 64 * 1024 * 1024;
/** More than this many are listed without dates: a repository with so many is no list of releases. */
const maxDatedTags = 20_000;
/** git compares each name with each tag: 10,000 names took 35 s, all tags at once 0.8 s. */
const maxNamedTags = 100;

/**
 * The tags of a repository. First the list alone, which is one cheap request; then, for those that are not known from
 * before, the tags and their commits without any file, because only there stands a date.
 */
export async function listTags(session: GitSession): Promise<GitTag[]> {
  const listed = await readRemoteTags(session);
  const dates = await readDates(session, listed);
  return [...listed.keys()].map((tag) => ({ tag, date: dates.get(tag) ?? null }));
}

/** Name and id of the tag itself. */
async function readRemoteTags(session: GitSession): Promise<Map<string, string>> {
  const { stdout } = await session.remote(['ls-remote', '--quiet', '--refs', '--tags', 'origin'], {
    maxOutputBytes: maxListBytes,
  });
  const tags = new Map<string, string>();
  for (const line of stdout.toString('utf8').split('\n')) {
    const [oid = '', ref = ''] = line.split('\t');
    if (ref.startsWith(prefix)) tags.set(ref.slice(prefix.length), oid);
  }
  return tags;
}

const prefix = 'refs/tags/';

async function readDates(
  session: GitSession,
  listed: ReadonlyMap<string, string>,
): Promise<Map<string, string | null>> {
  if (listed.size === 0 || listed.size > maxDatedTags) return new Map();
  const known = await readLocalTags(session);
  const gone = [...known.keys()].filter((tag) => !listed.has(tag));
  const wanted = [...listed].filter(([tag, oid]) => known.get(tag)?.oid !== oid).map(([tag]) => tag);
  if (gone.length > 0) {
    await session.local(['update-ref', '--stdin'], {
      input: gone.map((tag) => `delete ${prefix}${tag}\n`).join(''),
    });
  }
  if (wanted.length > 0) {
    const result = await session.remote(
      [
        'fetch',
        '--quiet',
        '--depth=1',
        '--filter=tree:0',
        '--no-tags',
        '--no-write-fetch-head',
        '--no-auto-maintenance',
        '--recurse-submodules=no',
        '--update-shallow',
        'origin',
        '--stdin',
      ],
      {
        input: (wanted.length <= maxNamedTags ? wanted : ['*'])
          .map((tag) => `+${prefix}${tag}:${prefix}${tag}\n`)
          .join(''),
        // All files of all tags are too high a price for dates.
        isEnough: (said) => filterIgnored.test(said),
        allows: noDates,
      },
    );
    if (result.end === 'enough' || result.exitCode !== 0) return datesOf(known);
    // One file instead of one for each tag.
    await session.local(['pack-refs', '--all']);
  }
  return datesOf(await readLocalTags(session));
}

const filterIgnored = /filtering not recognized/iu;
/** A server that cannot give less than everything, or lost a tag since it listed it. */
const noDates =
  /does not support (?:shallow|--deepen)|shallow capabilities|couldn't find remote ref|not our ref/iu;

interface LocalTag {
  oid: string;
  date: string | null;
}

async function readLocalTags(session: GitSession): Promise<Map<string, LocalTag>> {
  const { stdout } = await session.local(
    ['for-each-ref', '--format=%(objectname) %(creatordate:unix) %(refname)', prefix],
    { maxOutputBytes: maxListBytes },
  );
  const tags = new Map<string, LocalTag>();
  for (const line of stdout.toString('utf8').split('\n')) {
    const [, oid = '', seconds = '', tag] = /^([0-9a-f]+) (-?\d*) refs\/tags\/(.+)$/u.exec(line) ?? [];
    if (tag !== undefined) tags.set(tag, { oid, date: readSeconds(seconds) });
  }
  return tags;
}

/** Of a tag or commit, where anybody may have written anything. */
function readSeconds(text: string): string | null {
  const date = new Date(/^\d{1,12}$/u.test(text) ? Number(text) * 1_000 : Number.NaN);
  return Number.isNaN(date.getTime()) || date.getUTCFullYear() > 9_999 ? null : date.toISOString();
}

function datesOf(tags: ReadonlyMap<string, LocalTag>): Map<string, string | null> {
  return new Map([...tags].map(([tag, { date }]) => [tag, date]));
}
