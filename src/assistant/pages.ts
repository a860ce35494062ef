import { nextCursor } from '../client/next-cursor.ts';
import { type ToolContext, ToolInputError } from './tool.ts';

/** Resources that have a page in the UI, with their paths. */
const pagePaths = {
  alert: 'alerts',
  alert_config: 'alert-configs',
  gather_job: 'gather-jobs',
  release: 'releases',
  rule: 'rules',
  scrape_job: 'scrape-jobs',
  software: 'software',
  upgrade: 'upgrades',
} as const;

export type PageKind = keyof typeof pagePaths;

/** Returns the URL of a resource's page in the UI. */
export function pageUrl(
  { server }: Pick<ToolContext, 'server'>,
  kind: PageKind,
  id: number | string,
): string {
  return `${server}/${pagePaths[kind]}/${id}`;
}

/** Adds the URL of a resource's page to the reference to the resource. */
export function withPageUrl<T extends { id: number | string }>(
  context: Pick<ToolContext, 'server'>,
  kind: PageKind,
  resource: T,
): T & { url: string } {
  return { ...resource, url: pageUrl(context, kind, resource.id) };
}

interface ListPage {
  items: readonly unknown[];
  total: number;
  total_is_exact: boolean;
}

/** Returns the position of an API page in the whole list, and a caveat if the list has other pages. */
export function pageCursor(
  { headers, body: { items, total, total_is_exact } }: { headers: Headers; body: ListPage },
  noun: string,
) {
  const next_cursor = nextCursor(headers);
  return {
    position: { total, total_is_exact, next_cursor },
    caveats:
      next_cursor === null
        ? []
        : [
            `This result has ${items.length} of ${total_is_exact ? '' : 'more than '}${total} ${noun}. Use next_cursor for the others.`,
          ],
  };
}

/** Returns items from `start`, for lists that the API returns as a whole. The cursor is the position in the list. */
export function pageOfList<T>(items: readonly T[], cursor: string | undefined, limit: number) {
  const start = cursor === undefined ? 0 : readPosition(cursor);
  const end = start + limit;
  return { items: items.slice(start, end), next_cursor: end < items.length ? String(end) : null };
}

function readPosition(cursor: string): number {
  if (/^\d{1,7}$/.test(cursor)) return Number(cursor);
  throw new ToolInputError("cursor isn't the next_cursor of a result of this tool. Omit it to start again.");
}
