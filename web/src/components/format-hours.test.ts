import { expect, test } from 'vitest';
import { formatHours } from './format-hours.ts';

test('sending hours are formatted like opening hours', () => {
  const office = { days: ['fri', 'mon', 'tue', 'wed', 'thu'] as const, from: '08:00', to: '18:00' };
  expect(
    formatHours([
      { ...office, days: [...office.days] },
      { days: ['sat', 'sun', 'tue'], from: '22:00', to: '06:00' },
    ]),
  ).toBe('Mon–Fri 08:00–18:00, Tue, Sat, Sun 22:00–06:00');
});
