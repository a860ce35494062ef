import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { sharedTestServer, type TestOrganization } from '../../../tests/helpers/test-server.ts';
import type { Schemas } from '../../generated/client-api.ts';

type Software = Schemas['SoftwareItem'];
type Config = Schemas['AlertConfig'];
interface Query {
  q?: string;
  state?: Schemas['SoftwareState'];
  severity?: 'moderate' | 'high' | 'critical';
  rule_id?: number;
  gather_job_id?: number;
  label?: string;
  sort?: Sort;
}
const sortNames = ['worst', 'name', 'created_at', 'behind_since', 'ends_at'] as const;
type Sort = (typeof sortNames)[number] | `-${(typeof sortNames)[number]}`;

const server = await sharedTestServer();
const { db } = server;
let acme: TestOrganization;
let configs: Config[];
let jobs: Schemas['ScrapeJob'][];
let rules: number[];

const severities = [null, 'moderate', 'high', 'critical'];
const stateOrder = ['inactive', 'ok', 'no_data', 'stale', 'alerting'];

beforeAll(async () => {
  acme = await server.createOrganization();
  const other = await server.createOrganization();
  for (const { id } of [acme, other]) await fill(id);
  const page = { limit: 200 } as const;
  configs = (await acme.api.call('listAlertConfigs', { query: page })).items;
  jobs = (await acme.api.call('listScrapeJobs', { query: page })).items;
  rules = (await acme.api.call('listRulesDropdown')).map(({ id }) => id);
});

/** Inserts 40 scrape jobs with zero to three alert configurations in all kinds of states. */
async function fill(organizationId: number): Promise<void> {
  await sql`
    WITH gather AS (
      INSERT INTO gather_jobs (organization_id, name, source_type, artifact_name, version_scheme)
      VALUES (${organizationId}, 'nginx', 'github_releases', 'github.com/nginx/nginx', 'auto') RETURNING id
    ), rule AS (
      INSERT INTO rules (organization_id, name, rule_type, threshold_moderate)
      VALUES (${organizationId}, 'Days', 'days_behind', 30), (${organizationId}, 'Majors', 'majors_behind', 1) RETURNING id
    ), scrape AS (
      INSERT INTO scrape_jobs (organization_id, name, parser_type, latest_version, labels, created_at)
      SELECT ${organizationId}, (ARRAY['web', 'Api', 'db', 'queue'])[1 + n % 4] || ' ' || n, 'manual', '1.' || n,
        CASE WHEN n % 3 = 0 THEN jsonb_build_object('team', 'team-' || n % 2) ELSE '{}' END,
        pacekeeper_now() - n * interval '1 hour'
      FROM generate_series(1, 40) AS n RETURNING id, split_part(name, ' ', 2)::integer AS n
    )
    INSERT INTO alert_configs (organization_id, name, scrape_job_id, gather_organization_id, gather_job_id, rule_id, ordinal,
      labels, state, severity, crossed_at, behind_since, ends_at, requested_seq, due_at)
    SELECT ${organizationId}, 'config ' || scrape.n || ' ' || m, scrape.id, ${organizationId}, gather.id, rule.id, m,
      CASE WHEN (scrape.n + m) % 5 = 0 THEN '{"team": "team-1"}'::jsonb ELSE '{}' END,
      CASE WHEN k BETWEEN 1 AND 3 THEN 'alerting' ELSE (ARRAY['ok', 'stale', 'no_data', 'inactive'])[1 + k % 4] END,
      (ARRAY['moderate', 'high', 'critical'])[k],
      CASE WHEN k BETWEEN 1 AND 3 THEN pacekeeper_now() - (scrape.n * 7 % 11) * interval '1 day' END,
      CASE WHEN k % 2 = 0 THEN pacekeeper_now() - (scrape.n * 5 % 13) * interval '1 day' END,
      CASE WHEN k % 3 = 0 THEN pacekeeper_now() + (scrape.n * 3 % 7) * interval '1 day' END, 0, 'infinity'
    FROM gather, scrape, LATERAL generate_series(1, scrape.n % 4) AS m, LATERAL (SELECT (scrape.n * 3 + m * 5) % 9 AS k) AS kinds,
      LATERAL (SELECT id FROM rule ORDER BY (id + m) % 2, id LIMIT 1) AS rule`.execute(db);
}

