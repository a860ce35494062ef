import { Group, Switch } from '@mantine/core';
import { useState } from 'react';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { emptyUntilRun } from '../../components/job-found.ts';
import { type Column, ShortList } from '../../components/list/index.ts';
import { VersionChange } from '../../components/version-change.tsx';
import { VersionSourceText } from '../../components/version-source-text.tsx';
import { VersionText } from '../../components/version-text.tsx';
import { Section } from '../../ui/facts.tsx';
import { TextLink } from '../../ui/links.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';

const columns: readonly Column<Schemas['Version']>[] = [
  { header: 'Version', cell: ({ version }) => <VersionText version={version} /> },
  {
    header: 'Change',
    cell: (version) => <VersionChange version={version} />,
  },
  { header: 'Seen', cell: ({ discovered_at }) => <RelativeTime at={discovered_at} />, width: '9rem' },
  { header: 'Source', cell: (version) => <VersionSourceText version={version} /> },
];

/** Lists the deployed versions that the job recorded, newest first. */
export function SnapshotsList({ job }: { job: Schemas['ScrapeJob'] }) {
  const [changesOnly, setChangesOnly] = useState(true);
  return (
    <Section
      id="versions"
      title="Version history"
      actions={
        <Group gap="md">
          <Switch
            size="xs"
            label="Changes only"
            checked={changesOnly}
            onChange={({ currentTarget }) => setChangesOnly(currentTarget.checked)}
          />
          <TextLink to="/versions" search={{ scrape_job_id: String(job.id) }} size="sm">
            All
          </TextLink>
        </Group>
      }
    >
      <ShortList
        operationId="listScrapeJobVersions"
        path={{ id: job.id }}
        query={changesOnly ? { changes_only: true } : {}}
        columns={columns}
        name="versions"
        rowKey={({ id }) => id}
        empty={job.parser_type === 'manual' ? 'No version set yet' : emptyUntilRun('versions', job)}
      />
    </Section>
  );
}
