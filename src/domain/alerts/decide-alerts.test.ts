import { describe, expect, it } from 'vitest';
import { DecisionStory } from '../../../tests/helpers/decision-story.ts';
import type { Actor } from '../audit/actor.ts';
import { prepareReleases, type ReleaseSet } from '../rules/release-set.ts';
import { releaseSet, toRow, utcTime } from '../rules/release-set-fixture.ts';
import type { AdvisorySeverity } from '../vulnerabilities/advisory.ts';
import { KnownVulnerabilities } from '../vulnerabilities/find-vulnerabilities.ts';
import { acknowledgeAlert, resolveAlertManually, snoozeAlert, unsnoozeAlert } from './alert-actions.ts';

const ada: Actor = { type: 'user', id: 7, name: 'Ada' };

describe('a violation', () => {
  it('creates one alert, and deciding again creates no second alert', () => {
    const story = new DecisionStory();
    expect(story.evaluate()).toEqual(['created>alert.created']);
    expect(story.config).toMatchObject({
      state: 'alerting',
      stateReason: null,
      severity: 'moderate',
      deployedVersion: '1.0.0',
      latestVersion: '2.0.0',
      latestStableVersion: '2.0.0',
      behindBy: 1,
      behindSinceMs: null,
    });
    expect(story.alert).toMatchObject({
      discoveredVersion: '1.0.0',
      latestVersion: '2.0.0',
      reason: 'behind',
    });
    expect(story.decide()).toMatchObject({ isUnchanged: true, openAlert: null, newAlert: null });
  });

  it('stores the time its threshold was crossed in the alert and the configuration', () => {
    const story = new DecisionStory();
    story.releases = releaseSet(['1.0.0 2026-01-01', '2.0.0 2026-02-01', '3.0.0 2026-03-01']);
    story.deployed = '2.0.0';
    story.evaluate();
    for (const kept of [story.config, story.alert]) expect(kept?.crossedAtMs).toBe(utcTime('2026-03-01'));
    story.deployed = '1.0.0';
    expect(story.evaluate()).toEqual(['updated', 'escalated>alert.escalated']);
    for (const kept of [story.config, story.alert]) {
      expect(kept).toMatchObject({ severity: 'high', crossedAtMs: utcTime('2026-03-01') });
    }
    story.releases = releaseSet(['1.0.0 2026-01-01', '2.0.0 2026-02-01', '3.0.0 2026-02-20']);
    expect(story.evaluate()).toEqual([]);
    for (const kept of [story.config, story.alert]) expect(kept?.crossedAtMs).toBe(utcTime('2026-02-20'));
    story.isActive = false;
    story.evaluate();
    expect(story.config.crossedAtMs).toBeNull();
  });

  it('without a lag uses the time when it was found as its crossing time until its severity changes', () => {
    const story = new DecisionStory();
    story.deployed = 'main';
    story.evaluate();
    const foundAtMs = story.nowMs;
    story.nowMs = utcTime('2026-03-20');
    expect(story.decide()).toMatchObject({ isUnchanged: true });
    expect(story.alert?.crossedAtMs).toBe(foundAtMs);
    story.rule = { ...story.rule, thresholds: { moderate: 1, high: 2 } };
    story.evaluate();
    for (const kept of [story.config, story.alert]) {
      expect(kept).toMatchObject({ severity: 'high', crossedAtMs: utcTime('2026-03-20') });
    }
  });

  it('records why its alert resolves and reopens when its rule is disabled and enabled', () => {
    const story = opened();
    story.isActive = false;
    expect(story.decide().openAlert?.changes).toMatchObject([{ action: 'resolved', detail: 'disabled' }]);
    story.evaluate();
    story.isActive = true;
    expect(story.decide().newAlert?.changes).toMatchObject([
      { action: 'created', detail: '1.0.0 → 2.0.0; its rule or alert configuration was enabled' },
    ]);
  });

  it('creates no alert below the lowest threshold', () => {
    const story = new DecisionStory();
    story.rule = { ...story.rule, thresholds: { high: 2 } };
    expect(story.evaluate()).toEqual([]);
    expect(story.config).toMatchObject({ state: 'ok', severity: null, behindBy: 1 });
  });

  it('resolves its alert as caught_up, with the system as the actor, when it ends', () => {
    const story = opened();
    story.deployed = '2.0.0';
    expect(story.evaluate()).toEqual(['resolved>alert.resolved']);
    expect(story.resolved[0]).toMatchObject({
      resolution: 'caught_up',
      resolvedAtMs: story.nowMs,
      resolvedBy: { type: 'system' },
    });
    expect(story.config).toMatchObject({ state: 'ok', severity: null });
  });

  it('creates another alert when it recurs', () => {
    const story = opened();
    story.deployed = '2.0.0';
    story.evaluate();
    story.deployed = '1.0.0';
    expect(story.evaluate()).toEqual(['created>alert.created']);
  });

  it('stores its reason if the version cannot be parsed', () => {
    const story = new DecisionStory();
    story.deployed = 'main';
    expect(story.evaluate()).toEqual(['created>alert.created']);
    expect(story.config).toMatchObject({
      stateReason: 'version_unparseable',
      severity: 'critical',
      behindBy: null,
    });
    expect(story.alert).toMatchObject({ reason: 'version_unparseable', behindBy: null });
  });
});

