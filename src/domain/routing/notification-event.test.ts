import { expect, test } from 'vitest';
import {
  categoryEvents,
  eventCategory,
  eventTypeNames,
  isSentWhileSnoozed,
  templateCategories,
} from './notification-event.ts';

test('a snoozed alert sends only its escalation and its resolution', () => {
  const alertEvents = eventTypeNames.filter((name) => name.startsWith('alert.'));
  expect(alertEvents.filter(isSentWhileSnoozed)).toEqual(['alert.escalated', 'alert.resolved']);
});

test('every alert event belongs to exactly one template category', () => {
  const listed = templateCategories.flatMap((category) =>
    categoryEvents[category].map((name) => [name, category]),
  );
  const alertEvents = eventTypeNames.filter((name) => name.startsWith('alert.'));
  expect(new Set(listed.map(([name]) => name))).toEqual(new Set(alertEvents));
  expect(listed).toHaveLength(alertEvents.length);
  for (const category of templateCategories) {
    for (const name of categoryEvents[category]) expect(eventCategory(name)).toBe(category);
  }
});
