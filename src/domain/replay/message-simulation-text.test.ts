import { expect, it } from 'vitest';
import { describeMessageCounts, describeMessages } from './message-simulation-text.ts';

const operations = { channel_id: 2, name: 'Operations', count: 30 };
const pager = { channel_id: 3, name: 'Pager', count: 1_200 };
const figures = { events: 60, matched: null, messages: [operations], compared_with: null, is_complete: true };

it('the text states the number of simulated messages and the number before the change', () => {
  expect(describeMessages(figures, 180, 'monitors')).toBe(
    'In the last 180 days, 30 messages would have been sent.',
  );
  const compared = { ...figures, matched: 12, compared_with: { messages: [operations, pager] } };
  expect(describeMessages(compared, 1, 'monitors')).toBe(
    'In the last day, 30 messages would have been sent (before the change: 1,230). This rule would have matched 12 of 60 events.',
  );
  expect(describeMessageCounts(compared)).toEqual([
    'Operations: 30 (before: 30)',
    'Pager: 0 (before: 1,200)',
  ]);
  const incomplete = { ...figures, messages: [], is_complete: false };
  for (const configs of ['monitors', 'alert configurations'] as const)
    expect(describeMessages(incomplete, 90, configs)).toBe(
      `In the last 90 days, no messages would have been sent. There are too many ${configs} to simulate all of them.`,
    );
});
