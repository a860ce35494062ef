import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Schemas } from '../../src/generated/agent-api.ts';
import { gatherJobHandlers, helmSyncJobHandlers, releaseHandlers } from '../../src/modules/upstream/index.ts';
import { findVersions } from '../../src/modules/upstream/releases/find-versions-job.ts';
import {
  type ReadOutcome,
  type RecordDeps,
  recordReleases,
} from '../../src/modules/upstream/releases/record-releases.ts';
import { attachWakeUps, type Database, type Tx, transaction } from '../../src/platform/database/index.ts';
import { fillDefaults } from '../../src/platform/http/fill-defaults.ts';
import type {
  ApiRequest,
  Caller,
  Handler,
  HandlerResponse,
  OperationId,
} from '../../src/platform/http/index.ts';
import type { Sandbox } from '../../src/platform/sandbox/index.ts';
import { createTestDatabase } from './database.ts';

export type Item = Schemas['GatherResultItem'];
type Section = Schemas['ChangelogResultItem'];

type BodyOf<Id extends OperationId> = Extract<HandlerResponse<Id>, { body: unknown }>['body'];

/**
 * Creates a database and the helpers for organizations, callers, jobs, and configurations that the tests of the
 * upstream module use.
 */
export async function createUpstreamFixture() {
  const database = await createTestDatabase();
  const { db } = database;
  const woken: string[] = [];
  attachWakeUps(db, { wake: (topic) => void woken.push(topic), on: () => () => undefined });
  /** Dependencies for recording releases. Tags are matched in this process. */
  const recordDeps: RecordDeps = { findVersions: async (_, tags) => findVersions(tags) };

  async function createOrganization(): Promise<number> {
    const { rows } = await sql<{ id: number }>`
      INSERT INTO organizations (name) VALUES (${randomUUID()}) RETURNING id`.execute(db);
    return rows[0]!.id;
  }

  async function createJob(
    organizationId: number,
    values: Partial<Schemas['GatherTaskSpec']> & { max_releases?: number } = {},
  ) {
    const { rows } = await sql<{ id: number }>`
      INSERT INTO gather_jobs (organization_id, name, source_type, artifact_name, version_scheme, version_pattern,
        include_prereleases, max_releases)
      VALUES (${organizationId}, 'job', ${values.source_type ?? 'github_releases'},
        ${values.artifact_name ?? 'github.com/owner/repo'}, ${values.version_scheme ?? 'auto'},
        ${values.version_pattern ?? null}, ${values.include_prereleases ?? true}, ${values.max_releases ?? null})
      RETURNING id`.execute(db);
    return { organizationId, jobId: rows[0]!.id };
  }

  /** Creates a configuration that compares a job with a manual scrape job at the `deployed` version. */
  async function createConfig(
    organizationId: number,
    job: { organizationId: number; jobId: number },
    deployed: { latest?: string; previous?: string } = {},
  ): Promise<number> {
    const { rows } = await sql<{ id: number }>`
      WITH rule AS (
        INSERT INTO rules (organization_id, name, rule_type, threshold_moderate)
        VALUES (${organizationId}, 'rule', 'majors_behind', 1) RETURNING id
      ), scrape_job AS (
        INSERT INTO scrape_jobs (organization_id, name, parser_type, latest_version, previous_version)
        VALUES (${organizationId}, 'deployed', 'manual', ${deployed.latest ?? null}, ${deployed.previous ?? null}) RETURNING id
      )
      INSERT INTO alert_configs (organization_id, name, scrape_job_id, gather_organization_id, gather_job_id, rule_id, due_at)
      SELECT ${organizationId}, 'config', scrape_job.id, ${job.organizationId}, ${job.jobId}, rule.id, 'infinity'
      FROM rule, scrape_job RETURNING id`.execute(db);
    return rows[0]!.id;
  }

  /** Records the releases that a source lists, as the completion of a run does. */
  function record(
    job: { organizationId: number; jobId: number },
    items: readonly (Item | Section)[],
    outcome: Partial<ReadOutcome> & { partSize?: number } = {},
  ) {
    const { partSize = 1_000, ...rest } = outcome;
    const parts = inParts(items, partSize);
    return transaction(db, (tx: Tx) =>
      recordReleases(tx, recordDeps, job, parts, { isCompleteList: true, validators: null, ...rest }),
    );
  }

  async function storedReleases(job: { organizationId: number; jobId: number }) {
    return db
      .selectFrom('releases')
      .selectAll()
      .where('organization_id', '=', job.organizationId)
      .where('gather_job_id', '=', job.jobId)
      .orderBy('tag')
      .execute();
  }

  async function storedJob(job: { organizationId: number; jobId: number }) {
    return db
      .selectFrom('gather_jobs')
      .selectAll()
      .where('organization_id', '=', job.organizationId)
      .where('id', '=', job.jobId)
      .executeTakeFirstOrThrow();
  }

  const handlers = {
    ...gatherJobHandlers({ db, sandbox: inThisProcess }),
    ...helmSyncJobHandlers({ db }),
    ...releaseHandlers({ db }),
  };

  /**
   * Calls an operation as this organization.
   * @returns The body of the response.
   */
  async function call<Id extends keyof typeof handlers>(
    operation: Id,
    organizationId: number,
    options: { path?: object; query?: object; body?: object } = {},
  ): Promise<BodyOf<Id>> {
    const handler = handlers[operation] as unknown as Handler<Id>;
    const body = options.body === undefined ? undefined : { ...options.body };
    if (body !== undefined) fillDefaults(operation, body);
    const answer = await handler(request<Id>(callerOf(organizationId), { ...options, body }));
    if (answer === 'streamed') throw new Error('it answers by a stream');
    return ('body' in answer ? answer.body : undefined) as BodyOf<Id>;
  }

  return {
    ...database,
    recordDeps,
    woken,
    handlers,
    call,
    createOrganization,
    createJob,
    createConfig,
    record,
    storedReleases,
    storedJob,
  };
}

