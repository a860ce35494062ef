import { toStoredIgnore } from '../../../domain/vulnerabilities/ignored-vulnerability.ts';
import type { Schemas } from '../../../generated/client-api.ts';
import type { Database } from '../../../platform/database/index.ts';
import { invalidField } from '../../../platform/errors.ts';
import type { Handlers } from '../../../platform/http/index.ts';
import {
  checkLabelMatchers,
  findNotificationRule,
  toSimulatedRoutingRule,
} from '../../notifications/index.ts';
import { checkAlertConfig } from '../alert-configs/alert-config-edits.ts';
import { findAlertConfig } from '../alert-configs/alert-config-queries.ts';
import { toComparedRule } from '../evaluation/compared-rule.ts';
import { toRequestedRule, withFieldPrefix } from '../rules/given-rule.ts';
import { findRule } from '../rules/rule-queries.ts';
import type { SimulatedRule, SimulationRequest } from './run-simulation.ts';
import { findSimulatedJobs, type Selection, type UnsavedConfig } from './simulation-queries.ts';
import type { Simulations } from './simulations.ts';

/**
 * Replays the alerts that rules and alert configurations would have opened, and the resulting notifications.
 */
export function simulationHandlers({
  db,
  simulations,
}: {
  db: Database;
  simulations: Simulations;
}): Handlers<'simulateRule' | 'simulateAlertConfig' | 'simulateNotificationRules'> {
  return {
    async simulateRule({ caller, body, signal }) {
      const { organizationId } = caller;
      const { rule, rule_id, days } = body;
      if (rule === undefined && rule_id === undefined)
        throw invalidField('rule', 'is required without rule_id');
      await checkLabelMatchers(body);
      const given =
        rule === undefined
          ? null
          : await withFieldPrefix('rule', () => ({ id: rule_id ?? null, compared: toRequestedRule(rule) }));
      const stored = rule_id === undefined ? null : await findSimulatedRule(rule_id, organizationId);
      const request: SimulationRequest = {
        organizationId,
        days,
        rule: (given ?? stored)!,
        of: { kind: 'configs', selection: selectionOf(body) },
        before: given === null || stored === null ? null : { rule: stored, alertConfigId: null },
      };
      return { status: 200, body: await simulations.run('simulation', request, caller, signal) };
    },

    async simulateAlertConfig({ caller, body, signal }) {
      const { organizationId } = caller;
      const { alert_config, alert_config_id, days } = body;
      const stored =
        alert_config_id === undefined ? null : await findStoredConfig(alert_config_id, organizationId);
      if (alert_config === undefined) {
        if (stored === null) throw invalidField('alert_config', 'is required without alert_config_id');
        const selection: Selection = { kind: 'ids', ids: [stored.alertConfigId] };
        const of = { kind: 'configs', selection } as const;
        const request = { organizationId, days, rule: stored.rule, of, before: null };
        return { status: 200, body: await simulations.run('simulation', request, caller, signal) };
      }
      const config = await withFieldPrefix('alert_config', () => toGivenConfig(alert_config, organizationId));
      const rule = await withFieldPrefix('alert_config', () =>
        findSimulatedRule(alert_config.rule_id, organizationId),
      );
      const id = stored?.alertConfigId ?? null;
      const name = alert_config.name ?? stored?.name ?? '';
      const of = { kind: 'given', config: { ...config, id, name } } as const;
      const request: SimulationRequest = { organizationId, days, rule, of, before: stored };
      return { status: 200, body: await simulations.run('simulation', request, caller, signal) };
    },

    async simulateNotificationRules({ caller, body, signal }) {
      const { organizationId } = caller;
      const { notification_rule: given, notification_rule_id: id, days } = body;
      if (given === undefined && id !== undefined)
        throw invalidField('notification_rule', 'is required with notification_rule_id');
      const stored = id === undefined ? null : await findNotificationRule(db, organizationId, id);
      if (stored === undefined) throw invalidField('notification_rule_id', 'notification rule not found');
      const rule =
        given === undefined
          ? null
          : await withFieldPrefix('notification_rule', () =>
              toSimulatedRoutingRule(db, organizationId, given, stored),
            );
      const request = { organizationId, days, rule };
      return { status: 200, body: await simulations.run('messages', request, caller, signal) };
    },
  };

  async function findSimulatedRule(id: number, organizationId: number): Promise<SimulatedRule> {
    const row = await findRule(db, organizationId, id);
    if (!row) throw invalidField('rule_id', 'rule not found');
    return { id, compared: toComparedRule(row) };
  }

  async function findStoredConfig(id: number, organizationId: number) {
    const row = await findAlertConfig(db, organizationId, id);
    if (!row) throw invalidField('alert_config_id', 'alert configuration not found');
    return { alertConfigId: id, name: row.name, rule: await findSimulatedRule(row.rule_id, organizationId) };
  }

  async function toGivenConfig(
    body: Schemas['SimulatedAlertConfig'],
    organizationId: number,
  ): Promise<Omit<UnsavedConfig, 'id' | 'name'>> {
    checkAlertConfig({
      candidate_pattern: body.candidate_pattern ?? null,
      lifecycle_override: body.lifecycle_override ?? null,
    });
    const { scrape_job_id: scrapeJobId, gather_job_id: gatherJobId } = body;
    const found = await findSimulatedJobs(db, organizationId, { scrapeJobId, gatherJobId });
    if (!found.hasScrapeJob) throw invalidField('scrape_job_id', 'scrape job not found');
    if (found.gatherOrganizationId === null) throw invalidField('gather_job_id', 'gather job not found');
    return {
      scrapeJobId,
      gatherOrganizationId: found.gatherOrganizationId,
      gatherJobId,
      labels: body.labels ?? {},
      candidatePattern: body.candidate_pattern ?? null,
      ignoredVersions: body.ignored_versions ?? [],
      countedVersions: body.counted_versions ?? [],
      lifecycleOverride: body.lifecycle_override ?? null,
      ignoredVulnerabilities: (body.ignored_vulnerabilities ?? []).map(toStoredIgnore),
    };
  }
}

function selectionOf(body: Schemas['SimulateRuleRequest']): Selection {
  const { alert_config_ids: ids, label_matchers: matchers, rule_id: ruleId } = body;
  if (ids !== undefined && matchers !== undefined)
    throw invalidField('label_matchers', "can't be combined with alert_config_ids");
  if (ids !== undefined) return { kind: 'ids', ids };
  if (matchers !== undefined) return { kind: 'labels', matchers };
  return ruleId === undefined ? { kind: 'all' } : { kind: 'rule', ruleId };
}
