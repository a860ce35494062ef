import { expect, test } from 'vitest';
import { generateInstallation, ownerPassword, smallSize } from '../../benchmarks/generate-installation.ts';
import { startTestServer, testSecretKey } from '../helpers/test-server.ts';
import { contractOperations } from './contract-operations.ts';
import { type ListVariant, listVariants, readSamples } from './list-variants.ts';

const server = await startTestServer();
const size = { ...smallSize, gatherJobs: 20, scrapeJobs: 60, alertConfigs: 90, channels: 12, auditLog: 150 };
const [organizationId] = await generateInstallation(server.db, [size], testSecretKey);
const login = await server.anonymous.call('login', {
  body: { email: 'owner-1@example.org', password: ownerPassword },
});
const authorization = `Bearer ${login.access_token}`;

const withCursor = contractOperations.filter(({ parameters }) =>
  parameters.some(({ name }) => name === 'cursor'),
);
const others: readonly string[] = [
  '/api/v1/client/forecast?days=365',
  '/api/v1/client/support',
  '/api/v1/client/environments/matrix',
  '/api/v1/client/environments/matrix?drift=any',
  '/api/v1/client/discovered-items?group_by=artifact',
  '/api/v1/auth/sessions',
];
const variants: readonly Pick<ListVariant, 'name' | 'url'>[] = [
  ...listVariants(await readSamples(server.db, organizationId!)).filter(({ operation }) =>
    withCursor.some(({ id }) => id === operation.id),
  ),
  ...others.map((url) => ({ name: url, url })),
];

type Item = Readonly<Record<string, unknown>>;
interface ListPage {
  items: Item[];
  total: number;
}

async function get(url: string) {
  const response = await fetch(server.url + url, { headers: { authorization } });
  return { response, text: await response.text() };
}

async function readPage(url: string) {
  const { response, text } = await get(url);
  expect(response.status, `${url}: ${text}`).toBe(200);
  const [, next] = /^<(.*)>; rel="next"$/.exec(response.headers.get('link') ?? '') ?? [];
  return { page: JSON.parse(text) as ListPage, next: next ?? null };
}

function withQuery(url: string, query: string): string {
  return `${url}${url.includes('?') ? '&' : '?'}${query}`;
}

/** Reads a list with cursors, up to about `atMost` items. */
async function walk(start: string, atMost = 120) {
  const items: Item[] = [];
  for (let url: string | null = start; url !== null; ) {
    const { page, next } = await readPage(url);
    items.push(...page.items);
    if (items.length >= atMost) return { items, isComplete: next === null };
    url = next;
  }
  return { items, isComplete: true };
}

const identityOf = ({ id, ...item }: Item) => id ?? JSON.stringify(item);

test('every operation with an offset has a cursor and describes its Link header', () => {
  const withOffset = contractOperations.filter(({ parameters }) =>
    parameters.some(({ name }) => name === 'offset'),
  );
  expect(withCursor.map(({ id }) => id)).toEqual(withOffset.map(({ id }) => id));
  expect(withCursor.length).toBeGreaterThan(38);
});

test.each(variants.map(({ name, url }) => [name, url]))(
  '%s read by cursor has each item once, in the order of the list',
  async (_name, url) => {
    const { page } = await readPage(withQuery(url, 'limit=200'));
    const { items, isComplete } = await walk(withQuery(url, 'limit=37'));
    expect(items.map(identityOf)).toEqual(page.items.slice(0, items.length).map(identityOf));
    if (isComplete) expect(items).toHaveLength(page.total);
  },
);

test.each<[string, string]>([
  ['/api/v1/client/rules?sort=-created_at', 'created_at'],
  ['/api/v1/client/rules?sort=name', 'name'],
])(
  'rules that are created or deleted after the first page do not change the other pages of %s',
  async (url) => {
    const owner = await server.createOrganization();
    const { apiKey: key } = owner;
    const read = async (address: string) => {
      const response = await fetch(server.url + address, { headers: { 'x-api-key': key } });
      const [, next] = /^<(.*)>; rel="next"$/.exec(response.headers.get('link') ?? '') ?? [];
      return { items: ((await response.json()) as ListPage).items, next };
    };
    const create = (name: string) =>
      owner.api.call('createRule', {
        body: { name, rule_type: 'days_behind', thresholds: { moderate: 1 } },
      });
    for (let index = 10; index < 20; index++) await create(`rule ${index}`);
    const { items: all } = await read(`${url}&limit=200`);
    const first = await read(`${url}&limit=4`);
    await create('a rule before all others');
    await owner.api.call('deleteRule', { path: { id: first.items.at(-1)!['id'] as number } });
    const rest: Item[] = [];
    for (let next = first.next; next !== undefined; ) {
      const page = await read(next);
      rest.push(...page.items);
      next = page.next;
    }
    const isNew = ({ name }: Item) => name === 'a rule before all others';
    expect(rest.filter((item) => !isNew(item)).map(identityOf)).toEqual(all.slice(4).map(identityOf));
    expect(rest.some(isNew)).toBe(false);
  },
);

test.each(variants.map(({ name, url }) => [name, url]))(
  '%s rejects a cursor with values that no list returns',
  async (_name, url) => {
    const { next } = await readPage(withQuery(url, 'limit=1'));
    if (next === null) return;
    const cursor = new URLSearchParams(next.split('?')[1]).get('cursor')!;
    const [binding] = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')) as string[];
    const forged = Buffer.from(JSON.stringify([binding, 'a', 'b', 'c', 'd', 'e', 'f'])).toString('base64url');
    const { response, text } = await get(withQuery(url, `limit=1&cursor=${forged}`));
    expect(response.status, text).toBe(400);
    expect(JSON.parse(text)).toMatchObject({ errors: [{ field: 'cursor' }] });
  },
);

test('a cursor is rejected with advice if the order, a filter, the list, or its content differs', async () => {
  const { next } = await readPage('/api/v1/client/scrape-jobs?limit=5&sort=name&q=a');
  const cursor = new URLSearchParams(next!.split('?')[1]).get('cursor')!;
  const [binding] = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')) as string[];
  const forge = (...values: unknown[]) =>
    Buffer.from(JSON.stringify([binding, ...values])).toString('base64url');
  const address = '/api/v1/client/scrape-jobs?sort=name&q=a';
  for (const url of [
    `/api/v1/client/scrape-jobs?sort=-name&q=a&cursor=${cursor}`,
    `/api/v1/client/scrape-jobs?sort=name&cursor=${cursor}`,
    `/api/v1/client/gather-jobs?sort=name&q=a&cursor=${cursor}`,
    `${address}&cursor=x`,
    `${address}&cursor=${forge()}`,
    `${address}&cursor=${forge('a')}`,
    `${address}&cursor=${forge('a', 'not an ID')}`,
    `${address}&cursor=${forge('a', '1', '2')}`,
    `${address}&cursor=${forge('a\0', '1')}`,
    `${address}&cursor=${forge({}, '1')}`,
    `${address}&cursor=${forge('a', '99999999999999999999999')}`,
  ]) {
    const { response, text } = await get(url);
    expect(response.status, `${url}: ${text}`).toBe(400);
    expect(JSON.parse(text)).toMatchObject({
      errors: [{ field: 'cursor', message: expect.stringContaining('Link header') }],
    });
  }
  const { response, text } = await get(`${address}&offset=5&cursor=${cursor}`);
  expect(response.status, text).toBe(400);
  expect((await readPage(`${address}&limit=9&cursor=${cursor}`)).page.items.length).toBeGreaterThan(0);
});
