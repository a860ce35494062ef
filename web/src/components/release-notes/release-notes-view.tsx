import { Anchor, Group, Loader, Text } from '@mantine/core';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { isBreakingHint } from '../../../../src/domain/notes/breaking-changes.ts';
import { guessSource } from '../../../../src/domain/source-types/guess-source.ts';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { useAction } from '../../api/use-action.ts';
import { useApi } from '../../api/use-api.ts';
import { useHasRole } from '../../api/use-me.ts';
import { Breakable } from '../../ui/breakable.tsx';
import { isWebAddress } from '../../ui/is-web-address.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { ChangeButton } from '../change-button.tsx';
import { Loaded } from '../loaded.tsx';
import classes from './release-notes.module.css';
import { hintLabels, listHints, summarizeNotes } from './release-notes-sentences.ts';

type ReleaseNotes = Schemas['ReleaseNotes'];
type ReleaseWithNotes = Schemas['ReleaseWithNotes'];

/** Loads lazily, because only release notes require the Markdown reader. */
const NoteText = lazy(() => import('./note-text.tsx'));

export interface VersionsBetween {
  /** Start of the range, exclusive. Default: the deployed version. */
  from?: string | undefined;
  /** End of the range. Default: the latest version. */
  to?: string | undefined;
}

/** Releases between two versions of a monitor's upstream: the hints in their notes, then the full notes. */
export function ReleaseNotesView({ alertConfigId, from, to }: { alertConfigId: number } & VersionsBetween) {
  const query = useApi('getAlertConfigReleaseNotes', {
    path: { id: alertConfigId },
    query: { ...(from !== undefined && { from }), ...(to !== undefined && { to }) },
  });
  return <Loaded query={query}>{(notes) => <NotesBetweenVersions notes={notes} />}</Loaded>;
}

/** Releases between two versions of an upstream source, as in `ReleaseNotesView`. */
export function SourceReleaseNotes({
  gatherJobId,
  from,
  to,
}: {
  gatherJobId: number;
  from: string;
  to: string;
}) {
  const query = useApi('getGatherJobReleaseNotes', { path: { id: gatherJobId }, query: { from, to } });
  return <Loaded query={query}>{(notes) => <NotesBetweenVersions notes={notes} />}</Loaded>;
}

const shownHints = 10;
const shownReleases = 20;
/** Without notes, releases are only versions and dates, so fewer are shown at first. */
const shownWithoutNotes = 5;

function NotesBetweenVersions({ notes }: { notes: ReleaseNotes }) {
  if (notes.releases.length === 0) {
    return (
      <Text size="sm" className={classes.muted}>
        No releases to list between these versions.
      </Text>
    );
  }
  const hints = listHints(notes.releases);
  return (
    <>
      <Text size="sm" className={classes.summary}>
        {summarizeNotes(notes)}
      </Text>
      {hints.length > 0 && (
        <Truncated count={shownHints} of={hints}>
          {(shown) => (
            <ul className={classes.hints} aria-label="Marked changes">
              {shown.map(({ key, kind, text, version }) => (
                <li key={key}>
                  <span className={classes.version}>{version}</span>
                  <Text size="sm" component="span">
                    <span className={isBreakingHint({ kind }) ? classes.kind : classes.muted}>
                      {hintLabels[kind]}
                    </span>
                    {!kind.endsWith('_version') && `: ${text}`}
                  </Text>
                </li>
              ))}
            </ul>
          )}
        </Truncated>
      )}
      <Truncated
        count={notes.totals.with_notes === 0 ? shownWithoutNotes : shownReleases}
        of={notes.releases}
      >
        {(shown) =>
          shown.map((release) => (
            <Release key={release.release_id} release={release} isNoted={notes.totals.with_notes > 0} />
          ))
        }
      </Truncated>
      <Links notes={notes} />
      <FollowProject notes={notes} />
    </>
  );
}

