import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { generateContract } from '../../scripts/generate-contract.ts';
import { stateReasons } from '../../src/domain/alerts/state-reasons.ts';
import { deliveryCodes } from '../../src/domain/channels/delivery-codes.ts';
import { ruleTypes } from '../../src/domain/rules/rule-types.ts';
import { runErrorCodes } from '../../src/domain/runs/run-error-codes.ts';
import { operationsByResource } from '../../src/generated/resources.ts';
import { httpErrorCodes } from '../../src/platform/http-error-codes.ts';
import { sharedTestServer } from '../helpers/test-server.ts';
import { contractOperations, type Json, resolveRef } from './contract-operations.ts';
import { promisedOperations } from './seed-operations.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const specFolder = path.join(root, 'spec');
const server = await sharedTestServer();

const clientOperations = contractOperations.filter(({ side }) => side === 'client');

/**
 * Returns the name of a schema, or `X[]` for a plain list. A response that only adds constraints to a schema
 * has the name of that schema.
 */
function nameOf(schema: Json | null): string | null {
  if (!schema) return null;
  const { $ref: ref, items, allOf } = schema as { $ref?: string; items?: Json; allOf?: [Json] };
  if (ref) return ref.split('/').at(-1)!;
  if (items) return `${nameOf(items)}[]`;
  if (allOf?.length === 1) return nameOf(allOf[0]);
  return null;
}

/** Operations that originally had no request body, so callers can omit it. */
const optionalBodies: ReadonlySet<string> = new Set(['POST /alerts/{id}/acknowledge']);

/** GET operations whose response changes with no resource of the event stream, and the reason. */
const changeWithNoResource = {
  getConfigurationApply: 'The page polls the apply that it started.',
  getLifecycleProduct: 'Reference data belongs to no organization.',
  listLifecycleProducts: 'Reference data belongs to no organization.',
  listReferenceSources: 'Reference data belongs to no organization.',
  listAuditLog: "Every change adds an entry, and a list that always moves can't be read.",
  listSavedViews: 'Saved views are private to a user, whose browser refetches them after a change.',
  streamEvents: 'The response is the stream.',
};

describe('the client interface', () => {
  test('contains the 95 promised operations', () => {
    expect(new Set(promisedOperations.map(({ method, path }) => `${method} ${path}`)).size).toBe(95);
  });

  test.each(promisedOperations)('has $method $path', ({ method, path, takes, status, gives, query }) => {
    const found = clientOperations.find(
      (each) => each.method === method && each.path === `/api/v1/client${path}`,
    );
    expect(found, 'the operation').toBeDefined();
    if (optionalBodies.has(`${method} ${path}`)) expect(found!.body?.isRequired).toBe(false);
    else expect(nameOf(found!.body?.schema ?? null), 'the shape of its request').toBe(takes);
    const successes = [...found!.responses].filter(([each]) => each < 300);
    expect(successes.map(([each, { schema }]) => [each, nameOf(schema)])).toEqual([[status, gives]]);
    const parameters = found!.parameters.filter((each) => each.in === 'query').map(({ name }) => name);
    expect(parameters).toEqual(expect.arrayContaining(query));
    for (const each of [401, 500]) expect([...found!.responses.keys()]).toContain(each);
    if (path.includes('{')) expect(found!.responses.has(404), '404').toBe(true);
    if (takes !== null) expect(found!.responses.has(400), '400').toBe(true);
  });

  test('states for every GET operation with which resources its response changes, or why with none', () => {
    const client = JSON.parse(readFileSync(path.join(root, 'src/generated/openapi-client.json'), 'utf8')) as {
      paths: Record<string, { get?: { operationId: string; 'x-changes-with'?: string[] } }>;
    };
    const stated = new Map(
      Object.values(client.paths).flatMap(({ get }) =>
        get ? [[get.operationId, get['x-changes-with']]] : [],
      ),
    );
    const missing = [...stated].flatMap(([id, resources]) => (resources === undefined ? id : []));
    expect(missing, 'GET operations without x-changes-with').toEqual([]);
    const unchanged = [...stated].flatMap(([id, resources]) => (resources?.length === 0 ? id : []));
    expect(unchanged.toSorted()).toEqual(Object.keys(changeWithNoResource).toSorted());
  });

  test('the overview changes with rules, because it lists the reference data that enabled rules use', () => {
    expect(operationsByResource.rule).toContain('getOverview');
  });

  test('every operation documents the responses for invalid requests, rate limits, and outages', () => {
    const without = contractOperations.filter(
      ({ responses }) => ![400, 429, 500, 503].every((each) => responses.has(each)),
    );
    expect(without.map(({ id }) => id)).toEqual([]);
  });

  test.each([
    ['schemas', 'AlertSeverity', ['moderate', 'high', 'critical']],
    ['schemas', 'NotificationTemplateCategory', ['new_alert', 'acknowledged', 'resolved']],
    [
      'schemas',
      'NotificationDeliveryStatus',
      ['pending', 'in_progress', 'succeeded', 'failed', 'dead_letter', 'canceled'],
    ],
    ['schemas', 'VersionTransform', ['none', 'add_v_lower', 'add_v_upper', 'strip_v_lower', 'strip_v_upper']],
    ['schemas', 'ParserType', ['yq', 'jq', 'regex', 'sbom', 'manual']],
  ])('the shared %s %s has the values %s', (_kind, name, values) => {
    expect(resolveRef('client', { $ref: `#/components/schemas/${name}` })['enum']).toEqual(values);
  });

  test.each([
    ['Limit', 'limit', { type: 'integer', minimum: 1, maximum: 200, default: 50 }],
    ['Offset', 'offset', { type: 'integer', minimum: 0, maximum: 2_147_483_647, default: 0 }],
  ])('the shared parameter %s has the expected schema: %s', (part, name, schema) => {
    expect(resolveRef('client', { $ref: `#/components/parameters/${part}` })).toMatchObject({
      name,
      in: 'query',
      schema,
    });
  });

  test('the shared response RateLimited has a Retry-After header', () => {
    const response = resolveRef('client', { $ref: '#/components/responses/RateLimited' });
    expect(response['headers']).toHaveProperty('Retry-After');
    expect(response['content']).toHaveProperty('application/json');
  });
});

