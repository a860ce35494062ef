import { type RawBuilder, sql } from 'kysely';
import { joinPlatformWords } from '../../../domain/versions/platform-words.ts';
import { platformNames } from '../../../domain/versions/version-words.ts';
import type { Database, Tx } from '../../../platform/database/index.ts';
import { readSettings, storedSettingSql } from '../../settings/index.ts';

/**
 * Returns the platform words with which the versions of the organization's gather jobs are parsed, in the format of
 * `joinPlatformWords`.
 */
export async function readPlatformWords(db: Database | Tx, organizationId: number): Promise<string> {
  const { 'versions.platform_words': words } = await readSettings(db, organizationId);
  return joinPlatformWords(words);
}

/** Returns the value of `readPlatformWords` as an SQL expression, for a statement that creates jobs. */
export function platformWordsOf(organizationId: number): RawBuilder<string> {
  return sql<string>`coalesce((
    SELECT string_agg(DISTINCT word, ' ' ORDER BY word)
    FROM (
      SELECT given COLLATE "C" AS word
      FROM jsonb_array_elements_text(${storedSettingSql(organizationId, 'versions.platform_words')}) AS given
    ) AS words
    WHERE word <> ALL(${builtInWords}::text[])), '')`;
}

/** Built-in words as a PostgreSQL array literal. */
const builtInWords = `{${[...platformNames].join(',')}}`;

const organizationBatchSize = 20;

/**
 * Applies changed platform words of organizations to some of their gather jobs. From then on, the releases of
 * these jobs are evaluated with the new words, and their stored versions are parsed again later.
 *
 * @param limit Maximum number of jobs.
 * @returns True if more jobs can be processed now. Jobs whose releases are being recorded are processed
 * later.
 */
export async function applyPlatformWordsAcrossOrganizations(tx: Tx, limit: number): Promise<boolean> {
  const { rows: organizations } = await sql<{ id: number }>`
    SELECT id FROM organizations WHERE platform_words_changed_at IS NOT NULL
    ORDER BY id LIMIT ${organizationBatchSize} FOR NO KEY UPDATE SKIP LOCKED`.execute(tx);
  for (const { id } of organizations) {
    const words = await readPlatformWords(tx, id);
    const hasOutdatedWords = sql`organization_id = ${id} AND platform_words <> ${words}`;
    const { rows: jobs } = await sql<{ id: number }>`
      SELECT id FROM gather_jobs WHERE ${hasOutdatedWords} ORDER BY id LIMIT ${limit}
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
      WHERE id = ${id} AND NOT EXISTS (SELECT FROM gather_jobs WHERE ${hasOutdatedWords})`.execute(tx);
  }
  return organizations.length === organizationBatchSize;
}

/**
 * Stores the platform words of jobs and schedules their versions to be parsed again. The caller must have
 * locked the jobs.
 */
export async function writePlatformWords(
  tx: Tx,
  organizationId: number,
  jobIds: readonly number[],
  words: string,
): Promise<void> {
  await sql`
    UPDATE gather_jobs
    SET platform_words = ${words}, version_reading_after = NULL,
        version_reading = CASE WHEN version_scheme = 'semver' THEN version_reading ELSE 0 END
    WHERE organization_id = ${organizationId} AND id = ANY(${[...jobIds]}::bigint[])`.execute(tx);
}