describe('an open alert', () => {
  it('escalates with a single event at a higher severity, and loses its acknowledgment and snooze', () => {
    const story = opened();
    story.act((alert) => acknowledgeAlert(alert, ada, story.nowMs));
    story.act((alert) =>
      snoozeAlert(
        alert,
        story.config,
        { untilMs: utcTime('2027-01-01'), isUntilVersionChanges: true },
        ada,
        story.nowMs,
      ),
    );
    story.releases = upTo(3);
    expect(story.evaluate()).toEqual(['updated', 'escalated>alert.escalated']);
    expect(story.alert).toMatchObject({
      severity: 'high',
      acknowledgedAtMs: null,
      acknowledgedBy: null,
      snoozedUntilMs: null,
      isSnoozedUntilVersionChanges: false,
      escalatedAtMs: story.nowMs,
    });
    expect(story.config.stateReason).toBeNull();
  });

  it('escalates when enough days pass, without an update', () => {
    const story = new DecisionStory();
    story.rule = { ...story.rule, type: 'days_behind', thresholds: { moderate: 30, high: 60 } };
    story.nowMs = utcTime('2026-02-10');
    expect(story.evaluate()).toEqual(['created>alert.created']);
    story.nowMs = utcTime('2026-03-02') - 1;
    expect(story.decide().isUnchanged).toBe(true);
    story.nowMs = story.decide().nextEvaluationAtMs ?? 0;
    expect(story.nowMs).toBe(utcTime('2026-03-02'));
    expect(story.evaluate()).toEqual(['escalated>alert.escalated']);
  });

  it('changes to a lower severity without a notification', () => {
    const story = opened(3);
    story.act((alert) => acknowledgeAlert(alert, ada, story.nowMs));
    story.rule = { ...story.rule, thresholds: { moderate: 1, high: 3 } };
    expect(story.evaluate()).toEqual(['deescalated']);
    expect(story.alert).toMatchObject({ severity: 'moderate', acknowledgedBy: ada });
  });

  it('escalates when the thresholds change', () => {
    const story = opened();
    story.rule = { ...story.rule, thresholds: { critical: 1 } };
    expect(story.evaluate()).toEqual(['escalated>alert.escalated']);
  });

  it('is updated when the deployed version, the latest version, the reason, or the estimate changes', () => {
    const story = opened();
    story.deployed = '1.5.0';
    expect(story.evaluate()).toEqual(['updated']);
    expect(story.alert?.discoveredVersion).toBe('1.5.0');
    story.releases = releaseSet(['1.0.0 2026-01-01', '2.0.0 2026-02-01', '2.1.0 2026-02-02']);
    expect(story.evaluate()).toEqual(['updated']);
    expect(story.alert?.latestVersion).toBe('2.1.0');

    const days = new DecisionStory();
    days.rule = { ...days.rule, type: 'days_behind', thresholds: { moderate: 1 } };
    days.evaluate();
    days.releases = releaseSet(['1.0.0 seen:2026-01-01', '2.0.0 2026-02-01']);
    expect(days.evaluate()).toEqual(['updated']);
    expect(days.alert?.isEstimate).toBe(true);
    days.releases = releaseSet(['2.0.0 2026-02-01']);
    expect(days.evaluate()).toEqual(['updated']);
    expect(days.alert).toMatchObject({ reason: 'version_not_found', isEstimate: false, behindSinceMs: null });
    expect(days.config.stateReason).toBe('version_not_found');
  });

  it('records the updated fields in the audit trail', () => {
    const story = opened();
    story.deployed = '1.5.0';
    story.releases = releaseSet(['1.0.0 2026-01-01', '2.1.0 2026-02-02']);
    expect(story.decide().openAlert?.changes).toEqual([
      {
        action: 'updated',
        eventType: null,
        isSnoozed: false,
        actor: { type: 'system', id: null, name: 'Pacekeeper' },
        from: '1.0.0',
        to: '1.5.0',
        detail: 'discovered_version: 1.0.0 → 1.5.0; latest_version: 2.0.0 → 2.1.0',
        cause: null,
      },
    ]);
  });

  it('does not change when days pass', () => {
    const story = new DecisionStory();
    story.rule = { ...story.rule, type: 'days_behind', thresholds: { critical: 1 } };
    story.evaluate();
    story.nowMs = utcTime('2027-03-15');
    expect(story.decide()).toMatchObject({ isUnchanged: true, nextEvaluationAtMs: null });
    expect(story.alert).toMatchObject({ behindBy: null, behindSinceMs: utcTime('2026-01-01') });
  });

  it('refreshes its lag without an audit entry if neither version changed', () => {
    const story = new DecisionStory();
    story.rule = { ...story.rule, type: 'minors_behind', thresholds: { moderate: 1 } };
    story.evaluate();
    story.releases = releaseSet(['1.0.0 2026-01-01', '1.1.0 2026-01-01', '2.0.0 2026-02-01']);
    expect(story.evaluate()).toEqual([]);
    expect(story.alert?.behindBy).toBe(2);
  });

  it('stays unchanged if the releases or the deployed version disappear', () => {
    for (const lose of [
      (story: DecisionStory) => {
        story.releases = releaseSet([]);
      },
      (story: DecisionStory) => {
        story.deployed = null;
      },
    ]) {
      const story = opened();
      const before = story.alert;
      lose(story);
      expect(story.evaluate()).toEqual([]);
      expect(story.config).toMatchObject({ state: 'no_data', severity: null });
      expect(story.alert).toEqual(before);
    }
  });

  it('stays open while a source of its configuration is stale, and resolves if the deployed version catches up', () => {
    const story = opened();
    story.staleSinceMs = utcTime('2026-03-10');
    expect(story.evaluate()).toEqual([]);
    expect(story.config).toMatchObject({
      state: 'stale',
      stateReason: 'source_failing',
      severity: 'moderate',
    });
    expect(story.decide().isUnchanged).toBe(true);
    story.deployed = '2.0.0';
    expect(story.evaluate()).toEqual(['resolved>alert.resolved']);
    expect(story.config.state).toBe('stale');
    story.staleSinceMs = null;
    story.evaluate();
    expect(story.config.state).toBe('ok');
  });
});

