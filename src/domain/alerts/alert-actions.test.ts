import { describe, expect, it } from 'vitest';
import { DecisionStory } from '../../../tests/helpers/decision-story.ts';
import type { Actor } from '../audit/actor.ts';
import { utcTime } from '../rules/release-set-fixture.ts';
import {
  acknowledgeAlert,
  resolutionOnDeletion,
  resolveAlertManually,
  type SnoozeRequest,
  snoozeAlert,
  unacknowledgeAlert,
  unsnoozeAlert,
} from './alert-actions.ts';
import { alertStatus } from './open-alert.ts';

const ada: Actor = { type: 'user', id: 7, name: 'Ada' };
const byTime: SnoozeRequest = { untilMs: utcTime('2026-03-20'), isUntilVersionChanges: false };

describe('acknowledging', () => {
  it('records who acknowledged the alert, once', () => {
    const story = opened();
    expect(acknowledge(story)).toEqual(['acknowledged>alert.acknowledged']);
    expect(story.alert).toMatchObject({ acknowledgedAtMs: story.nowMs, acknowledgedBy: ada });
    expect(statusOf(story)).toBe('acknowledged');
    expect(acknowledge(story)).toEqual([]);
  });

  it('can be undone once, with an event', () => {
    const story = opened();
    expect(unacknowledge(story)).toEqual([]);
    acknowledge(story);
    expect(unacknowledge(story)).toEqual(['unacknowledged>alert.unacknowledged']);
    expect(statusOf(story)).toBe('unacknowledged');
  });

  it('sends no notification while the alert is snoozed', () => {
    const story = opened();
    snooze(story, byTime);
    expect(acknowledge(story)).toEqual(['acknowledged>alert.acknowledged!']);
    expect(unacknowledge(story)).toEqual(['unacknowledged>alert.unacknowledged!']);
    story.nowMs = utcTime('2026-03-20');
    expect(acknowledge(story)).toEqual(['acknowledged>alert.acknowledged']);
  });

  it('is rejected for a resolved alert, and so is removing the acknowledgment', () => {
    const story = opened();
    resolve(story);
    expect(acknowledge(story)).toEqual(['refused: alert_resolved']);
    expect(unacknowledge(story)).toEqual(['refused: alert_resolved']);
  });

  it('causes no change in the next evaluation', () => {
    const story = opened();
    acknowledge(story);
    expect(story.decide().isUnchanged).toBe(true);
  });
});

describe('resolving manually', () => {
  it('sets the muted version and severity', () => {
    const story = opened();
    expect(resolve(story)).toEqual(['resolved>alert.resolved']);
    expect(story.resolved[0]).toMatchObject({
      resolution: 'manual',
      resolvedAtMs: story.nowMs,
      resolvedBy: ada,
    });
    expect(story.config).toMatchObject({
      state: 'alerting',
      stateReason: 'resolved_by_hand',
      mutedVersion: '1.0.0',
      mutedSeverity: 'moderate',
    });
  });

  it('sends a notification even if the alert is snoozed', () => {
    const story = opened();
    snooze(story, byTime);
    expect(resolve(story)).toEqual(['resolved>alert.resolved']);
  });

  it('changes nothing the second time', () => {
    const story = opened();
    resolve(story);
    story.nowMs += 1000;
    expect(resolve(story)).toEqual([]);
    expect(story.resolved).toHaveLength(1);
  });

  it('keeps the state and reason of a configuration without data', () => {
    const story = opened();
    story.deployed = null;
    story.evaluate();
    resolve(story);
    expect(story.config).toMatchObject({
      state: 'no_data',
      stateReason: 'no_version',
      mutedVersion: '1.0.0',
    });
  });
});

describe('snoozing', () => {
  it('requires an end time in the future', () => {
    const story = opened();
    expect(snooze(story, { untilMs: null, isUntilVersionChanges: false })).toEqual([
      'refused: snooze_without_end',
    ]);
    expect(snooze(story, { untilMs: story.nowMs, isUntilVersionChanges: true })).toEqual([
      'refused: snooze_in_the_past',
    ]);
  });

  it('replaces an earlier snooze, and changes nothing if the snooze is the same', () => {
    const story = opened();
    expect(snooze(story, byTime)).toEqual(['snoozed']);
    expect(snooze(story, byTime)).toEqual([]);
    expect(snooze(story, { untilMs: null, isUntilVersionChanges: true })).toEqual(['snoozed']);
    expect(story.alert).toMatchObject({ snoozedUntilMs: null, isSnoozedUntilVersionChanges: true });
  });

  it('records the end of the snooze in the audit trail', () => {
    const story = opened();
    const { alert } = story;
    if (alert === null) throw new Error('no alert');
    const request = { ...byTime, isUntilVersionChanges: true };
    const result = snoozeAlert(alert, story.config, request, ada, story.nowMs);
    expect(result).toMatchObject({
      outcome: 'changed',
      alert: { changes: [{ from: null, to: '2026-03-20T00:00:00.000Z or version_change', actor: ada }] },
    });
  });

  it('can be undone once', () => {
    const story = opened();
    expect(unsnooze(story)).toEqual([]);
    snooze(story, byTime);
    expect(unsnooze(story)).toEqual(['unsnoozed']);
    expect(story.config.stateReason).toBeNull();
    expect(unsnooze(story)).toEqual([]);
  });

  it('is rejected for a resolved alert, and so is ending the snooze', () => {
    const story = opened();
    resolve(story);
    expect(snooze(story, byTime)).toEqual(['refused: alert_resolved']);
    expect(unsnooze(story)).toEqual(['refused: alert_resolved']);
  });
});

describe('deleting an alert', () => {
  it('announces the resolution if channels were notified, even if the alert is snoozed', () => {
    const story = opened();
    snooze(story, byTime);
    const { alert } = story;
    if (alert === null) throw new Error('no alert');
    expect(resolutionOnDeletion(alert, true, ada, story.nowMs)).toMatchObject({
      eventType: 'alert.resolved',
      isSnoozed: false,
      actor: ada,
    });
    expect(resolutionOnDeletion(alert, false, ada, story.nowMs)).toBeNull();
  });

  it('announces nothing if the alert is already resolved', () => {
    const story = opened();
    resolve(story);
    const [resolved] = story.resolved;
    if (resolved === undefined) throw new Error('no alert');
    expect(resolutionOnDeletion(resolved, true, ada, story.nowMs)).toBeNull();
  });
});

function opened(): DecisionStory {
  const story = new DecisionStory();
  story.evaluate();
  return story;
}

function acknowledge(story: DecisionStory) {
  return story.act((alert) => acknowledgeAlert(alert, ada, story.nowMs));
}

function unacknowledge(story: DecisionStory) {
  return story.act((alert) => unacknowledgeAlert(alert, ada, story.nowMs));
}

function resolve(story: DecisionStory) {
  return story.act((alert) => resolveAlertManually(alert, story.config, ada, story.nowMs));
}

function snooze(story: DecisionStory, request: SnoozeRequest) {
  return story.act((alert) => snoozeAlert(alert, story.config, request, ada, story.nowMs));
}

function unsnooze(story: DecisionStory) {
  return story.act((alert) => unsnoozeAlert(alert, story.config, ada, story.nowMs));
}

function statusOf(story: DecisionStory) {
  return story.alert === null ? null : alertStatus(story.alert);
}
