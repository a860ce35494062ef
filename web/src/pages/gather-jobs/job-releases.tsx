import { Group } from '@mantine/core';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { emptyUntilRun } from '../../components/job-found.ts';
import { type Column, ShortList } from '../../components/list/index.ts';
import { ReleaseDate, ReleaseMark } from '../../components/release-marks.tsx';
import { resourceLink } from '../../components/resource-link.ts';
import { Section } from '../../ui/facts.tsx';
import { TextLink } from '../../ui/links.tsx';

const columns: readonly Column<Schemas['Release']>[] = [
  { header: 'Version', cell: ({ version }) => version },
  { header: 'Type', cell: (release) => <ReleaseMark release={release} />, width: '8rem' },
  { header: 'Released', cell: (release) => <ReleaseDate release={release} />, width: '9rem' },
  { header: 'Tag', cell: ({ tag }) => tag, wideOnly: true },
];

/** Lists the highest releases of a gather job. */
export function JobReleases({ job, actions }: { job: Schemas['GatherJob']; actions: React.ReactNode }) {
  return (
    <Section
      title="Releases"
      actions={
        <Group gap="sm">
          {job.release_count > 0 && (
            <TextLink to="/releases" search={{ gather_job_id: String(job.id) }} size="sm">
              All {job.release_count.toLocaleString('en')}
            </TextLink>
          )}
          {actions}
        </Group>
      }
    >
      <ShortList
        operationId="listReleases"
        query={{ gather_job_id: job.id }}
        columns={columns}
        name="releases"
        rowKey={({ id }) => id}
        rowLink={({ id }) => resourceLink('release', id)}
        empty={emptyUntilRun('releases', job)}
      />
    </Section>
  );
}
