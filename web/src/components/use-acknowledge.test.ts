import { expect, test } from 'vitest';
import { withStatus } from './use-acknowledge.ts';

const alert = (id: number, status: string) => ({
  id,
  status,
  discovered_version: '1',
  acknowledged_by: null,
});

test('only one alert of a page changes its status', () => {
  const page = { items: [alert(1, 'unacknowledged'), alert(2, 'unacknowledged')], total: 2 };
  const after = withStatus(page, 2, 'acknowledged') as typeof page;
  expect(after.items.map(({ status }) => status)).toEqual(['unacknowledged', 'acknowledged']);
  expect(after.total).toBe(2);
});

test('the status of a single alert changes unless it is another alert or a resolved one', () => {
  expect(withStatus(alert(1, 'acknowledged'), 1, 'unacknowledged')).toMatchObject({
    status: 'unacknowledged',
  });
  expect(withStatus(alert(1, 'resolved'), 1, 'acknowledged')).toEqual(alert(1, 'resolved'));
  expect(withStatus(alert(1, 'unacknowledged'), 2, 'acknowledged')).toEqual(alert(1, 'unacknowledged'));
  expect(withStatus(undefined, 1, 'acknowledged')).toBeUndefined();
});
