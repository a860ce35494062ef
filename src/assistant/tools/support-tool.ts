import { z } from 'zod';
import { describeUnknownSupport } from '../../domain/explanations/support-text.ts';
import { pageCursor, pageUrl, withPageUrl } from '../pages.ts';
import { cursorInput, defineTool, labelInput, limitInput, withoutUndefined } from '../tool.ts';

export const listSupportEnds = defineTool({
  name: 'list_support_ends',
  title: 'List when support ends',
  description:
    'Lists when upstream support (end of life) ends for deployed versions, or ended, soonest first, with the newest supported release line. The dates come from endoflife.date. Software without a known date is only counted in the caveats.',
  input: {
    days: z
      .int()
      .min(0)
      .max(3650)
      .describe('Only support that ends within this many days, or has ended. Default: all.')
      .optional(),
    label: labelInput.optional(),
    limit: limitInput(20),
    cursor: cursorInput.optional(),
  },
  async run(context, filters) {
    const page = await context.api.send('getSupport', { query: withoutUndefined(filters) });
    const { from, is_complete, unknown, items } = page.body;
    const { position, caveats } = pageCursor(page, 'dates');
    return {
      caveats: [
        ...caveats,
        ...(is_complete
          ? []
          : ['Not all alert configurations were included. Filter by label to read the others.']),
        ...describeUnknownSupport(unknown, 'api'),
      ],
      from,
      is_complete,
      unknown,
      ...position,
      items: items.map(({ scrape_job, gather_job, alert_config_ids, ...end }) => ({
        scrape_job: withPageUrl(context, 'scrape_job', scrape_job),
        gather_job: withPageUrl(context, 'gather_job', gather_job),
        alert_configs: alert_config_ids.map((id) => ({ id, url: pageUrl(context, 'alert_config', id) })),
        ...end,
      })),
    };
  },
});
