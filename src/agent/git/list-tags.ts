import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { FairLimit } from '../../sources/fair-limit.ts';
import { createBodyCollector, type SourceBody } from '../../sources/source-body.ts';
import type { GitSession } from './git-session.ts';

/** Names and ids of 400,000 tags. */
const maxListBytes = 32 * 1024 * 1024;
/** More than this many are listed without dates: a repository with so many is no list of releases. */
const maxDatedTags = 20_000;
/** Of their dates, with names of the greatest length. */
const maxDatesBytes = 8 * 1024 * 1024;

/**
 * What git says of the tags of a repository, as `read-git-tags.ts` reads it: their dates, an empty line, the list. First
 * the list alone is asked for, which is one cheap request; then, when it differs from what was fetched before, the tags
 * and their commits without any file, because only there stands a date. Nothing of it is parsed here.
 */
export async function listTags(
  session: GitSession,
  room: FairLimit,
  { fairKey, signal }: { fairKey: string; signal: AbortSignal },
): Promise<SourceBody> {
  const lists = createBodyCollector(room, { fairKey, maxBytes: maxListBytes + maxDatesBytes, signal });
  try {
    const list: Buffer[] = [];
    const digest = createHash('sha256');
    let tags = 0;
    await session.remote(['ls-remote', '--quiet', '--refs', '--tags', 'origin'], {
      maxOutputBytes: maxListBytes,
      async onOutput(piece) {
        digest.update(piece);
        for (let at = piece.indexOf(10); at >= 0 && tags <= maxDatedTags; at = piece.indexOf(10, at + 1))
          tags += 1;
        list.push(piece);
        await lists.reserve(piece.byteLength);
      },
    });
    if (tags > 0 && tags <= maxDatedTags) {
      await fetchTags(session, digest.digest('hex'));
      const format = '--format=%(creatordate:unix) %(refname)';
      await session.local(['for-each-ref', format, 'refs/tags/'], {
        maxOutputBytes: maxDatesBytes,
        onOutput: (piece) => lists.add(piece),
      });
    }
    // One ends what may have been cut.
    await lists.add(Buffer.from('\n\n'));
    for (const piece of list) lists.push(piece);
    return lists.body();
  } catch (error) {
    lists.free();
    throw error;
  }
}

/** Where it stands which list was fetched last. */
const fetchedFile = 'pacekeeper-fetched-tags';

/**
 * Makes the tags here those of the list, unless they are. When the server does not give them, those stay that were
 * fetched before.
 *
 * All are named at once: git compares each name with each tag, and 10,000 names took 35 s, the pattern for all 0.8 s.
 */
async function fetchTags(session: GitSession, list: string): Promise<void> {
  const file = path.join(session.gitDir, fetchedFile);
  if ((await readFile(file, 'utf8').catch(() => '')) === list) return;
  const result = await session.remote(
    [
      'fetch',
      '--quiet',
      '--depth=1',
      '--filter=tree:0',
      '--prune',
      '--no-tags',
      '--no-write-fetch-head',
      '--no-auto-maintenance',
      '--recurse-submodules=no',
      '--update-shallow',
      'origin',
      '+refs/tags/*:refs/tags/*',
    ],
    {
      // All files of all tags are too high a price for dates.
      isEnough: (output) => filterIgnored.test(output),
      allows: noDates,
    },
  );
  if (result.end === 'enough' || result.exitCode !== 0) return;
  // One file instead of one for each tag.
  await session.local(['pack-refs', '--all']);
  await writeFile(file, list);
}

const filterIgnored = /filtering not recognized/iu;
/** A server that cannot give less than everything, or lost a tag since it listed it. */
const noDates =
  /does not support (?:shallow|--deepen)|shallow capabilities|couldn't find remote ref|not our ref/iu;