test('every OpenAPI document, the README, and the docs state that the interface is in alpha', () => {
  const files = readdirSync(specFolder).filter((file) => /^openapi-.*\.yaml$/.test(file));
  const versions = files.map((file) => parse(readFileSync(path.join(specFolder, file), 'utf8')).info.version);
  expect([...new Set(versions)]).toEqual([expect.stringMatching(/^1\.0\.0-alpha\.[1-9]\d*$/)]);
  for (const file of ['README.md', 'docs/README.md'])
    expect(readFileSync(path.join(root, file), 'utf8'), file).toMatch(/\bin alpha\b/);
});

describe('the code catalog', () => {
  test.each([
    ['ErrorResponse', httpErrorCodes],
    ['RunErrorCode', runErrorCodes],
    ['DeliveryErrorCode', deliveryCodes],
    ['StateReason', stateReasons],
    ['MonitoringRuleType', ruleTypes],
  ])('matches the contract: %s', (name, catalog) => {
    const schema = resolveRef('client', { $ref: `#/components/schemas/${name}` });
    const { enum: codes } =
      name === 'ErrorResponse' ? (schema['properties'] as Record<string, Json>)['code']! : schema;
    expect([...(codes as string[])].sort()).toEqual(Object.keys(catalog).sort());
  });
});

test('the files in src/generated match the output that openapi-typescript generates from the contract', async () => {
  for (const [file, text] of await generateContract()) {
    expect(
      readFileSync(path.join(root, 'src/generated', file), 'utf8') === text,
      `${file} is up to date`,
    ).toBe(true);
  }
});

describe('the served contract', () => {
  test.each(['client', 'shared', 'agent', 'auth'])(
    'includes openapi-%s.yaml and all referenced files unchanged',
    async (name) => {
      const served = await crawl(`/api/spec/openapi-${name}.yaml`);
      for (const [url, { bytes }] of served) {
        const file = path.join(specFolder, url.slice('/api/spec/'.length));
        expect(readFileSync(file).equals(bytes), `${url} is served byte for byte`).toBe(true);
      }
      if (name === 'client') expect([...served.keys()]).toContain('/api/spec/openapi-shared.yaml');
    },
  );

  test('references every file of the contract, directly or indirectly', async () => {
    const entries = ['client', 'agent', 'auth'].map((name) => crawl(`/api/spec/openapi-${name}.yaml`));
    const reached = (await Promise.all(entries)).flatMap((files) => [...files.keys()]);
    // The directory also contains the JSON schema of configuration files, which editors use.
    const files = readdirSync(specFolder, { recursive: true, withFileTypes: true }).filter(
      (each) => each.isFile() && each.name !== 'pacekeeper.schema.json',
    );
    const urls = files.map(
      (each) => `/api/spec/${path.relative(specFolder, path.join(each.parentPath, each.name))}`,
    );
    expect([...new Set(reached)].sort()).toEqual(urls.sort());
  });

  test('uses the correct content type for each file', async () => {
    const typeOf = async (file: string) =>
      (await fetch(`${server.url}/api/spec/${file}`)).headers.get('content-type');
    expect(await typeOf('pacekeeper.schema.json')).toBe('application/json; charset=utf-8');
    expect(await typeOf('openapi-client.yaml')).toBe('application/yaml; charset=utf-8');
  });

  test.each(['schemas', 'parameters', 'responses', 'securitySchemes'])(
    'has a nonempty directory of %s',
    async (folder) => {
      expect(readdirSync(path.join(specFolder, 'components', folder)).length).toBeGreaterThan(0);
    },
  );
});

