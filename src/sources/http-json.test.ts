import { afterEach, describe, expect, test } from 'vitest';
import {
  type FakeJsonDocuments,
  startFakeJsonDocuments,
} from '../../tests/helpers/upstreams/fake-json-documents.ts';
import { type Gathered, gatherFrom } from '../../tests/helpers/upstreams/gather-from.ts';
import type { SourceOptions } from '../domain/source-types/source-type.ts';
import { createTestBench } from '../platform/outbound/outbound-test-servers.ts';
import { httpJson } from './http-json.ts';

const bench = createTestBench();
const servers: FakeJsonDocuments[] = [];

afterEach(async () => {
  await bench.close();
  for (const server of servers.splice(0)) await server.close();
});

/** @param body JSON exactly as the server sends it. */
async function gather(body: string, sourceOptions: SourceOptions): Promise<Gathered> {
  const server = await startFakeJsonDocuments();
  servers.push(server);
  server.intercept = (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(body);
    return true;
  };
  return gatherFrom(httpJson, `http://${server.host}/v`, {
    client: bench.client(),
    insecureHosts: [server.host],
    sourceOptions,
  });
}

async function check(
  body: unknown,
  sourceOptions: SourceOptions,
  expected: (string | null)[][],
): Promise<void> {
  const { releases } = await gather(typeof body === 'string' ? body : JSON.stringify(body), sourceOptions);
  expect(releases.map(({ tag, released_at }) => [tag, released_at])).toEqual(expected);
}

describe('versions and their dates', () => {
  const day = '2026-01-02T00:00:00.000Z';
  const nextDay = '2026-01-03T00:00:00.000Z';

  test('a single version has a single date', () =>
    check({ v: '1.0', d: '2026-01-02' }, { version_path: 'v', date_path: 'd' }, [['1.0', day]]));

  test('a list of objects contains versions and dates', () =>
    check(
      [{ v: '1.0', d: '2026-01-02' }, { v: '1.1' }, { v: '1.2', d: 1767398400 }],
      { version_path: '[*].v', date_path: '[*].d' },
      [
        ['1.0', day],
        ['1.1', null],
        ['1.2', nextDay],
      ],
    ));

  test('two parallel lists are matched by position', () =>
    check({ v: ['1.0', '1.1'], d: ['2026-01-02', '2026-01-03'] }, { version_path: '.v', date_path: '.d' }, [
      ['1.0', day],
      ['1.1', nextDay],
    ]));

  test('a map of versions and a map of times, as in npm, are matched by key', () =>
    check(
      {
        versions: { '1.0': {}, '1.1': {} },
        time: { created: '2020-01-01', '1.1': '2026-01-03', '1.0': '2026-01-02' },
      },
      { version_path: '.versions', date_path: '.time' },
      [
        ['1.0', day],
        ['1.1', nextDay],
      ],
    ));

  test('a map of lists, as in PyPI, is matched by key', () =>
    check(
      { releases: { '1.0': [{ at: '2026-01-02T00:00:00Z' }], '1.1': [] } },
      { version_path: '.releases', date_path: '.releases[*][0].at' },
      [
        ['1.0', day],
        ['1.1', null],
      ],
    ));

  test('numbers stay exactly as written', () =>
    check('{"v": [1.10, 2, 3.0e1, "4"]}', { version_path: '.v' }, [
      ['1.10', null],
      ['2', null],
      ['3.0e1', null],
      ['4', null],
    ]));

  test('a version that is listed more than once has its earliest date', () =>
    check(
      [
        { v: 'app-1.0.zip', d: null },
        { v: 'app-1.0.tar.gz', d: '2026-01-03' },
        { v: 'app-1.0.deb', d: '2026-01-02' },
        { v: 'app-1.1.zip', d: '2026-01-03' },
      ],
      { version_path: '[*].v', date_path: '[*].d', version_regex: '^app-(\\d+\\.\\d+)' },
      [
        ['1.0', day],
        ['1.1', nextDay],
      ],
    ));

  test('version_regex returns the first group or the whole match, and skips values that do not match', async () => {
    const body = JSON.stringify(['app-1.0.tar.gz', 'app-1.1.tar.gz', 'app-1.1.zip', 'readme']);
    const found = await gather(body, { version_path: '.', version_regex: '^app-([\\d.]+)\\.' });
    expect(found.releases.map(({ tag }) => tag)).toEqual(['1.0', '1.1']);
    expect(found.summary).toMatchObject({
      skipped: 1,
      skippedExamples: [{ name: 'readme', reason: "doesn't match version_regex" }],
    });
    const match = await gather(body, { version_path: '.', version_regex: '\\d+\\.\\d+' });
    expect(match.releases.map(({ tag }) => tag)).toEqual(['1.0', '1.1']);
  });
});

test('a path without a match is invalid_index, and the message describes the keys found', async () => {
  await expect(gather('{"a": {"b": 1}}', { version_path: '.a.c' })).rejects.toMatchObject({
    code: 'invalid_index',
    message: expect.stringContaining('step 2 matches nothing in a map with the keys "b"'),
  });
});

test('dates without a matching version return a warning', async () => {
  const body = JSON.stringify([{ v: '1', d: '2026-01-02' }]);
  expect((await gather(body, { version_path: '[*].v', date_path: '[0].d' })).summary.warnings).toEqual([
    expect.stringContaining("Dates don't line up with versions"),
  ]);
  expect((await gather(body, { version_path: '[*].v', date_path: '.x' })).summary.warnings).toEqual([
    expect.stringContaining('No dates found'),
  ]);
});

test('a response with too many values is too_large', async () => {
  await expect(gather(`[${'{},'.repeat(1_200_000)}{}]`, { version_path: '.' })).rejects.toMatchObject({
    code: 'too_large',
  });
});
