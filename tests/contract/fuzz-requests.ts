import fc from 'fast-check';
import type { KeyRole, Role } from '../../src/platform/http/index.ts';
import {
  type ContractOperation,
  contractOperations,
  type InterfaceName,
  type Json,
  resolveRef,
} from './contract-operations.ts';
import { hostileText, hostileValue, RawNumber, toJson } from './hostile-values.ts';
import { kindOfField, kindOfPath } from './id-kinds.ts';
import type { RawRequest } from './send-request.ts';
import { keyRoles, type ResourceKind, roles } from './world.ts';

/**
 * A request whose credential and IDs (`idToken`) are filled in when it is sent. The same seed produces the
 * same requests, regardless of the IDs in the database.
 */
export interface FuzzRequest {
  operation: ContractOperation;
  request: RawRequest;
  as: FuzzCredential;
}

export type FuzzCredential = { key: Role | KeyRole } | { login: Role } | { headers: Record<string, string> };

/**
 * Generates requests for all operations. About half of them match the schemas, but can break rules that no
 * schema expresses.
 */
export function fuzzRequests(webhookUrl: string): fc.Arbitrary<FuzzRequest> {
  const operations = contractOperations.filter(({ id }) => !endsOwnLogins.has(id));
  return fc.oneof(...operations.map((operation) => requestOf(operation, wordsOf(webhookUrl))));
}

/**
 * Operations that would end the sessions that all other requests use. `every-operation.slow.test.ts` covers their
 * responses.
 */
const endsOwnLogins: ReadonlySet<string> = new Set(['endSession', 'endOtherSessions']);

type Words = Record<string, readonly unknown[]>;

/** Returns plausible values by field name, so that requests pass schema validation. */
function wordsOf(webhookUrl: string): Words {
  const expressions = ['.image.tag', '.a[0].b', '"x"', 'tag: (\\S+)', 'version'];
  const templates = [
    '{{ alert.id }}',
    '{"a": {{ alert | json }}}',
    'plain',
    '{% if alert.severity == "high" %}x{% endif %}',
  ];
  return {
    artifact_name: [
      'github.com/a/b',
      'charts.example.com/c',
      'docker.io/library/nginx',
      'https://git.example.com/r.git',
      'https://h.example/x.json',
    ],
    source_options: [{}, { version_path: '.tags[*].name' }, { version_field: 'app_version' }],
    repository_url: [
      'https://charts.example.com',
      'https://git.example.com/r',
      'git@git.example.com:r',
      null,
    ],
    target_file: ['values.yaml', 'a/b.json', null],
    parse_expression: [...expressions, null],
    content: ['image:\n  tag: 1.10\n', '{"a":[{"b":"2"}]}', 'tag: v1', 'a: &a [*a]', 'x'.repeat(10_000)],
    cron_expression: ['*/30 * * * *', '@daily', '0 3 * * 1-5', null],
    cron_timezone: ['UTC', 'Europe/Berlin', 'America/St_Johns'],
    credential_name: [null, 'deploy', 'a'],
    ref: ['main', 'HEAD', null],
    version: ['1.0.0', 'v2.0.0', ' 3.0.0-rc.1 ', 'latest', 'ä', '1.2.3.4', '2024.01'],
    tag: ['1.0.0', 'v2.0.0', 'nightly', 'x-1.0'],
    raw_version: ['1.0.0', 'x'],
    commit_sha: ['a'.repeat(40), 'b'.repeat(64)],
    pattern: ['^v(.+)$', '[', '(?=x)', 'a'],
    version_pattern: ['^v?(.+)$', null, '['],
    candidate_pattern: ['^1\\.', null, '('],
    thresholds: [{ moderate: 1 }, { moderate: 1, high: 2, critical: 3 }, { high: 3, critical: 2 }],
    url: [webhookUrl, `${webhookUrl}gone`, 'http://127.0.0.1:1/', 'http://10.0.0.1/', 'https://127.0.0.1/a'],
    template: [...templates, null],
    body: templates,
    value: [5, null, true, 'text', [1, 2], ['acmeos', 'rc'], templates[0], 1e15, -1],
    key: [
      'gather.max_releases',
      'default_notification_channel_id',
      'default_rule_id',
      'notification.template.alert.new',
      'agents.use_embedded',
      'versions.platform_words',
      'delivery.retry_schedule_seconds',
      'no.such',
    ],
    headers: [{}, { 'X-A': 'b' }, { 'X-A': null }, { Host: 'x' }],
    labels: [{}, { team: 'a' }],
    label: ['team=a', 'a='],
    email: ['a@example.org', 'A@B'],
    token: ['x', 'never-given'],
    wait_seconds: [0],
    capabilities: [['scrape', 'helm_sync', 'gather:github_releases'], []],
    since: ['2026-01-01T00:00:00Z', '2026-01-01T00:00:00.5+14:00'],
    until: ['2099-01-01T00:00:00Z', '2020-01-01T00:00:00Z'],
    expires_at: [null, '2099-01-01T00:00:00Z', '9999-12-31T23:59:59.999Z'],
    retry_at: [null, '2099-01-01T00:00:00Z', '9999-12-31T23:59:59.999Z'],
    released_at: [null, '2024-01-01T00:00:00Z', '0001-01-01T00:00:00Z'],
    sample: ['v1.2.3', {}, { alert: { severity: 'high' } }],
    chart_filter: [[], ['*'], ['a?', '[']],
    chart: [
      {
        name: 'a',
        latest_version: '1.0.0',
        app_version: null,
        description: null,
        deprecated: false,
        version_count: 1,
      },
    ],
    operator: ['=', '!=', '=~', '!~'],
    current_password: ['wrong'],
    new_password: ['a new password'],
    lease_token: [leaseToken],
    items: [
      [{ raw_version: '1.0.0', version: '1.0.0', commit_sha: 'a'.repeat(40) }],
      [
        {
          tag: '4.0.0',
          app_version: null,
          released_at: null,
          is_prerelease: false,
          is_yanked: false,
          url: null,
          notes: null,
          digest: `sha256:${'d'.repeat(64)}`,
        },
      ],
    ],
    digest: [`sha256:${'d'.repeat(64)}`, 'sha256:d', null],
    summary: [
      {
        not_modified: false,
        is_complete_list: true,
        validators: null,
        found: 1,
        skipped: 0,
        skipped_examples: [],
        requests: 1,
        waited_ms: 0,
      },
    ],
    parts: [0, 1],
    sequence: [1],
  };
}