describe('a list whose newest releases might be missing', () => {
  const behind = releaseSet(['1.0.0 2026-01-01', '2.0.0 2026-02-01']);
  const caughtUp = releaseSet(['1.0.0 2026-01-01']);

  function cut(story: DecisionStory, until = '2026-03-17'): void {
    story.releases = caughtUp;
    story.unconfirmedUntilMs = utcTime(until);
  }

  it('never confirms the state ok for the first time', () => {
    const story = new DecisionStory();
    cut(story);
    for (const now of ['2026-03-15', '2026-03-16', '2026-04-01']) {
      story.nowMs = utcTime(now);
      expect(story.evaluate()).toEqual([]);
      expect(story.config).toMatchObject({ state: 'no_data', stateReason: 'list_incomplete' });
      expect(story.decide().isUnchanged).toBe(true);
    }
    story.unconfirmedUntilMs = null;
    story.evaluate();
    expect(story.config).toMatchObject({ state: 'ok', stateReason: null });
  });

  it('keeps a confirmed ok for the usual time, after which it is stale until a complete list confirms it', () => {
    const story = new DecisionStory();
    story.releases = caughtUp;
    story.evaluate();
    cut(story);
    story.evaluate();
    expect(story.config.state).toBe('ok');
    expect(story.decide().nextEvaluationAtMs).toBe(utcTime('2026-03-17'));
    story.nowMs = utcTime('2026-03-17');
    story.evaluate();
    expect(story.config).toMatchObject({ state: 'stale', stateReason: 'list_incomplete' });
    expect(story.decide()).toMatchObject({ isUnchanged: true, nextEvaluationAtMs: null });
    story.unconfirmedUntilMs = null;
    story.evaluate();
    expect(story.config.state).toBe('ok');
  });

  it('does not extend a confirmed ok to a lower deployed version', () => {
    const story = new DecisionStory();
    story.releases = caughtUp;
    story.evaluate();
    cut(story);
    story.deployed = '1.1.0';
    story.evaluate();
    expect(story.config.state).toBe('ok');
    story.deployed = '0.9.0';
    story.releases = releaseSet(['0.9.0 2026-01-01']);
    story.evaluate();
    expect(story.config).toMatchObject({ state: 'no_data', stateReason: 'list_incomplete' });
  });

  it('can prove a violation, so a higher release in the list opens an alert', () => {
    const story = new DecisionStory();
    cut(story);
    story.evaluate();
    story.releases = behind;
    expect(story.evaluate()).toEqual(['created>alert.created']);
    expect(story.config).toMatchObject({ state: 'alerting', latestVersion: '2.0.0' });
  });

  it('keeps an open alert open, even if no listed release is newer', () => {
    const story = opened();
    cut(story);
    expect(story.evaluate()).toEqual([]);
    expect(story.config).toMatchObject({ state: 'alerting', severity: 'moderate' });
    story.nowMs = utcTime('2026-03-17');
    expect(story.evaluate()).toEqual([]);
    expect(story.config).toMatchObject({ state: 'stale', stateReason: 'list_incomplete' });
    expect(story.alert).not.toBeNull();
    story.unconfirmedUntilMs = null;
    expect(story.evaluate()).toEqual(['resolved>alert.resolved']);
    expect(story.config.state).toBe('ok');
  });

  it.each(['ahead_of_upstream', 'numbering_ended', 'variant_ended'] as const)(
    'shows the warning %s with a kept ok, and removes the warning when its cause is gone',
    (reason) => {
      const minors = Array.from({ length: 20 }, (_, minor) => {
        const day = String(minor + 1).padStart(2, '0');
        return `1.${minor}.0 2024-01-${day}`;
      });
      const [deployed, releases] = {
        ahead_of_upstream: ['9.0.0', ['1.0.0 2026-01-01']],
        numbering_ended: ['9.0.0', ['9.0.0 2023-01-01', ...minors]],
        variant_ended: [
          '5.0-stretch',
          ['5.0-stretch 2022-01-01', '5.0-bookworm 2022-01-02', '6.0-bookworm 2024-01-01'],
        ],
      }[reason] as [string, string[]];
      const story = new DecisionStory();
      story.rule = { ...story.rule, thresholds: { critical: 50 } };
      story.releases = caughtUp;
      story.evaluate();
      cut(story);
      story.releases = releaseSet(releases);
      story.deployed = deployed;
      story.evaluate();
      expect(story.config).toMatchObject({ state: 'ok', stateReason: reason });
      story.releases = releaseSet(['9.0.0 2026-01-01']);
      story.deployed = '9.0.0';
      story.evaluate();
      expect(story.config).toMatchObject({ state: 'ok', stateReason: null });
    },
  );

  it('does not delay the end of a snooze', () => {
    const story = opened();
    const snooze = { untilMs: utcTime('2026-03-16'), isUntilVersionChanges: false };
    story.act((alert) => snoozeAlert(alert, story.config, snooze, ada, story.nowMs));
    cut(story, '2026-03-20');
    story.evaluate();
    expect(story.config).toMatchObject({ state: 'alerting', stateReason: 'snoozed' });
    story.nowMs = utcTime('2026-03-16');
    expect(story.evaluate()).toEqual(['unsnoozed']);
    expect(story.config).toMatchObject({ state: 'alerting', stateReason: null });
  });

  it.each([
    [caughtUp, 'ok'],
    [behind, 'alerting'],
    [releaseSet([]), 'no_data'],
  ] as const)('keeps the confirmed state during a failure of the source (%#)', (releases, state) => {
    const story = new DecisionStory();
    story.releases = releases;
    story.evaluate();
    expect(story.config.state).toBe(state);
    story.staleSinceMs = story.nowMs;
    story.evaluate();
    cut(story);
    story.evaluate();
    expect(story.config).toMatchObject({ state: 'stale', stateReason: 'source_failing' });
    expect(story.decide().isUnchanged).toBe(true);
    story.staleSinceMs = null;
    story.evaluate();
    expect(story.config.state).toBe(state);
    story.nowMs = utcTime('2026-03-17');
    story.evaluate();
    expect(story.config.state).toBe(state === 'no_data' ? 'no_data' : 'stale');
  });

  it('clears the severity and the lag when the deployed version decreases', () => {
    const story = opened();
    cut(story);
    story.deployed = '0.9.0';
    story.releases = releaseSet(['0.9.0 2026-01-01']);
    story.evaluate();
    const noResult = { severity: null, behindBy: null, crossedAtMs: null };
    expect(story.config).toMatchObject({ state: 'no_data', ...noResult });
  });

  it('can prove that upstream is active, but not that upstream is silent', () => {
    const story = new DecisionStory();
    story.rule = { ...story.rule, type: 'upstream_silent', thresholds: { moderate: 30 } };
    cut(story);
    story.releases = releaseSet(['1.0.0 2026-03-01']);
    story.evaluate();
    expect(story.config.state).toBe('ok');
    story.nowMs = utcTime('2026-05-01');
    expect(story.evaluate()).toEqual([]);
    expect(story.config).toMatchObject({ state: 'stale', stateReason: 'list_incomplete' });
  });

  it.each([
    ['a string that matches no release is not a version', 'main', 'version_unparseable'],
    ['a version between two releases is as old as the lower one', '1.5.0', null],
  ])('does not prove that %s', (_, deployed, reason) => {
    const story = new DecisionStory();
    story.rule = {
      ...story.rule,
      type: 'days_behind',
      daysBasis: 'deployed_release',
      thresholds: { critical: 1 },
    };
    story.deployed = deployed;
    cut(story);
    story.releases = behind;
    expect(story.evaluate()).toEqual([]);
    expect(story.config).toMatchObject({ state: 'no_data', stateReason: 'list_incomplete' });
    story.unconfirmedUntilMs = null;
    expect(story.evaluate()).toEqual(['created>alert.created']);
    expect(story.config.stateReason).toBe(reason);
  });

  it('does not prove that the deployed version is missing upstream', () => {
    const story = new DecisionStory();
    story.rule = {
      ...story.rule,
      type: 'days_behind',
      daysBasis: 'deployed_release',
      thresholds: { moderate: 1 },
    };
    story.deployed = '0.5.0';
    cut(story);
    expect(story.evaluate()).toEqual([]);
    expect(story.config).toMatchObject({ state: 'no_data', stateReason: 'list_incomplete' });
    story.unconfirmedUntilMs = null;
    expect(story.evaluate()).toEqual(['created>alert.created']);
    expect(story.config.stateReason).toBe('version_not_found');
  });
});

