import { RE2JS } from 're2js';
import { expect, onTestFinished, test, vi } from 'vitest';
import { compileCheapPattern, compilePattern, compileWholePattern } from './compile-pattern.ts';

function checkRefused(
  compile: typeof compilePattern,
  source: string,
  message: RegExp,
  position: number | null,
): void {
  expect(compile(source), source.slice(0, 60)).toEqual({
    ok: false,
    message: expect.stringMatching(message),
    position,
  });
}

function checkFound(
  source: string,
  text: string,
  match: string | null,
  groups: (string | null)[] = [],
): void {
  const compiled = compilePattern(source);
  expect(compiled.ok && compiled.pattern.find(text), `${source} in ${text}`).toEqual(
    match === null ? null : { match, groups },
  );
  expect(compiled.ok && compiled.pattern.test(text)).toBe(match !== null);
  expect(compiled.ok && compiled.pattern.groupCount).toBe(groups.length);
}

test('the leftmost match and its groups are found', () => {
  checkFound('b+', 'abbbc', 'bbb');
  checkFound('(\\d+)\\.(\\d+)', 'v1.10', '1.10', ['1', '10']);
  checkFound('(a)|(b)', 'b', 'b', [null, 'b']);
  checkFound('(?P<major>\\d+)', 'v12', '12', ['12']);
  checkFound('(?i)ALPINE', '3-alpine', 'alpine');
  checkFound('^\\d+$', '1a', null, []);
  checkFound('\\Qa++\\E', 'xa++', 'a++');
  checkFound('[(?=a++]+', 'a++', 'a++');
  checkFound('\\(?=+', '(==', '(==');
  checkFound('\\101', 'A', 'A');
});