function requestOf(operation: ContractOperation, words: Words): fc.Arbitrary<FuzzRequest> {
  const { parameters, body, side } = operation;
  const pathValues = Object.fromEntries(
    parameters
      .filter((each) => each.in === 'path')
      .map(({ name, schema }) => [name, pathValue(operation, name, schema, words)]),
  );
  const queryValues = Object.fromEntries(
    parameters
      .filter((each) => each.in === 'query')
      .map(({ name, schema }) => [name, queryValue(side, name, schema, words)]),
  );
  return fc
    .record({
      path: fc.record(pathValues),
      query: rarely(2, fc.constant(''), fc.record(queryValues, { requiredKeys: [] }).map(toQuery)),
      oddQuery: rarely(12, fc.constant(''), oddQuery),
      body: body
        ? bodyText(side, body.schema, words)
        : rarely(8, fc.constant(undefined), hostileValue.map(toJson)),
      method: rarely(
        30,
        fc.constant(operation.method),
        fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND'),
      ),
      type: rarely(
        20,
        fc.constant('application/json'),
        fc.constantFrom(
          'application/json; charset=utf-8',
          'APPLICATION/JSON',
          'text/plain',
          'application/x-www-form-urlencoded',
          'multipart/form-data',
          'json',
          '',
          ';',
          'application/json, text/plain',
          'application/json;;;',
        ),
      ),
      headers: rarely(15, fc.constant({}), oddHeaders),
      as: credentialFor(operation),
      suffix: rarely(
        60,
        fc.constant(''),
        fc.constantFrom(
          '/',
          '//',
          '/.',
          '/..',
          '%2f',
          '?',
          '#a',
          ';a=b',
          '/%zz',
          '%',
          '/1',
          '.json',
          '%00',
          '\\',
        ),
      ),
    })
    .map(({ path, query, oddQuery: odd, body: text, method, type, headers, as, suffix }) => {
      const filled = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(path[name]));
      const search = [query, odd].filter((part) => part !== '').join('&');
      return {
        operation,
        as,
        request: {
          method,
          path: `${filled}${suffix}${search === '' ? '' : `?${search}`}`,
          headers: { ...(text !== undefined && { 'content-type': type }), ...headers },
          body: text,
        },
      };
    });
}

