import { z } from 'zod';
import { describeGaps, describeSimulation } from '../../domain/replay/simulation-text.ts';
import { ruleTypeIds } from '../../domain/rules/rule-types.ts';
import { pageOfList, withPageUrl } from '../pages.ts';
import {
  cursorInput,
  defineTool,
  idInput,
  labelInput,
  limitInput,
  ToolInputError,
  withoutUndefined,
} from '../tool.ts';

const thresholdInput = z.int().min(-3650).max(1_000_000);

const ruleInput = z
  .strictObject({
    rule_type: z
      .enum(ruleTypeIds)
      .describe(
        'What the rule counts: days since the first newer release, major versions behind, minor versions behind, days since the newest release, days until support ends, or known vulnerabilities.',
      ),
    thresholds: z
      .strictObject({
        moderate: thresholdInput.optional(),
        high: thresholdInput.optional(),
        critical: thresholdInput.optional(),
      })
      .describe(
        'The count from which each severity applies. Specify at least one. Counts rise from moderate to critical. For end_of_life, they are days before the end of support and decrease from moderate to critical.',
      ),
    stable_only: z.boolean().describe('Whether to exclude pre-releases. Default: true.').optional(),
    days_basis: z
      .enum(['deployed_release', 'first_newer_release'])
      .describe('Only for days_behind: the release from whose date days are counted.')
      .optional(),
    support_phase: z
      .enum(['active_support', 'end_of_life', 'extended_support'])
      .describe('Only for end_of_life: the phase whose end counts.')
      .optional(),
    known_exploited_days: z
      .int()
      .min(1)
      .max(3650)
      .describe(
        'Only for vulnerability_age: days after which a known exploited vulnerability with a fix reaches the highest severity that has a threshold.',
      )
      .optional(),
    min_epss: z
      .number()
      .min(0)
      .max(1)
      .describe('Only for vulnerability_age: minimum EPSS score of the vulnerabilities that count.')
      .optional(),
    min_release_age_days: z
      .int()
      .min(0)
      .max(3650)
      .describe('Releases younger than this many days are excluded. Default: 0.')
      .optional(),
  })
  .describe('The rule to simulate. With rule_id, its result is compared with that of the stored rule.');

export const simulateRule = defineTool({
  name: 'simulate_rule',
  title: 'Simulate a monitoring rule',
  description:
    'Replays stored releases and deployed versions, and returns the alerts that a rule would have opened until now. Nothing is written or sent. Specify rule, rule_id, or both to compare a change with the stored rule. By default, the rule is simulated for the monitors that use rule_id, or for all monitors.',
  input: {
    rule_id: idInput('ID of a stored rule. See search with the kind rules.').optional(),
    rule: ruleInput.optional(),
    alert_config_ids: z
      .array(z.int().min(1))
      .min(1)
      .max(100)
      .describe('Only these monitors (alert configurations).')
      .optional(),
    labels: z.array(labelInput).min(1).max(20).describe('Only monitors with all of these labels.').optional(),
    days: z.int().min(1).max(730).default(180).describe('Days of history to simulate.'),
    limit: limitInput(10),
    cursor: cursorInput.optional(),
  },
  async run(context, { labels, limit, cursor, ...given }) {
    if (given.rule === undefined && given.rule_id === undefined)
      throw new ToolInputError('Specify rule, rule_id, or both.');
    if (labels !== undefined && given.alert_config_ids !== undefined)
      throw new ToolInputError('Specify labels or alert_config_ids, not both.');
    const { rule, ...others } = given;
    const result = await context.api.call('simulateRule', {
      body: withoutUndefined({
        ...others,
        rule:
          rule &&
          withoutUndefined({
            ...rule,
            thresholds: withoutUndefined(rule.thresholds),
            description: undefined,
          }),
        label_matchers: labels?.map(matcherOf),
      }),
      timeoutMs: 60_000,
    });
    const { items, next_cursor } = pageOfList(result.items, cursor, limit);
    return {
      caveats: [
        ...(result.is_complete ? [] : ['The simulation is incomplete: there are too many monitors.']),
        ...describeGaps(result, noun),
        ...(items.length === result.total
          ? []
          : [
              `This result has ${items.length} of ${result.total} alerts.${next_cursor === null ? '' : ' Use next_cursor for the others.'}`,
            ]),
        'Acknowledgments, snoozes, and manual resolutions are not replayed.',
      ],
      summary: describeSimulation(result, given.days, noun),
      from: result.from,
      to: result.to,
      known_from: result.known_from,
      is_complete: result.is_complete,
      configs: result.configs,
      evaluated: result.evaluated,
      left_out: result.left_out,
      partly_known: result.partly_known,
      totals: result.totals,
      by_severity: result.by_severity,
      compared_with: result.compared_with,
      messages: result.messages.slice(0, 20),
      total: result.total,
      next_cursor,
      alerts: items.map(({ alert_config, ...alert }) => ({
        alert_config: alert_config === null ? null : withPageUrl(context, 'alert_config', alert_config),
        ...alert,
      })),
    };
  },
});

const noun = { one: 'alert configuration', many: 'alert configurations' };

function matcherOf(label: string) {
  const split = label.indexOf('=');
  return { label: label.slice(0, split), operator: '=' as const, value: label.slice(split + 1) };
}