describe('a release list from a mirror', () => {
  const caughtUp = releaseSet(['1.0.0 2026-01-01']);

  it('never confirms the state ok, and revokes an earlier confirmation', () => {
    const story = new DecisionStory();
    story.releases = caughtUp;
    story.isMirror = true;
    story.evaluate();
    expect(story.config).toMatchObject({
      state: 'no_data',
      stateReason: 'mirror_only',
      latestVersion: '1.0.0',
    });
    story.isMirror = false;
    story.evaluate();
    expect(story.config.state).toBe('ok');
    story.isMirror = true;
    expect(story.evaluate()).toEqual([]);
    expect(story.config).toMatchObject({ state: 'no_data', stateReason: 'mirror_only', behindBy: null });
    expect(story.decide()).toMatchObject({ isUnchanged: true, nextEvaluationAtMs: null });
  });

  it('can prove a violation, but not its end', () => {
    const story = new DecisionStory();
    story.isMirror = true;
    expect(story.evaluate()).toEqual(['created>alert.created']);
    expect(story.config).toMatchObject({ state: 'alerting', latestVersion: '2.0.0' });
    story.deployed = '2.0.0';
    expect(story.evaluate()).toEqual([]);
    expect(story.config).toMatchObject({ state: 'stale', stateReason: 'mirror_only', severity: 'moderate' });
    story.act((alert) => resolveAlertManually(alert, story.config, ada, story.nowMs));
    story.evaluate();
    expect(story.config).toMatchObject({ state: 'no_data', stateReason: 'mirror_only', severity: null });
  });

  it('causes the state reason mirror_only even if the list is also incomplete', () => {
    const story = new DecisionStory();
    story.releases = caughtUp;
    story.evaluate();
    story.isMirror = true;
    story.unconfirmedUntilMs = utcTime('2026-03-17');
    story.evaluate();
    expect(story.config).toMatchObject({ state: 'no_data', stateReason: 'mirror_only' });
  });
});

