import { Alert, Button } from '@mantine/core';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { useAction } from '../../api/use-action.ts';
import { useHasRole } from '../../api/use-me.ts';
import { ifMatchOf } from '../../components/edited.tsx';
import { Facts, Section } from '../../ui/facts.tsx';
import { formatCount } from '../../ui/format.ts';
import { ButtonLink } from '../../ui/links.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';

type DiscoveryJob = Schemas['DiscoveryJob'];

const exclusions: Readonly<Record<Schemas['RepositoryExclusion'], string>> = {
  name: 'name excluded',
  archived: 'archived',
  fork: 'fork',
  topic: 'no matching topic',
  language: 'no matching language',
  empty: 'empty',
  moved: 'moved',
};

/** Describes why a repository isn't in the list of its group, and since when. */
export function describeUnlisted({
  since,
  excluded,
  moved_to,
  removal,
  is_confirmed,
}: NonNullable<DiscoveryJob['unlisted']>) {
  const reason = excluded === null ? 'not in the list' : exclusions[excluded];
  return (
    <>
      {is_confirmed ? 'removed' : 'not read'} ({moved_to === null ? reason : `moved to ${moved_to}`}), noticed{' '}
      <RelativeTime at={since} />
      {removal === 'held' && ', removal awaits confirmation'}
      {removal === 'confirmed' && ', removal confirmed, waiting for a complete list'}
    </>
  );
}

/**
 * Notice on the page of a repository's job that the repository was moved out of its group. Shows the new
 * location, and lets members follow it.
 */
export function MovedNotice({ job, movedTo }: { job: DiscoveryJob; movedTo: string }) {
  const update = useAction('updateDiscoveryJob', { done: 'Repository followed. Scan queued.' });
  const isAllowed = useHasRole('member');
  return (
    <Alert variant="outline" color="var(--severity-moderate)" title={`Moved to ${movedTo}`} mb="md">
      The repository has a new owner, so it isn't read. If you follow it, this job keeps its items and their
      history, and no longer belongs to the organization.
      {isAllowed && (
        <Button
          size="xs"
          variant="default"
          mt="xs"
          display="block"
          loading={update.isPending}
          onClick={() =>
            update.mutate({
              path: { id: job.id },
              body: {
                name: new URL(movedTo).pathname.slice(1).replace(/\.git$/, ''),
                repository_url: movedTo,
              },
              ...ifMatchOf(job),
            })
          }
        >
          Follow repository
        </Button>
      )}
    </Alert>
  );
}

/** Shows how many repositories of the group are in each state. */
export function RepositoriesSection({
  job,
  counts,
}: {
  job: DiscoveryJob;
  counts: NonNullable<DiscoveryJob['repository_counts']>;
}) {
  return (
    <Section
      title="Repositories"
      actions={
        <ButtonLink
          to="/discovery/$id/repositories"
          params={{ id: String(job.id) }}
          size="xs"
          variant="default"
        >
          Show repositories
        </ButtonLink>
      }
    >
      <Facts
        facts={[
          ['Read', formatCount(counts.read)],
          counts.waiting > 0 && ['Waiting for a scan', formatCount(counts.waiting)],
          counts.failed > 0 && ['Failed', formatCount(counts.failed)],
          counts.unlisted > 0 && ['No longer listed', formatCount(counts.unlisted)],
          counts.moved > 0 && ['Moved to another owner', formatCount(counts.moved)],
          counts.confirmed > 0 && [
            'Confirmed removals',
            `${formatCount(counts.confirmed)}, waiting for the next complete list`,
          ],
          counts.removed > 0 && ['Removed', formatCount(counts.removed)],
        ]}
      />
    </Section>
  );
}
