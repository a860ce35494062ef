import { expect, test } from 'vitest';
import { compileCheapPattern, compilePattern } from './compile-pattern.ts';

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

test('what RE2 does not know is refused by its name and place', () => {
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

test('what is malformed is refused with the piece', () => {
  checkRefused(compilePattern, '', /empty/, null);
  checkRefused(compilePattern, 'a(b', /missing closing \)/, null);
  checkRefused(compilePattern, '[z-a]', /invalid character class range: "z-a"/, null);
  checkRefused(compilePattern, 'a{1001}', /repeat count/, null);
  checkRefused(compilePattern, '\\', /trailing backslash/, null);
  checkRefused(compilePattern, '['.repeat(900), /missing closing \]/, null);
});

test('a pattern that is long, or becomes long when its repeats unfold, is refused before it is compiled', () => {
  checkRefused(compilePattern, 'a'.repeat(1_001), /1001 characters \(limit 1000\)/, null);
  checkRefused(compilePattern, '.{1000}'.repeat(140), /about \d+ steps, limit 10000/, null);
  checkRefused(compilePattern, `(?:${'x'.repeat(100)}){500}`, /too complex/, null);
  checkRefused(compilePattern, '(?:(?:a{30}){30}){30}', /too complex/, null);
  expect(compilePattern('(.{1,1000})c').ok).toBe(true);
  expect(compilePattern('x'.repeat(1_000)).ok).toBe(true);
});

test('patterns that people write for tags are cheap', () => {
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

test('patterns that cost much on every character are refused where they would be tried on every release', () => {
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
