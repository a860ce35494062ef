import { sql } from 'kysely';
import { upstreamOf } from '../../../domain/identity/artifact-aliases.ts';
import { RunError } from '../../../domain/runs/run-error.ts';
import { isGathered, sourceTypes } from '../../../domain/source-types/source-types.ts';
import { splitPlatformWords } from '../../../domain/versions/platform-words.ts';
import { isPlausibleDate } from '../../../domain/versions/release-date.ts';
import type { Schemas as AgentSchemas } from '../../../generated/agent-api.ts';
import { bodyDefaults } from '../../../generated/body-defaults.ts';
import type { Schemas } from '../../../generated/client-api.ts';
import type { Database } from '../../../platform/database/index.ts';
import { ApiError, invalidField } from '../../../platform/errors.ts';
import type { ApiRequest, Handlers } from '../../../platform/http/index.ts';
import {
  type Sandbox,
  SandboxBusyError,
  SandboxError,
  SandboxJobError,
} from '../../../platform/sandbox/index.ts';
import type { ReadBody } from '../../../sources/body-reader.ts';
import { limitToFirstPages } from '../../../sources/first-pages.ts';
import type { GatheredRelease, SourceGit } from '../../../sources/release-source.ts';
import { createRequestLimit } from '../../../sources/request-limit.ts';
import type { createSourceHttp } from '../../../sources/source-http.ts';
import { sourceOf } from '../../../sources/sources.ts';
import { systemOrganizationId } from '../../accounts/index.ts';
import { readAliases } from '../../settings/index.ts';
import { readPlatformWords } from '../releases/platform-word-queries.ts';
import { checkNewGatherJob } from './gather-job-edits.ts';
import type { GatherJobValues } from './gather-job-queries.ts';
import type { SourceToSummarize, summarizeSource } from './summarize-source.ts';

type Body = ApiRequest<'previewGatherSource'>['body'];
type Preview = Schemas['PreviewGatherSourceResponse'];

export interface PreviewGatherSourceDeps {
  db: Database;
  sandbox: Sandbox;
  sourceHttp: ReturnType<typeof createSourceHttp>;
  /** Creates a reader that reads response bodies in the same way as an agent. */
  startReading(options: {
    fairKey: string;
    signal: AbortSignal;
    criteria: Pick<
      AgentSchemas['GatherTaskSpec'],
      'version_pattern' | 'version_scheme' | 'platform_words' | 'include_prereleases'
    >;
  }): { read: ReadBody };
  previewGit: { forOrganization(organizationId: number): SourceGit };
}

const maxMs = 20_000;
/**
 * Maximum number of pages to read. GitHub allows 60 requests per hour without a token, and the first run of
 * the job reads the complete list anyway.
 */
const maxPages = 3;
/** Maximum number of requests. Each release date of an image takes two or three requests. */
const maxRequests = 30;
/** Maximum number of releases kept in memory. */
const maxReleases = 10_000;

const jobModule = new URL('./summarize-source.ts', import.meta.url);

