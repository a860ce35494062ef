import { expect, test } from 'vitest';
import { findJump } from './jumps.ts';
import { releaseSet } from './release-set-fixture.ts';

/** Returns the jump in a list of releases that are one day apart. */
function jumpOf(...versions: string[]): { from: string; above: string[] } | null {
  const lines = versions.map((version, day) => {
    const at = new Date(Date.UTC(2026, 0, 1 + day)).toISOString().slice(0, 10);
    return `${version} ${at}`;
  });
  const jump = findJump(releaseSet(lines).comparable);
  return jump && { from: jump.from.text, above: jump.above.map(({ text }) => text) };
}

test('a change from small numbers to years is a jump', () => {
  expect(jumpOf('3.6', '3.7', '3.8', '2024.1')).toEqual({ from: '3.8', above: ['2024.1'] });
  expect(jumpOf('3.6', '3.7', '3.8', '2024.1', '2024.2', '2025.1')).toEqual({
    from: '3.8',
    above: ['2025.1', '2024.2', '2024.1'],
  });
});

test('a step of at least five majors is a jump, unless an earlier step was at least half as large', () => {
  expect(jumpOf('1.6.2', '1.6.9', '1.7.0', '11.0')).toEqual({ from: '1.7.0', above: ['11.0'] });
  expect(jumpOf('1.6.2', '1.6.9', '1.7.0', '5.0')).toBeNull();
  expect(jumpOf('1.0', '2.0', '12.0', '13.0', '33.0')).toBeNull();
  expect(jumpOf('1.0', '2.0', '12.0', '13.0', '34.0')).toMatchObject({ from: '13.0' });
});

test('a jump is ignored once five distinct versions are above it', () => {
  expect(jumpOf('1.1', '1.2', '1.3', '20.1', '20.2', '20.3', '20.4')).toMatchObject({ from: '1.3' });
  expect(jumpOf('1.1', '1.2', '1.3', '20.1', '20.2', '20.3', '20.4', '20.5')).toBeNull();
  expect(jumpOf('1.1', '1.2', '1.3', '20.1', 'v20.1', '20.1.0')?.above).toHaveLength(1);
});

test("a jump isn't detected with fewer than three versions below it", () => {
  expect(jumpOf('1.1', '1.2', '20.1')).toBeNull();
  expect(jumpOf('20.1')).toBeNull();
  expect(jumpOf()).toBeNull();
});

test("dates and regular steps aren't jumps", () => {
  expect(jumpOf('20260101', '20260105', '20260203', '20261117')).toBeNull();
  expect(jumpOf('18.1', '20.1', '22.1', '24.1')).toBeNull();
  expect(jumpOf('2022.1', '2023.4', '2024.1', '2026.1')).toBeNull();
});
