import { describe, expect, test } from 'vitest';
import { RunError } from '../domain/runs/run-error.ts';
import { type HelmIndexItem, readHelmIndex } from './helm-index.ts';

async function read(text: string, pieceLength = 7): Promise<HelmIndexItem[]> {
  const bytes = Buffer.from(text, 'utf8');
  async function* body(): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < bytes.length; at += pieceLength) yield bytes.subarray(at, at + pieceLength);
  }
  const items: HelmIndexItem[] = [];
  for await (const item of readHelmIndex(body(), { host: 'charts.example.com', wants: () => true }))
    items.push(item);
  return items;
}

/** Returns `chart: version, version` for each chart, and `!line reason` for each skipped entry. */
async function outline(text: string): Promise<string[]> {
  return (await read(text)).flatMap((item) => {
    if (item.kind === 'skipped') return [`!${item.line} ${item.reason}`];
    return [
      `${item.chart}: ${item.versions.map(({ version }) => version).join(', ')}`,
      ...item.skipped.map(({ line, reason }) => `!${line} ${reason}`),
    ];
  });
}

async function check(text: string, expected: string[]): Promise<void> {
  expect(await outline(text)).toEqual(expected);
}

async function checkInvalid(text: string, line: number, problem: RegExp): Promise<void> {
  const error: unknown = await outline(text).catch((reason: unknown) => reason);
  if (!(error instanceof RunError)) throw new Error(`no RunError: ${JSON.stringify(error)}`);
  expect(error.code).toBe('invalid_index');
  expect(error.message).toContain(`charts.example.com`);
  expect(error.message).toContain(`line ${line}: `);
  expect(error.message).toMatch(problem);
}

const block = `apiVersion: v1
entries:
  app:
  - apiVersion: v2
    appVersion: "1.10"
    created: 2026-01-02T03:04:05.123456789Z
    description: An app
    maintainers:
    - name: someone
      version: 9.9.9
    annotations:
      notes: |
        version: 8.8.8
      - odd: text
    urls:
    - https://example.com/app-1.0.0.tgz
    - https://mirror.example.com/app-1.0.0.tgz
    version: 1.0.0
  - version: 1.10
  other:
  - version: 2.0.0
generated: "2026-01-01T00:00:00Z"
`;