describe('an acknowledgment', () => {
  it('is kept when the deployed version increases', () => {
    const story = opened();
    story.act((alert) => acknowledgeAlert(alert, ada, story.nowMs));
    story.deployed = '1.5.0';
    expect(story.evaluate()).toEqual(['updated']);
    expect(story.alert?.acknowledgedBy).toEqual(ada);
  });

  it('is cleared with an event when the deployed version does not increase or cannot be compared', () => {
    for (const deployed of ['0.9.0', '1.0.0-rc.1', 'main']) {
      const story = opened();
      story.rule = { ...story.rule, thresholds: { critical: 1 } };
      story.evaluate();
      story.act((alert) => acknowledgeAlert(alert, ada, story.nowMs));
      story.deployed = deployed;
      expect(story.evaluate(), deployed).toEqual(['updated', 'unacknowledged>alert.unacknowledged']);
      expect(story.alert).toMatchObject({ acknowledgedAtMs: null, acknowledgedBy: null });
    }
  });

  it('is kept when only the spelling of the deployed version and the latest version change', () => {
    const story = opened();
    story.act((alert) => acknowledgeAlert(alert, ada, story.nowMs));
    story.deployed = 'v1.0.0';
    story.releases = releaseSet(['1.0.0 2026-01-01', '2.1.0 2026-02-02']);
    expect(story.evaluate()).toEqual(['updated']);
    expect(story.alert?.acknowledgedBy).toEqual(ada);
  });
});

describe('a snooze', () => {
  const untilMs = utcTime('2026-03-20');

  it('ends at its end time, when the next evaluation is due', () => {
    const story = snoozed({ untilMs, isUntilVersionChanges: false });
    expect(story.config.stateReason).toBe('snoozed');
    expect(story.decide()).toMatchObject({ isUnchanged: true, nextEvaluationAtMs: untilMs });
    story.nowMs = untilMs;
    expect(story.evaluate()).toEqual(['unsnoozed']);
    expect(story.config.stateReason).toBeNull();
    expect(story.alert).toMatchObject({ snoozedUntilMs: null });
    expect(story.decide()).toMatchObject({ isUnchanged: true, nextEvaluationAtMs: null });
  });

  it('that lasts until a version changes ends when the deployed or the latest version changes', () => {
    const request = { untilMs: null, isUntilVersionChanges: true };
    const deployed = snoozed(request);
    deployed.nowMs = utcTime('2030-01-01');
    expect(deployed.decide().isUnchanged).toBe(true);
    deployed.deployed = '1.5.0';
    expect(deployed.evaluate()).toEqual(['updated', 'unsnoozed']);
    const latest = snoozed({ ...request, untilMs });
    latest.releases = releaseSet(['1.0.0 2026-01-01', '2.1.0 2026-02-02']);
    expect(latest.evaluate()).toEqual(['updated', 'unsnoozed']);
    expect(latest.alert).toMatchObject({ snoozedUntilMs: null, isSnoozedUntilVersionChanges: false });
  });

  it('with only an end time continues after a version change, and silences the resulting events', () => {
    const story = opened();
    story.rule = { ...story.rule, thresholds: { critical: 1 } };
    story.evaluate();
    story.act((alert) => acknowledgeAlert(alert, ada, story.nowMs));
    story.act((alert) =>
      snoozeAlert(alert, story.config, { untilMs, isUntilVersionChanges: false }, ada, story.nowMs),
    );
    story.deployed = '0.9.0';
    expect(story.evaluate()).toEqual(['updated', 'unacknowledged>alert.unacknowledged!']);
    expect(story.config.stateReason).toBe('snoozed');
  });

  it('silences neither the resolution nor an escalation of the alert', () => {
    const escalating = snoozed({ untilMs, isUntilVersionChanges: false });
    escalating.releases = upTo(3);
    expect(escalating.evaluate()).toEqual(['updated', 'escalated>alert.escalated']);
    const ending = snoozed({ untilMs, isUntilVersionChanges: false });
    ending.deployed = '2.0.0';
    expect(ending.evaluate()).toEqual(['resolved>alert.resolved']);
  });

  it('ends on time even while there is no data', () => {
    const story = snoozed({ untilMs, isUntilVersionChanges: false });
    story.deployed = null;
    expect(story.evaluate()).toEqual([]);
    expect(story.decide().nextEvaluationAtMs).toBe(untilMs);
    story.nowMs = untilMs;
    expect(story.evaluate()).toEqual(['unsnoozed']);
    expect(story.decide()).toMatchObject({ isUnchanged: true, nextEvaluationAtMs: null });
  });

  it('reveals the underlying state reason when it is removed', () => {
    const story = new DecisionStory();
    story.deployed = 'main';
    story.evaluate();
    story.act((alert) =>
      snoozeAlert(alert, story.config, { untilMs, isUntilVersionChanges: false }, ada, story.nowMs),
    );
    expect(story.config.stateReason).toBe('snoozed');
    story.act((alert) => unsnoozeAlert(alert, story.config, ada, story.nowMs));
    expect(story.config.stateReason).toBe('version_unparseable');
    expect(story.decide().isUnchanged).toBe(true);
  });
});

