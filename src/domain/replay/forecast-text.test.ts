import { expect, it } from 'vitest';
import { describeForecast } from './forecast-text.ts';

const noun = { one: 'monitor', many: 'monitors' };

it.each([
  [0, true, 30, 'No monitor crosses a threshold in the next 30 days if nothing is upgraded.'],
  [1, true, 1, '1 monitor crosses a threshold in the next day if nothing is upgraded.'],
  [1_200, true, 90, '1,200 monitors cross a threshold in the next 90 days if nothing is upgraded.'],
  [9_000, false, 30, 'At least 9,000 monitors cross a threshold in the next 30 days if nothing is upgraded.'],
])('the forecast states how many resources cross a threshold: %i', (things, is_complete, days, sentence) => {
  expect(describeForecast({ things, is_complete }, days, noun)).toBe(sentence);
});
