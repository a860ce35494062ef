import type { Schemas } from '../../../../src/generated/client-api.ts';
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
};

/** Says since when a repository isn't in the list of its group, and why. */
export function aboutUnlisted({ since, excluded, is_confirmed }: NonNullable<DiscoveryJob['unlisted']>) {
  return (
    <>
      {is_confirmed ? 'removed' : 'not read'} ({excluded === null ? 'not in the list' : exclusions[excluded]}
      ), noticed <RelativeTime at={since} />
    </>
  );
}

/** Shows the numbers of a group's repositories by state. */
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
          counts.removed > 0 && ['Removed', formatCount(counts.removed)],
        ]}
      />
    </Section>
  );
}