describe('a manually resolved alert', () => {
  it('stays muted while the version is unchanged, and its configuration remains alerting', () => {
    const story = resolvedByHand();
    expect(story.config).toMatchObject({
      state: 'alerting',
      stateReason: 'resolved_by_hand',
      mutedVersion: '1.0.0',
      mutedSeverity: 'moderate',
    });
    expect(story.decide()).toMatchObject({ isUnchanged: true, newAlert: null });
    story.releases = releaseSet(['1.0.0 2026-01-01', '2.1.0 2026-02-02']);
    story.deployed = 'v1.0.0';
    expect(story.evaluate()).toEqual([]);
    expect(story.config).toMatchObject({ stateReason: 'resolved_by_hand', latestVersion: '2.1.0' });
  });

  it('is followed by a new alert when the deployed version changes', () => {
    const story = resolvedByHand();
    story.deployed = '1.5.0';
    expect(story.evaluate()).toEqual(['created>alert.created']);
    expect(story.config).toMatchObject({ stateReason: null, mutedVersion: null, mutedSeverity: null });
  });

  it('is followed by a new alert when the severity exceeds the muted one, but not when it drops and recovers', () => {
    const story = resolvedByHand(3);
    story.releases = upTo(2);
    expect(story.evaluate()).toEqual([]);
    expect(story.config).toMatchObject({ severity: 'moderate', mutedSeverity: 'high' });
    story.releases = upTo(3);
    expect(story.evaluate()).toEqual([]);
    story.releases = upTo(5);
    expect(story.evaluate()).toEqual(['created>alert.created']);
    expect(story.config.mutedVersion).toBeNull();
  });

  it('is no longer muted after an evaluation without a violation', () => {
    const story = resolvedByHand();
    story.rule = { ...story.rule, thresholds: { high: 2 } };
    story.evaluate();
    expect(story.config).toMatchObject({ state: 'ok', mutedVersion: null, mutedSeverity: null });
    story.rule = { ...story.rule, thresholds: { moderate: 1 } };
    expect(story.evaluate()).toEqual(['created>alert.created']);
  });

  it('stays muted while there is no data', () => {
    const story = resolvedByHand();
    story.deployed = null;
    story.evaluate();
    expect(story.config).toMatchObject({ state: 'no_data', mutedVersion: '1.0.0' });
    story.deployed = '1.0.0';
    expect(story.evaluate()).toEqual([]);
    expect(story.config.stateReason).toBe('resolved_by_hand');
  });

  it('is no longer muted after its configuration is disabled and enabled', () => {
    const story = resolvedByHand();
    story.isActive = false;
    story.evaluate();
    expect(story.config).toMatchObject({ state: 'inactive', mutedVersion: null, mutedSeverity: null });
    story.isActive = true;
    expect(story.evaluate()).toEqual(['created>alert.created']);
  });

  it('is no longer muted after its configuration is reconfigured', () => {
    const story = resolvedByHand();
    story.config = { ...story.config, isReconfigured: true };
    expect(story.evaluate()).toEqual(['created>alert.created']);
    expect(story.config).toMatchObject({ isReconfigured: false, mutedVersion: null });
  });
});

describe('a disabled or reconfigured alert configuration', () => {
  it('resolves its alert as disabled and keeps its versions when it is disabled', () => {
    const story = opened();
    story.isActive = false;
    expect(story.evaluate()).toEqual(['resolved>alert.resolved']);
    expect(story.resolved[0]?.resolution).toBe('disabled');
    expect(story.config).toMatchObject({
      state: 'inactive',
      stateReason: null,
      severity: null,
      behindBy: null,
      deployedVersion: '1.0.0',
      latestVersion: '2.0.0',
    });
    expect(story.decide()).toMatchObject({ isUnchanged: true, nextEvaluationAtMs: null });
  });

  it('resolves its alert as reconfigured and is evaluated again when it is reconfigured', () => {
    const story = opened();
    story.config = { ...story.config, isReconfigured: true };
    story.rule = { ...story.rule, type: 'minors_behind' };
    expect(story.evaluate()).toEqual(['resolved>alert.resolved', 'created>alert.created']);
    expect(story.resolved[0]?.resolution).toBe('reconfigured');
    expect(story.config).toMatchObject({ state: 'alerting', isReconfigured: false });
    expect(story.decide().isUnchanged).toBe(true);
  });

  it('resolves its alert when it is reconfigured without data', () => {
    const story = opened();
    story.config = { ...story.config, isReconfigured: true };
    story.deployed = null;
    expect(story.evaluate()).toEqual(['resolved>alert.resolved']);
    expect(story.alert).toBeNull();
  });
});

describe('a decision', () => {
  it('has a reason and creates no alert if there is no data', () => {
    const story = new DecisionStory();
    story.deployed = null;
    expect(story.evaluate()).toEqual([]);
    expect(story.config).toMatchObject({
      state: 'no_data',
      stateReason: 'no_version',
      latestVersion: '2.0.0',
    });
  });

  it('has the state reason ahead_of_upstream if the deployed version is newer than every release', () => {
    const story = new DecisionStory();
    story.deployed = '40.1.0';
    story.evaluate();
    expect(story.config).toMatchObject({ state: 'ok', stateReason: 'ahead_of_upstream' });
  });

  it('contains a new latest stable version even if nothing else changed', () => {
    const story = new DecisionStory();
    story.rule = { ...story.rule, stableOnly: false };
    story.releases = releaseSet(['1.0.0 2026-01-01', '2.0.0 2026-02-01', '3.0.0-rc.1 2026-03-01']);
    story.evaluate();
    story.releases = releaseSet(['1.0.0 2026-01-01', '2.1.0 2026-02-01', '3.0.0-rc.1 2026-03-01']);
    expect(story.decide()).toMatchObject({ isUnchanged: false, explanation: null, openAlert: null });
    expect(story.decide().config).toMatchObject({
      latestVersion: '3.0.0-rc.1',
      latestStableVersion: '2.1.0',
    });
  });

  it('contains an explanation only if the explanation changed', () => {
    const story = new DecisionStory();
    expect(story.decide().explanation?.state).toBe('alerting');
    story.evaluate();
    expect(story.decide().explanation).toBeNull();
    story.releases = releaseSet(['1.0.0 2026-01-01', '2.0.0 2026-02-01', '2.1.0-rc.1 2026-02-02']);
    expect(story.decide()).toMatchObject({ isUnchanged: false, openAlert: null });
    expect(story.decide().explanation?.left_out).toEqual([
      { reason: 'prerelease', count: 1, examples: ['2.1.0-rc.1'] },
    ]);
  });
});

