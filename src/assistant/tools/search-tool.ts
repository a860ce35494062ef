import { z } from 'zod';
import { pageCursor, withPageUrl } from '../pages.ts';
import {
  cursorInput,
  defineTool,
  limitInput,
  type ToolContext,
  ToolInputError,
  withoutUndefined,
} from '../tool.ts';

type Query = { q?: string; limit: number; cursor?: string };

/** Kinds of resources that the search includes, each with the function that finds them with the API. */
const searches = {
  upgrades: async (context: ToolContext, query: Query) => {
    const page = await context.api.send('listUpgrades', { query });
    return {
      ...pageCursor(page, 'upgrades').position,
      items: page.body.items.map(({ id, artifact_name, target_version, status, severity }) =>
        withPageUrl(context, 'upgrade', { id, artifact_name, target_version, status, severity }),
      ),
    };
  },
  software: async (context: ToolContext, query: Query) => {
    const page = await context.api.send('listSoftware', { query });
    return {
      ...pageCursor(page, 'items').position,
      items: page.body.items.map(({ id, name, deployed_version, state, severity }) =>
        withPageUrl(context, 'software', { id, name, deployed_version, state, severity }),
      ),
    };
  },
  alert_configs: async (context: ToolContext, query: Query) => {
    const page = await context.api.send('listAlertConfigs', { query });
    return {
      ...pageCursor(page, 'alert configurations').position,
      items: page.body.items.map(({ id, name, state, severity, active_alert_id }) =>
        withPageUrl(context, 'alert_config', { id, name, state, severity, active_alert_id }),
      ),
    };
  },
  gather_jobs: async (context: ToolContext, query: Query) => {
    const page = await context.api.send('listGatherJobs', { query });
    return {
      ...pageCursor(page, 'gather jobs').position,
      items: page.body.items.map(({ id, name, artifact_name, latest_version, status, scope }) =>
        withPageUrl(context, 'gather_job', { id, name, artifact_name, latest_version, status, scope }),
      ),
    };
  },
  rules: async (context: ToolContext, query: Query) => {
    const page = await context.api.send('listRules', { query });
    return {
      ...pageCursor(page, 'rules').position,
      items: page.body.items.map(({ id, name, rule_type, thresholds, is_active }) =>
        withPageUrl(context, 'rule', { id, name, rule_type, thresholds, is_active }),
      ),
    };
  },
};

const kinds = ['upgrades', 'software', 'alert_configs', 'gather_jobs', 'rules'] as const;

export const search = defineTool({
  name: 'search',
  title: 'Search',
  description:
    'Finds resources by name and returns their IDs for other tools: upgrades, software (scrape jobs, also by deployed version), alert_configs (monitors), gather_jobs (upstream sources), and rules. Without text, the first resources of each kind are listed.',
  input: {
    text: z.string().max(200).describe('Text in the name, ignoring case.').optional(),
    kinds: z.array(z.enum(kinds)).min(1).describe('Only these kinds. Default: all.').optional(),
    limit: limitInput(5, 50),
    cursor: cursorInput
      .describe('The next_cursor of one kind. Set kinds to that kind, and repeat the text.')
      .optional(),
  },
  async run(context, { text, kinds: wanted = [...kinds], limit, cursor }) {
    const searched = [...new Set(wanted)];
    if (cursor !== undefined && searched.length !== 1)
      throw new ToolInputError('cursor requires exactly one kind in kinds.');
    const query = { limit, ...withoutUndefined({ q: text, cursor }) };
    const found = await Promise.all(
      searched.map(async (kind) => [kind, await searches[kind](context, query)] as const),
    );
    return {
      caveats: found
        .filter(([, { next_cursor }]) => next_cursor !== null)
        .map(
          ([kind, { items, total, total_is_exact }]) =>
            `This result has ${items.length} of ${total_is_exact ? '' : 'more than '}${total} ${kind}. For the others, use the next_cursor of ${kind}.`,
        ),
      ...Object.fromEntries(found),
    };
  },
});
