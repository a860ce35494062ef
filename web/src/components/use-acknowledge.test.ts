import { expect, test } from 'vitest';
import { withStatus } from './use-acknowledge.ts';

const alert = (id: number, status: string) => ({
  id,
  status,
  discovered_version: '1',
  acknowledged_by: null,
});

test('in a page of alerts, only the alert with the given ID changes its status', () => {
  const page = { items: [alert(1, 'unacknowledged'), alert(2, 'unacknowledged')], total: 2 };
  const after = withStatus(page, 2, 'acknowledged') as typeof page;
  expect(after.items.map(({ status }) => status)).toEqual(['unacknowledged', 'acknowledged']);
  expect(after.total).toBe(2);
});

test('a single alert changes its status only if it has the given ID and is not resolved', () => {
  expect(withStatus(alert(1, 'acknowledged'), 1, 'unacknowledged')).toMatchObject({
    status: 'unacknowledged',
  });
  expect(withStatus(alert(1, 'resolved'), 1, 'acknowledged')).toEqual(alert(1, 'resolved'));
  expect(withStatus(alert(1, 'unacknowledged'), 2, 'acknowledged')).toEqual(alert(1, 'unacknowledged'));
  expect(withStatus(undefined, 1, 'acknowledged')).toBeUndefined();
});
