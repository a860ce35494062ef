import type { ActionResult } from '../../src/domain/alerts/alert-actions.ts';
import { type ConfigEvaluation, initialEvaluation } from '../../src/domain/alerts/config-evaluation.ts';
import { type Decision, decideAlerts } from '../../src/domain/alerts/decide-alerts.ts';
import type { AlertChange, AlertState, AlertWrite } from '../../src/domain/alerts/open-alert.ts';
import { createDeployedVersionParser } from '../../src/domain/alerts/version-change.ts';
import { type JudgeInput, judge } from '../../src/domain/rules/judge.ts';
import type { ReleaseSet } from '../../src/domain/rules/release-set.ts';
import { releaseSet, utcTime } from '../../src/domain/rules/release-set-fixture.ts';
import type { Rule } from '../../src/domain/rules/rule-type.ts';

/**
 * Test helper that follows one configuration through time. It applies decisions and actions as the database
 * would.
 */
export class DecisionStory {
  config: ConfigEvaluation = initialEvaluation;
  alert: AlertState | null = null;
  /** All resolved alerts, oldest first. */
  readonly resolved: AlertState[] = [];
  rule: Rule = {
    type: 'majors_behind',
    thresholds: { moderate: 1, high: 2, critical: 4 },
    stableOnly: true,
    daysBasis: null,
    minReleaseAgeDays: 0,
  };
  options: JudgeInput['options'] = { candidatePattern: null, ignoredVersions: [] };
  deployed: string | null = '1.0.0';
  vulnerabilities: JudgeInput['vulnerabilities'] = null;
  releases: ReleaseSet = releaseSet(['1.0.0 2026-01-01', '2.0.0 2026-02-01']);
  isActive = true;
  staleSinceMs: number | null = null;
  /** Set while newer releases might be missing from the list. */
  unconfirmedUntilMs: number | null = null;
  /** True while the list comes from a mirror. */
  isMirror = false;
  isReadingChanged = false;
  nowMs = utcTime('2026-03-15');

  decide(): Decision {
    return decideAlerts({
      verdict: this.isActive
        ? judge({
            rule: this.rule,
            options: this.options,
            deployedVersion: this.deployed,
            releases: this.releases,
            vulnerabilities: this.vulnerabilities,
            nowMs: this.nowMs,
          })
        : null,
      staleSinceMs: this.staleSinceMs,
      listDoubt: this.isMirror
        ? { reason: 'mirror_only' }
        : this.unconfirmedUntilMs === null
          ? null
          : { reason: 'list_incomplete', untilMs: this.unconfirmedUntilMs },
      reading: createDeployedVersionParser(this.releases, this.options.candidatePattern),
      config: this.config,
      openAlert: this.alert,
      isReadingChanged: this.isReadingChanged,
      nowMs: this.nowMs,
    });
  }

  /**
   * Decides and applies the result.
   *
   * @returns The changes as `action` or `action>event`, with `!` if the event is silenced.
   */
  evaluate(): string[] {
    const decision = this.decide();
    this.config = decision.config;
    const writes = [decision.openAlert, decision.newAlert].filter((write) => write !== null);
    return writes.flatMap((write) => this.#write(write));
  }

  /** Applies an action of a person to the open alert, or to the last resolved one if none is open. */
  act(action: (alert: AlertState) => ActionResult): string[] {
    const alert = this.alert ?? this.resolved.at(-1);
    if (alert === undefined) throw new Error('no alert to act on');
    const result = action(alert);
    if (result.outcome === 'refused') return [`refused: ${result.reason}`];
    if (result.outcome === 'unchanged') return [];
    this.config = { ...this.config, ...result.config };
    return this.#write(result.alert);
  }

  #write({ after, changes }: AlertWrite): string[] {
    if (after.resolvedAtMs !== null) this.resolved.push(after);
    this.alert = after.resolvedAtMs === null ? after : null;
    return changes.map(toText);
  }
}

function toText({ action, eventType, isSnoozed }: AlertChange): string {
  return `${action}${eventType === null ? '' : `>${eventType}`}${isSnoozed ? '!' : ''}`;
}