function opened(latestMajor = 2): DecisionStory {
  const story = new DecisionStory();
  story.releases = upTo(latestMajor);
  story.evaluate();
  return story;
}

function snoozed(request: Parameters<typeof snoozeAlert>[2]): DecisionStory {
  const story = opened();
  expect(story.act((alert) => snoozeAlert(alert, story.config, request, ada, story.nowMs))).toEqual([
    'snoozed',
  ]);
  return story;
}

function resolvedByHand(latestMajor = 2): DecisionStory {
  const story = opened(latestMajor);
  story.act((alert) => resolveAlertManually(alert, story.config, ada, story.nowMs));
  return story;
}

/** Creates the major releases from 1.0.0 to `latestMajor`. */
function upTo(latestMajor: number) {
  return releaseSet(Array.from({ length: latestMajor }, (_, index) => `${index + 1}.0.0 2026-01-01`));
}

describe('a change in how versions are parsed', () => {
  const [two, three] = [
    releaseSet(['1.0.0 2026-01-01', '2.0.0 2026-02-01']),
    releaseSet(['1.0.0 2026-01-01', '2.0.0 2026-02-01', '3.0.0 2026-03-01']),
  ];
  const acknowledge = (story: DecisionStory) =>
    story.act((alert) => acknowledgeAlert(alert, ada, story.nowMs));

  function readDifferently(story: DecisionStory): string[] {
    story.isReadingChanged = true;
    const { openAlert, newAlert } = story.decide();
    for (const write of [openAlert, newAlert])
      for (const change of write?.changes ?? []) expect(change.cause).toBe('reading_changed');
    const done = story.evaluate();
    story.isReadingChanged = false;
    return done;
  }

  it('is recorded as the cause of every resulting change', () => {
    const story = new DecisionStory();
    story.releases = releaseSet(['1.0.0 2026-01-01']);
    story.evaluate();
    story.releases = two;
    expect(readDifferently(story)).toEqual(['created>alert.created']);
    story.releases = releaseSet(['1.0.0 2026-01-01']);
    expect(readDifferently(story)).toEqual(['resolved>alert.resolved']);
    story.releases = two;
    expect(story.decide().newAlert?.changes).toMatchObject([{ cause: null }]);
  });

  it('keeps an acknowledgment and a snooze, even if the severity increases', () => {
    const story = new DecisionStory();
    story.evaluate();
    acknowledge(story);
    const until = { untilMs: null, isUntilVersionChanges: true };
    story.act((alert) => snoozeAlert(alert, story.config, until, ada, story.nowMs));
    story.releases = three;
    expect(readDifferently(story)).toEqual(['updated', 'escalated>alert.escalated']);
    expect(story.alert).toMatchObject({ severity: 'high', isSnoozedUntilVersionChanges: true });
    expect(story.alert?.acknowledgedAtMs).toBe(story.nowMs);
    // The next release clears both, because its escalation doesn't result from the parsing change.
    story.releases = releaseSet([
      '1.0.0 2026-01-01',
      '2.0.0 2026-02-01',
      '3.0.0 2026-03-01',
      '5.0.0 2026-03-01',
    ]);
    story.evaluate();
    expect(story.alert).toMatchObject({ acknowledgedAtMs: null, isSnoozedUntilVersionChanges: false });
  });

  it('clears an acknowledgment if a different version is deployed at the same time', () => {
    const story = new DecisionStory();
    story.evaluate();
    acknowledge(story);
    story.releases = three;
    story.deployed = '0.9.0';
    readDifferently(story);
    expect(story.alert).toMatchObject({ severity: 'high', acknowledgedAtMs: null });
  });

  it('keeps manually resolved alerts muted up to the new severity', () => {
    const story = new DecisionStory();
    story.evaluate();
    story.act((alert) => resolveAlertManually(alert, story.config, ada, story.nowMs));
    story.releases = three;
    expect(readDifferently(story)).toEqual([]);
    expect(story.config).toMatchObject({ stateReason: 'resolved_by_hand', mutedSeverity: 'high' });
    expect(story.evaluate()).toEqual([]);
  });

  it('is not recorded as the cause of changes that a person causes', () => {
    const story = new DecisionStory();
    story.evaluate();
    story.isActive = false;
    story.evaluate();
    story.isActive = true;
    story.isReadingChanged = true;
    expect(story.decide().newAlert?.changes).toMatchObject([{ cause: null }]);
  });
});

