import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import { pluralOf } from '../../domain/text/plural.ts';
import { escapeControls } from '../../domain/text/visible-controls.ts';
import type { CliIo } from '../cli-io.ts';
import { resources } from '../resources/resource-table.ts';
import { fitWidth } from './fit-width.ts';
import { withFormattedTimes } from './format-time.ts';
import { type Column, cellText, tableOf } from './print-result.ts';
import { renderTable } from './table.ts';

const plain = { width: null, hasColor: false };

describe('text in a terminal', () => {
  test.each([
    ['abc', 3],
    ['日本', 4],
    ['한국어', 6],
    ['ａｂ', 4],
    ['ﾊﾝｶｸ', 4],
    ['é', 1],
    ['e\u0301', 1],
    ['👩‍👩‍👧', 2],
    ['✔', 1],
    ['⚠️', 2],
    ['🇩🇪', 2],
    ['\u200b', 0],
  ])('with the content %s is %i cells wide', (text, cells) => {
    expect(stringWidth(text)).toBe(cells);
  });

  test('is cut by fitWidth between characters, never inside one', () => {
    expect(fitWidth('日本語', 6)).toBe('日本語');
    expect(fitWidth('日本語', 5)).toBe('日本…');
    expect(fitWidth('日本語', 4)).toBe('日…');
    expect(fitWidth('a👩‍👩‍👧b', 3)).toBe('a…');
  });
});

describe('a table', () => {
  test('aligns its columns', () => {
    const rows = [
      ['1', 'short', 'x'],
      ['22', '日本', 'y'],
    ];
    expect(renderTable(['ID', 'NAME', 'Z'], rows, plain)).toBe('ID  NAME   Z\n1   short  x\n22  日本   y\n');
  });

  test('fits the terminal width by truncating its widest column', () => {
    const text = renderTable(['ID', 'NAME', 'NOTE'], [['7', 'n'.repeat(50), 'short']], {
      ...plain,
      width: 30,
    });
    expect(text.split('\n').map((line) => stringWidth(line))).toEqual(
      [25, 30, 0].map((width, index) => (index === 0 ? expect.any(Number) : width)),
    );
    expect(text).toContain('…  short');
  });

  test('does not pad a column to the width of a very long cell', () => {
    const [header, long, short] = renderTable(
      ['KEY', 'VALUE', 'Z'],
      [
        ['a', 'v'.repeat(400), 'x'],
        ['b', '1', 'y'],
      ],
      plain,
    ).split('\n');
    expect(long).toHaveLength('KEY'.length + 400 + 'x'.length + 4);
    expect([header!.length, short!.length]).toEqual([68, 68]);
  });

  test('has color only if hasColor is set', () => {
    expect(renderTable(['ID'], [['7']], plain)).toBe('ID\n7\n');
    expect(renderTable(['ID'], [['7']], { ...plain, hasColor: true })).toBe('\u001b[1mID\u001b[22m\n7\n');
  });

  test('shows user input on one line without control characters', () => {
    expect(renderTable(['N'], [['a\nb\u001b[2Jc']], plain)).toBe('N\na b [2Jc\n');
  });
});

test('a list that is too wide for the terminal shows dates without times instead of truncating text', () => {
  const io = (columns: number | null) => ({ columns, hasColor: false }) as CliIo;
  const columns: Column[] = [
    { title: 'NAME', value: ({ name }) => name },
    { title: 'SINCE', kind: 'time', value: ({ since }) => since },
  ];
  const items = [{ name: 'Traefik in production', since: '2026-03-03T14:05:00Z' }];
  const table = (width: number | null) => tableOf(io(width), items, { columns }).split('\n')[1];
  expect(table(null)).toMatch(/^Traefik in production {2}Mar 3, 2026, \d\d:05$/);
  expect(table(36)).toBe('Traefik in production  Mar 3, 2026');
});

test('all times are formatted for people, including nested ones and SINCE columns', () => {
  const time = '2026-03-03T14:05:00Z';
  const item = {
    created_at: time,
    snoozed_until: time,
    worst: { behind_since: time },
    as_of: time,
    waiting: { since: time },
  };
  expect(JSON.stringify(withFormattedTimes(item))).not.toContain(time);
  const columns = resources.flatMap(({ columns: some, wideColumns = [] }) => [...some, ...wideColumns]);
  expect(columns.filter(({ title }) => title.endsWith('SINCE')).map(({ kind }) => kind)).not.toContain(
    undefined,
  );
});

test('the table of artifact aliases shows how many gather jobs and items a change has been applied to', () => {
  const { columns } = resources.find(({ name }) => name === 'artifact-aliases')!;
  const cells = (applying: object | null) =>
    columns.flatMap(({ title, value }) => (title === 'APPLYING' ? cellText(value({ applying })) : []));
  expect(cells({ done: 100, total: 5_000 })).toEqual(['100 of 5,000']);
  expect(cells(null)).toEqual(['-']);
});

test('control characters in user input are escaped', () => {
  expect(escapeControls('a\u001b[31mb\u202e\r\n')).toBe('a\\u001b[31mb\\u202e\\u000d\n');
});

test('every resource has the expected plural', () => {
  const plurals = resources.map(({ word }) => pluralOf(word));
  expect(plurals).toEqual([
    'rules',
    'alert configurations',
    'gather jobs',
    'scrape jobs',
    'helm sync jobs',
    'discovery jobs',
    'discovered items',
    'notification channels',
    'notification rules',
    'silences',
    'freshness targets',
    'artifact aliases',
    'artifact corrections',
    'software',
    'deployed versions',
    'notification templates',
    'settings',
    'API keys',
    'hooks',
    'trusts',
    'audit exports',
    'members',
    'agents',
    'notification deliveries',
    'releases',
    'versions',
    'exposures',
    'deployments',
    'alerts',
    'upgrades',
    'reference sources',
    'lifecycle products',
    'audit entries',
  ]);
});
