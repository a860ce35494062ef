import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { FairLimit } from '../../platform/fairness/index.ts';
import { createBodyCollector, type SourceBody } from '../../sources/source-body.ts';
import type { GitSession } from './git-session.ts';

/** Maximum size of a list, enough for the names and IDs of 200,000 annotated tags, each of which has two lines. */
const maxListBytes = 32 * 1024 * 1024;
/** Maximum number of tags that are listed with dates. A repository with more isn't used for releases. */
const maxDatedTags = 20_000;
/** Maximum size of the dates, for tag names of the maximum length. */
const maxDatesBytes = 8 * 1024 * 1024;

/**
 * Returns git's output about the tags of a repository, in the format of `read-git-tags.ts`: the dates, an
 * empty line, and the list. The list alone is one cheap request, but only commits contain dates. So if the
 * list has changed since the last fetch, the tags and their commits are also fetched, without files. The
 * output isn't parsed here.
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
    await session.remote(['ls-remote', '--quiet', '--tags', 'origin'], {
      maxOutputBytes: maxListBytes,
      async onOutput(piece) {
        digest.update(piece);
        tags += count(piece, newline) - count(piece, caret);
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
    // The first newline ends a line that may have been truncated. The second one separates the dates from the
    // list.
    await lists.add(Buffer.from('\n\n'));
    for (const piece of list) lists.push(piece);
    return lists.body();
  } catch (error) {
    lists.free();
    throw error;
  }
}

const newline = 0x0a;
/**
 * Character that marks the lines with the commits of annotated tags, such as `refs/tags/v1^{}`. Each of these
 * lines contains it once, and no other line contains it.
 */
const caret = 0x5e;

function count(piece: Buffer, byte: number): number {
  let found = 0;
  for (let at = piece.indexOf(byte); at >= 0; at = piece.indexOf(byte, at + 1)) found += 1;
  return found;
}

/** File that contains the digest of the last fetched list. */
const fetchedFile = 'pacekeeper-fetched-tags';

/**
 * Updates the local tags if the list has changed. If the server can't send the tags, the tags of the last fetch
 * remain.
 *
 * All tags are fetched with one pattern, because git compares each requested name with each tag: 10,000 names took
 * 35 s, one pattern took 0.8 s.
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
      // If the server ignores the filter, it would send all files of all tags, which is too expensive for
      // dates.
      isEnough: (output) => filterIgnored.test(output),
      allows: noDates,
    },
  );
  if (result.end === 'enough' || result.exitCode !== 0) return;
  // Store the refs in one file instead of one file for each tag.
  await session.local(['pack-refs', '--all']);
  await writeFile(file, list);
}

const filterIgnored = /filtering not recognized/iu;
/**
 * Errors that leave tags without dates: the server can't send a subset of the history, or a tag was deleted after it
 * was listed.
 */
const noDates =
  /does not support (?:shallow|--deepen)|shallow capabilities|couldn't find remote ref|not our ref/iu;
