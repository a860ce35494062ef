import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import { startTestServer } from '../helpers/test-server.ts';
import { type Call, callOperation, validCalls } from './calls.ts';
import { findResponseViolation } from './check-response.ts';
import { startContractInbox } from './contract-inbox.ts';
import { type ContractOperation, contractOperations, idFieldsOf, type Json } from './contract-operations.ts';
import { loginProviderEnvironment } from './contract-provider.ts';
import { kindOfField, kindOfPath } from './id-kinds.ts';
import type { RawResponse } from './send-request.ts';
import { buildWorld, foundVersion, type ResourceKind, taskSummary } from './world.ts';

const inbox = await startContractInbox();
afterAll(() => inbox.close());
const server = await startTestServer(await loginProviderEnvironment());
const build = async () =>
  buildWorld({
    baseUrl: server.url,
    webhookUrl: inbox.url,
    db: server.db,
    owner: await server.createOrganization(),
  });
// The IDs of the other organization are so high that they don't occur in a response by chance. It's built first, so that
// no row that the background adds to this organization has one of them.
await moveIdsAhead(700_000_000);
const theirs = await build();
await moveIdsAhead(800_000_000);
const ours = await build();

const theirUpgrades = (await theirs.admin.call('listUpgrades')).items;

const neverId = 9_000_000_000_007;
const neverText = 'thing-000000000000';
const neverUpgrade = `${neverId}-0000000000000000`;

/** Text parameters that can match data of the other organization. */
const textParameters = new Set(['q', 'label', 'artifact_name']);

/** A location in a request that can contain a value of the other organization. */
interface Place {
  operation: ContractOperation;
  where: string;
  /** Pairs of a value of the other organization and a value that never existed. */
  values: { theirs: unknown; never: unknown }[];
  fill(call: Call, value: unknown): Call;
}

const places: Place[] = contractOperations.flatMap((operation) => [
  ...operation.parameters.flatMap((parameter) =>
    placesOfParameter(operation, parameter.name, parameter.in, parameter.schema),
  ),
  ...(operation.body ? idFieldsOf(operation.side, operation.body.schema) : []).map((field) =>
    placeOfField(operation, field),
  ),
  ...morePlaces(operation),
]);

const probes = places.flatMap((place) =>
  place.values.map((value) => ({
    ...place,
    id: place.operation.id,
    value,
    shown: JSON.stringify(value.theirs),
  })),
);

let before: string;

describe('data of another organization', async () => {
  // The agents of the other organization send no more heartbeats. Pacekeeper would report them after a
  // minute, and the tests can take longer on a busy machine, so mark the agents as already reported.
  await sql`UPDATE agents SET offline_notified_at = pacekeeper_now() WHERE organization_id = ${theirs.organizationId}`.execute(
    server.db,
  );
  // Delete the reported problems, because housekeeping can report the end of a problem, and change its row,
  // at any time during the tests.
  await sql`DELETE FROM reported_troubles WHERE organization_id = ${theirs.organizationId}`.execute(
    server.db,
  );
  await stopMeasuringTheirs();
  before = await dumpOfTheirs();

  test('is probed with every operation that has an ID in its path', () => {
    const without = contractOperations.filter(
      ({ id, path }) => path.includes('{id}') && !probes.some((probe) => probe.id === id),
    );
    expect(without.map(({ id }) => id)).toEqual([]);
    expect(probes.length).toBeGreaterThan(200);
  });

  test.each(probes)(
    'gets the same response as data that never existed: $id $where $shown',
    async ({ operation, fill, value }) => {
      const base = await baseCallOf(operation);
      const as = strongest(operation);
      const answers: string[] = [];
      for (const each of [value.theirs, value.never]) {
        const answer = await callOperation(ours, operation.id, { ...fill(base, each), as });
        expect(findResponseViolation(operation, answer)).toBeNull();
        answers.push(withoutTrace(answer, each));
      }
      expect(answers[0]).toBe(answers[1]);
    },
  );

  test('is in no list', async () => {
    for (const operation of contractOperations.filter(
      ({ method, id }) => method === 'GET' && id !== 'streamEvents',
    )) {
      const call = await validCalls[operation.id](ours);
      const limit = operation.parameters.find(({ name }) => name === 'limit')?.schema['maximum'];
      // Omit the optional parameters, so that no filter hides rows.
      const required = operation.parameters.filter((each) => each.in === 'query' && each.required);
      const query = Object.fromEntries(required.map(({ name }) => [name, call.query?.[name]]));
      const answer = await callOperation(ours, operation.id, {
        ...call,
        query: { ...query, ...(limit !== undefined && { limit: Math.min(200, Number(limit)) }) },
        as: strongest(operation),
      });
      expect(answer.status, operation.id).toBe(200);
      const text = operation.id === 'listAuditLog' ? withoutOwnFilters(answer.text) : answer.text;
      expect(text.includes(theirs.marker), operation.id).toBe(false);
      expect(text, operation.id).not.toMatch(/\b7000\d{5}\b/);
    }
  });

  /** Removes the entries that contain the filters of this organization's own requests for calendars. */
  function withoutOwnFilters(text: string): string {
    const { items } = JSON.parse(text) as { items: { action: string }[] };
    return JSON.stringify(items.filter(({ action }) => action !== 'calendar_url.created'));
  }

  test('is not accessible with the key ID of that organization and a secret of this one', async () => {
    const [, , secret] = ours.keys.admin.split('_');
    const wrong = [`pk_${theirs.ids.api_key[0]}_${secret}`, `pk_${neverId}_${secret}`];
    const answers: string[] = [];
    for (const key of wrong) {
      const answer = await callOperation(ours, 'listRules', { as: { headers: { 'x-api-key': key } } });
      expect(answer.status).toBe(401);
      answers.push(withoutTrace(answer, null));
    }
    expect(answers[0]).toBe(answers[1]);
  });

  test('is unchanged after all other tests', async () => {
    expect(await dumpOfTheirs()).toBe(before);
  });
});

