import fc from 'fast-check';
import { expect, it } from 'vitest';
import { DecisionStory } from '../../../tests/helpers/decision-story.ts';
import type { Actor } from '../audit/actor.ts';
import { releaseSet, utcTime } from '../rules/release-set-fixture.ts';
import { ruleTypeIds } from '../rules/rule-types.ts';
import { dayMs } from '../rules/stored-lag.ts';
import {
  acknowledgeAlert,
  resolveAlertManually,
  snoozeAlert,
  unacknowledgeAlert,
  unsnoozeAlert,
} from './alert-actions.ts';
import type { AlertState, AlertWrite } from './open-alert.ts';

const ada: Actor = { type: 'user', id: 7, name: 'Ada' };
const lines = [
  '1.0.0 2026-01-01',
  '1.1.0 seen:2026-02-01',
  '2.0.0 2026-03-01',
  '3.0.0-rc.1 2026-03-02',
  '3.0.0 2026-03-10',
  'edge 2026-03-05',
  '5.0.0 2026-03-20',
];

type Step = (story: DecisionStory) => void;

const changeOfTheWorld: fc.Arbitrary<Step> = fc.oneof(
  fc.option(fc.constantFrom('1.0.0', 'v1.0.0', '1.0.5', '1.1.0', '0.1', '2.0.0', '9.0', 'edge', 'main')).map(
    (deployed): Step =>
      (story) => {
        story.deployed = deployed;
      },
  ),
  fc.subarray(lines).map(
    (some): Step =>
      (story) => {
        story.releases = releaseSet(some);
      },
  ),
  fc
    .record({
      type: fc.constantFrom(...ruleTypeIds),
      moderate: fc.integer({ min: 1, max: 3 }),
    })
    .map(
      ({ type, moderate }): Step =>
        (story) => {
          const isOther = type !== story.rule.type;
          story.rule = {
            ...story.rule,
            type,
            thresholds: { moderate, high: moderate + 2, critical: moderate + 20 },
          };
          story.config = { ...story.config, isReconfigured: story.config.isReconfigured || isOther };
        },
    ),
  fc.constantFrom(0, 5).map(
    (minReleaseAgeDays): Step =>
      (story) => {
        story.rule = { ...story.rule, minReleaseAgeDays };
      },
  ),
  fc.boolean().map(
    (isActive): Step =>
      (story) => {
        story.isActive = isActive;
      },
  ),
  fc.boolean().map(
    (isStale): Step =>
      (story) => {
        story.staleSinceMs = isStale ? story.nowMs : null;
      },
  ),
  fc.integer({ min: 1, max: 30 * 24 }).map(
    (hours): Step =>
      (story) => {
        story.nowMs += (hours * dayMs) / 24;
      },
  ),
);

const action: fc.Arbitrary<Step> = fc
  .oneof(
    fc.constantFrom(acknowledgeAlert, unacknowledgeAlert).map(
      (act): Step =>
        (story) => {
          story.act((alert) => act(alert, ada, story.nowMs));
        },
    ),
    fc.constant<Step>((story) => {
      story.act((alert) => resolveAlertManually(alert, story.config, ada, story.nowMs));
    }),
    fc.record({ days: fc.option(fc.integer({ min: 1, max: 10 })), isUntilVersionChanges: fc.boolean() }).map(
      ({ days, isUntilVersionChanges }): Step =>
        (story) => {
          const untilMs = days === null ? null : story.nowMs + days * dayMs;
          story.act((alert) =>
            snoozeAlert(alert, story.config, { untilMs, isUntilVersionChanges }, ada, story.nowMs),
          );
        },
    ),
    fc.constant<Step>((story) => {
      story.act((alert) => unsnoozeAlert(alert, story.config, ada, story.nowMs));
    }),
  )
  .map(
    (act): Step =>
      (story) => {
        if (story.alert !== null) act(story);
      },
  );

const cut: fc.Arbitrary<Step> = fc.option(fc.integer({ min: -2, max: 10 })).map(
  (days): Step =>
    (story) => {
      story.unconfirmedUntilMs = days === null ? null : story.nowMs + days * dayMs;
    },
);

const moves = [
  { weight: 3, arbitrary: changeOfTheWorld },
  { weight: 2, arbitrary: action },
];
const steps = fc.array(fc.oneof(...moves), { maxLength: 25 });
const stepsWithCuts = fc.array(fc.oneof(...moves, { weight: 1, arbitrary: cut }), { maxLength: 25 });
const runs = { numRuns: 1000 };

it('a second decision changes nothing, regardless of the history', () => {
  live((story) => {
    story.evaluate();
    expect(story.decide()).toMatchObject({
      isUnchanged: true,
      openAlert: null,
      newAlert: null,
      explanation: null,
    });
  }, stepsWithCuts);
});

it('the next evaluation is due exactly when time alone changes the decision', () => {
  live((story) => {
    story.evaluate();
    const nextMs = story.decide().nextEvaluationAtMs;
    const nowMs = story.nowMs;
    story.nowMs = nextMs === null ? nowMs + 10_000 * dayMs : nextMs - 1;
    expect(story.decide().isUnchanged).toBe(true);
    if (nextMs !== null) {
      story.nowMs = nextMs;
      expect(story.decide().isUnchanged).toBe(false);
    }
    story.nowMs = nowMs;
  });
});

it('an alert is open if and only if a violation was found and not resolved manually', () => {
  live((story) => {
    story.evaluate();
    const { state, stateReason, severity } = story.config;
    if (state === 'inactive' || state === 'ok') expect(story.alert).toBeNull();
    if (state === 'alerting') {
      expect(story.alert === null).toBe(stateReason === 'resolved_by_hand');
      expect(severity).not.toBeNull();
    }
    if (story.alert !== null) expect(story.config).toMatchObject({ mutedVersion: null, mutedSeverity: null });
  }, stepsWithCuts);
});

it('a decision emits at most one event per alert, and none without an audit entry', () => {
  live((story) => {
    const { openAlert, newAlert } = story.decide();
    if (openAlert !== null) checkEvents(openAlert, story.alert);
    if (newAlert !== null) checkEvents(newAlert, null);
    story.evaluate();
  });

  function checkEvents({ after, changes }: AlertWrite, before: AlertState | null) {
    expect(changes.filter(({ eventType }) => eventType !== null).length).toBeLessThanOrEqual(1);
    const events = changes.map(({ eventType }) => eventType);
    expect(events.includes('alert.resolved')).toBe(after.resolvedAtMs !== null);
    if (before === null || after.resolvedAtMs !== null) return;
    const isAcknowledgmentLost = before.acknowledgedAtMs !== null && after.acknowledgedAtMs === null;
    const isTold = events.includes('alert.unacknowledged') || events.includes('alert.escalated');
    if (isAcknowledgmentLost) expect(isTold).toBe(true);
  }
});

/** Runs random histories of one configuration. Calls `onStep` at the start and after each step. */
function live(onStep: (story: DecisionStory) => void, histories = steps) {
  let alerts = 0;
  fc.assert(
    fc.property(histories, (taken) => {
      const story = new DecisionStory();
      story.nowMs = utcTime('2026-03-03');
      onStep(story);
      for (const step of taken) {
        step(story);
        onStep(story);
        if (story.alert !== null) alerts++;
      }
    }),
    runs,
  );
  expect(alerts).toBeGreaterThan(runs.numRuns);
}
