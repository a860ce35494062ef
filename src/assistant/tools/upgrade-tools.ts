import { z } from 'zod';
import { pageCursor, pageUrl, withPageUrl } from '../pages.ts';
import {
  cursorInput,
  defineTool,
  idInput,
  labelInput,
  limitInput,
  searchInput,
  severityInput,
  withoutUndefined,
} from '../tool.ts';

export const listUpgrades = defineTool({
  name: 'list_upgrades',
  title: 'List the most urgent upgrades',
  description:
    'Lists upgrades, most urgent first: one item for each upstream project and suggested version, with the deployed versions and the number of places that need it. By default, only upgrades with an alert that no one has acknowledged or snoozed. Use label for the upgrades of a team or owner. Use get_upgrade for the places.',
  input: {
    label: labelInput.optional(),
    status: z
      .enum(['needs_action', 'planned', 'snoozed', 'unknown', 'ok', 'any'])
      .default('needs_action')
      .describe(
        'needs_action: an open alert is neither acknowledged nor snoozed. planned: acknowledged. snoozed: snoozed. unknown: no alert, but the state is not known. ok: all rules are met. any: all of these.',
      ),
    severity: severityInput.describe('Only upgrades of this severity.').optional(),
    gather_job_id: idInput('Only upgrades to releases of this gather job. See search.').optional(),
    search: searchInput.optional(),
    limit: limitInput(10),
    cursor: cursorInput.optional(),
  },
  async run(context, { status, search, ...filters }) {
    const query = withoutUndefined({
      ...filters,
      status: status === 'any' ? undefined : status,
      q: search,
      sort: 'worst' as const,
    });
    const page = await context.api.send('listUpgrades', { query });
    const { items, counts, is_complete } = page.body;
    const { position, caveats } = pageCursor(page, 'upgrades');
    return {
      caveats: [
        ...caveats,
        ...(is_complete
          ? []
          : [
              'The list is incomplete, because there are too many places. Filter by label to read the others.',
            ]),
        ...(filters.label !== undefined && Object.values(counts).every((count) => count === 0)
          ? ['No upgrade of any status has this label. list_labels returns the labels in use.']
          : []),
      ],
      ...position,
      is_complete,
      counts_by_status: counts,
      items: items.map(({ gather_job, ...upgrade }) => ({
        ...withPageUrl(context, 'upgrade', upgrade),
        gather_job: withPageUrl(context, 'gather_job', gather_job),
      })),
    };
  },
});

export const getUpgrade = defineTool({
  name: 'get_upgrade',
  title: 'Get an upgrade and its places',
  description:
    'Returns an upgrade and the places that it concerns: for each monitor (alert configuration), the deployed version, the labels, and the open alert, most severe first. Use explain_state for the reasons of one place, and for whether its deployed version is confirmed.',
  input: {
    upgrade_id: z
      .string()
      .min(1)
      .max(40)
      .describe(
        'ID of the upgrade, such as 12-9c56cc51b374c3ba. See list_upgrades. A new suggested version has a new ID.',
      ),
    label: labelInput.optional(),
    limit: limitInput(20),
    cursor: cursorInput.optional(),
  },
  async run(context, { upgrade_id, ...filters }) {
    const path = { upgrade_id };
    const [{ gather_job, ...upgrade }, places] = await Promise.all([
      context.api.call('getUpgrade', { path }),
      context.api.send('listUpgradePlaces', { path, query: withoutUndefined(filters) }),
    ]);
    const { position, caveats } = pageCursor(places, 'places');
    const unknown = upgrade.places.unknown;
    return {
      caveats: [
        ...caveats,
        ...(unknown === 0
          ? []
          : [`The state of ${unknown} of its places isn't known. Their status is unknown, which isn't ok.`]),
      ],
      upgrade: {
        ...withPageUrl(context, 'upgrade', upgrade),
        gather_job: withPageUrl(context, 'gather_job', gather_job),
      },
      ...position,
      places: places.body.items.map(({ id, name, scrape_job, rule, alert, ...place }) => ({
        alert_config: withPageUrl(context, 'alert_config', { id, name }),
        ...place,
        scrape_job: withPageUrl(context, 'scrape_job', scrape_job),
        rule: withPageUrl(context, 'rule', rule),
        alert: alert === null ? null : { ...alert, url: pageUrl(context, 'alert', alert.id) },
      })),
    };
  },
});
