import type { Schemas } from '../../../../src/generated/client-api.ts';
import { useApi } from '../../api/use-api.ts';
import { Loaded } from '../../components/loaded.tsx';
import { Section } from '../../ui/facts.tsx';
import { LinesTable } from './lines-table.tsx';

/** The lines and variants of a gather job: what its releases are compared by. */
export function JobLines({ job }: { job: Schemas['GatherJob'] }) {
  const preview = useApi(
    'previewGatherJob',
    { body: { gather_job_id: job.id } },
    { enabled: job.release_count > 0 },
  );
  if (job.release_count === 0) return null;
  return (
    <Section title="Lines and variants">
      <Loaded query={preview}>{(found) => <LinesTable preview={found} />}</Loaded>
    </Section>
  );
}
