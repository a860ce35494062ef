import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { FreshnessChart } from './freshness-chart.tsx';

const day = (date: string, known: number, sum: number) => ({
  date,
  things: 3,
  known,
  unknown: 3 - known,
  estimated: 0,
  sum,
  median: 0,
  p90: 0,
  targeted: 0,
  within_target: 0,
});

test('a day without a known value is neither drawn as 0 nor named as 0', () => {
  const markup = renderToStaticMarkup(
    createElement(FreshnessChart, {
      points: [day('2026-11-01', 0, 0), day('2026-11-02', 3, 4), day('2026-11-03', 3, 2)],
      metric: 'libyears',
      from: '2026-11-01T00:00:00Z',
      to: '2026-11-03T00:00:00Z',
    }),
  );
  expect(markup).toContain('aria-label="4 libyears on Nov 2, 2026, 2 libyears on Nov 3, 2026"');
  expect(markup).toContain('d="M1,20.00 L2,60.00"');
  expect(markup).toContain('Nov 1, 2026: unknown, 3 deployed');
});