async function list(query: Query): Promise<Software[]> {
  const items: Software[] = [];
  // The pages are small, so that the list spans several.
  for (;;) {
    const page = await acme.api.call('listSoftware', { query: { ...query, limit: 7, offset: items.length } });
    items.push(...page.items);
    expect(page.total_is_exact).toBe(true);
    if (page.items.length === 0) {
      expect(page.total).toBe(items.length);
      return items;
    }
  }
}

const time = (at: string | null, none: number) => (at === null ? none : Date.parse(at));

/** Returns the worst alert configuration, in the order that the contract defines. */
function worstOf(candidates: readonly Config[]): Config | null {
  const order = (a: Config, b: Config) =>
    severities.indexOf(b.severity) - severities.indexOf(a.severity) ||
    stateOrder.indexOf(b.state) - stateOrder.indexOf(a.state) ||
    (time(a.crossed_at, Infinity) === time(b.crossed_at, Infinity)
      ? 0
      : time(a.crossed_at, Infinity) - time(b.crossed_at, Infinity)) ||
    a.id - b.id;
  return candidates.toSorted(order)[0] ?? null;
}

interface Row {
  id: number;
  name: string;
  createdAt: number;
  worst: Config | null;
}

/** Returns the expected list, computed from the jobs and all alert configurations. */
function expected(query: Query): Row[] {
  const { q, state, severity, rule_id, gather_job_id, label } = query;
  const [key, value] = (label ?? '').split('=');
  const hasLabel = (labels: Record<string, string>) => label === undefined || labels[key!] === value;
  return jobs.flatMap((job): Row[] => {
    const own = configs.filter(({ scrape_job_id }) => scrape_job_id === job.id);
    const worst = worstOf(
      own.filter(
        (config) =>
          (rule_id === undefined || config.rule_id === rule_id) &&
          (gather_job_id === undefined || config.gather_job_id === gather_job_id) &&
          hasLabel(config.effective_labels),
      ),
    );
    const isUnmonitored = own.length === 0 && hasLabel(job.labels);
    if (worst === null && (!isUnmonitored || rule_id !== undefined || gather_job_id !== undefined)) return [];
    if (state !== undefined && state !== (worst?.state ?? 'unmonitored')) return [];
    if (severity !== undefined && severity !== worst?.severity) return [];
    if (q !== undefined && !`${job.name} ${job.latest_version}`.toLowerCase().includes(q)) return [];
    return [{ id: job.id, name: job.name, createdAt: Date.parse(job.created_at), worst }];
  });
}

/**
 * Sort keys of rows by sort field.
 * @returns The value that the sort order compares. `null` comes last in both directions.
 */
const keyOf: Record<string, (row: Row) => (number | string)[] | null> = {
  name: ({ name }) => [name.toLowerCase()],
  created_at: ({ createdAt }) => [createdAt],
  behind_since: ({ worst }) => (worst?.behind_since ? [Date.parse(worst.behind_since)] : null),
  ends_at: ({ worst }) => (worst?.ends_at ? [Date.parse(worst.ends_at)] : null),
  worst: ({ worst }) =>
    worst && [-Math.max(0, severities.indexOf(worst.severity)), time(worst.crossed_at, Infinity)],
};

function checkOrder(items: readonly Row[], sort: string): void {
  const key = keyOf[sort.replace('-', '')]!;
  const direction = sort.startsWith('-') ? -1 : 1;
  const keys = items.map(key);
  for (let index = 1; index < keys.length; index++) {
    const [before, after] = [keys[index - 1]!, keys[index]!];
    if (before === null) expect(after, `${sort} at ${index}`).toBeNull();
    else if (after !== null) {
      const place = before.findIndex((each, at) => each !== after[at]);
      if (place >= 0)
        expect(direction * (before[place]! < after[place]! ? -1 : 1), `${sort} at ${index}`).toBe(-1);
    }
  }
}

const sorts = sortNames.flatMap((name): Sort[] => [name, `-${name}`]);

async function checkList(query: Query): Promise<void> {
  const rows = expected(query);
  const byId = new Map(rows.map((row) => [row.id, row]));
  for (const sort of sorts) {
    const items = await list({ ...query, sort });
    expect(items.map(({ id }) => id).toSorted(), sort).toEqual([...byId.keys()].toSorted());
    for (const item of items) {
      const worst = byId.get(item.id)!.worst;
      expect(item.worst?.id ?? null).toBe(worst?.id ?? null);
      expect(item.worst).toEqual(worst === null ? null : configs.find(({ id }) => id === worst.id));
      expect(item.state).toBe(worst?.state ?? 'unmonitored');
      expect(item.alert_config_count).toBe(
        configs.filter(({ scrape_job_id }) => scrape_job_id === item.id).length,
      );
    }
    checkOrder(
      items.map(({ id }) => byId.get(id)!),
      sort,
    );
  }
}

