import { expect, test } from 'vitest';
import { resolutionLabels, toneOfResolution } from './alert-labels.ts';

test('only an alert whose cause is gone is a good result', () => {
  const good = Object.keys(resolutionLabels).filter((resolution) => toneOfResolution(resolution) === 'ok');
  expect(good).toEqual(['caught_up']);
  expect(toneOfResolution('deleted')).toBe('muted');
  expect(toneOfResolution(null)).toBe('muted');
});
