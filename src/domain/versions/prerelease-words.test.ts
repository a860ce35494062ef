import { expect, test } from 'vitest';
import { hasPrereleaseWord } from './prerelease-words.ts';

function check(expected: boolean, isAttached: boolean, ...parts: string[]): void {
  for (const part of parts) expect([part, hasPrereleaseWord(part, isAttached)]).toEqual([part, expected]);
}

test('words of projects for what is not a release yet', () => {
  check(
    true,
    false,
    'alpha',
    'Beta.1',
    'rc2',
    'RC1',
    'pre',
    'preview4',
    'dev',
    'dev0',
    'SNAPSHOT',
    'nightly',
    'canary.3',
  );
  check(
    true,
    false,
    'milestone.2',
    'M3',
    'm10',
    'ea',
    'ea35',
    'next.0',
    'prerelease.16',
    'CR1',
    'unstable',
    'PR3430.4',
  );
  check(true, false, '1rc6', 'alpha20260812', 'beta.01');
});

test('words that only contain one, or are too short to mean one', () => {
  check(
    false,
    false,
    'alpine3.18',
    'arch',
    'source',
    'm',
    'mysql',
    'lean',
    'area',
    '12ea34',
    'eab12',
    'predator',
    'cr',
    'Final',
    'r3',
    '',
  );
});

test('one letter and a number, right behind the numbers only', () => {
  check(true, true, 'a1', 'b12', 'c0');
  check(false, true, 'a', 'b', 'p1', 'a1x');
  check(false, false, 'a1', 'b508', 'c1');
});