export async function* inParts<T>(items: readonly T[], partSize: number): AsyncGenerator<T[]> {
  for (let start = 0; start < items.length; start += partSize) yield items.slice(start, start + partSize);
}

/** Returns a release as a source lists it. */
export function item(tag: string, values: Partial<Item> = {}): Item {
  return {
    tag,
    app_version: null,
    released_at: null,
    is_prerelease: false,
    is_yanked: false,
    url: null,
    notes: null,
    ...values,
  };
}

/** Returns a changelog section. */
export function section(version: string, notes: string): Section {
  return { tag: 'v1.0.0', section_version: version, notes };
}

/** Returns an API key caller of the organization. For the Global organization, it's a system key. */
function callerOf(organizationId: number): Caller {
  return {
    organizationId,
    via: 'api_key',
    role: 'admin',
    actor: { type: 'api_key', id: 1, name: 'key' },
    userId: null,
    apiKeyId: 1,
    loginId: null,
    isSystem: organizationId === 1,
    isTwoFactorMissing: false,
  };
}

/** Returns a request as handlers receive it. The request isn't validated against the contract. */
function request<Id extends OperationId>(
  caller: Caller,
  { path = {}, query = {}, body }: { path?: object; query?: object; body?: object } = {},
): ApiRequest<Id> {
  return {
    caller,
    path,
    query: { limit: 50, offset: 0, ...query },
    body,
    ifMatch: null,
    requestId: 'test',
    signal: new AbortController().signal,
  } as unknown as ApiRequest<Id>;
}

/** Returns the stored runs of a job, oldest first. */
export async function runsOf(db: Database, column: 'gather_job_id' | 'helm_sync_job_id', jobId: number) {
  return db
    .selectFrom('runs')
    .select(['id', 'status', 'trigger'])
    .where(column, '=', jobId)
    .orderBy('id')
    .execute();
}

/** Runs sandbox jobs in this process. */
const inThisProcess = {
  run: async (moduleUrl: URL, exportName: string, input: unknown) => {
    const jobs = (await import(moduleUrl.href)) as Record<string, (input: unknown) => unknown>;
    return jobs[exportName]!(input);
  },
} as Pick<Sandbox, 'run'>;
