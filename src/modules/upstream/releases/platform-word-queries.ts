import { type RawBuilder, sql } from 'kysely';
import { joinPlatformWords } from '../../../domain/versions/platform-words.ts';
import { platformNames } from '../../../domain/versions/version-words.ts';
import type { Database, Tx } from '../../../platform/database/index.ts';
import { readSettings, storedSetting } from '../../settings/index.ts';

/** The words that gather jobs of the organization are read with, as `joinPlatformWords` returns them. */
export async function readPlatformWords(db: Database | Tx, organizationId: number): Promise<string> {
  const { 'versions.platform_words': words } = await readSettings(db, organizationId);
  return joinPlatformWords(words);
}

/** The same as an expression, for a statement that creates jobs. */
export function platformWordsOf(organizationId: number): RawBuilder<string> {
  return sql<string>`coalesce((
    SELECT string_agg(DISTINCT word, ' ' ORDER BY word)
    FROM (
      SELECT given COLLATE "C" AS word
      FROM jsonb_array_elements_text(${storedSetting(organizationId, 'versions.platform_words')}) AS given
    ) AS words
    WHERE word <> ALL(${builtInWords}::text[])), '')`;
}

/** As PostgreSQL takes an array. */
const builtInWords = `{${[...platformNames].join(',')}}`;

const organizationsAtOnce = 20;

/**
 * After organizations have changed their platform words: has some of their gather jobs read with them. From then on, the
 * releases are evaluated with the new words, and what is stored of them is read again.
 *
 * @param limit How many jobs at most.
 * @returns Whether there is more to do now. Jobs that are being recorded have their turn later.
 */
export async function applyPlatformWordsAcrossOrganizations(tx: Tx, limit: number): Promise<boolean> {
  const { rows: organizations } = await sql<{ id: number }>`
    SELECT id FROM organizations WHERE platform_words_changed_at IS NOT NULL
    ORDER BY id LIMIT ${organizationsAtOnce} FOR NO KEY UPDATE SKIP LOCKED`.execute(tx);
  for (const { id } of organizations) {
    const words = await readPlatformWords(tx, id);
    const isOther = sql`organization_id = ${id} AND platform_words <> ${words}`;
    const { rows: jobs } = await sql<{ id: number }>`
      SELECT id FROM gather_jobs WHERE ${isOther} ORDER BY id LIMIT ${limit}
      FOR NO KEY UPDATE SKIP LOCKED`.execute(tx);
    if (jobs.length > 0) {
      await writePlatformWords(
        tx,
        id,
        jobs.map((job) => job.id),
        words,
      );
      return true;
    }
    await sql`
      UPDATE organizations SET platform_words_changed_at = NULL
      WHERE id = ${id} AND NOT EXISTS (SELECT FROM gather_jobs WHERE ${isOther})`.execute(tx);
  }
  return organizations.length === organizationsAtOnce;
}

/** The caller has locked the jobs. */
export async function writePlatformWords(
  tx: Tx,
  organizationId: number,
  jobIds: readonly number[],
  words: string,
): Promise<void> {
  await sql`
    UPDATE gather_jobs
    SET platform_words = ${words}, version_reading_after = NULL,
        version_reading = CASE WHEN version_scheme = 'auto' THEN 0 ELSE version_reading END
    WHERE organization_id = ${organizationId} AND id = ANY(${[...jobIds]}::bigint[])`.execute(tx);
}