describe('a block-style index', () => {
  test('returns the fields of each version exactly as written', async () => {
    const [app, other] = await read(block.replace('      - odd: text\n', ''));
    expect(app).toMatchObject({
      kind: 'chart',
      chart: 'app',
      line: 3,
      versions: [
        {
          version: '1.0.0',
          appVersion: '1.10',
          created: '2026-01-02T03:04:05.123456789Z',
          description: 'An app',
          url: 'https://example.com/app-1.0.0.tgz',
          isDeprecated: false,
          isRemoved: false,
          links: [],
        },
        { version: '1.10' },
      ],
    });
    expect(other).toMatchObject({ chart: 'other', versions: [{ version: '2.0.0' }] });
  });

  test.each([
    [
      'block collections',
      'entries:\n  app:\n  - sources:\n    - a\n    - b\n    home: c\n    version: 2.0.0\n  - home: d\n    version: 1.0.0\n',
    ],
    ['flow collections', 'entries: {app: [{version: 2.0.0, sources: [a, b], home: c}]}\n'],
    ['JSON', '{"entries":{"app":[{"version":"2.0.0","sources":["a","b"],"home":"c"}]}}'],
  ])('returns links only for the newest version, written as %s', async (_, text) => {
    const [app] = await read(text);
    const { versions } = app as Extract<HelmIndexItem, { kind: 'chart' }>;
    expect(versions[0]).toMatchObject({ version: '2.0.0', links: ['a', 'b', 'c'] });
    expect(versions.slice(1).flatMap(({ links }) => links)).toEqual([]);
  });

  test('keeps a version with broken or too many links', async () => {
    const sources = Array.from({ length: 2_000 }, () => '    - https://example.org/a\n').join('');
    for (const links of ['    sources: [\n', '    home: "\n', `    sources:\n${sources}`])
      await check(`entries:\n  app:\n  - version: 1.0.0\n${links}  - version: 0.9.0\n`, [
        'app: 1.0.0, 0.9.0',
      ]);
  });

  test('can be formatted in many ways', async () => {
    const cases: Record<string, string> = {
      'entries first': 'entries:\n  app:\n  - version: 1.0.0\napiVersion: v1\n',
      'no line end': 'entries:\n  app:\n  - version: 1.0.0',
      CRLF: 'entries:\r\n  app:\r\n  - version: 1.0.0\r\n',
      'a mark at the beginning': '\ufeffentries:\n  app:\n  - version: 1.0.0\n',
      'a document start and a directive': '%YAML 1.2\n---\nentries:\n  app:\n  - version: 1.0.0\n',
      'a second document': 'entries:\n  app:\n  - version: 1.0.0\n---\nentries:\n  b:\n  - version: 2.0.0\n',
      'deeper lists': 'entries:\n    app:\n        -   name: app\n            version: 1.0.0\n',
      'one space': 'entries:\n app:\n - version: 1.0.0\n',
      'the dash alone': 'entries:\n  app:\n  -\n    version: 1.0.0\n',
      'a comment behind the dash': 'entries:\n  app:\n  - # first\n    version: 1.0.0 # one\n',
      'comments and blank lines':
        '# a\n\nentries: # b\n# c\n  # d\n  app: # e\n\n      # f\n  - version: 1.0.0\n# g\n    # h\n\n    name: x\n  # i\n',
      'quoted names': '"entries":\n  \'app\':\n  - "version": "1.0.0"\n    \'name\': x\n',
      'text over several lines':
        'entries:\n  app:\n  - description: "first\n      - version: 3\n      other: x"\n    version: 1.0.0\n',
      'a folded text':
        'entries:\n  app:\n  - description: >-\n      version: 3\n\n      more\n    version: 1.0.0\n',
      'anchors and tags':
        'entries: !!map\n  app: &app !!seq\n  - &first\n    version: &v 1.0.0\n    appVersion: *v\n',
      'an entry in flow style': 'entries:\n  app:\n  - {version: 1.0.0, urls: [a, b]}\n',
      'a chart in flow style': 'entries:\n  app: [{version: 1.0.0}]\n',
      'a chart in flow style over lines': 'entries:\n  app: [\n    {version: 1.0.0,\n     name: x}\n  ]\n',
      'entries in flow style': 'apiVersion: v1\nentries: {app: [{version: 1.0.0}]}\n',
      JSON: '{"apiVersion":"v1","entries":{"app":[{"version":"1.0.0"}]}}',
      'JSON over lines': '{\n  "entries": {\n    "app": [\n      { "version": "1.0.0" }\n    ]\n  }\n}\n',
      'flow style all over': '{apiVersion: v1, entries: {app: [{version: 1.0.0}]}}\n',
      'indented as a whole': '  apiVersion: v1\n  entries:\n    app:\n    - version: 1.0.0\n',
      'top values over lines': 'annotations:\n  entries:\n    - x\nentries:\n  app:\n  - version: 1.0.0\n',
    };
    for (const [name, text] of Object.entries(cases)) {
      expect([name, await outline(text)]).toEqual([name, ['app: 1.0.0']]);
    }
  });

  test('is empty without charts', async () => {
    for (const entries of ['{}', '', 'null', '~', '{ } # none', '\n  # none']) {
      expect([entries, await outline(`apiVersion: v1\nentries: ${entries}\n`)]).toEqual([entries, []]);
    }
    await check('entries:\n  app: []\n', ['app: ']);
  });
});

