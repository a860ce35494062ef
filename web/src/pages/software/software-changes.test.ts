import { expect, it } from 'vitest';
import { describeChange, type Outcome } from './software-changes.ts';

it('a preview lists related changes and why some items won’t change', () => {
  const nothing: Outcome = {
    changed: [],
    unchanged: [],
    rejected: [],
    not_found: [],
    overridden: [],
    undo: [],
    alert_config_count: 0,
    open_alert_count: 0,
  };
  expect(describeChange('label', nothing)).toBe('Nothing will change.');
  expect(
    describeChange('delete', {
      ...nothing,
      changed: [1, 2],
      not_found: [5],
      alert_config_count: 3,
      open_alert_count: 1,
      rejected: [
        {
          id: 3,
          message: 'Gather jobs use its versions. Delete them first.',
        },
      ],
    }),
  ).toBe(
    "2 items will be deleted (3 monitors, 1 open alert). 1 item can't be changed: Gather jobs use its versions. Delete them first. 1 item no longer exists.",
  );
  expect(describeChange('label', { ...nothing, changed: [1, 2], overridden: [2] })).toBe(
    '2 items will be labeled. 1 item has a monitor with its own label value, which takes precedence. To change it, edit the monitor.',
  );
  expect(describeChange('enable', { ...nothing, unchanged: [1] })).toBe(
    'Nothing will change. 1 item is already enabled, or without a monitor.',
  );
});