describe('the interactive documentation', () => {
  test('loads all of its resources from this server', async () => {
    const page = await fetch(`${server.url}/api/v1/swagger`);
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const html = await page.text();
    const parts = [...html.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, url]) => url!);
    expect(parts.length).toBeGreaterThanOrEqual(3);
    for (const url of parts) {
      expect(url, 'a path on this host').toMatch(/^\/[^/]/);
      const part = await fetch(server.url + url);
      expect(part.status, url).toBe(200);
      const type = /\.(\w+)$/.exec(url)?.[1];
      expect(part.headers.get('content-type'), url).toMatch(
        type === 'css' ? /^text\/css/ : type === 'png' ? /^image\/png$/ : /^\w+\/javascript/,
      );
      const text = await part.text();
      if (url.endsWith('.css')) expect(text).not.toMatch(/url\(\s*["']?(https?:)?\/\//);
      if (url.endsWith('start.js')) expect(text).not.toMatch(/https?:\/\//);
    }
    expect(html.replaceAll(/(?:src|href)="[^"]*"/g, '')).not.toMatch(/https?:|\/\//);
  });

  test('has a security policy that blocks connections to other hosts', async () => {
    const policy = (await fetch(`${server.url}/api/v1/swagger`)).headers.get('content-security-policy') ?? '';
    const sources = policy.split(';').flatMap((directive) => directive.trim().split(' ').slice(1));
    expect(new Set(sources)).toEqual(new Set(["'none'", "'self'", "'unsafe-inline'", 'data:']));
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/script-src[^;]*unsafe/);
  });

  test('shows the served contract', async () => {
    const script = await (await fetch(`${server.url}/api/v1/swagger/start.js`)).text();
    const urls = [...script.matchAll(/"url":"([^"]+)"/g)].map(([, url]) => url!);
    expect(urls).toContain('/api/v1/swagger/openapi-client.json');
    for (const url of urls) expect((await fetch(server.url + url)).status, url).toBe(200);
  });
});

interface ServedFile {
  bytes: Buffer;
  document: unknown;
}

const downloads = new Map<string, Promise<ServedFile>>();

/** Downloads a file of the contract. All interfaces share most files, so each is downloaded only once. */
function download(url: string): Promise<ServedFile> {
  let downloaded = downloads.get(url);
  if (!downloaded) downloads.set(url, (downloaded = downloadOnce(url)));
  return downloaded;
}

async function downloadOnce(url: string): Promise<ServedFile> {
  const answer = await fetch(server.url + url);
  expect(answer.status, url).toBe(200);
  expect(answer.headers.get('content-type')).toContain('yaml');
  const bytes = Buffer.from(await answer.arrayBuffer());
  return { bytes, document: parse(bytes.toString()) };
}

/**
 * Downloads a file and all files that it references directly or indirectly by relative path. Returns them by URL path.
 */
async function crawl(entry: string): Promise<Map<string, ServedFile>> {
  const found = new Map<string, ServedFile>();
  const refs: [file: string, hash: string][] = [];
  const waiting = [entry];
  for (let url = waiting.pop(); url !== undefined; url = waiting.pop()) {
    if (found.has(url)) continue;
    const file = await download(url);
    found.set(url, file);
    for (const ref of refsOf(file.document)) {
      const target = new URL(ref, `http://contract${url}`);
      waiting.push(target.pathname);
      refs.push([target.pathname, target.hash]);
    }
  }
  for (const [file, hash] of refs)
    expect(pointedAt(found.get(file)!.document, hash), `${file}${hash}`).toBeDefined();
  return found;
}

function refsOf(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(refsOf);
  if (node === null || typeof node !== 'object') return [];
  return Object.entries(node).flatMap(([key, value]) => (key === '$ref' ? [String(value)] : refsOf(value)));
}

function pointedAt(document: unknown, hash: string): unknown {
  const parts = hash
    .replace(/^#\/?/, '')
    .split('/')
    .filter((part) => part !== '');
  return parts.reduce<unknown>(
    (node, part) =>
      (node as Json | undefined)?.[decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')],
    document,
  );
}