describe('a broken index', () => {
  test('skips broken entries with their line, and keeps the rest', async () => {
    await check('entries:\n  app:\n  - version: "1.0.0\n  - version: 1.1.0\n  b:\n  - version: 2.0.0\n', [
      'app: 1.1.0',
      '!3 Missing closing quote (")',
      'b: 2.0.0',
    ]);
    await check('entries:\n  app:\n  - name: x\n  - 5\n  -\n  - version:\n  - version: 1.0.0\n', [
      'app: 1.0.0',
      '!3 no version',
      '!4 not a map with a version',
      '!5 no version',
      '!6 no version',
    ]);
    await check(
      'entries:\n  app: hello\n  b:\n    c: d\n  e: |\n    - version: 1\n  f:\n  - version: 1.0.0\n',
      [
        'app: ',
        '!2 not a list of versions',
        'b: ',
        '!3 not a list of versions',
        'e: ',
        '!5 not a list of versions',
        'f: 1.0.0',
      ],
    );
    await check('entries:\n  ? complex\n  : - version: 1\n  app:\n  - version: 1.0.0\n', [
      '!2 invalid chart name',
      '!3 invalid chart name',
      'app: 1.0.0',
    ]);
    await check('entries:\n  app:\n  - version: *nowhere\n  - version: 1.0.0\n', [
      'app: 1.0.0',
      '!3 its version refers to *nowhere, which is defined elsewhere',
    ]);
    await check(block, ['app: 1.0.0, 1.10', 'other: 2.0.0']);
  });

  test('ends the run with the line of the error if the structure is unreadable', async () => {
    await checkInvalid('', 1, /missing the entries key/u);
    await checkInvalid('apiVersion: v1\n', 2, /missing the entries key/u);
    await checkInvalid('<!DOCTYPE html>\n<html>\n', 1, /found "<!DOCTYPE html>"/u);
    await checkInvalid('entries:\n- version: 1\n', 2, /found a list/u);
    await checkInvalid('entries:\n  - version: 1\n', 2, /found a list/u);
    await checkInvalid('a: b\nentries:\n\tapp:\n', 3, /found "app:"|tab/u);
    await checkInvalid('a: b\nentries:\n  app:\n  - version: 1\n \tb: c\n', 5, /tab/u);
    await checkInvalid('entries:\n    app:\n    - version: 1\n  b:\n', 4, /unexpected indentation/u);
    await checkInvalid('{"entries": {\n"a": [}\n', 2, /\w/u);
    await checkInvalid('{"entries": []}', 1, /isn't a map/u);
    await checkInvalid('{"charts": {}}', 1, /missing the entries key/u);
    await checkInvalid('a: b\nentries: hello\n', 2, /isn't a map/u);
  });

  test('is read with limited nesting, alias expansion, and entry size', async () => {
    const deep = `${'['.repeat(5_000)}${']'.repeat(5_000)}`;
    await check(`entries:\n  app:\n  - urls: ${deep}\n  - version: 1.0.0\n`, [
      'app: 1.0.0',
      '!3 nested too deeply',
    ]);
    const bomb =
      'entries:\n  app:\n  - a: &a [x,x]\n    version: &b [*a,*a,*a]\n    urls: &c [*b,*b]\n  - version: 1.0.0\n';
    expect((await outline(bomb)).at(0)).toBe('app: 1.0.0');
    const long = `entries:\n  app:\n  - description: ${'x'.repeat(70_000)}\n    version: 1.0.0\n  - home: ${'y'.repeat(70_000)}\n    version: 2.0.0\n`;
    await check(long, ['app: 2.0.0', '!3 larger than 16 KiB']);
  });

  test('is too_large with too many charts, or too many versions of one chart', async () => {
    const text = `entries:\n  app:\n${'  - version: 1.0.0\n'.repeat(20_002)}`;
    await expect(read(text, 65_536)).rejects.toMatchObject({ code: 'too_large' });
    const charts = Array.from({ length: 50_001 }, (_, index) => `  c${index}: []\n`).join('');
    await expect(read(`entries:\n${charts}`, 65_536)).rejects.toMatchObject({ code: 'too_large' });
    const json = JSON.stringify({
      entries: { app: Array.from({ length: 20_001 }, () => ({ version: '1' })) },
    });
    await expect(read(json, 65_536)).rejects.toMatchObject({ code: 'too_large' });
    const flow = `{"entries": {"app": [${'{},'.repeat(800_000)}{}]}}`;
    await expect(read(flow, 65_536)).rejects.toMatchObject({ code: 'too_large' });
  });
});

test('charts that are not requested are skipped without being parsed', async () => {
  async function* body(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('entries:\n  a:\n  - version: "broken\n  b: [\n  c:\n  - version: 1.0.0\n');
  }
  const items: HelmIndexItem[] = [];
  for await (const item of readHelmIndex(body(), { host: 'h', wants: (chart) => chart === 'c' }))
    items.push(item);
  expect(items).toMatchObject([{ chart: 'c', versions: [{ version: '1.0.0' }] }]);
});
