import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { writeConfiguration } from './configuration-commands.ts';
import { createVariableNames, escapeEnvironment, fillEnvironment } from './environment-values.ts';
import { readConfiguration } from './read-configuration.ts';

describe('variables of the environment', () => {
  test.each([
    ['${env:A}', 'one'],
    ['https://h/${env:A}/${env:B}', 'https://h/one/two'],
    ['$${env:A}', '${env:A}'],
    ['$$${env:A}', '$${env:A}'],
    ['${ENV:A} $env:A ${env} {env:A}', '${ENV:A} $env:A ${env} {env:A}'],
    ['${env:HOSTILE}', '${env:A} and "quotes": [a, b]'],
  ])('%s is %s', (text, expected) => {
    const env = { A: 'one', B: 'two', HOSTILE: '${env:A} and "quotes": [a, b]' };
    const filled = fillEnvironment({ list: [{ text }] }, env, () => true);
    expect(filled.value).toEqual({ list: [{ text: expected }] });
    expect(filled.missing.size).toBe(0);
  });

  test('that are not set, empty or no names are told with their places', () => {
    const { missing } = fillEnvironment(
      { a: '${env:A}', b: ['${env:A}${env:EMPTY}', '${env:not a name}'] },
      { EMPTY: '' },
      () => true,
    );
    expect([...missing]).toEqual([
      ['A', [['a'], ['b', 0]]],
      ['EMPTY', [['b', 0]]],
      ['not a name', [['b', 1]]],
    ]);
  });

  test('get names that differ, also of things with names in other scripts', () => {
    const name = createVariableNames();
    expect([
      name('CHANNEL', 'Ops (EU)', 'URL'),
      name('CHANNEL', 'ops-eu', 'URL'),
      name('CHANNEL', '运维', 'URL'),
    ]).toEqual(['CHANNEL_OPS_EU_URL', 'CHANNEL_OPS_EU_URL_2', 'CHANNEL_URL']);
    expect(name('CHANNEL', 'Überwachung', 'URL')).toBe('CHANNEL_UBERWACHUNG_URL');
  });
});

/** What a file says after a text was written into it. */
function throughFile(text: string): unknown {
  const document = { templates: escapeEnvironment({ resolved: text, acknowledged: 'after' }) };
  const file = writeConfiguration(
    { document: { ...document, settings: { last: text } }, variables: new Map() },
    null,
  );
  const { document: read } = readConfiguration(file.replace(/\nsettings:[^]*/, ''), 'file', {});
  expect(Object.keys(read)).toEqual(['templates']);
  return (read['templates'] as Record<string, unknown>)['resolved'];
}

describe('a text comes back from a file as it was', () => {
  test.each([
    ...[
      'null',
      'yes',
      '~',
      '1.10',
      '1e3',
      '0x10',
      '- a',
      'a: b',
      '# no comment',
      '',
      ' led',
      'trailed ',
      "it's",
      '"',
      '\\',
    ],
    ...[
      'one\ntwo',
      'one\n',
      'one\n\n\n',
      ' \n',
      '\n \n',
      '\n\none',
      'a\r\nb',
      'a\tb',
      '\u0085',
      '\u2028',
      '\ufeff',
      '😀',
      '&a *b',
      '!tag',
    ],
    ...['${env:A}', '$${env:A}', '${env:A', '%TAG', '---\n...', '| block', '  indented\n block'],
  ])('%j', (text) => {
    // Empty is refused, like in the API.
    if (text === '') expect(() => throughFile(text)).toThrow('templates/resolved');
    else expect(throughFile(text)).toBe(text);
  });

  test('whatever it is', () => {
    const texts = fc.oneof(
      fc.string({ unit: 'grapheme', minLength: 1 }),
      fc.string({
        unit: fc.constantFrom('$', '{', '}', 'env:', 'A', '\n', '\r', ' ', '\t', '#', '-', '"', "'"),
        minLength: 1,
      }),
    );
    fc.assert(
      fc.property(texts, (text) => {
        expect(throughFile(text)).toBe(text);
      }),
      { numRuns: 300 },
    );
  });
});
