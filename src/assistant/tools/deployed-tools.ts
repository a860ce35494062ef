import { z } from 'zod';
import { describeStateReason } from '../../domain/alerts/state-reasons.ts';
import { describeIncompleteComparison } from '../../domain/environments/incomplete-comparison.ts';
import type { Schemas } from '../../generated/client-api.ts';
import { pageCursor, pageOfList, pageUrl, withPageUrl } from '../pages.ts';
import {
  cursorInput,
  defineTool,
  idInput,
  labelInput,
  limitInput,
  searchInput,
  severityInput,
  type ToolContext,
  withoutUndefined,
} from '../tool.ts';

/**
 * Maximum number of scrape jobs that a result lists for one version in an environment. The others are
 * counted.
 */
const maxScrapeJobs = 5;

export const listEnvironments = defineTool({
  name: 'list_environments',
  title: 'List deployed versions by service and environment',
  description:
    'Lists the deployed versions of each service in each environment (such as staging and production), and how they compare with the previous environment (previous_environment) and with upstream releases (upstream). Use drift to find services whose environments differ. Software without environment and service labels is only in list_software.',
  input: {
    search: searchInput.optional(),
    label: labelInput.optional(),
    drift: z
      .enum(['any', 'behind', 'ahead', 'different', 'missing'])
      .describe('Only services with an environment that differs from the previous one in this way.')
      .optional(),
    environments: z
      .array(z.string().min(1).max(200))
      .min(1)
      .max(20)
      .describe('Only these environments, by name. Default: all.')
      .optional(),
    limit: limitInput(10),
    cursor: cursorInput.optional(),
  },
  async run(context, { search, environments, ...filters }) {
    const query = withoutUndefined({ ...filters, q: search, environments: environments?.join(',') });
    const page = await context.api.send('getEnvironmentMatrix', { query });
    const { position, caveats } = pageCursor(page, 'services');
    const { items, is_complete, environments: names } = page.body;
    return {
      caveats: [...caveats, ...describeIncompleteComparison(is_complete, items, 'scrape jobs')],
      environments: names,
      is_complete,
      ...position,
      url: `${context.server}/environments`,
      items: items.map(({ cells, ...row }) => ({
        ...row,
        cells: cells.map((cell) => cellOf(context, cell)),
      })),
    };
  },
});

function cellOf(context: ToolContext, cell: Schemas['EnvironmentMatrixCell']) {
  const {
    alert_config_id: config,
    severity,
    relation,
    compared_with,
    releases_behind,
    behind_since,
    versions,
    ...others
  } = cell;
  return {
    ...others,
    versions: versions.map(({ scrape_job_ids, ...version }) => ({
      ...version,
      scrape_jobs: scrape_job_ids
        .slice(0, maxScrapeJobs)
        .map((id) => ({ id, url: pageUrl(context, 'scrape_job', id) })),
    })),
    // Put the severity into a named object. Next to `upstream`, it would look like the severity of all alerts
    // of the service.
    previous_environment: {
      name: compared_with,
      relation,
      releases_behind,
      behind_since,
      severity,
      alert_config: config === null ? null : { id: config, url: pageUrl(context, 'alert_config', config) },
    },
  };
}

export const listSoftware = defineTool({
  name: 'list_software',
  title: 'List deployed software and its monitors',
  description:
    'Lists deployed software, worst first: for each scrape job (version tracker), the deployed version and the result of its worst monitor (alert configuration), with the latest version and the open alert. Use state unmonitored for software that no monitor compares.',
  input: {
    search: z
      .string()
      .max(200)
      .describe('Only software whose name or deployed version contains this text, ignoring case.')
      .optional(),
    label: labelInput.optional(),
    state: z
      .enum(['ok', 'alerting', 'no_data', 'stale', 'inactive', 'unmonitored'])
      .describe(
        'Only software of this state. no_data: not enough data to evaluate. stale: a job has not succeeded for too long. unmonitored: no monitor compares it.',
      )
      .optional(),
    severity: severityInput.describe('Only software of this severity.').optional(),
    gather_job_id: idInput('Only software that is compared with releases of this gather job.').optional(),
    rule_id: idInput('Only software that this rule compares.').optional(),
    limit: limitInput(20),
    cursor: cursorInput.optional(),
  },
  async run(context, { search, ...filters }) {
    const query = withoutUndefined({ ...filters, q: search, sort: 'worst' as const });
    const page = await context.api.send('listSoftware', { query });
    const { position, caveats } = pageCursor(page, 'items');
    return {
      caveats,
      ...position,
      items: page.body.items.map(({ id, name, worst, ...item }) => ({
        scrape_job: { id, name, url: pageUrl(context, 'software', id) },
        ...item,
        worst: worst === null ? null : monitorOf(context, worst),
      })),
    };
  },
});

/** Returns the fields of a monitor that explain its result. `explain_state` returns the others. */
function monitorOf(context: ToolContext, config: Schemas['AlertConfig']) {
  const { state_reason, active_alert_id: alert } = config;
  return {
    alert_config: withPageUrl(context, 'alert_config', { id: config.id, name: config.name }),
    latest_version: config.latest_version,
    mirror_of: config.mirror_of,
    behind_by: config.behind_by,
    rule: withPageUrl(context, 'rule', { ...config.rule, rule_type: config.rule_type }),
    gather_job: withPageUrl(context, 'gather_job', config.gather_job),
    state_reason,
    state_explanation: state_reason === null ? null : describeStateReason(state_reason, 'api'),
    crossed_at: config.crossed_at,
    ends_at: config.ends_at,
    last_evaluated_at: config.last_evaluated_at,
    alert: alert === null ? null : { id: alert, url: pageUrl(context, 'alert', alert) },
  };
}

export const listLabels = defineTool({
  name: 'list_labels',
  title: 'List labels',
  description:
    'Lists the labels of deployed software, such as team=platform or environment=production, most frequent first. Use them as label in other tools.',
  input: {
    search: z.string().max(200).describe('Only labels that contain this text, ignoring case.').optional(),
    limit: limitInput(50, 200),
    cursor: cursorInput.optional(),
  },
  async run({ api }, { search = '', limit, cursor }) {
    const { items, is_complete } = await api.call('getSoftwareLabels');
    const wanted = search.toLowerCase();
    const found = items
      .map(({ key, value, count }) => ({ label: `${key}=${value}`, count }))
      .filter(({ label }) => label.toLowerCase().includes(wanted));
    const page = pageOfList(found, cursor, limit);
    return {
      caveats: [
        ...(is_complete ? [] : ['There are more labels than are listed, or counts are estimates.']),
        ...(page.next_cursor === null
          ? []
          : [
              `This result has ${page.items.length} of ${found.length} labels. Use next_cursor for the others.`,
            ]),
      ],
      is_complete,
      total: found.length,
      ...page,
    };
  },
});