test("constructs that RE2 doesn't support are rejected with their name and position", () => {
  checkRefused(compilePattern, 'a(?=b)', /^a lookahead \(\(\?= at character 2\) isn't supported by RE2/, 1);
  checkRefused(compilePattern, '(?!a)b', /^a negative lookahead/, 0);
  checkRefused(compilePattern, '(?<=v)\\d', /^a lookbehind/, 0);
  checkRefused(compilePattern, '\\[(?<!v)', /^a negative lookbehind/, 2);
  checkRefused(compilePattern, '(a)\\1', /^a backreference \(\\1 at character 4\)/, 3);
  checkRefused(compilePattern, '(?P<n>a)(?P=n)', /^a backreference/, 8);
  checkRefused(compilePattern, '(?<n>a)\\k<n>', /^a backreference \(\\k</, 7);
  checkRefused(compilePattern, 'a++', /^a possessive quantifier \(\+\+ at character 2\)/, 1);
  checkRefused(compilePattern, '[a-z]*+x', /^a possessive quantifier \(\*\+ /, 5);
  checkRefused(compilePattern, 'a?+', /^a possessive quantifier/, 1);
  checkRefused(compilePattern, '(ab){2,3}+', /^a possessive quantifier \(\{2,3\}\+ /, 4);
  checkRefused(compilePattern, '(?>a)', /^an atomic group/, 0);
  checkRefused(compilePattern, '(a)(?(1)b)', /^a conditional group/, 3);
});

test('a malformed pattern is rejected with its invalid part', () => {
  checkRefused(compilePattern, '', /empty/, null);
  checkRefused(compilePattern, 'a(b', /missing closing \)/, null);
  checkRefused(compilePattern, '[z-a]', /invalid character class range: "z-a"/, null);
  checkRefused(compilePattern, 'a{1001}', /repeat count/, null);
  checkRefused(compilePattern, '\\', /trailing backslash/, null);
  checkRefused(compilePattern, '['.repeat(900), /missing closing \]/, null);
});

test('a pattern that is too long, or too long once its repeats are expanded, is rejected before compilation', () => {
  checkRefused(compilePattern, 'a'.repeat(1_001), /1001 characters \(limit 1000\)/, null);
  checkRefused(compilePattern, '.{1000}'.repeat(140), /about \d+ steps, limit 10000/, null);
  checkRefused(compilePattern, `(?:${'x'.repeat(100)}){500}`, /too complex/, null);
  checkRefused(compilePattern, '(?:(?:a{30}){30}){30}', /too complex/, null);
  expect(compilePattern('(.{1,1000})c').ok).toBe(true);
  expect(compilePattern('x'.repeat(1_000)).ok).toBe(true);
});

test('common patterns for tags are cheap', () => {
  for (const source of [
    '^15\\.',
    '^v?\\d+\\.\\d+\\.\\d+$',
    '-alpine\\d*$',
    '^v?1\\.(2[5-9]|3\\d)\\.\\d+$',
    '^kube-prometheus-stack-(\\d+\\.\\d+\\.\\d+)$',
    '\\d+\\.\\d+\\.\\d+-(debian|alpine|ubi|distroless|bookworm|bullseye|slim)-r\\d+',
    '^(?:release-)?v?(\\d+)\\.(\\d+)\\.(\\d+)(?:-(?:alpha|beta|rc)\\.?\\d+)?$',
    '^(?i:v|release[-/])?(\\d+(?:\\.\\d+){1,3})(?:[-+.].*)?$',
    '^(?:[^-]+-)*v?(\\d+\\.\\d+\\.\\d+)$',
    '\\p{L}+-(\\d+)',
  ]) {
    expect(compileCheapPattern(source), source).toMatchObject({ ok: true });
  }
});

test('patterns that are expensive for each character are rejected where they would run on every release', () => {
  for (const source of [
    '.*a.{80}[xy]',
    '((a*)*[ab]?){20}$',
    '(?:a?){30}a{30}$',
    '(?:\\pL?){18}[xy]',
    '(?i)(?:[a-z]?){20}[!?]',
    '(.{1,400})[cx]',
    '\\pL{900}',
  ]) {
    checkRefused(compileCheapPattern, source, /too expensive|too complex/, null);
    expect(compilePattern(source), source).toMatchObject({ ok: true });
  }
});

/** Records the patterns passed to `RE2JS.compile`, in order. */
function watchCompiling(): string[] {
  const sources: string[] = [];
  const compile = RE2JS.compile.bind(RE2JS);
  const spy = vi.spyOn(RE2JS, 'compile').mockImplementation((source, flags) => {
    sources.push(source);
    return compile(source, flags);
  });
  onTestFinished(() => spy.mockRestore());
  return sources;
}

test('slow character classes are rejected before compilation', () => {
  const compiled = watchCompiling();
  for (const source of [
    `(?i)^${'\\pL'.repeat(300)}z`,
    `^${'\\pL'.repeat(300)}`,
    `(?i)${'\\PL'.repeat(9)}`,
    `(?i)[${'\\p{Greek}'.repeat(100)}]`,
    `${'[^\\pL]'.repeat(150)}`,
    `^(?:${'\\pL|'.repeat(240)}x)`,
    // With `(?i)`, the library looks up each character of a range.
    `(?i)${'[B-\\x{1E942}]'.repeat(60)}`,
    '(?i)[B-\u{1E942}]',
    `(?i)[${'B-\u{1E942}'.repeat(200)}]`,
    `(?i)[^B-\\x{${'0'.repeat(100)}1E942}]`,
    `(?i)${'[\\60-\\777]'.repeat(90)}`,
    `(?s)(?i:${'[]-\\x{7FF}]'.repeat(80)})`,
    `(?i)${'\\W'.repeat(400)}`,
  ]) {
    for (const compile of [compileCheapPattern, compileWholePattern, compilePattern])
      checkRefused(compile, source, /about \d+ character ranges, limit 12000/, null);
  }
  expect(compiled).toEqual([]);
});

test('a pattern is rejected before the library runs a slow one-pass check', () => {
  const letters = (count: number) =>
    Array.from({ length: count }, (_, index) => String.fromCodePoint(0x4e00 + index));
  const compiled = watchCompiling();
  const sources = [
    `^(?:${letters(330)
      .map((letter) => `${letter}?`)
      .join('')})$`,
    `\\A(?:${letters(240)
      .map((letter) => `${letter}1`)
      .join('|')})*$`,
    `^(?:\\pL1|\\pM2|\\pN3|${letters(90)
      .map((letter) => `${letter}1`)
      .join('|')})*$`,
    // The library drops the first alternative, because it can't match. The remaining pattern begins with ^.
    `[^\\x00-\\x{10FFFF}]|^(?:${letters(300)
      .map((letter) => `${letter}?`)
      .join('')})$`,
    '^(?:(\\pL{1,30}x){1,15})$',
  ];
  for (const source of sources) {
    for (const compile of [compileCheapPattern, compileWholePattern, compilePattern])
      checkRefused(compile, source, /^the pattern is too complex: too many parts can follow/, null);
  }
  // Each pattern was compiled only with another alternative before it. A pattern in that form is never
  // one-pass.
  expect(compiled).toHaveLength(3 * sources.length);
  expect(compiled.filter((source) => sources.includes(source) || source.startsWith('^(?:'))).toEqual([]);
  for (const source of compiled.slice()) expect(RE2JS.compile(source).re2().onepass).toBeNull();
});

test('ordinary patterns with large classes are compiled', () => {
  for (const source of [
    '^[\\p{L}\\p{N}]+(?:[-_.][\\p{L}\\p{N}]+)*$',
    '(?i)^[\\p{L}\\p{N}]+(?:[-_.][\\p{L}\\p{N}]+)*$',
    '^\\p{L}{1,9}$',
    '(?i)^[a-z0-9]([a-z0-9-]*[a-z0-9])?$',
    '^[\\w.-]{1,200}$',
    '(?i)^[一-龥]+$',
    '(?i)(?:[[:alpha:]]+-)?v?\\d+',
    '^(?:alpha|bravo|charlie|delta|echo|foxtrot|golf|hotel|india|juliett|kilo|lima|mike|november|oscar)$',
  ]) {
    for (const compile of [compileCheapPattern, compileWholePattern, compilePattern])
      expect(compile(source), source).toMatchObject({ ok: true });
  }
});

test('a whole pattern matches only the entire text, even if it has alternatives or unbalanced parentheses', () => {
  const matches = (source: string, text: string) => {
    const compiled = compileWholePattern(source);
    return compiled.ok && compiled.pattern.test(text);
  };
  expect(matches('api|web', 'web')).toBe(true);
  expect(matches('api|web', 'web-2')).toBe(false);
  expect(matches('', '')).toBe(true);
  expect(matches('', 'a')).toBe(false);
  checkRefused(compileWholePattern, 'a)|(b', /^unexpected \): "a\)\|\(b"$/, null);
  checkRefused(compileWholePattern, 'a(b', /^missing closing \): "a\(b"$/, null);
  checkRefused(compileWholePattern, '*a', /^missing argument to repetition operator: "\*"$/, null);
});