/** Generates a rare value on average once in `once` times, and otherwise a usual value. */
function rarely<A, B>(once: number, usual: fc.Arbitrary<A>, rare: fc.Arbitrary<B>): fc.Arbitrary<A | B> {
  return fc.oneof(
    { weight: once - 1, arbitrary: usual as fc.Arbitrary<A | B> },
    { weight: 1, arbitrary: rare },
  );
}

const encoded = (text: string) => (text.isWellFormed() ? encodeURIComponent(text) : '%ED%A0%80');

/** Placeholder for an ID of a kind in a request. */
export const idToken = /~([a-z_]+)~(\d+)~/g;
/** Placeholder for the lease of the current task in a request. */
export const leaseToken = '~lease~';

/** Generates IDs, mostly of existing resources, and rarely random numbers. */
function idOf(kind: ResourceKind): fc.Arbitrary<unknown> {
  return rarely(
    12,
    fc.nat(1_000).map((index) => new RawNumber(`~${kind}~${index}~`)),
    fc.integer({ min: 1, max: 2_000 }),
  );
}

function pathValue(
  operation: ContractOperation,
  name: string,
  schema: Json,
  words: Words,
): fc.Arbitrary<string> {
  const usual =
    schema['format'] === 'int64'
      ? idOf(kindOfPath(operation)).map(String)
      : valueOf(operation.side, name, schema, words).map((value) => encoded(String(value)));
  return rarely(
    8,
    usual,
    fc.oneof(
      hostileText.map((text) => encoded(text.slice(0, 600))),
      fc.constantFrom('%', '%zz', '%c3%28', '%2F', '..', '%2e%2e', '1%001', '1;2', '0', '1e3'),
    ),
  );
}

function queryValue(side: InterfaceName, name: string, schema: Json, words: Words): fc.Arbitrary<string> {
  return rarely(
    5,
    valueOf(side, name, schema, words).map((value) => encoded(String(value))),
    hostileText.map((text) => encoded(text.slice(0, 2_000))),
  );
}