describe('an alert about vulnerabilities', () => {
  it.each<[change: string, before: Found, after: Found]>([
    ['critical to high', { critical: 3 }, { critical: 1 }],
    ['many to few of the same severity', { high: 30 }, { high: 1 }],
    ['many to few with a new one', { low: 40 }, { low: 5 }],
  ])('keeps its acknowledgment and is not escalated by an upgrade: %s', (_, before, after) => {
    const story = vulnerable({ '1.0.0': before, '1.1.0': after });
    story.evaluate();
    story.act((alert) => acknowledgeAlert(alert, ada, story.nowMs));
    const severity = story.alert?.severity;
    story.deployed = '1.1.0';
    const changes = story.evaluate();
    expect(changes.filter((change) => change.includes('>'))).toEqual([]);
    expect(changes.includes('deescalated')).toBe(severity !== story.alert?.severity);
    expect(story.alert?.acknowledgedAtMs).toBe(story.nowMs);
  });

  it('is escalated by an upgrade only if its severity rises', () => {
    const story = vulnerable({ '1.0.0': { low: 5 }, '1.1.0': { critical: 2 } });
    story.evaluate();
    story.deployed = '1.1.0';
    expect(story.evaluate()).toEqual(['updated', 'escalated>alert.escalated']);
  });

  it('is not escalated again when the previous version is deployed again', () => {
    const story = vulnerable({ '1.0.0': { high: 3 }, '1.1.0': { high: 2 } });
    for (const version of ['1.0.0', '1.1.0', '1.0.0']) {
      story.deployed = version;
      expect(story.evaluate()).not.toContain('escalated>alert.escalated');
    }
  });

  it('is escalated by a new vulnerability of the same version, unless its severity falls', () => {
    const story = vulnerable({ '1.0.0': { high: 2 } });
    story.evaluate();
    story.vulnerabilities = factsOf({ '1.0.0': { high: 3 } });
    expect(story.evaluate()).toEqual(['escalated>alert.escalated']);
    story.vulnerabilities = factsOf({ '1.0.0': { critical: 2 } });
    expect(story.evaluate()).toEqual(['escalated>alert.escalated']);
    // Both critical vulnerabilities are withdrawn. The new one doesn't reach the threshold for critical, so the
    // severity falls.
    story.vulnerabilities = factsOf({ '1.0.0': { critical: 1 } }, 'other');
    expect(story.evaluate()).toEqual(['deescalated']);
  });
});

describe('an alert about a changed release', () => {
  it('resolves when another release is deployed', () => {
    const story = changed({ '1.0.0': 1, '1.1.0': 0 });
    expect(story.evaluate()).toEqual(['created>alert.created']);
    story.deployed = '1.1.0';
    expect(story.evaluate()).toEqual(['resolved>alert.resolved']);
  });

  it('is escalated by a further change of the same release, which ends the acknowledgment', () => {
    const story = changed({ '1.0.0': 1 });
    story.evaluate();
    story.act((alert) => acknowledgeAlert(alert, ada, story.nowMs));
    story.releases = changedReleases({ '1.0.0': 2 });
    expect(story.evaluate()).toEqual(['escalated>alert.escalated']);
    expect(story.alert).toMatchObject({ severity: 'critical', behindBy: 2, acknowledgedAtMs: null });
    expect(story.evaluate()).toEqual([]);
  });

  it('stays closed after someone resolved it, until the release changes again', () => {
    const story = changed({ '1.0.0': 1 });
    story.evaluate();
    story.act((alert) => resolveAlertManually(alert, story.config, ada, story.nowMs));
    expect(story.evaluate()).toEqual([]);
    expect(story.config.stateReason).toBe('resolved_by_hand');
    story.releases = changedReleases({ '1.0.0': 2 });
    expect(story.evaluate()).toEqual(['created>alert.created']);
  });

  it('stays open while the release cannot be checked', () => {
    const story = changed({ '1.0.0': 1 });
    story.evaluate();
    story.releases = changedReleases({ '1.0.0': null });
    expect(story.evaluate()).toEqual([]);
    expect(story.config).toMatchObject({ state: 'no_data', stateReason: 'release_unchecked' });
    expect(story.alert).not.toBeNull();
  });
});

/** Returns a decision story in which each release has the given number of changes, or an unknown commit (`null`). */
function changed(counts: Readonly<Record<string, number | null>>): DecisionStory {
  const story = new DecisionStory();
  story.rule = { ...story.rule, type: 'release_integrity', thresholds: { critical: 1 } };
  story.releases = changedReleases(counts);
  return story;
}

function changedReleases(counts: Readonly<Record<string, number | null>>): ReleaseSet {
  const moves = [1, 2].map((at) => ({ atMs: at, from: `${at}`, to: `${at + 1}` }));
  const rows = Object.entries(counts).map(([version, count]) => ({
    ...toRow(`${version} 2026-01-01`),
    moves: count === null ? null : moves.slice(0, count),
  }));
  return prepareReleases('auto', rows);
}

type Found = Partial<Record<AdvisorySeverity, number>>;

/** Returns a decision story in which each version has the given numbers of vulnerabilities. */
function vulnerable(versions: Readonly<Record<string, Found>>): DecisionStory {
  const story = new DecisionStory();
  story.rule = {
    ...story.rule,
    type: 'known_vulnerabilities',
    thresholds: { moderate: 1, high: 1, critical: 2 },
  };
  story.releases = releaseSet(['1.0.0 2026-01-01', '1.1.0 2026-02-01']);
  story.vulnerabilities = factsOf(versions);
  return story;
}

function factsOf(versions: Readonly<Record<string, Found>>, name = 'found') {
  const tool = { ecosystem: 'Go', name: 'example.com/tool' };
  const advisories = Object.entries(versions).flatMap(([version, counts]) =>
    Object.entries(counts).flatMap(([severity, count]) =>
      Array.from({ length: count }, (_, at) => ({
        id: `${name}-${version}-${severity}-${at}`,
        aliases: [],
        isWithdrawn: false,
        severity: severity as AdvisorySeverity,
        affected: [{ ...tool, ranges: [], versions: [version] }],
      })),
    ),
  );
  return {
    packages: ['Go/example.com/tool'],
    known: new KnownVulnerabilities(advisories, [tool]),
    applicationVersions: null,
    ignored: [],
    validUntilMs: null,
  };
}
