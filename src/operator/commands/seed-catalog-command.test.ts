import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { catalog } from '../../domain/catalog/catalog.ts';
import { createCommandWorld } from './command-fixture.ts';

const { db, run } = await createCommandWorld();

beforeEach(async () => {
  await sql`DELETE FROM gather_jobs`.execute(db);
});

const total = catalog.length;
const jobs = () => db.selectFrom('gather_jobs').selectAll().orderBy('id').execute();
const lastLine = (stdout: string) => stdout.trimEnd().split('\n').at(-1);

describe('seeding the catalog', () => {
  test('creates a global job with the values of each entry', async () => {
    const { code, stdout, stderr } = await run('seed-catalog');
    expect({ code, stderr, last: lastLine(stdout) }).toEqual({
      code: 0,
      stderr: '',
      last: `${total} created, 0 already exist.`,
    });
    const made = await jobs();
    expect(made.map(({ name }) => name)).toEqual(catalog.map(({ name }) => name));
    expect(new Set(made.map(({ organization_id }) => organization_id))).toEqual(new Set([1]));
    expect(made.find(({ name }) => name === 'n8n')).toMatchObject({
      source_type: 'github_releases',
      artifact_name: 'github.com/n8n-io/n8n',
      version_pattern: String.raw`^n8n@(\d+\.\d+\.\d+)$`,
      version_scheme: 'auto',
      is_active: true,
      credential_name: null,
    });
    expect(made.find(({ name }) => name === 'HAProxy')).toMatchObject({
      project_url: 'https://github.com/haproxy/haproxy',
      project_url_source: 'catalog',
    });
    expect(made.find(({ name }) => name === 'Argo CD chart')).toMatchObject({ version_scheme: 'semver' });
  });

  test('creates nothing the second time, and keeps the changes of an operator', async () => {
    await run('seed-catalog');
    await sql`UPDATE gather_jobs SET name = 'Our Kubernetes', is_active = false, cron_expression = '@hourly' WHERE name = 'Kubernetes'`.execute(
      db,
    );
    await sql`UPDATE gather_jobs SET version_pattern = '^v2' WHERE name = 'Flux'`.execute(db);
    const before = await jobs();
    const { code, stdout } = await run('seed-catalog');
    expect(code).toBe(0);
    expect(stdout).toContain('Kubernetes: exists (github_releases github.com/kubernetes/kubernetes)\n');
    expect(stdout).toContain('Flux: exists, modified (');
    expect(lastLine(stdout)).toBe(`0 created, ${total} already exist.`);
    expect(await jobs()).toEqual(before);
  });

  test('creates missing jobs again, such as jobs that were deleted', async () => {
    await run('seed-catalog');
    await sql`DELETE FROM gather_jobs WHERE name IN ('Redis', 'Valkey')`.execute(db);
    const { stdout } = await run('seed-catalog');
    expect(stdout.split('\n').filter((line) => line.includes(': created ('))).toEqual([
      'Redis: created (github_releases github.com/redis/redis)',
      'Valkey: created (github_releases github.com/valkey-io/valkey)',
    ]);
    expect(lastLine(stdout)).toBe(`2 created, ${total - 2} already exist.`);
  });

  test('reports in a dry run the same jobs as in a real one, but writes nothing', async () => {
    const { code, stdout } = await run('seed-catalog', '--dry-run');
    expect({ code, last: lastLine(stdout) }).toEqual({
      code: 0,
      last: `${total} would be created, 0 already exist.`,
    });
    expect(stdout).toContain('Redis: would be created (');
    expect(await jobs()).toEqual([]);
  });

  test('creates no job twice if two commands run at the same time', async () => {
    const both = await Promise.all([run('seed-catalog'), run('seed-catalog')]);
    expect(new Set(both.map(({ stdout }) => lastLine(stdout)))).toEqual(
      new Set([`0 created, ${total} already exist.`, `${total} created, 0 already exist.`]),
    );
    expect(await jobs()).toHaveLength(total);
  });

  test('spreads the first runs over two hours', async () => {
    await run('seed-catalog');
    const { rows } = await sql<{ now: number; soon: number; count: number }>`
      SELECT count(*) FILTER (WHERE due_at <= pacekeeper_now()) AS now,
        count(*) FILTER (WHERE due_at <= pacekeeper_now() + interval '2 hours') AS soon, count(*) AS count
      FROM gather_jobs`.execute(db);
    // One job of each host is due immediately.
    expect(rows[0]!.now).toBeGreaterThan(3);
    expect(rows[0]!.now).toBeLessThan(20);
    expect(rows[0]!.soon).toBe(total);
    const queued = await sql<{ count: number }>`SELECT count(*) AS count FROM runs`.execute(db);
    expect(queued.rows[0]!.count).toBe(0);
  });

  test('sets the specified credential on all jobs at GitHub', async () => {
    await run('seed-catalog', '--github-credential', 'token');
    const made = await jobs();
    const named = made.filter(({ credential_name }) => credential_name === 'token');
    expect(named).toHaveLength(catalog.filter((entry) => entry.source_type === 'github_releases').length);
    expect(named.every(({ artifact_name }) => artifact_name.startsWith('github.com/'))).toBe(true);
  });
});