function toQuery(values: Record<string, string | undefined>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}=${value ?? ''}`)
    .join('&');
}

const oddQuery = fc.constantFrom(
  'limit=1&limit=2',
  'limit',
  'limit=',
  'offset=-1',
  'limit=1e2',
  'no_such=1',
  '=',
  '&&',
  'a[]=1',
  'limit[]=1',
  '%',
  '%zz=1',
  '__proto__=1',
  'q=%ED%A0%80',
  'q=%',
  'limit=%31',
  'limit=+1',
  'sort=',
  'offset=2147483648',
  'offset=2147483647',
  '?',
  'cascade=TRUE',
);

const oddHeaders: fc.Arbitrary<Record<string, string>> = fc.constantFrom<Record<string, string>>(
  { 'x-request-id': 'a b' },
  { 'x-request-id': 'ok-1' },
  { 'x-request-id': 'x'.repeat(500) },
  { accept: 'text/html' },
  { 'content-encoding': 'gzip' },
  { 'content-encoding': 'br' },
  { 'transfer-encoding': 'chunked', 'content-length': '' },
  { 'x-http-method-override': 'DELETE' },
  { 'x-forwarded-for': '1.2.3.4, ::1', 'x-forwarded-host': 'evil', 'x-forwarded-proto': 'https' },
  { origin: 'https://evil.example' },
  { cookie: 'pacekeeper_session=; pacekeeper_refresh=x; a' },
  { cookie: 'pacekeeper_session=eyJhbGciOiJub25lIn0.e30.' },
  { cookie: `a=${'x'.repeat(4_000)}` },
  { 'x-long': 'x'.repeat(20_000) },
  { 'if-none-match': '*', 'if-modified-since': 'never', range: 'bytes=0-0' },
  { expect: '200-ok' },
  { upgrade: 'websocket', connection: 'upgrade' },
  { host: '' },
  { host: 'evil.example:99999' },
);

function credentialFor({ side }: ContractOperation): fc.Arbitrary<FuzzCredential> {
  const usual: fc.Arbitrary<FuzzCredential> =
    side === 'agent'
      ? fc.constant({ key: 'agent' })
      : side === 'auth'
        ? fc.constant({ login: 'owner' })
        : fc.constantFrom({ key: 'admin' }, { login: 'owner' });
  return rarely(
    6,
    usual,
    fc.oneof(
      fc.constantFrom(...keyRoles).map((key) => ({ key })),
      fc.constantFrom(...roles).map((login) => ({ login })),
      fc
        .constantFrom<Record<string, string>>(
          {},
          { 'x-api-key': 'pk_1_x' },
          { 'x-api-key': 'pk_99999999999999999999_x' },
          { 'x-api-key': '' },
          { authorization: 'Bearer' },
          { authorization: 'Bearer a.b.c' },
          { authorization: 'Basic YTpi' },
          { 'x-api-key': 'a', authorization: 'b' },
          { authorization: 'Bearer pacekeeper-embedded-x' },
        )
        .map((headers) => ({ headers })),
    ),
  );
}

/** Generates bodies that match the schema, bodies with one error, and bodies that aren't valid JSON. */
function bodyText(side: InterfaceName, schema: Json, words: Words): fc.Arbitrary<string | Buffer> {
  const valid = valueOf(side, 'body', schema, words, true);
  const spoilt = fc
    .tuple(valid, fc.nat(), hostileValue, fc.constantFrom('replace', 'remove', 'add', 'twice'))
    .map(([value, at, other, how]) => spoil(value, at, other, how));
  const noJson = fc.oneof(
    hostileValue.map(toJson),
    fc.tuple(valid.map(toJson), fc.nat()).map(([text, at]) => text.slice(0, at % (text.length + 1))),
    fc.constantFrom<string | Buffer>(
      '{',
      'nothing',
      '{"a":1}{',
      '\ufeff{}',
      "{'a':1}",
      '{"a":1,}',
      '[1]',
      '"a"',
      '1',
      'null',
      '',
      ' '.repeat(1_048_576),
      `${'['.repeat(50_000)}`,
      `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`,
      Buffer.from([0xff, 0xfe, 0x7b, 0x00]),
      Buffer.from('{"name":"\xff"}', 'latin1'),
      Buffer.from([0x1f, 0x8b, 8, 0, 0]),
    ),
    fc.constant(Buffer.alloc(1_048_577, 32)),
  );
  return fc.oneof(
    { weight: 5, arbitrary: valid.map(toJson) as fc.Arbitrary<string | Buffer> },
    { weight: 5, arbitrary: spoilt },
    { weight: 1, arbitrary: noJson },
  );
}

function spoil(value: unknown, at: number, other: unknown, how: string): string {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return toJson(other);
  const names = Object.keys(value);
  const name = names[at % Math.max(names.length, 1)];
  const fields = { ...(value as Json) };
  switch (how) {
    case 'remove':
      if (name !== undefined) delete fields[name];
      return toJson(fields);
    case 'add':
      return toJson({ ...fields, [typeof other === 'string' ? other.slice(0, 100) : 'unknown']: other });
    case 'twice':
      return name === undefined ? '{}' : toJson(fields).replace(/\}$/, `,${toJson(name)}:${toJson(other)}}`);
    default: {
      if (name === undefined) return toJson(other);
      const inner = fields[name];
      // Half of the replacements are inside the nested value.
      fields[name] =
        inner !== null && typeof inner === 'object' && at % 2 === 0 ? spoilInside(inner, at, other) : other;
      return toJson(fields);
    }
  }
}

function spoilInside(inner: object, at: number, other: unknown): unknown {
  if (Array.isArray(inner))
    return inner.length > 0 && at % 3 > 0
      ? inner.map((item, index) => (index === at % inner.length ? other : (item as unknown)))
      : [...(inner as unknown[]), other];
  const names = Object.keys(inner);
  const name = names[(at >> 3) % Math.max(names.length, 1)];
  return name === undefined ? { a: other } : { ...inner, [name]: other };
}

const cache = new Map<Json, fc.Arbitrary<unknown>>();

/**
 * Generates values of a schema, mostly from the plausible values of the field name and otherwise at random.
 */
function valueOf(
  side: InterfaceName,
  name: string,
  raw: Json,
  words: Words,
  isWhole = false,
): fc.Arbitrary<unknown> {
  const known = isWhole ? undefined : words[name];
  const made = madeUp(side, name, raw, words);
  return known
    ? fc.oneof(
        { weight: 7, arbitrary: fc.constantFrom(...known) },
        { weight: 1, arbitrary: name === 'wait_seconds' ? fc.constant(0) : made },
      )
    : made;
}

function madeUp(side: InterfaceName, name: string, raw: Json, words: Words): fc.Arbitrary<unknown> {
  let made = cache.get(raw);
  if (!made) {
    made = fc.memo(() => fromSchema(side, name, raw, words))();
    cache.set(raw, made);
  }
  return made;
}

function fromSchema(side: InterfaceName, name: string, raw: Json, words: Words): fc.Arbitrary<unknown> {
  const schema = resolveRef(side, raw);
  const alternatives = (schema['anyOf'] ?? schema['oneOf']) as Json[] | undefined;
  if (alternatives) return fc.oneof(...alternatives.map((each) => valueOf(side, name, each, words)));
  if (schema['enum']) return fc.constantFrom(...(schema['enum'] as unknown[]));
  const types = [schema['type'] ?? 'any'].flat() as string[];
  return fc.oneof(...types.map((type) => ofType(side, name, type, schema, words)));
}

/** Excludes read-only properties, because the server ignores them or requires the value from the path. */
function writableOf(side: InterfaceName, properties: Record<string, Json>): [string, Json][] {
  return Object.entries(properties).filter(([, schema]) => resolveRef(side, schema)['readOnly'] !== true);
}

function ofType(
  side: InterfaceName,
  name: string,
  type: string,
  schema: Json,
  words: Words,
): fc.Arbitrary<unknown> {
  const number = (key: string, otherwise: number) => (schema[key] as number | undefined) ?? otherwise;
  switch (type) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'integer': {
      if (schema['format'] === 'int64') return idOf(kindOfField(name));
      const [min, max] = [number('minimum', 0), number('maximum', 1_000)];
      return fc.oneof(fc.integer({ min, max: Math.min(max, min + 20) }), fc.constantFrom(min, max));
    }
    case 'number':
      return fc.double({ min: number('minimum', 0), max: number('maximum', 1_000), noNaN: true });
    case 'string': {
      if (schema['format'] === 'date-time')
        return fc
          .date({ min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
          .map((date) => date.toISOString());
      if (schema['format'] === 'email') return fc.stringMatching(/^[^\s@]+@[^\s@]+$/, { size: 'small' });
      if (schema['pattern'] !== undefined)
        return fc.stringMatching(
          new RegExp(String(schema['pattern']).replaceAll('{0,62}', '{0,5}').replaceAll('{1,128}', '{1,5}')),
          { size: 'small' },
        );
      const [minLength, maxLength] = [number('minLength', 0), Math.min(number('maxLength', 40), 40)];
      return fc.oneof(
        { weight: 6, arbitrary: fc.string({ unit: 'grapheme', minLength, maxLength }) },
        { weight: 1, arbitrary: fc.constant('y'.repeat(number('maxLength', 40))) },
      );
    }
    case 'array':
      return fc.array(valueOf(side, name, schema['items'] as Json, words), {
        minLength: number('minItems', 0),
        maxLength: Math.min(number('maxItems', 4), 4),
      });
    case 'object': {
      const properties = (schema['properties'] ?? {}) as Record<string, Json>;
      const values = Object.fromEntries(
        writableOf(side, properties).map(([key, each]) => [key, valueOf(side, key, each, words)]),
      );
      const required = (schema['required'] ?? []) as string[];
      const whole = fc.record(values, { requiredKeys: required });
      const rest = schema['additionalProperties'];
      return rest !== null && typeof rest === 'object' && Object.keys(properties).length === 0
        ? fc.dictionary(
            fc.stringMatching(/^[a-z][a-z0-9_]{0,6}$/),
            valueOf(side, `${name}.*`, rest as Json, words),
            { maxKeys: 4 },
          )
        : whole;
    }
    default:
      return hostileValue;
  }
}