/** Shows the first items of a list, with a button for the others. */
function Truncated<T>({
  count,
  of: all,
  children,
}: {
  count: number;
  of: readonly T[];
  children: (shown: readonly T[]) => ReactNode;
}) {
  const [isWhole, setWhole] = useState(false);
  const left = all.length - count;
  return (
    <>
      {children(isWhole ? all : all.slice(0, count))}
      {left > 0 && !isWhole && (
        <Anchor component="button" size="sm" my="xs" onClick={() => setWhole(true)}>
          Show {left} more
        </Anchor>
      )}
    </>
  );
}

function Release({
  release,
  isNoted,
}: {
  release: ReleaseWithNotes;
  /** True if any release has notes. If none has, "No release notes" isn't repeated for each release. */
  isNoted: boolean;
}) {
  const [isOpen, setOpen] = useState(false);
  const { version, released_at, url, notes, notes_source, is_cut } = release;
  const breaking = release.hints.filter(isBreakingHint).length;
  const head = (
    <>
      <span className={classes.version}>{version}</span>
      {released_at !== null && (
        <Text size="sm" component="span" className={classes.muted}>
          <RelativeTime at={released_at} />
        </Text>
      )}
      <Text size="sm" component="span" className={breaking > 0 ? classes.kind : classes.muted}>
        {notes_source === null ? isNoted && 'No release notes' : breaking > 0 ? `${breaking} breaking` : ''}
      </Text>
      {notes_source === 'project' && (
        <Text size="sm" component="span" className={classes.muted}>
          from the project
        </Text>
      )}
      {notes_source === 'changelog' && (
        <Text size="sm" component="span" className={classes.muted}>
          from the changelog
        </Text>
      )}
    </>
  );
  const link = url !== null && (
    <Anchor size="sm" href={url} target="_blank" rel="noopener noreferrer">
      View release
    </Anchor>
  );
  // A release without notes can't be expanded.
  if (notes === null)
    return (
      <div className={classes.release}>
        <div className={classes.line}>
          {head}
          {link}
        </div>
      </div>
    );
  return (
    <details className={classes.release} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{head}</summary>
      {isOpen && (
        <div className={classes.body}>
          <Suspense fallback={<Loader size="sm" />}>
            <NoteText notes={notes} />
          </Suspense>
          {is_cut && (
            <Text size="sm" className={classes.muted}>
              The notes are too long to show completely.
            </Text>
          )}
          {link}
        </div>
      )}
    </details>
  );
}

function Links({ notes: { compare_url, project_url, releases, totals } }: { notes: ReleaseNotes }) {
  const left = totals.releases - releases.length;
  return (
    <Group gap="md" mt="sm">
      {left > 0 && (
        <Text size="sm" className={classes.muted}>
          {left.toLocaleString('en-US')} more not shown
        </Text>
      )}
      {isWebAddress(compare_url) && (
        <Anchor size="sm" href={compare_url} target="_blank" rel="noopener noreferrer">
          Compare code
        </Anchor>
      )}
      {isWebAddress(project_url) && (
        <Anchor size="sm" href={project_url} target="_blank" rel="noopener noreferrer">
          View project
        </Anchor>
      )}
    </Group>
  );
}

/**
 * Button that creates an upstream source for the project of an artifact. Images, charts, and tags have no
 * release notes, but the releases of their project do.
 */
function FollowProject({ notes: { project_url, project_gather_job_id, totals } }: { notes: ReleaseNotes }) {
  const canWrite = useHasRole('member');
  const create = useAction('createGatherJob', { done: 'Upstream source created' });
  const source = project_url === null ? null : guessSource(project_url);
  const isFollowed = project_gather_job_id !== null || create.isSuccess;
  if (!canWrite || source === null || isFollowed || totals.with_notes > 0) return null;
  const name = `${source.artifact_name.split('/').slice(-2).join('/')} releases`;
  return (
    <Group mt="sm">
      <ChangeButton
        loading={create.isPending}
        onClick={() => create.mutate({ body: { name, ...source, cron_expression: '@daily' } })}
      >
        <span>
          Read release notes from <Breakable>{source.artifact_name}</Breakable>
        </span>
      </ChangeButton>
    </Group>
  );
}
