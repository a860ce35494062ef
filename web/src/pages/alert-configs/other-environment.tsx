import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import { api } from '../../api/session.ts';
import { useApi } from '../../api/use-api.ts';
import { ScrapeJobPicker } from '../../components/entity-picker.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';

/** Selects another version tracker, such as the one for staging, whose versions replace releases in the comparison. */
export function OtherEnvironment({ onGatherJob }: { onGatherJob: (id: number) => void }) {
  const [isOpen, setOpen] = useState(false);
  const [scrapeJobId, setScrapeJobId] = useState<number | null>(null);
  const [error, setError] = useState<unknown>(null);
  const jobs = useApi('listScrapeJobsDropdown');
  if (!isOpen)
    return (
      <Group>
        <Button variant="subtle" size="compact-sm" onClick={() => setOpen(true)}>
          Compare with another environment
        </Button>
      </Group>
    );
  async function use(id: number): Promise<void> {
    setError(null);
    try {
      onGatherJob(await findOrCreate(id, jobs.data?.find((job) => job.id === id)?.name ?? ''));
      setOpen(false);
    } catch (failure) {
      setError(failure);
    }
  }
  return (
    <>
      <ScrapeJobPicker
        label="Other environment"
        description="The version tracker to compare with. Its versions become the upstream source."
        value={scrapeJobId}
        onChange={setScrapeJobId}
      />
      <Group gap="xs">
        <Button
          variant="default"
          disabled={scrapeJobId === null}
          onClick={() => scrapeJobId !== null && void use(scrapeJobId)}
        >
          Use its versions
        </Button>
        <Button variant="subtle" onClick={() => setOpen(false)}>
          Cancel
        </Button>
      </Group>
      {error !== null && <ErrorNotice error={error} />}
    </>
  );
}

/**
 * Returns the ID of the gather job with the versions of a scrape job, and creates the gather job if
 * necessary.
 */
async function findOrCreate(scrapeJobId: number, name: string): Promise<number> {
  const artifact_name = `scrape-job/${scrapeJobId}`;
  const query = { source_type: 'deployed_versions', q: artifact_name, limit: 200 } as const;
  const { items } = await api.call('listGatherJobs', { query });
  const existing = items.find((job) => job.artifact_name === artifact_name);
  if (existing) return existing.id;
  const body = {
    name: name === '' ? artifact_name : name,
    source_type: 'deployed_versions',
    artifact_name,
  } as const;
  return (await api.call('createGatherJob', { body })).id;
}
