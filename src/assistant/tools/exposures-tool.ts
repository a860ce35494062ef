import { z } from 'zod';
import type { Schemas } from '../../generated/client-api.ts';
import { pageCursor, pageUrl, withPageUrl } from '../pages.ts';
import { cursorInput, defineTool, idInput, limitInput, type ToolContext, withoutUndefined } from '../tool.ts';

/**
 * Maximum number of gaps of an exposure in a result, newest first. Older gaps are included only in the count.
 */
const maxGaps = 3;

const timeInput = (description: string) =>
  z.iso.datetime({ offset: true }).describe(`${description} RFC 3339, such as 2026-05-01T00:00:00Z.`);

export const listExposures = defineTool({
  name: 'list_exposures',
  title: 'List who ran a version, and when',
  description:
    'Lists which scrape job (version tracker) had which version in which period (exposure), latest first, including versions of the past and deleted scrape jobs. Use it for questions such as who ran a version, a range of versions, a digest, or a version with a vulnerability. The result contains only what readings confirmed: nothing is known about the time in gaps. Use list_software for the current versions.',
  input: {
    gather_job_id: idInput(
      'Only exposures of the software with this gather job. See list_upgrades or search.',
    ).optional(),
    version: z
      .string()
      .min(1)
      .max(256)
      .describe(
        'Only this version. With gather_job_id, also other spellings and variants of it; otherwise, only this text.',
      )
      .optional(),
    version_range: z
      .string()
      .min(1)
      .max(500)
      .describe('Only versions in this range, such as ">=1.12.0 <1.14.3". Requires gather_job_id.')
      .optional(),
    digest: z
      .string()
      .regex(/^[a-z0-9]+:[0-9a-f]{32,128}$/, 'must be a digest with its algorithm, such as sha256:…')
      .describe('Only versions whose release has this digest now. Requires gather_job_id.')
      .optional(),
    vulnerability_id: z
      .string()
      .regex(/^[A-Za-z][A-Za-z0-9:._-]{2,99}$/, 'must be the ID of a vulnerability, such as CVE-2026-1234')
      .describe(
        'Only versions that this vulnerability affects, while it was known. A CVE ID or the ID of an advisory. Not with version, version_range, or digest.',
      )
      .optional(),
    scrape_job_id: idInput('Only exposures of this scrape job. See list_software.').optional(),
    is_current: z
      .boolean()
      .describe(
        'Only exposures whose version is still the last one that was read (true), or ended ones (false).',
      )
      .optional(),
    since: timeInput('Only exposures that ended after this time.').optional(),
    until: timeInput('Only exposures that began before this time.').optional(),
    limit: limitInput(20),
    cursor: cursorInput.optional(),
  },
  async run(context, filters) {
    const { gather_job_id: id } = filters;
    // Reads the gather job, so that an unknown ID causes an error. The list alone would be empty, as if no
    // one had run the software.
    const job = id === undefined ? null : await context.api.call('getGatherJob', { path: { id } });
    const page = await context.api.send('listExposures', { query: withoutUndefined(filters) });
    const { position, caveats } = pageCursor(page, 'exposures');
    const { as_of, known_since, items } = page.body;
    return {
      caveats: [
        ...caveats,
        ...doubtsOf(items),
        ...vulnerabilityDoubts(filters.vulnerability_id, known_since),
      ],
      as_of,
      gather_job: job && withPageUrl(context, 'gather_job', { id: job.id, name: job.name }),
      known_since,
      ...position,
      items: items.map((item) => exposureOf(context, item)),
    };
  },
});

function exposureOf(
  context: ToolContext,
  { scrape_job, gaps, created_at: _created, updated_at: _updated, ...exposure }: Schemas['Exposure'],
) {
  return {
    scrape_job: scrape_job && { ...scrape_job, url: pageUrl(context, 'software', scrape_job.id) },
    ...exposure,
    gaps: gaps.slice(0, maxGaps),
  };
}

/** Describes the gaps and the unconfirmed exposures in a result. */
function doubtsOf(items: readonly Schemas['Exposure'][]): string[] {
  const withGaps = items.filter(({ gap_count }) => gap_count > 0).length;
  const unconfirmed = items.filter(({ status }) => status === 'unconfirmed').length;
  return [
    ...(withGaps === 0
      ? []
      : [
          `${withGaps} of ${items.length} exposures have gaps in which the scrape job wasn't read. Another version can have been deployed in them.`,
        ]),
    ...(unconfirmed === 0
      ? []
      : [
          `${unconfirmed} of ${items.length} exposures haven't been confirmed since last_seen_at, and may have ended.`,
        ]),
  ];
}

function vulnerabilityDoubts(id: string | undefined, knownSince: string | null): string[] {
  if (id === undefined) return [];
  return [
    ...(knownSince === null
      ? ["The time at which the vulnerability became known isn't known, so all times are included."]
      : []),
    "Versions that can't be compared with the affected ones aren't listed.",
  ];
}