describe('the list of software', () => {
  test('covers every state and unmonitored scrape jobs in this test', () => {
    expect(jobs).toHaveLength(40);
    expect(new Set(configs.map(({ state }) => state)).size).toBe(5);
    expect(expected({}).filter(({ worst }) => worst === null)).toHaveLength(10);
  });

  const filters: [string, () => Query][] = [
    ['no filter', () => ({})],
    ['a state', () => ({ state: 'ok' })],
    ['the stale state', () => ({ state: 'stale' })],
    ['the unmonitored state', () => ({ state: 'unmonitored' })],
    ['a severity', () => ({ severity: 'high' })],
    ['a rule', () => ({ rule_id: rules[0]! })],
    ['a rule and a state', () => ({ rule_id: rules[1]!, state: 'alerting' })],
    ['a source', () => ({ gather_job_id: configs[0]!.gather_job_id })],
    ['a label', () => ({ label: 'team=team-1' })],
    ['a label without matches', () => ({ label: 'team=none' })],
    ['a search text', () => ({ q: 'we' })],
    ['a version search and a label', () => ({ q: '1.3', label: 'team=team-1' })],
  ];

  test.each(filters)(
    'contains each scrape job once with its worst alert configuration for %s, in every order',
    (_what, query) => checkList(query()),
  );

  test('has labels that are counted once for each scrape job', async () => {
    const { items, is_complete } = await acme.api.call('getSoftwareLabels');
    expect(is_complete).toBe(true);
    expect(items).toEqual(
      ['team-1', 'team-0'].map((value) => ({
        key: 'team',
        value,
        count: expected({ label: `team=${value}` }).length,
      })),
    );
  });

  test('does not count a label of a scrape job that its alert configurations override', async () => {
    const { id, api } = await server.createOrganization();
    await fill(id);
    await sql`UPDATE scrape_jobs SET labels = '{"team": "all", "stage": "a=b"}' WHERE organization_id = ${id}`.execute(
      db,
    );
    await sql`UPDATE alert_configs SET labels = '{"team": "own"}' WHERE organization_id = ${id}`.execute(db);
    const { items } = await api.call('getSoftwareLabels');
    expect(items).toEqual([
      { key: 'stage', value: 'a=b', count: 40 },
      { key: 'team', value: 'own', count: 30 },
      { key: 'team', value: 'all', count: 10 },
    ]);
    for (const { key, value, count } of items)
      expect(await api.call('listSoftware', { query: { label: `${key}=${value}` } })).toMatchObject({
        total: count,
      });
  });

  describe('with too many candidates to sort in one pass', () => {
    beforeAll(async () => {
      await sql`
        INSERT INTO row_counts (organization_id, subject, kind, amount)
        SELECT ${acme.id}::bigint, 'alert_config_labels', 'team=team-1', 20000
        UNION ALL SELECT ${acme.id}, 'rule_uses', unnest(${rules}::bigint[])::text, 20000`.execute(db);
    });

    test('has label counts that are estimated from the rows that were read', async () => {
      const { items, is_complete } = await acme.api.call('getSoftwareLabels');
      expect(is_complete).toBe(false);
      const read = configs.filter(({ effective_labels: labels }) => labels['team'] === 'team-1');
      const distinct = new Set(read.map(({ scrape_job_id }) => scrape_job_id)).size;
      const unmonitored = expected({ label: 'team=team-1', state: 'unmonitored' }).length;
      const estimate = Math.round((distinct * (20_000 + read.length)) / read.length);
      expect(items[0]).toEqual({ key: 'team', value: 'team-1', count: estimate + unmonitored });
      expect(items[1]).toEqual({
        key: 'team',
        value: 'team-0',
        count: expected({ label: 'team=team-0' }).length,
      });
    });

    const restricting = ['a rule', 'a rule and a state', 'a label', 'a version search and a label'];
    test.each(filters.filter(([what]) => restricting.includes(what)))(
      'contains each scrape job once with its worst alert configuration for %s, in every order',
      (_what, query) => checkList(query()),
    );
  });
});