/** The newest call that `baseCallOf` returned. */
let newest: { operation: ContractOperation; call: Promise<Call> } | undefined;

/** Returns the same valid call for all probes of an operation, because creating its resources takes the longest. */
function baseCallOf(operation: ContractOperation): Promise<Call> {
  if (newest?.operation !== operation)
    newest = { operation, call: Promise.resolve(validCalls[operation.id](ours)) };
  return newest.call;
}

function placesOfParameter(
  operation: ContractOperation,
  name: string,
  where: 'path' | 'query',
  schema: Json,
): Place[] {
  const fill = (call: Call, value: unknown): Call => ({
    ...call,
    [where]: { ...call[where], [name]: value },
  });
  const place = { operation, where: `${where} ${name}`, fill };
  if (schema['format'] === 'int64') {
    const kind = where === 'path' ? kindOfPath(operation) : kindOfField(name);
    return [{ ...place, values: theirs.ids[kind].map((id) => ({ theirs: id, never: neverId })) }];
  }
  if (name === 'upgrade_id')
    return [{ ...place, values: theirUpgrades.map(({ id }) => ({ theirs: id, never: neverUpgrade })) }];
  if (!textParameters.has(name)) return [];
  const text = (marker: string) =>
    ({ q: marker, label: `team=${marker}`, artifact_name: `github.com/${marker}/2` })[name];
  return [{ ...place, values: [{ theirs: text(theirs.marker), never: text(neverText) }] }];
}

function placeOfField(operation: ContractOperation, field: string[]): Place {
  const name = field.filter((part) => part !== '[]').at(-1)!;
  const kind = kindOfField(name);
  return {
    operation,
    where: `body ${field.join('.')}`,
    values: theirs.ids[kind].map((id) => ({ theirs: id, never: neverId })),
    fill: (call, value) => ({ ...call, body: withField(call.body, field, value) }),
  };
}

function withField(body: unknown, [name, ...rest]: string[], value: unknown): unknown {
  if (name === undefined) return value;
  if (name === '[]') return [withField(undefined, rest, value)];
  return {
    ...(body as Json | undefined),
    [name]: withField((body as Json | undefined)?.[name], rest, value),
  };
}

/** Returns the locations that can't be recognized by their type in the schema. */
function morePlaces(operation: ContractOperation): Place[] {
  const ids = (kind: ResourceKind) => theirs.ids[kind].map((id) => ({ theirs: id, never: neverId }));
  switch (operation.id) {
    case 'putOrgOverride':
      return [
        {
          operation,
          where: 'body value',
          values: ids('channel'),
          fill: (_call, value) => ({
            path: { key: 'default_notification_channel_id' },
            body: { value },
          }),
        },
        {
          operation,
          where: 'body value of the default rule',
          values: ids('rule'),
          fill: (_call, value) => ({ path: { key: 'default_rule_id' }, body: { value } }),
        },
      ];
    case 'sendHeartbeat':
      return [
        {
          operation,
          where: 'body credential_names_by_organization',
          values: ids('organization'),
          fill: (call, value) => ({
            body: {
              ...(call.body as Json),
              credential_names_by_organization: { [String(value)]: ['a'] },
            },
          }),
        },
      ];
    case 'renewTask':
    case 'submitTaskResults':
    case 'listTaskPackages':
    case 'listTaskCves':
    case 'findMissingRecords':
    case 'completeTask':
    case 'failTask':
      return [
        {
          operation,
          where: 'path id with their lease',
          values: ids('task'),
          fill: (call, id) => ({
            path: { id },
            body: {
              ...(call.body as Json),
              lease_token: theirs.leaseToken,
            },
          }),
        },
        {
          operation,
          where: 'our task with their lease',
          values: [
            {
              theirs: theirs.leaseToken,
              never: crypto.randomUUID(),
            },
          ],
          fill: (call, lease_token) => ({
            path: { id: ours.ids.task[0] },
            body: {
              ...(call.body as Json),
              lease_token,
            },
          }),
        },
      ];
    case 'completeTasks':
      return [
        {
          operation,
          where: 'task with their lease',
          values: ids('task'),
          fill: (_call, task_id) => ({
            body: {
              tasks: [
                {
                  task_id,
                  lease_token: theirs.leaseToken,
                  summary: taskSummary,
                  item: foundVersion,
                },
              ],
            },
          }),
        },
      ];
    default:
      return [];
  }
}

