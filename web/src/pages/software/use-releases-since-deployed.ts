import { useQuery } from '@tanstack/react-query';
import { isAllRead } from '../../../../src/domain/notes/unread-notes.ts';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { api } from '../../api/session.ts';
import { useApi } from '../../api/use-api.ts';
import type { ReleasesBetween } from './suggest-targets.ts';

type ReleaseNotes = Schemas['ReleaseNotes'];

/** Maximum number of responses, each with at most 100 releases. Beyond that, the list is incomplete. */
const maxPages = 6;

/**
 * Returns the releases between the deployed and the latest version of a monitor. A response can be limited to the newest
 * releases, so the query continues below the last one whose notes were searched.
 */
export function useReleasesSinceDeployed(alertConfigId: number) {
  const path = { id: alertConfigId };
  const first = useApi('getAlertConfigReleaseNotes', { path, query: {} });
  const isWhole = first.data !== undefined && isComplete(first.data);
  const rest = useQuery({
    // The key starts with the name of the operation, because change events invalidate queries by operation.
    queryKey: ['getAlertConfigReleaseNotes', 'all', alertConfigId, first.data?.from, first.data?.to],
    enabled: first.data !== undefined && !isWhole,
    queryFn: async ({ signal }): Promise<ReleasesBetween> => {
      let page = first.data!;
      const releases = readOf(page);
      for (let count = 1; count < maxPages && !isComplete(page); count += 1) {
        const last = releases.at(-1);
        if (last === undefined || page.from === null) break;
        const query = { from: page.from, to: last.version };
        page = await api.call('getAlertConfigReleaseNotes', { path, query, signal });
        const added = readOf(page).filter(({ release_id }) => release_id !== last.release_id);
        if (added.length === 0) break;
        releases.push(...added);
      }
      return { releases, isComplete: isComplete(page) };
    },
  });
  return {
    notes: first,
    between: isWhole ? { releases: first.data.releases, isComplete: true } : rest.data,
    error: rest.error,
  };
}

/** Returns the listed releases whose notes were searched for hints. */
const readOf = ({ releases, totals }: ReleaseNotes) => releases.slice(0, totals.read);

const isComplete = ({ releases, totals }: ReleaseNotes): boolean =>
  isAllRead(totals) && releases.length === totals.releases;
