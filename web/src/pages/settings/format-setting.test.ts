import { expect, test } from 'vitest';
import { settingDefinitions } from '../../../../src/modules/settings/setting-keys.ts';
import {
  formatDuration,
  formatSetting,
  searchSettings,
  settingGroups,
  settingTitle,
} from './format-setting.ts';

test.each([
  ['delivery.timeout_seconds', 15, '15 seconds'],
  ['task.max_attempts', 3, '3'],
  ['retention.runs_days', 1, '1 day'],
  ['gather.max_releases', 1000, '1,000'],
  ['notification.reminder_interval_hours', null, 'never'],
  ['default_notification_channel_id', null, 'none'],
  ['agents.use_embedded', false, 'disabled'],
  ['some.new_switch', true, 'on'],
  ['delivery.retry_schedule_seconds', [10, 60, 14_400], '10 s, 1 min, 4 h'],
  ['metrics.labels', ['team', 'tier'], 'team, tier'],
  ['metrics.labels', [], 'none'],
  ['badges.enabled', true, 'visible to anyone with the URL'],
])('%s of %j is formatted as "%s"', (key, value, words) => {
  expect(formatSetting(key, value)).toBe(words);
});

test('a duration is formatted without rounding', () => {
  expect([0, 59, 90, 3_600, 5_400].map(formatDuration)).toEqual(['0 s', '59 s', '90 s', '1 h', '90 min']);
});

test('every setting has a title', () => {
  expect(Object.keys(settingDefinitions).filter((key) => settingTitle(key) === key)).toEqual([]);
});

test('no setting belongs to two groups', () => {
  const all = settingGroups.flatMap(({ keys }) => keys);
  expect(new Set(all).size).toBe(all.length);
});

test('settings are found by all words of their group, title, key, and description, in any order', () => {
  const settings = [
    { key: 'retention.runs_days', description: 'How long runs are kept.' },
    { key: 'limits.hooks', description: 'Maximum number of hooks.' },
    { key: 'delivery.timeout_seconds', description: 'Time for a response.' },
  ];
  const found = (text: string) => searchSettings(settings, text).map(({ key }) => key);
  expect(found('')).toEqual(settings.map(({ key }) => key));
  expect(found('kept RUNS')).toEqual(['retention.runs_days']);
  expect(found('webhook')).toEqual(['delivery.timeout_seconds']);
  expect(found('limits')).toEqual(['limits.hooks']);
  expect(found('hooks retention')).toEqual([]);
});