/** Returns the most privileged credential, so that a missing role isn't the reason for hidden data. */
function strongest({ security, role }: ContractOperation): Call['as'] {
  if (security.length === 0 || role === null) return null;
  return security.includes('ApiKey') ? { key: 'admin' } : { login: 'owner' };
}

/**
 * Returns a response without the parts that differ between any two requests and without the requested value.
 */
function withoutTrace({ status, headers, text }: RawResponse, value: unknown): string {
  const {
    'x-request-id': id,
    date: _date,
    'content-length': _length,
    'set-cookie': _cookie,
    ...rest
  } = headers;
  const shown = [text, JSON.stringify(rest)]
    .join('\n')
    .replaceAll(String(id), '<request id>')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
    .replaceAll(/urn:uuid:[\da-f-]{36}/g, '<uuid>')
    // Mask the signed calendar URL, because it depends on the requested value.
    .replaceAll(/\/calendar\/[\w.-]+\.ics/g, '<calendar>');
  return `${status}\n${value === null ? shown : shown.replaceAll(String(value), '<value>')}`;
}

async function moveIdsAhead(by: number): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    SELECT quote_ident(sequencename) AS name FROM pg_sequences WHERE schemaname = 'public'`.execute(
    server.db,
  );
  for (const { name } of rows)
    await sql`ALTER SEQUENCE ${sql.raw(name)} RESTART WITH ${sql.lit(by)}`.execute(server.db);
}

/** Returns all rows of the other organization and its users once background work no longer changes them. */
/** Stops measuring freshness, which is otherwise repeated two minutes after a change, and so during these tests. */
async function stopMeasuringTheirs(): Promise<void> {
  for (let isStopped = false; !isStopped; await sleep(100)) {
    const { numAffectedRows } = await sql`
      UPDATE freshness_states SET measured_at = '2100-01-01Z', due_at = '2100-01-01Z'
      WHERE organization_id = ${theirs.organizationId} AND lease_until IS NULL`.execute(server.db);
    isStopped = numAffectedRows === 1n;
  }
}

async function dumpOfTheirs(): Promise<string> {
  let last = await readTheirs();
  for (let count = 0; count < 100; count++) {
    // Wake the audit exports, because they check for new entries only every few seconds.
    await sql`SELECT pg_notify('pacekeeper_wake', 'audit_exports')`.execute(server.db);
    await sleep(200);
    // Check the export before reading the rows, because an export in between would change them.
    const isAtRest = await isExported();
    const now = await readTheirs();
    if (now === last && isAtRest) return now;
    last = now;
  }
  throw new Error('their organization does not come to rest');
}

/** True if all entries are exported. */
async function isExported(): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM audit_exports JOIN audit_log USING (organization_id)
    WHERE organization_id = ${theirs.organizationId} AND audit_log.id > last_entry_id`.execute(server.db);
  return rows.length === 0;
}

async function readTheirs(): Promise<string> {
  const { organizationId: id } = theirs;
  const { rows: tables } = await sql<{ name: string }>`
    SELECT c.table_name AS name FROM information_schema.columns c
    JOIN information_schema.tables t USING (table_schema, table_name)
    WHERE c.column_name = 'organization_id' AND c.table_schema = 'public' AND t.table_type = 'BASE TABLE'
    ORDER BY 1`.execute(server.db);
  expect(tables.length).toBeGreaterThan(15);
  const people = sql`(SELECT user_id FROM memberships WHERE organization_id = ${id})`;
  const selections = [
    // Exclude the stored counts, which are updated from time to time. The counted rows are compared directly.
    ...tables
      .filter(({ name }) => name !== 'row_counts' && name !== 'label_changes')
      .map(({ name }) => ({ name, where: sql`organization_id = ${id}` })),
    { name: 'organizations', where: sql`id = ${id}` },
    { name: 'users', where: sql`id IN ${people}` },
    { name: 'password_resets', where: sql`user_id IN ${people}` },
    { name: 'refresh_tokens', where: sql`user_id IN ${people}` },
  ];
  const lines: string[] = [];
  for (const { name, where } of selections) {
    // Exclude the time at which a key was last used. It's recorded with a delay, and only the organization of the key
    // can change it.
    const { rows } = await sql<{ line: string }>`
      SELECT (to_jsonb(t) - 'last_used_at')::text AS line FROM ${sql.table(name)} t WHERE ${where} ORDER BY 1`.execute(
      server.db,
    );
    lines.push(...rows.map(({ line }) => `${name} ${line}`));
  }
  return lines.join('\n');
}
