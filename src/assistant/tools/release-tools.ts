import { z } from 'zod';
import type { Schemas } from '../../generated/client-api.ts';
import { pageCursor, pageUrl } from '../pages.ts';
import { cursorInput, defineTool, idInput, limitInput, withoutUndefined } from '../tool.ts';

export const listReleases = defineTool({
  name: 'list_releases',
  title: 'List the releases of a gather job',
  description:
    'Lists the upstream releases that a gather job (upstream source) has found, highest version first, with their dates and whether they are pre-releases, yanked, or no longer listed. Use list_changes for what changed in them.',
  input: {
    gather_job_id: idInput('ID of a gather job. See list_upgrades or search.'),
    stable_only: z.boolean().default(false).describe('Whether to exclude pre-releases.'),
    search: z.string().max(200).describe('Only releases whose version contains this text.').optional(),
    limit: limitInput(20),
    cursor: cursorInput.optional(),
  },
  async run(context, { gather_job_id, search, ...filters }) {
    const query = { gather_job_id, ...withoutUndefined({ ...filters, q: search }) };
    const [job, page] = await Promise.all([
      context.api.call('getGatherJob', { path: { id: gather_job_id } }),
      context.api.send('listReleases', { query }),
    ]);
    const { position, caveats } = pageCursor(page, 'releases');
    return {
      caveats: [...caveats, ...sourceCaveats(job)],
      gather_job: {
        id: job.id,
        name: job.name,
        url: pageUrl(context, 'gather_job', job.id),
        artifact_name: job.artifact_name,
        source_type: job.source_type,
        status: job.status,
        list_completeness: job.list_completeness,
        mirror_of: job.mirror_of,
        is_archived: job.is_archived,
        latest_version: job.latest_version,
        latest_stable_version: job.latest_stable_version,
        last_run_at: job.last_run?.last_finished_at ?? job.last_run?.started_at ?? null,
      },
      ...position,
      items: page.body.items.map(({ id, version, tag, url, ...release }) => ({
        id,
        version,
        ...(tag !== version && { tag }),
        ...(release.app_version !== null && { app_version: release.app_version }),
        released_at: release.released_at,
        discovered_at: release.discovered_at,
        is_prerelease: release.is_prerelease,
        is_yanked: release.is_yanked,
        is_withdrawn: release.is_withdrawn,
        url: pageUrl(context, 'release', id),
        upstream_url: url,
      })),
    };
  },
});

/** Returns the reasons why releases may be missing from the job's list. */
function sourceCaveats(job: Schemas['GatherJob']): string[] {
  return [
    ...(job.list_completeness === 'incomplete'
      ? ["Newer releases might be missing: the source's list wasn't read completely."]
      : job.list_completeness === 'complete_at_top'
        ? ["The oldest releases might be missing: the source's list wasn't read to its end."]
        : job.list_completeness === null
          ? ["It isn't known yet whether the list is complete."]
          : []),
    ...(job.mirror_of === null
      ? []
      : [
          `The gather job reads a mirror of ${job.mirror_of}, which might lack newer releases of the original.`,
        ]),
    ...(job.status === 'failed' ? ['The last run failed, so newer releases might be missing.'] : []),
    ...(job.is_active ? [] : ["The gather job is disabled, so newer releases aren't collected."]),
  ];
}
