import { z } from 'zod';
import { describeUnread } from '../../domain/notes/unread-notes.ts';
import { capitalized } from '../../domain/text/capitalized.ts';
import type { Schemas } from '../../generated/client-api.ts';
import { pageUrl } from '../pages.ts';
import { cursorInput, defineTool, idInput, limitInput, ToolInputError, withoutUndefined } from '../tool.ts';
import { quoteUpstream, upstreamTextCaveat } from '../upstream-text.ts';

/**
 * Maximum number of characters of all notes in one result, shared by its releases. The limit is low enough
 * that a result with one release always fits, even if its text doubles in length as JSON.
 */
const maxNotesCharacters = 12_000;

/**
 * Maximum number of marked lines of one release, which are hints such as breaking changes. The API doesn't
 * limit their number.
 */
const maxMarkedLines = 15;

/** Maximum number of releases that the API lists between two versions. */
const maxListed = 100;

export const listChanges = defineTool({
  name: 'list_changes',
  title: 'List what changed between two versions',
  description:
    'Lists the releases between two versions, newest first, with the lines that their authors marked (such as breaking changes, removals, and required actions) and the beginning of their release notes. For a monitor (alert configuration), the range is from the deployed to the latest version unless from or to is set. For a gather job, set from. Specify exactly one of the two IDs. Use get_release for all notes of one release.',
  input: {
    alert_config_id: idInput('ID of a monitor. See get_upgrade, list_software, or search.').optional(),
    gather_job_id: idInput('ID of a gather job. See list_upgrades or search.').optional(),
    from: z
      .string()
      .min(1)
      .max(256)
      .describe('Releases after this version. Default: the deployed version of the monitor.')
      .optional(),
    to: z
      .string()
      .min(1)
      .max(256)
      .describe('Releases up to and including this version. Default: the latest version.')
      .optional(),
    include_prereleases: z.boolean().describe('Whether to list pre-releases.').optional(),
    limit: limitInput(10),
    cursor: cursorInput.optional(),
  },
  async run(context, { alert_config_id, gather_job_id, limit, cursor, ...range }) {
    const { api } = context;
    if ((alert_config_id === undefined) === (gather_job_id === undefined))
      throw new ToolInputError('Specify exactly one of alert_config_id and gather_job_id.');
    const query = { ...withoutUndefined(range), limit: maxListed };
    const notes =
      gather_job_id === undefined
        ? await api.call('getAlertConfigReleaseNotes', { path: { id: alert_config_id! }, query })
        : await api.call('getGatherJobReleaseNotes', { path: { id: gather_job_id }, query });
    const { releases, totals } = notes;
    const start = startOf(releases, cursor);
    const shown = releases.slice(start, start + limit);
    const isLast = start + shown.length >= releases.length;
    const unread = describeUnread(totals);
    return {
      caveats: [
        upstreamTextCaveat,
        'Marked lines repeat what the authors wrote. Without any, an upgrade can still break something.',
        ...(shown.length === totals.releases && totals.is_exact
          ? []
          : [
              `This result has ${shown.length} of ${totals.is_exact ? '' : 'at least '}${totals.releases} releases.${isLast ? '' : ' Use next_cursor for the others.'}`,
            ]),
        ...(isLast && totals.releases > releases.length
          ? [
              `Only the newest ${releases.length === 1 ? 'release' : `${releases.length} releases`} can be listed. For the others, set "to" to a lower version.`,
            ]
          : []),
        ...(unread === null ? [] : [`${capitalized(unread)} for marked lines.`]),
        ...(shown.some(({ notes: text, is_cut }) => text === null && is_cut)
          ? ["Some notes didn't fit. Use get_release for them."]
          : []),
      ],
      from: notes.from,
      to: notes.to,
      totals,
      is_cut: notes.is_cut,
      compare_url: notes.compare_url,
      project_url: notes.project_url,
      next_cursor: isLast ? null : String(shown.at(-1)!.release_id),
      releases: shown.map(({ release_id, version, released_at, url, hints, notes: text, ...release }) => ({
        release_id,
        version,
        released_at,
        url: pageUrl(context, 'release', release_id),
        upstream_url: url,
        marked_lines: hints.slice(0, maxMarkedLines).map(markedLine),
        marked_line_count: hints.length,
        notes:
          text === null
            ? null
            : {
                source: release.notes_source,
                ...quoteUpstream(text, Math.floor(maxNotesCharacters / shown.length), release.is_cut),
              },
      })),
    };
  },
});

type ReleaseWithNotes = Schemas['ReleaseWithNotes'];

/** Returns the index of the first release of a page. The cursor is the ID of the last release before it. */
function startOf(releases: readonly ReleaseWithNotes[], cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  const before = releases.findIndex(({ release_id }) => String(release_id) === cursor);
  if (before >= 0) return before + 1;
  throw new ToolInputError(
    "cursor isn't the next_cursor of a result with these arguments, or its release was removed. Omit it to start again.",
  );
}

/** The text of hints without a line comes from Pacekeeper, not from upstream. */
function markedLine({ kind, text, line }: ReleaseWithNotes['hints'][number]) {
  return line === null ? { kind, text } : { kind, line, ...quoteUpstream(text, 300) };
}

/** Maximum number of characters of notes in one result of `get_release`. */
const notesPageCharacters = 15_000;

export const getRelease = defineTool({
  name: 'get_release',
  title: 'Get a release and its notes',
  description:
    'Returns a release with its notes as upstream wrote them. Long notes come in parts: continue with next_cursor.',
  input: {
    release_id: idInput('ID of a release. See list_changes or list_releases.'),
    cursor: cursorInput.optional(),
  },
  async run(context, { release_id, cursor = '0' }) {
    if (!/^\d{1,7}$/.test(cursor))
      throw new ToolInputError(
        "cursor isn't the next_cursor of a result of get_release. Omit it to start again.",
      );
    const { notes, url, ...release } = await context.api.call('getRelease', { path: { id: release_id } });
    const start = Number(cursor);
    const end = notes === null ? 0 : endOfPage(notes, start);
    const isLast = notes === null || end >= notes.length;
    return {
      caveats: [
        ...(notes === null ? ['The release has no notes.'] : [upstreamTextCaveat]),
        ...(isLast
          ? []
          : [
              `This result has the notes up to character ${end} of ${notes.length}. Use next_cursor for the rest.`,
            ]),
        ...(release.is_withdrawn ? ['The source no longer lists this release.'] : []),
        ...(release.is_yanked ? ['The source marks this release as yanked.'] : []),
      ],
      release: { ...release, url: pageUrl(context, 'release', release_id), upstream_url: url },
      next_cursor: isLast ? null : String(end),
      notes: notes === null ? null : quoteUpstream(notes.slice(start, end), notesPageCharacters, !isLast),
    };
  },
});

/** Returns the end of a page of notes, without splitting a surrogate pair. */
function endOfPage(notes: string, start: number): number {
  const end = start + notesPageCharacters;
  return (notes.codePointAt(end - 1) ?? 0) > 0xffff ? end - 1 : end;
}