export function gatherSourceHandlers(deps: PreviewGatherSourceDeps): Handlers<'previewGatherSource'> {
  const { db, sandbox } = deps;
  const turns = createRequestLimit('preview');

  async function preview(
    organizationId: number,
    fairKey: string,
    values: GatherJobValues,
    caller: AbortSignal,
  ): Promise<Preview> {
    const { source_type, artifact_name, version_scheme } = values;
    const platformWords = await readPlatformWords(db, organizationId);
    const aliases = await readAliases(db, organizationId);
    const isMirror = upstreamOf({ source_type, artifact_name }, aliases) !== null;
    const nothing: Preview = {
      artifact_name,
      version_scheme,
      platform_words: splitPlatformWords(platformWords),
      gather_job: null,
      error: null,
      releases: [],
      release_count: 0,
      is_complete: false,
      summary: null,
    };
    const signal = AbortSignal.any([caller, AbortSignal.timeout(maxMs)]);
    try {
      const { rows, isComplete, isCutAtTop, nowMs } = await readSource(
        organizationId,
        fairKey,
        values,
        signal,
      );
      const input: SourceToSummarize = {
        rows,
        scheme: version_scheme,
        isImage: sourceTypes[source_type].isImage,
        platformWords,
        nowMs,
        ignoredVersions: [],
        countedVersions: [],
        includePrereleases: true,
        deployedVersion: null,
      };
      const { summary, releases } = await sandbox.run<SourceToSummarize, ReturnType<typeof summarizeSource>>(
        jobModule,
        'summarizeSource',
        input,
        { fairKey },
      );
      const isWhole = isComplete && releases.length === rows.length;
      return {
        ...nothing,
        releases: releases.map(toReleaseJson),
        release_count: rows.length,
        is_complete: isWhole,
        summary: {
          ...summary,
          is_complete: isComplete,
          list_doubt: isMirror ? 'mirror_only' : isCutAtTop ? 'list_incomplete' : null,
        } as Preview['summary'],
      };
    } catch (error) {
      caller.throwIfAborted();
      return { ...nothing, error: problemOf(error, signal) };
    }
  }

  async function readSource(
    organizationId: number,
    fairKey: string,
    { source_type, artifact_name, source_options, version_scheme, include_prereleases }: GatherJobValues,
    signal: AbortSignal,
  ) {
    const source = sourceOf(source_type);
    if (!source) throw invalidField('source_type', "can't be previewed");
    const http = deps.sourceHttp.forJob({ credential: null, signal, fairKey });
    const pages = limitToFirstPages(http, { maxPages, maxRequests });
    const readOptions = { version_pattern: null, version_scheme, include_prereleases };
    const now = await readNow(db);
    const rows: SourceToSummarize['rows'][number][] = [];
    let isTruncated = false;
    try {
      const parts = source.gather(
        {
          artifactName: artifact_name,
          sourceOptions: source_options,
          validators: null,
          knownTags: [],
          isFull: true,
        },
        {
          http: pages.http,
          git: deps.previewGit.forOrganization(organizationId),
          read: deps.startReading({
            fairKey,
            signal,
            criteria: readOptions,
          }).read,
          signal,
          now,
        },
      );
      for (;;) {
        const { done, value } = await parts.next();
        if (done) {
          // Pages that only the preview omits don't make the list incomplete at its top.
          const isCutAtTop = value.listCut === 'anywhere' && !pages.hasMore();
          const isComplete = value.isCompleteList && !pages.hasMore() && !isTruncated;
          return { rows, isComplete, isCutAtTop, nowMs: now.getTime() };
        }
        isTruncated ||= rows.length + value.releases.length > maxReleases;
        rows.push(
          ...value.releases.slice(0, maxReleases - rows.length).map((release) => toRow(release, now)),
        );
      }
    } finally {
      http.end();
    }
  }

  return {
    async previewGatherSource({ caller, body, signal }) {
      const { organizationId } = caller;
      const values = checkValues(body);
      const gather_job = await findSameSource(db, organizationId, values);
      if (gather_job !== null) {
        const { artifact_name, version_scheme } = values;
        const nothing = { error: null, releases: [], release_count: 0, is_complete: false, summary: null };
        const words = splitPlatformWords(await readPlatformWords(db, organizationId));
        return {
          status: 200,
          body: { artifact_name, version_scheme, platform_words: words, gather_job, ...nothing },
        };
      }
      const found = await turns.run(
        organizationId,
        (fairKey) => preview(organizationId, fairKey, values, signal),
        signal,
      );
      return { status: 200, body: found };
    },
  };
}

/** Returns the values of the job to preview. Throws 400 for values that a gather job can't have. */
function checkValues(body: Body): GatherJobValues {
  if (!isGathered(body.source_type)) throw invalidField('source_type', "can't be previewed");
  return checkNewGatherJob({ ...bodyDefaults.createGatherJob, ...body, name: 'preview' });
}

/** Finds an enabled job that reads exactly this source. Prefers a job of the organization to a global one. */
async function findSameSource(
  db: Database,
  organizationId: number,
  { source_type, artifact_name, source_options }: GatherJobValues,
): Promise<Preview['gather_job']> {
  const { rows } = await sql<{ id: number; name: string }>`
    SELECT id, name FROM gather_jobs
    WHERE organization_id IN (${organizationId}, ${systemOrganizationId}) AND artifact_name = ${artifact_name}
      AND source_type = ${source_type} AND source_options = ${JSON.stringify(source_options)}::jsonb
      AND version_pattern IS NULL AND is_active
    ORDER BY (organization_id = ${organizationId}) DESC, id LIMIT 1`.execute(db);
  return rows[0] ?? null;
}

async function readNow(db: Database): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`SELECT pacekeeper_now() AS now`.execute(db);
  return rows[0]!.now;
}

/** Converts a release to a row without its release notes, which can be long. */
function toRow(
  release: GatheredRelease & { version?: string },
  now: Date,
): SourceToSummarize['rows'][number] {
  const nowMs = now.getTime();
  const releasedAtMs = Date.parse(release.released_at ?? '');
  return {
    tag: release.tag,
    version: release.version ?? release.tag,
    url: release.url,
    releasedAtMs: isPlausibleDate(releasedAtMs, nowMs) ? releasedAtMs : null,
    discoveredAtMs: nowMs,
    isPrerelease: release.is_prerelease,
    isYanked: release.is_yanked,
    isWithdrawn: false,
  };
}

function toReleaseJson(row: SourceToSummarize['rows'][number]): Preview['releases'][number] {
  return {
    version: row.version,
    released_at: row.releasedAtMs === null ? null : new Date(row.releasedAtMs).toISOString(),
    is_prerelease: row.isPrerelease,
    is_yanked: row.isYanked,
    url: row.url,
  };
}

function problemOf(error: unknown, signal: AbortSignal): Preview['error'] {
  if (error instanceof RunError) return { code: error.code, message: error.message };
  if (signal.aborted)
    return { code: 'timeout', message: `The source didn't respond within ${maxMs / 1_000} seconds.` };
  if (error instanceof SandboxBusyError)
    throw new ApiError('unavailable', 'Too many concurrent previews. Try again shortly.', { cause: error });
  if (error instanceof SandboxError && !(error instanceof SandboxJobError))
    return { code: 'too_large', message: error.message };
  throw error;
}
