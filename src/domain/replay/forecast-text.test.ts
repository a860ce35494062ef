import { expect, it } from 'vitest';
import { describeForecast } from './forecast-text.ts';

const noun = { one: 'monitor', many: 'monitors' };

it.each([
  [0, true, 30, 'No monitor crosses a threshold in the next 30 days if nothing is upgraded.'],
  [1, true, 1, '1 monitor crosses a threshold in the next day if nothing is upgraded.'],
  [1_200, true, 90, '1,200 monitors cross a threshold in the next 90 days if nothing is upgraded.'],
  [9_000, false, 30, 'At least 9,000 monitors cross a threshold in the next 30 days if nothing is upgraded.'],
])('the forecast states how many resources cross a threshold: %i', (things, is_complete, days, sentence) => {
  expect(describeForecast({ things, is_complete, no_data: 0 }, days, noun)).toBe(sentence);
});

it.each([
  [
    0,
    1,
    "No monitor crosses a threshold in the next 30 days if nothing is upgraded. 1 monitor has no data and can't be forecast.",
  ],
  [
    1,
    2_000,
    "1 monitor crosses a threshold in the next 30 days if nothing is upgraded. 2,000 monitors have no data and can't be forecast.",
  ],
])('the forecast states how many resources have no data: %i, %i', (things, no_data, sentence) => {
  expect(describeForecast({ things, is_complete: true, no_data }, 30, noun)).toBe(sentence);
});
